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
from submissions.filings.orders.order_entry import end_order
from submissions.filings.orders.order_periods import OrderState, ended_on, order_periods
from submissions.filings.orders.pages.orders import ON_FIRST_PAGE
from submissions.models import ChapterEffect, Order, OrderEnd, OrderKind, Organization, Person, Submission
from tests.submissions import files
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import RULE, WITHOUT_RACK, chapter_order, waiver
from tests.submissions.web.clients import browser

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
    assert f'id="id_{field}_error"' in text
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


def test_soonest_ends_are_on_the_first_page_and_all_behind_a_link(
    director: Person, casino: Organization, today: date
) -> None:
    later, sooner = (waiver(director, last_day=today + days * DAY).number for days in (20, 2))
    others = [waiver(director, last_day=today + 10 * DAY).number for _ in range(ON_FIRST_PAGE - 1)]
    waiver(director)  # ends in a year
    shown = page(director, "home")
    assert (sooner in shown, later in shown) == (True, False)
    address = "/orders/?state=ending"
    assert f'<a href="{address}">All that end soon</a>: 1 more.' in shown
    rows = browser(director).get(address).context["rows"]
    assert {row.order.number for row in rows} == {later, sooner, *others}


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


def test_list_is_filtered_by_licensee_game_and_state(
    director: Person, casino: Organization, other_casino: Organization, today: date
) -> None:
    """Each order is open or ended as its own state says."""
    west = other_casino
    mine = waiver(director, licensee=casino.slug)
    open_all = waiver(director, kind=OrderKind.ORDER, licensee="", chapter="", rule="", citation="§ 601a.2")
    over = waiver(director, licensee=west.slug, last_day=today + DAY)
    ended = waiver(director, licensee=west.slug)
    end_order(director, ended, from_day=today, reason="Not needed.")
    later = waiver(director, licensee=west.slug, first_day=today + 5 * DAY)
    end_order(director, later, from_day=today + 2 * DAY, reason="Not needed.")
    decided = chapter_order(director, "583", ChapterEffect.CONTINUES)
    for day in (today, today + 2 * DAY, today + 400 * DAY):
        states = {period.order.pk: period.state(day) for period in order_periods(Order.objects.order_by("pk"))}
        over_or_ended = {
            pk for pk, state in states.items() if state not in (OrderState.IN_EFFECT, OrderState.SCHEDULED)
        }
        assert set(Order.objects.filter(ended_on(day)).values_list("pk", flat=True)) == over_or_ended
        assert set(Order.objects.exclude(ended_on(day)).values_list("pk", flat=True)) == states.keys() - over_or_ended
    client = browser(director)

    def shown(query: str) -> set[str]:
        response = client.get(f"{reverse('orders')}?{query}")
        assert response.status_code == 200
        return {row.order.number for row in response.context["rows"]}

    assert shown(f"licensee={west.slug}") == {over.number, ended.number, later.number}
    assert shown("licensee=all") == {open_all.number, decided.number}
    assert shown(f"licensee={west.slug}&state=open") == {over.number}
    assert shown("state=ended") == {ended.number, later.number}
    assert shown("chapter=583") == {open_all.number, decided.number}
    assert mine.number in shown("chapter=686a")


def test_filter_that_no_order_can_have_is_refused_and_shows_nothing(director: Person, manager: Person) -> None:
    waiver(director)
    for query, said in (
        ("licensee=nobody", "licensee “nobody”"),
        ("chapter=1", "chapter “1”"),
        ("state=x", "state “x”"),
    ):
        response = browser(director).get(f"{reverse('orders')}?{query}")
        assert response.status_code == 400
        assert response.context["rows"] == []
        assert said in response.content.decode()
