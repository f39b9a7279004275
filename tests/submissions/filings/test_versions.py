"""Which version holds on which day: the day before and the day itself, days gone by, discontinued and offered again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from submissions.audit.chain import verify_chain
from submissions.core import configurations
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.filings import copies, versions
from submissions.filings.versions import VersionState, effective_periods, in_state
from submissions.models import Event, Organization, Person, Version
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("views", "time")

DAY = timedelta(days=1)


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def on(day: str) -> time_machine.travel:
    """Noon of the day in Pennsylvania."""
    return time_machine.travel(datetime.fromisoformat(f"{day}T17:00:00+00:00"), tick=False)


def holds(casino: Organization, day: date, chapter: str = "686a") -> str | None:
    found = versions.version_in_effect(casino, chapter, day)
    return found.revision.receipt if found and found.revision else None


def test_new_version_holds_from_its_day_and_the_old_one_until_the_day_before(cast: Cast, casino: Organization) -> None:
    today = timezone.localdate()
    first = cast.version()
    second = cast.amend(first.submission, from_day=today + 10 * DAY, adjacent_boxes=2)
    assert holds(casino, today - DAY) is None
    assert holds(casino, today) == holds(casino, today + 9 * DAY) == first.receipt
    assert holds(casino, today + 10 * DAY) == second.receipt
    assert [row.revision for row in versions.versions_in_effect(today + 9 * DAY)] == [first]
    assert [row.revision for row in versions.versions_in_effect(today + 10 * DAY)] == [second]


def test_pocket_bonus_paytable_at_table_12_on_march_3(cast: Cast, casino: Organization) -> None:
    with on("2026-01-10"):
        draft = ready_to_file(cast.manager, "683a")
        set_apart(draft, "High limit", "10-14", pocket_bonus_paytable="Paytable A")
        first = cast.approve(draft)
    with on("2026-02-20"):
        second = cast.amend(first.submission, date(2026, 3, 4), pocket_bonus_paytable="Paytable C")
    with on("2026-06-01"):
        found = {day: _pocket_bonus(casino, date.fromisoformat(day), "12") for day in ("2026-03-03", "2026-03-04")}
        elsewhere = _pocket_bonus(casino, date(2026, 3, 4), "9")
    assert found == {
        "2026-03-03": (first.receipt, "Paytable A"),
        "2026-03-04": (second.receipt, "Paytable A"),
    }
    assert elsewhere == (second.receipt, "Paytable C")


def _pocket_bonus(casino: Organization, day: date, table: str) -> tuple[str, str]:
    version = versions.version_in_effect(casino, "683a", day)
    assert version is not None
    assert version.revision is not None
    rows = version.revision.content["configurations"]
    row = rows[configurations.configuration_of_table([row["tables"] for row in rows], table)]
    return version.revision.receipt, next(one["name"] for one in row["paytables"] if one["wager"] == "pocket_bonus")


def test_of_two_approvals_for_the_same_day_the_later_holds(cast: Cast, casino: Organization) -> None:
    day = timezone.localdate() + 5 * DAY
    first = cast.version(from_day=day)
    second = cast.amend(first.submission, from_day=day, adjacent_boxes=2)
    assert holds(casino, day) == second.receipt
    never, held = effective_periods(Version.objects.all())
    assert (never.ever_in_effect, never.state(day), never.state(day - DAY)) == (
        False,
        VersionState.SUPERSEDED,
        VersionState.SUPERSEDED,
    )
    assert never.words(day).startswith(f"It never took effect. Replaced by {second.receipt}")
    assert (held.state(day - DAY), held.state(day)) == (VersionState.SCHEDULED, VersionState.IN_FORCE)


def test_day_begins_at_midnight_in_pennsylvania(cast: Cast, casino: Organization) -> None:
    """On the night that the clocks go back, too: 3 a.m. UTC on November 1 is 11 p.m. on October 31."""
    with time_machine.travel(datetime(2026, 11, 1, 3, 0, tzinfo=UTC), tick=False):
        cast.version()
        assert Version.objects.get().from_day == timezone.localdate() == date(2026, 10, 31)
        assert holds(casino, date(2026, 10, 30)) is None
    with time_machine.travel(datetime(2026, 11, 2, 4, 59, tzinfo=UTC), tick=False):  # 11.59 p.m., in winter time
        assert timezone.localdate() == date(2026, 11, 1)
        with pytest.raises(Refusal, match="that day has passed") as refused:
            versions.put_in_effect(cast.director, Version.objects.get().revision, date(2026, 10, 31))
    assert refused.value.code == "effective-date-past"


def test_nothing_is_put_before_what_is_scheduled(cast: Cast) -> None:
    today = timezone.localdate()
    first = cast.version(from_day=today + 10 * DAY)
    with pytest.raises(Refusal, match=first.receipt) as refused:
        cast.amend(first.submission, from_day=today + 9 * DAY)
    assert refused.value.code == "earlier-than-scheduled"
    assert Version.objects.count() == 1


def test_amendment_of_a_version_that_was_replaced_in_between_is_not_approved(cast: Cast) -> None:
    first = cast.version()
    draft = copies.start_amendment(cast.manager, first.submission)
    other = cast.version(adjacent_boxes=2)
    with pytest.raises(Refusal, match=other.receipt) as refused:
        cast.approve(draft)
    assert refused.value.code == "amends-superseded"


def test_discontinued_game_is_offered_until_the_day_before_and_again_from_its_next_version(
    cast: Cast, casino: Organization
) -> None:
    today = timezone.localdate()
    first = cast.version()
    versions.discontinue(cast.manager, first.submission, from_day=today + 3 * DAY, reason="The table is taken out.")
    assert holds(casino, today + 2 * DAY) == first.receipt
    assert holds(casino, today + 3 * DAY) is None
    assert not versions.versions_in_effect(today + 3 * DAY).exists()
    again = cast.version(from_day=today + 5 * DAY)
    assert holds(casino, today + 4 * DAY) is None
    assert holds(casino, today + 5 * DAY) == again.receipt
    event = Event.objects.get(verb="discontinued")
    assert (event.actor, event.reason) == (cast.manager, "The table is taken out.")
    assert event.after["from_day"] == (today + 3 * DAY).isoformat()
    assert verify_chain()[1] is None


@pytest.mark.parametrize(
    ("days", "reason", "code"),
    [(-1, "Why", "effective-date-past"), (0, "  ", "reason-missing"), (0, "x\x00", "control-characters")],
)
def test_discontinuance_that_cannot_be_is_refused(cast: Cast, days: int, reason: str, code: str) -> None:
    first = cast.version()
    with pytest.raises(Refusal) as refused:
        versions.discontinue(cast.manager, first.submission, from_day=timezone.localdate() + days * DAY, reason=reason)
    assert refused.value.code == code
    assert (Version.objects.count(), Event.objects.filter(verb="discontinued").exists()) == (1, False)


def test_second_discontinuance_is_told_who_was_faster(cast: Cast) -> None:
    first, today = cast.version(), timezone.localdate()
    versions.discontinue(cast.manager, first.submission, from_day=today, reason="Closed.")
    with pytest.raises(Conflict, match="by Manager East") as refused:
        versions.discontinue(cast.manager, first.submission, from_day=today, reason="Closed.")
    assert refused.value.code == "already-discontinued"


def test_only_the_manager_of_the_casino_discontinues(
    cast: Cast, preparer: Person, reader: Person, stranger: Person
) -> None:
    first = cast.version()
    for person in (preparer, reader, stranger, cast.analyst, cast.director):
        with pytest.raises(Forbidden):
            versions.discontinue(person, first.submission, from_day=timezone.localdate(), reason="Closed.")


def test_every_version_stands_the_same_by_the_database_and_by_its_term(cast: Cast) -> None:
    today = timezone.localdate()
    first = cast.version()
    second = cast.amend(first.submission, from_day=today + 2 * DAY, adjacent_boxes=2)
    third = cast.amend(second.submission, from_day=today + 2 * DAY, adjacent_boxes=4)
    versions.discontinue(cast.manager, third.submission, from_day=today + 6 * DAY, reason="Closed.")
    cast.version("683a", from_day=today + 1 * DAY)
    rows = Version.objects.filter(revision__isnull=False)
    for day in (today + number * DAY for number in range(8)):
        states = {term.version.pk: term.state(day) for term in effective_periods(rows)}
        asked = {row.pk: state for state in VersionState for row in in_state(rows, state, day)}
        assert states == asked
        held = {pk for pk, state in states.items() if state is VersionState.IN_FORCE}
        assert held == set(versions.versions_in_effect(day).values_list("pk", flat=True))


def test_change_of_one_group_only_leaves_the_others(cast: Cast) -> None:
    draft = ready_to_file(cast.manager, "686a")
    apart = set_apart(draft, "High limit", "3, 7-9")
    change(cast.manager, draft, {"adjacent_boxes": 2}, group=apart.position)
    revision = cast.approve(draft)
    assert [row["answers"]["adjacent_boxes"] for row in revision.content["configurations"]] == [3, 2]


def test_paper_says_from_when_it_holds_and_in_whose_place_whatever_comes_later(cast: Cast) -> None:
    with on("2026-03-01"):
        first = cast.version()
        second = cast.amend(first.submission, date(2026, 3, 4), adjacent_boxes=2)
        printed = document_record(second)
        cast.amend(second.submission, date(2026, 3, 9), adjacent_boxes=4)
    assert document_record(second) == printed
    assert printed["in_force"] == {"from_day": "2026-03-04", "supersedes": first.receipt}
    assert document_context(printed)["in_force"] == f"From March 4, 2026, in the place of {first.receipt}"
    assert document_context(document_record(first))["in_force"] == "From March 1, 2026"
