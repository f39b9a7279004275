"""Pages of what holds: the register, a day, one table; amending, what changes, discontinuing."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.registry import chapter
from submissions.core.digests import canonical_json, digest
from submissions.filings import copies, versions
from submissions.models import Organization, Person, Revision, Status, Submission, Version
from tests import cast as people
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import filed_rules
from tests.submissions.web.clients import browser

DAY = timedelta(days=1)
ANYBODY = Client


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


@pytest.fixture(scope="module", autouse=True)
def approved(module_rows: None) -> Revision:
    """Over/Under, another number of adjacent boxes at four tables."""
    cast = Cast(people.manager(), people.analyst(), people.director())
    draft = ready_to_file(cast.manager, "686a")
    set_apart(draft, "High limit", "3, 7-9", adjacent_boxes=2)
    return cast.approve(draft)


@pytest.fixture
def grouped(approved: Revision, db: None) -> Revision:
    return Revision.objects.get(pk=approved.pk)


def get(client: Client, name: str, *arguments: str, **query: str) -> tuple[int, str]:
    answer = client.get(reverse(name, args=arguments), query, follow=True)
    return answer.status_code, " ".join(answer.content.decode().split())


def test_inspector_sees_the_group_of_the_table(grouped: Revision) -> None:
    status, page = get(Client(), "in-force-table", "east", "686a", "8")
    assert status == 200
    assert "The table belongs to the group <strong>High limit</strong> (3, 7-9)." in page
    assert "“Aces are always counted as 11.”" in page
    assert page.index("On the felt") < page.index("At the table</h2>")
    assert "6 or 33" in page
    assert "50 to 1" in page
    assert _adjacent_boxes(page) == "2"


def test_inspector_at_a_table_that_no_group_names_sees_what_holds_for_all_others(grouped: Revision) -> None:
    _, page = get(Client(), "in-force-table", "east", "686a", "BJ-4")
    assert "These are the rules for <strong>all other tables</strong>." in page
    assert _adjacent_boxes(page) == "3"


def _adjacent_boxes(page: str) -> str:
    return page.split(chapter("686a").option("adjacent_boxes").question)[1].split("<dd>")[1].split("</dd>")[0].strip()


def test_table_page_says_when_a_game_may_not_be_offered(grouped: Revision) -> None:
    yesterday = (timezone.localdate() - DAY).isoformat()
    status, page = get(Client(), "in-force-table", "east", "686a", "8", on=yesterday)
    assert (
        status,
        "Not cleared for play: no approved version is in effect" in page,
        "must not offer it at any table" in page,
    ) == (200, True, True)


def test_page_is_from_the_frozen_filing_never_from_rows_that_change(grouped: Revision) -> None:
    grouped.submission.configurations.update(answers={}, tables="99", name="Forged")
    for page in (get(Client(), "in-force-table", "east", "686a", "8"), get(Client(), "in-force-game", "east", "686a")):
        assert "High limit" in page[1]
        assert "Forged" not in page[1]


def test_form_leads_to_the_table_on_the_day(grouped: Revision) -> None:
    today = timezone.localdate().isoformat()
    answer = Client().get(reverse("in-force-game", args=["east", "686a"]), {"table": " bj-4 ", "on": today})
    assert answer["Location"] == f"{reverse('in-force-table', args=['east', '686a', 'BJ-4'])}?on={today}"


@pytest.mark.parametrize("typed", ["3-7", "BJ-4-BJ-6", "x" * 40, "<b>", "12;13"])
def test_what_is_no_table_is_told_and_stays_in_the_form(grouped: Revision, typed: str) -> None:
    answer = Client().get(reverse("in-force-game", args=["east", "686a"]), {"table": typed})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'id="table-fault"' in page
    assert f'value="{typed.replace("<", "&lt;").replace(">", "&gt;")}"' in page


@pytest.mark.parametrize("name", ["in-force", "in-force-game"])
@pytest.mark.parametrize("typed", ["2026-02-30", "yesterday", "99999-01-01", "0001-01-01"])
def test_what_is_no_day_is_told_and_stays_in_the_form(grouped: Revision, name: str, typed: str) -> None:
    arguments = ["east", "686a"] if name == "in-force-game" else []
    status, page = get(Client(), name, *arguments, on=typed)
    assert status == 400
    assert 'id="on-fault"' in page
    assert f'value="{typed}"' in page


def test_game_page_tells_all_versions_and_the_one_that_holds_on_the_day(cast: Cast, grouped: Revision) -> None:
    today = timezone.localdate()
    second = cast.amend(grouped.submission, from_day=today + 4 * DAY, adjacent_boxes=4)
    versions.discontinue(cast.manager, second.submission, from_day=today + 9 * DAY, reason="Closed.")
    told = {
        day: get(Client(), "in-force-game", "east", "686a", on=(today + day * DAY).isoformat())[1] for day in (0, 4, 9)
    }
    assert f"{grouped.receipt} is in effect on" in told[0]
    assert f"{second.receipt} is in effect on" in told[4]
    assert "Not approved on" in told[9]
    for page in told.values():
        assert page.count("timeline__item") - page.count("timeline__item--now") == 3


def test_day_page_lists_what_each_licensee_offers(cast: Cast, stranger: Person, grouped: Revision) -> None:
    west = Cast(stranger, cast.analyst, cast.director).version("683a", from_day=timezone.localdate() + DAY)
    assert west.receipt not in get(Client(), "in-force")[1]
    _, page = get(Client(), "in-force", on=(timezone.localdate() + DAY).isoformat())
    assert page.index("Casino East") < page.index(grouped.receipt) < page.index("Casino West</h2>")
    assert page.index("Casino West</h2>") < page.index(west.receipt)
    _, narrowed = get(Client(), "in-force", on=(timezone.localdate() + DAY).isoformat(), licensee="west")
    assert (grouped.receipt in narrowed, west.receipt in narrowed) == (False, True)


def test_register_names_what_publication_rests_on(db: None) -> None:
    page = get(Client(), "register")[1]
    assert "Interpretation note: why approved filings are published here" in page
    assert "This is a choice of this portal." in page


def test_register_tells_where_every_version_stands(cast: Cast, grouped: Revision) -> None:
    today = timezone.localdate()
    second = cast.amend(grouped.submission, adjacent_boxes=4)
    third = cast.amend(second.submission, from_day=today + DAY, adjacent_boxes=5)
    standings = {"in-force": second, "scheduled": third, "superseded": grouped}
    for standing, revision in standings.items():
        _, page = get(Client(), "register", standing=standing, licensee="east", chapter="686a")
        found = {one.receipt for one in (grouped, second, third) if one.receipt in page}
        assert found == {revision.receipt}
    assert "No approved version matches." in get(Client(), "register", standing="discontinued")[1]
    status, page = get(Client(), "register", standing="gone", chapter="1", licensee="nobody")
    assert (status, page.count("usa-error-message")) == (400, 3)


def test_lists_run_a_fixed_number_of_queries(cast: Cast, stranger: Person, django_assert_num_queries: object) -> None:
    for person, chapters in ((cast.manager, ("686a", "683a")), (stranger, ("686a", "683a"))):
        for number in chapters:
            Cast(person, cast.analyst, cast.director, computes=False).version(number)
    with django_assert_num_queries(4):  # licensees; rows, conditions of the only page; published changes
        Client().get(reverse("register"))
    with django_assert_num_queries(4):  # licensees; what holds; the chapters that ended; published changes
        Client().get(reverse("in-force"))


def test_offered_by_names_who_has_a_version_in_force_today(cast: Cast, grouped: Revision) -> None:
    shown = "Approved today at: Casino East"
    assert shown in get(Client(), "chapter", "686a")[1]
    versions.discontinue(cast.manager, grouped.submission, from_day=timezone.localdate(), reason="Closed.")
    assert shown not in get(Client(), "chapter", "686a")[1]


def test_approved_submission_is_amended_from_its_page(cast: Cast, preparer: Person, grouped: Revision) -> None:
    client, number = browser(preparer), grouped.submission.number
    page = get(client, "submission", number)[1]
    assert f'action="{reverse("amend", args=[number])}"' in page
    assert "Discontinue game" not in page  # the manager's
    answer = client.post(reverse("amend", args=[number]))
    draft = Submission.objects.get(amends=grouped.submission)
    assert answer["Location"] == reverse("checklist", args=[draft.number])
    again = client.post(reverse("amend", args=[number]))
    assert (again.status_code, draft.number in again.content.decode()) == (409, True)
    assert f"{draft.number}</a> amends this version: draft." in get(client, "submission", number)[1]


def test_reader_and_board_have_no_button_to_amend(cast: Cast, reader: Person, grouped: Revision) -> None:
    for person in (reader, cast.analyst):
        page = get(browser(person), "submission", grouped.submission.number)[1]
        assert reverse("amend", args=[grouped.submission.number]) not in page
        assert "Since " in page


def test_changes_page_names_lines_tables_and_holds(cast: Cast, grouped: Revision) -> None:
    draft = copies.start_amendment(cast.manager, grouped.submission)
    change(cast.manager, draft, {"adjacent_boxes": 4, "bonus_wager": False}, group=1)
    page = get(browser(cast.manager), "changes", draft.number)[1]
    assert "not filed yet" in page
    filed = cast.file(draft)
    for person in (cast.manager, cast.analyst):
        page = get(browser(person), "changes", draft.number)[1]
        assert f"{filed.receipt} compared with {grouped.receipt}, approved and in effect from" in page
        assert 'Tables 3, 7-9 <span class="quiet">4 tables</span>' in page
        assert "2 lines differ: Tables 3, 7-9" in page
        assert "not offered" in page
        assert "A separate area for the Bonus Wager" in page
        assert "All other tables</h2>" not in page


def test_changes_against_a_filing_that_cannot_be_compared_are_refused_by_name(cast: Cast, grouped: Revision) -> None:
    second = cast.amend(grouped.submission, adjacent_boxes=4)
    client, number = browser(cast.manager), second.submission.number
    status, page = get(client, "changes", number, **{"from": "RS-2020-00001-R1"})
    assert (status, f"There is {grouped.receipt} to compare with." in page) == (400, True)
    assert get(client, "changes", number, **{"from": grouped.receipt})[0] == 200


def test_first_filing_has_nothing_to_be_compared_with(manager: Person) -> None:
    filed = filed_rules(manager, "683a")
    assert "There is no earlier filing to compare with" in get(browser(manager), "changes", filed.number)[1]


def test_discontinuing_keeps_what_was_typed_until_it_is_done(cast: Cast, grouped: Revision) -> None:
    client, address = browser(cast.manager), reverse("discontinue", args=[grouped.submission.number])
    for day, words in (("2020-01-01", "that day has passed"), ("soon", "is not a valid date")):
        answer = client.post(address, {"from_day": day, "reason": "The pit is rebuilt."})
        page = answer.content.decode()
        assert (answer.status_code, words in page) == (400, True)
        assert f'value="{day}"' in page
        assert "The pit is rebuilt.</textarea>" in page
    tomorrow = (timezone.localdate() + DAY).isoformat()
    done = client.post(address, {"from_day": tomorrow, "reason": "The pit is rebuilt."}, follow=True)
    page = done.content.decode()
    assert "Discontinued: the game is not offered from" in page
    assert "discontinued the game" in page
    assert Version.objects.filter(revision=None, from_day=tomorrow).count() == 1


def test_version_under_rules_that_changed_is_listed_and_nothing_is_opened(
    cast: Cast, reader: Person, stranger: Person, casino: Organization
) -> None:
    """Filed under data that allowed seven boxes; the chapter's data of today does not."""
    first = cast.version()
    content = first.content
    content["configurations"][0]["answers"]["adjacent_boxes"] = 7
    content |= {"receipt": "RS-2020-00001-R1", "rules_digest": "0" * 64}
    old = Submission.objects.create(
        number="RS-2020-00001", organization=casino, chapter="686a", status=Status.APPROVED, created_by=cast.manager
    )
    revision = Revision.objects.create(
        submission=old, number=1, receipt=content["receipt"], snapshot=canonical_json(content), sha256=digest(content),
        rules_digest="0" * 64, engine="games 0", attestation="", filed_by=cast.manager, filed_at=first.filed_at,
    )  # fmt: skip
    version = Version(organization=casino, chapter="686a", from_day=timezone.localdate(), revision=revision)
    version.by, version.made_at = cast.director, timezone.now()
    version.save()
    before = list(Submission.objects.order_by("pk").values_list("status", "version"))
    for person in (reader, cast.analyst):
        page = get(browser(person), "changed-rules")[1]
        assert "1 of 1 version does not comply" in page
        assert "Does not comply since the rules of chapter 686a changed." in page
        assert "Enter a number from 1 to 6." in page
    assert "No version is in effect or scheduled" in get(browser(stranger), "changed-rules")[1]
    assert list(Submission.objects.order_by("pk").values_list("status", "version")) == before


def test_day_on_the_page_is_pennsylvanias(cast: Cast) -> None:
    with time_machine.travel(datetime.fromisoformat("2026-03-04T04:30:00+00:00"), tick=False):  # 11.30 p.m. before
        revision = cast.version("683a")
        assert "In effect on March 3, 2026" in get(Client(), "in-force")[1]
    assert Version.objects.get(revision=revision).from_day == date(2026, 3, 3)
