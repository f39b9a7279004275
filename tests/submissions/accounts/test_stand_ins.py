"""A stand-in may do what a manager may, on the days named and no longer, and is named wherever they sign."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings as portal_settings
from django.utils import timezone

from submissions import permissions
from submissions.accounts import stand_ins
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.audit.timeline import timeline
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.documents.context import document_context
from submissions.documents.document_record import document_record
from submissions.filings import filing, handover
from submissions.filings.review.worklist import tasks_of
from submissions.models import Event, Notice, Person, Role, StandIn, Submission
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.django_db, pytest.mark.service("time")]
EASTERN = ZoneInfo("America/New_York")
FIRST, LAST = date(2026, 12, 1), date(2026, 12, 3)
TITLE = "stand-in for the Table Games Manager"


def at(day: date, hour: int, minute: int = 0) -> time_machine.travel:
    return time_machine.travel(datetime(day.year, day.month, day.day, hour, minute, tzinfo=EASTERN), tick=False)


def name(manager: Person, preparer: Person) -> StandIn:
    with at(FIRST - timedelta(days=7), 9):
        return stand_ins.name_stand_in(manager, preparer, first_day=FIRST, last_day=LAST, reason="Vacation.")


def may_file(actor: Person, submission: Submission) -> bool:
    return bool(permissions.may(actor, "file", submission))


def test_days_are_those_of_eastern_time_with_both_ends(preparer: Person, manager: Person) -> None:
    assert portal_settings.TIME_ZONE == "America/New_York"
    draft = ready_to_file(preparer, "593")
    name(manager, preparer)
    moments = {
        at(FIRST - timedelta(days=1), 23, 59): False,
        at(FIRST, 0): True,
        at(LAST, 23, 59): True,
        at(LAST + timedelta(days=1), 0): False,
    }
    for moment, expected in moments.items():
        with moment:
            assert may_file(preparer, draft) is expected


def test_stand_in_files_and_everything_names_them_as_one(preparer: Person, manager: Person, analyst: Person) -> None:
    begin_sealing()
    draft = ready_to_file(preparer, "593")
    name(manager, preparer)
    with at(LAST, 12):
        revision = filing.file_submission(preparer, draft, version=draft.version, attested=True)
    assert revision.content["filed"]["by"] == {"name": "Preparer East", "role": f"Preparer, {TITLE}"}
    assert f"as {TITLE}" in revision.attestation
    assert "I am a Table Games Manager" not in revision.attestation
    assert TITLE in str(document_context(document_record(revision)))  # what the signed PDF is rendered from
    filed = next(entry for entry in timeline(draft, analyst) if entry.verb == "filed")
    assert filed.role == f"Preparer, {TITLE}"
    assert verify_history().good


def test_manager_signs_as_before(preparer: Person, manager: Person) -> None:
    draft = ready_to_file(preparer, "593")
    revision = filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert revision.attestation == filing.ATTESTATION
    assert revision.content["filed"]["by"]["role"] == "Table Games Manager"
    assert "acts_as" not in Event.objects.get(verb="filed").after


def test_stand_in_has_the_tasks_and_notices_of_a_manager(preparer: Person, manager: Person) -> None:
    second = person(preparer.organization, Role.PREPARER, "Preparer Two")
    draft = ready_to_file(second, "593")
    name(manager, preparer)
    with at(FIRST, 12):
        handover.send_to_manager(second, draft, version=draft.version)
        assert (list(tasks_of(second)), list(tasks_of(preparer)), list(tasks_of(manager))) == ([], [draft], [draft])
    assert set(Notice.objects.values_list("person__name", "decides")) == {
        ("Manager East", True),
        ("Preparer East", True),
    }


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": Role.READER}, {"organization": None}])
def test_who_left_or_only_reads_is_no_stand_in(preparer: Person, manager: Person, change: dict[str, object]) -> None:
    draft = ready_to_file(preparer, "593")
    name(manager, preparer)
    Person.objects.filter(pk=preparer.pk).update(**change)
    preparer.refresh_from_db()
    with at(FIRST, 12):
        assert not permissions.is_stand_in(preparer)
        assert not may_file(preparer, draft)


def test_stand_in_of_one_casino_is_none_elsewhere(preparer: Person, manager: Person, stranger: Person) -> None:
    theirs = ready_to_file(stranger, "593")
    name(manager, preparer)
    with at(FIRST, 12):
        assert not may_file(preparer, theirs)
        assert list(permissions.stand_ins_visible_to(stranger)) == []


def test_ending_early_counts_at_once_and_only_once(preparer: Person, manager: Person) -> None:
    begin_sealing()
    draft, row = ready_to_file(preparer, "593"), name(manager, preparer)
    with at(FIRST, 12):
        assert may_file(preparer, draft)
        stand_ins.end_stand_in(manager, row)
        assert not may_file(preparer, draft)
        with pytest.raises(Conflict):
            stand_ins.end_stand_in(manager, row)
    verbs = [event.verb for event in Event.objects.filter(submission=None)]
    assert verbs[-2:] == ["stand-in-named", "stand-in-ended"]
    assert verify_history().good


def test_stand_in_that_is_over_is_not_ended(preparer: Person, manager: Person) -> None:
    row = name(manager, preparer)
    with at(LAST + timedelta(days=1), 0), pytest.raises(Conflict):
        stand_ins.end_stand_in(manager, row)


def test_only_managers_and_administrators_name_preparers_of_their_own(
    preparer: Person, manager: Person, reader: Person, stranger: Person, analyst: Person
) -> None:
    second = person(preparer.organization, Role.PREPARER, "Preparer Two")
    today = timezone.localdate()
    days = {"first_day": today, "last_day": today, "reason": "Vacation."}
    for actor in (preparer, reader, analyst):
        with pytest.raises(Forbidden):
            stand_ins.name_stand_in(actor, second, **days)
    for actor, chosen in ((manager, reader), (manager, manager), (manager, None), (stranger, preparer)):
        with pytest.raises(Refusal) as refused:
            stand_ins.name_stand_in(actor, chosen, **days)
        assert refused.value.code == "stand-in-person"
    stand_ins.name_stand_in(manager, preparer, **days)
    with pytest.raises(Forbidden):  # nobody passes on what they do as a stand-in
        stand_ins.name_stand_in(preparer, second, **days)
    Person.objects.filter(pk=reader.pk).update(administrator=True)
    reader.refresh_from_db()
    assert stand_ins.name_stand_in(reader, second, **days).by == reader


@pytest.mark.parametrize(
    ("first", "last", "reason", "code"),
    [(-1, 3, "Vacation.", "stand-in-days"), (3, 2, "Vacation.", "stand-in-days"),
     (0, stand_ins.LONGEST, "Vacation.", "stand-in-days"), (0, 0, " ", "reason-missing")],
)  # fmt: skip
def test_days_and_reason_are_checked(
    preparer: Person, manager: Person, first: int, last: int, reason: str, code: str
) -> None:
    days = [timezone.localdate() + timedelta(days=offset) for offset in (first, last)]
    with pytest.raises(Refusal) as refused:
        stand_ins.name_stand_in(manager, preparer, first_day=days[0], last_day=days[1], reason=reason)
    assert refused.value.code == code
    assert not StandIn.objects.exists()


def test_second_factor_is_asked_of_a_stand_in_too(preparer: Person, manager: Person, settings: object) -> None:
    draft = ready_to_file(preparer, "593")
    name(manager, preparer)
    settings.SECOND_FACTOR = True  # type: ignore[attr-defined]
    with at(FIRST, 12):
        assert permissions.may(preparer, "file", draft).code == "second-factor-missing"
        assert permissions.takes_steps(preparer)
