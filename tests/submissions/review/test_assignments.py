"""Assigning filings to people of the Board: one event each, a notice, and what happens when that person leaves."""

from __future__ import annotations

import pytest

from submissions.accounts import members
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.audit.timeline import timeline
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import filing
from submissions.filings.review import assignments, decisions
from submissions.models import Assignment, Event, LayoutFiling, LayoutStatus, Notice, Organization, Part, Person, Role
from submissions.permissions import history_visible_to
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import layout_row

pytestmark = pytest.mark.service("locks", "constraints")


@pytest.fixture
def filed(manager: Person):
    submission = ready_to_file(manager, "686a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission


@pytest.fixture
def layout(filed) -> LayoutFiling:
    return layout_row(filed.revisions.get(), status=LayoutStatus.FILED, parts=(Part.SIGN,))


def events() -> list[tuple[str, dict, dict]]:
    rows = Event.objects.filter(verb__startswith="work-").order_by("sequence")
    return [(row.verb, row.before, row.after) for row in rows]


def test_assign_records_one_sealed_event_and_notifies_the_person(filed, analyst: Person, director: Person) -> None:
    assignments.assign_work(director, filed, analyst)
    assert events() == [("work-assigned", {}, {"person": analyst.pk, "assigned_to": "Analyst One"})]
    assert "submissions_assignment" in Event.objects.get(verb="work-assigned").rows
    notice = Notice.objects.get(person=analyst, event__verb="work-assigned")
    assert notice.words.startswith(f"Director One assigned {filed.number} (")
    assert "Casino East" in notice.words


def test_assign_to_oneself_needs_no_notice_and_twice_is_one_event(filed, analyst: Person) -> None:
    for _ in range(2):
        assignments.assign_work(analyst, filed, analyst)
    assert len(events()) == 1
    assert not Notice.objects.filter(event__verb="work-assigned").exists()


def test_reassigned_and_unassigned_say_from_whom(filed, analyst: Person, director: Person) -> None:
    assignments.assign_work(analyst, filed, analyst)
    assignments.assign_work(analyst, filed, director)
    assignments.unassign_work(director, filed)
    assignments.unassign_work(director, filed)
    assert [(verb, before) for verb, before, _ in events()[1:]] == [
        ("work-assigned", {"assigned_to": "Analyst One"}),
        ("work-unassigned", {"assigned_to": "Director One"}),
    ]
    words = [entry.detail for entry in timeline(filed, analyst) if entry.verb.startswith("work-")]
    assert words == ["From Director One.", "From Analyst One to Director One.", "To Analyst One."]
    assert not Assignment.objects.exists()


def test_layout_filing_is_assigned_apart_from_its_submission(filed, layout, analyst: Person, director: Person) -> None:
    assignments.assign_work(analyst, layout, director)
    assert assignments.assignment_of(filed) is None
    assert assignments.assignment_of(layout).person == director
    assert events()[0][2]["filing"] == layout.number
    assert f"assigned {layout.number} for {filed.number}" in Notice.objects.get(event__verb="work-assigned").words


@pytest.mark.parametrize("who", ["manager", "reader at the Board", "inactive", "elsewhere"])
def test_assign_refused_to_anyone_who_does_not_review(
    who: str, filed, manager: Person, analyst: Person, board: Organization
) -> None:
    people = {
        "manager": manager,
        "reader at the Board": person(board, Role.READER, "Reader Board"),
        "inactive": person(board, Role.ANALYST, "Analyst Left"),
        "elsewhere": person(manager.organization, Role.ANALYST, "Analyst East"),
    }
    Person.objects.filter(pk=people["inactive"].pk).update(is_active=False)
    with pytest.raises(Refusal) as refused:
        assignments.assign_work(analyst, filed, people[who])
    assert refused.value.code == "assignee-unfit"
    assert events() == []


def test_assign_refused_by_a_licensee_and_of_a_decided_filing(filed, manager: Person, director: Person) -> None:
    with pytest.raises(Forbidden):
        assignments.assign_work(manager, filed, manager)
    decisions.reject_submission(director, filed, version=filed.version, reason="No.")
    with pytest.raises(Forbidden):
        assignments.assign_work(director, filed, director)


def test_assignment_limits_nobody(filed, analyst: Person, director: Person) -> None:
    assignments.assign_work(analyst, filed, analyst)
    decisions.return_to_licensee(director, filed, version=filed.version, reason="Which rack?")
    assert assignments.assignment_of(filed).person == analyst  # still, when it comes again


def test_deactivated_person_leaves_work_unassigned(
    filed, layout, analyst: Person, director: Person, other_director: Person, board: Organization
) -> None:
    for row in (director, other_director, person(board, Role.READER, "Administrator")):
        Person.objects.filter(pk=row.pk).update(administrator=True)
    director.refresh_from_db()
    for work in (filed, layout):
        assignments.assign_work(director, work, analyst)
    members.deactivate_member(director, analyst)
    assert not Assignment.objects.exists()
    reasons = Event.objects.filter(verb="work-unassigned").values_list("reason", flat=True)
    assert list(reasons) == [assignments.LEFT] * 2


def test_person_with_another_role_leaves_work_unassigned(
    filed, analyst: Person, director: Person, other_director: Person, board: Organization
) -> None:
    for row in (director, other_director, person(board, Role.READER, "Administrator")):
        Person.objects.filter(pk=row.pk).update(administrator=True)
    director.refresh_from_db()
    assignments.assign_work(director, filed, analyst)
    members.assign_role(director, analyst, role=Role.DIRECTOR, administrator=False)
    assert Assignment.objects.exists()  # a director still reviews
    members.assign_role(director, analyst, role=Role.READER, administrator=False)
    assert not Assignment.objects.exists()


def test_licensee_sees_no_assignment(filed, analyst: Person, manager: Person) -> None:
    assignments.assign_work(analyst, filed, analyst)
    assert not history_visible_to(manager, filed).filter(verb__startswith="work-").exists()
    assert history_visible_to(analyst, filed).filter(verb="work-assigned").exists()


def test_history_with_assignments_verifies(filed, analyst: Person, director: Person) -> None:
    begin_sealing()
    assignments.assign_work(analyst, filed, analyst)
    assignments.assign_work(analyst, filed, director)
    assert verify_history().differences == ()
    Assignment.objects.update(person=analyst)  # without an event
    assert [row.column for row in verify_history().differences] == ["person_id"]
    Assignment.objects.update(person=director)
    assignments.unassign_work(analyst, filed)
    assignments.assign_work(analyst, filed, analyst)
    assert verify_history().differences == ()
