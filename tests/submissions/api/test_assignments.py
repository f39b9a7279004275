"""Assigning by the API: the same action as the page's, for the Board's programs with the scope `review` only."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from submissions.filings import filing
from submissions.filings.review.assignments import assign_work
from submissions.models import Assignment, Event, LayoutFiling, LayoutStatus, Organization, Part, Person, Submission
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.layout_rows import layout_row


@pytest.fixture
def filed(manager: Person) -> Submission:
    submission = ready_to_file(manager, "686a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission


@pytest.fixture
def layout(filed: Submission) -> LayoutFiling:
    return layout_row(filed.revisions.get(), status=LayoutStatus.FILED, parts=(Part.SIGN,))


@pytest.fixture
def client(board: Organization) -> Client:
    return system(made(board, scopes=["read", "review"]).token)


def address(row: Submission | LayoutFiling) -> str:
    return f"/api/v1/{'submissions' if isinstance(row, Submission) else 'layouts'}/{row.number}/assignment/"


def sent(client: Client, row: Submission | LayoutFiling, body: Any, **headers: str) -> Any:
    return client.post(address(row), body, content_type="application/json", headers=headers)


def verbs() -> list[str]:
    return list(Event.objects.filter(verb__startswith="work-").order_by("sequence").values_list("verb", flat=True))


def test_filing_is_assigned_read_and_unassigned(
    client: Client, filed: Submission, layout: LayoutFiling, analyst: Person, director: Person
) -> None:
    for row in (filed, layout):
        before = client.get(address(row)).json()
        people = [{"id": person.pk, "name": person.name} for person in (analyst, director)]
        assert [one for one in before["assignable"] if one in people] == people
        assert (before["number"], before["assigned_to"], before["assigned_at"]) == (row.number, None, None)
        answer = sent(client, row, {"person": analyst.pk, "version": before["version"]})
        assert (answer.status_code, answer.json()["assigned_to"]) == (200, people[0])
        assert client.get(address(row)).json() == answer.json()
        assert sent(client, row, {"person": None, "version": before["version"]}).json() == before
    assert verbs() == ["work-assigned", "work-unassigned"] * 2
    assert not Assignment.objects.exists()


def test_assignment_of_a_repeated_call_is_one_event(client: Client, filed: Submission, analyst: Person) -> None:
    body = {"person": analyst.pk, "version": filed.version}
    first, again = (sent(client, filed, body, **{"Idempotency-Key": "first"}) for _ in range(2))
    assert (first.json(), again["Idempotency-Replayed"]) == (again.json(), "true")
    assert verbs() == ["work-assigned"]


def test_licensee_sees_no_assignment_and_changes_none(
    casino: Organization, other_casino: Organization, filed: Submission, analyst: Person, director: Person
) -> None:
    assign_work(director, filed, analyst)
    own = system(made(casino).token)
    shown = own.get(address(filed)).json()
    assert (shown["assigned_to"], shown["assigned_at"], shown["assignable"]) == (None, None, [])
    body = {"person": director.pk, "version": filed.version}
    assert refused(sent(own, filed, body), 403, "scope-missing")
    stranger = system(made(other_casino).token)
    assert refused(stranger.get(address(filed)), 404, "not-found")


def test_board_without_the_scope_cannot_assign(board: Organization, filed: Submission, analyst: Person) -> None:
    reader = system(made(board).token)
    answer = sent(reader, filed, {"person": analyst.pk, "version": filed.version})
    assert refused(answer, 403, "scope-missing")
    assert verbs() == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ([], 400, "body-shape"),
        ({"version": 1}, 400, "field-shape"),
        ({"person": True, "version": 1}, 400, "field-shape"),
        ({"person": None}, 400, "field-shape"),
        ({"person": None, "version": "1"}, 400, "field-shape"),
        ({"person": None, "version": 1, "by": 3}, 400, "unknown-field"),
        ({"person": 2**62, "version": 1}, 404, "not-found"),
        ({"person": None, "version": 999}, 409, "changed-meanwhile"),
    ],
)
def test_assignment_that_cannot_be_is_refused(
    client: Client, filed: Submission, body: Any, status: int, code: str
) -> None:
    assert refused(sent(client, filed, body), status, code)
    assert verbs() == []


def test_licensee_and_program_are_no_assignees(
    client: Client, board: Organization, filed: Submission, manager: Person
) -> None:
    program = Person.objects.get(is_system=True, organization=board)
    for person in (manager, program):
        answer = sent(client, filed, {"person": person.pk, "version": filed.version})
        assert refused(answer, 404, "not-found")["option"] == "person"
