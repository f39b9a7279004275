"""Pages of orders: entering one by its form, the lists, temporary chapters, and waivers wherever findings are shown."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.models import Order, OrderEnd, Organization, Person, Submission
from submissions.orders.order_entry import end_order
from tests.submissions import files
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import RULE, WITHOUT_RACK, chapter_order, waiver
from tests.submissions.web.conftest import browser

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


@pytest.fixture
def without_rack(manager: Person) -> Submission:
    submission = ready_to_file(manager, "686a")
    change(manager, submission, WITHOUT_RACK)
    return submission


def page(person: Person | None, name: str, *arguments: object) -> str:
    client = browser(person) if person else Client()
    return client.get(reverse(name, args=arguments)).content.decode()


def form(today: date, **changes: object) -> dict[str, object]:
    return {
        "kind": "waiver",
        "licensee": "east",
        "tables": "3, 5-8",
        "rule": RULE,
        "option": "",
        "citation": "§ 686a.2(f)",
        "docket": "12-2026",
        "text": "No rack is needed.",
        "first_day": today.isoformat(),
        "last_day": (today + 90 * DAY).isoformat(),
        **changes,
    }


def test_director_enters_a_waiver_with_its_document(director: Person, casino: Organization, today: date) -> None:
    client, address = browser(director), f"{reverse('order-new')}?chapter=686a"
    assert f'<option value="{RULE}">' in client.get(address).content.decode()
    sent = SimpleUploadedFile("Order 12.pdf", files.pdf(), "application/pdf")
    answer = client.post(address, form(today) | {"document": sent})
    order = Order.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, reverse("order", args=[order.number]))
    assert (order.kind, order.chapter, order.rule, order.tables) == ("waiver", "686a", RULE, "3, 5-8")
    shown = client.get(answer["Location"]).content.decode()
    for words in ("Casino East", "tables 3, 5-8", "No rack is needed.", "Order 12.pdf", RULE, "Director One"):
        assert words in shown
    stored = client.get(reverse("order-document", args=[order.number]))
    assert b"".join(stored.streaming_content) == files.pdf()


def test_order_is_confirmed_before_it_is_entered(director: Person, casino: Organization, today: date) -> None:
    client = browser(director, confirmed=False)
    answer = client.post(f"{reverse('order-new')}?chapter=686a", form(today))
    assert (answer.status_code, Order.objects.count()) == (403, 0)
    assert "No rack is needed." in answer.content.decode()


@pytest.mark.parametrize(
    ("field", "value"), [("first_day", "soon"), ("tables", "8-3"), ("citation", "the rack"), ("last_day", "2020-01-01")]
)
def test_refusal_is_shown_at_its_field(
    director: Person, casino: Organization, today: date, field: str, value: str
) -> None:
    answer = browser(director).post(f"{reverse('order-new')}?chapter=686a", form(today, **{field: value}))
    text = answer.content.decode()
    assert (answer.status_code, Order.objects.count()) == (400, 0)
    assert f'id="{field}-error"' in text
    assert f'value="{value}"' in text


def test_order_is_replaced_and_ended_by_their_forms(director: Person, casino: Organization, today: date) -> None:
    client, order = browser(director), waiver(director)
    replaced = client.post(reverse("order-replace", args=[order.number]), form(today, tables="3"))
    second = Order.objects.get(replaces=order)
    assert (replaced.status_code, second.tables) == (302, "3")
    ended = client.post(
        reverse("order-end", args=[second.number]), {"from_day": today.isoformat(), "reason": "The rack is there."}
    )
    assert (ended.status_code, OrderEnd.objects.get().order) == (302, second)
    shown = page(director, "order", second.number)
    assert "The rack is there." in shown
    assert reverse("order-end", args=[second.number]) not in shown


def test_list_shows_a_licensee_its_own(
    director: Person, manager: Person, stranger: Person, casino: Organization
) -> None:
    own, west = waiver(director).number, waiver(director, licensee="west").number
    found = {one.name: (own in (text := page(one, "orders")), west in text) for one in (director, manager, stranger)}
    assert found == {"Director One": (True, True), "Manager East": (True, False), "Manager West": (False, True)}


def test_what_ends_soon_is_on_the_first_page(
    director: Person, manager: Person, stranger: Person, casino: Organization, today: date
) -> None:
    number = waiver(director, last_day=today + 9 * DAY).number
    assert {one.name: number in page(one, "home") for one in (director, manager, stranger)} == {
        "Director One": True,
        "Manager East": True,
        "Manager West": False,
    }
    assert "in 9 days" in page(manager, "home")


def test_waived_finding_is_shown_on_checklist_filing_submission_and_document(
    cast: Cast, director: Person, analyst: Person, manager: Person, without_rack: Submission, today: date
) -> None:
    number = waiver(director, last_day=today + 9 * DAY).number
    covered = f"Covered by waiver {number} (12-2026)"
    own = {name: covered in page(manager, name, without_rack.number) for name in ("checklist",)}
    assert own == {"checklist": True}
    assert "Ready to file." in page(manager, "checklist", without_rack.number)
    revision = cast.file(without_rack)
    shown = page(analyst, "submission", without_rack.number)
    assert ("<strong>Waived:</strong>" in shown, covered in shown) == (True, True)
    (finding,) = [
        finding for finding in document_context(document_record(revision))["common"]["findings"] if "waiver" in finding
    ]
    assert finding["waiver"]["number"] == number
    assert finding["waiver"]["until"].startswith("until ")


def test_finding_is_not_waived_for_another_licensee(
    director: Person, manager: Person, other_casino: Organization, without_rack: Submission
) -> None:
    waiver(director, licensee="west")
    assert "1 to resolve" in page(manager, "checklist", without_rack.number)


def test_waived_finding_is_shown_at_the_table(
    cast: Cast, director: Person, without_rack: Submission, today: date
) -> None:
    number = waiver(director).number
    cast.approve(without_rack)
    assert f"Covered by waiver {number}" in page(None, "in-force-table", "east", "686a", "3")


def test_version_that_needs_an_ended_waiver_is_on_the_page_of_changed_rules(
    cast: Cast, director: Person, manager: Person, without_rack: Submission, today: date
) -> None:
    order = waiver(director)
    cast.approve(without_rack)
    assert "All checked versions" in page(manager, "changed-rules")
    end_order(director, order, from_day=today + 3 * DAY, reason="The rack is there.")
    assert "1 of 1 version does not comply now or will not comply" in page(manager, "changed-rules")


def test_temporary_chapters_without_decision_are_listed_as_undecided(
    cast: Cast, director: Person, analyst: Person, today: date
) -> None:
    revision = cast.version("581")
    shown = page(analyst, "temporary-chapters")
    assert "10 of 10 temporary chapters undecided" in shown
    assert revision.receipt in shown
    assert "10 temporary chapters" in page(analyst, "home")
    chapter_order(director, "581", last_day=today + 90 * DAY)
    shown = page(analyst, "temporary-chapters")
    assert "9 of 10 temporary chapters undecided" in shown
    assert "by order 12-2026" in shown
    assert "Versions that end on" in shown


def test_licensee_sees_its_own_versions_under_a_temporary_chapter(
    cast: Cast, manager: Person, stranger: Person
) -> None:
    receipt = cast.version("581").receipt
    assert {one.name: receipt in page(one, "temporary-chapters") for one in (manager, stranger)} == {
        "Manager East": True,
        "Manager West": False,
    }


def test_director_decides_on_a_chapter_and_decides_again(director: Person, today: date) -> None:
    client, address = browser(director), reverse("chapter-decision", args=["581"])
    fields = {"chapter_effect": "continues", "last_day": "", "citation": "4 Pa.C.S. § 13A03", "text": "It continues."}
    assert client.post(address, fields).status_code == 302
    fields |= {"chapter_effect": "ends", "last_day": (today + DAY).isoformat(), "text": "It ends."}
    assert client.post(address, fields).status_code == 302
    first, second = Order.objects.order_by("pk")
    assert (second.replaces, second.all_licensees, second.chapter_effect) == (first, True, "ends")


def test_chapter_that_ended_is_said_on_public_pages(cast: Cast, director: Person, today: date) -> None:
    cast.version("581")
    chapter_order(director, "581", last_day=today + 4 * DAY)
    for name, arguments in (("in-force-game", ["east", "581"]), ("in-force-table", ["east", "581", "3"])):
        address = reverse(name, args=arguments)
        texts = [
            Client().get(address, {"on": (today + number * DAY).isoformat()}).content.decode() for number in (4, 5)
        ]
        assert ["This chapter has ended" in text for text in texts] == [False, True]
    listed = [
        Client().get(reverse("in-force"), {"on": (today + number * DAY).isoformat()}).content.decode()
        for number in (4, 5)
    ]
    assert ["The chapter has ended" in text for text in listed] == [False, True]


def test_waivers_are_not_public(director: Person, casino: Organization) -> None:
    number = waiver(director).number
    assert Client().get(reverse("order", args=[number])).status_code == 302
    assert number not in page(None, "in-force-game", "east", "686a")
