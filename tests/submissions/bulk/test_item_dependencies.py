"""How the items of a batch hang together: references, and what follows from an earlier item that was refused."""

from __future__ import annotations

import pytest

from submissions.models import Credential, Event, Organization, Person, Submission
from tests.games.chapters.examples import example
from tests.submissions.api.clients import made
from tests.submissions.approved import ONE_WAY_OF_DEALING
from tests.submissions.bulk.batches import confirmed, item, outcomes, sent
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("works_alone")]
CREATE = {"action": "create", "chapter": "687a", "answers": example("687a", **ONE_WAY_OF_DEALING)}
WRONG = {"action": "create", "chapter": "687a", "answers": {"nothing": True}}


@pytest.fixture
def program(casino: Organization, manager: Person) -> Credential:
    return made(casino, scopes=["prepare", "file"]).credential


def update(submission: str, version: int = 1, group: int | None = None, **answers: object) -> dict[str, object]:
    answers = answers or {"adjacent_boxes": 3}
    return {"action": "update", "submission": submission, "version": version, "group": group, "answers": answers}


def file(submission: str, version: int = 1) -> dict[str, object]:
    return {"action": "file", "submission": submission, "version": version}


@pytest.mark.parametrize("atomic", [False, True])
def test_items_build_on_what_earlier_ones_make(atomic: bool, program: Credential, manager: Person) -> None:
    group = {"action": "add-group", "submission": "#1", "version": 1, "name": "Pit 3", "tables": "9"}
    batch = sent(program, CREATE, CREATE, group, update("#3", 1, 1), file("#1"), atomic=atomic)
    assert outcomes(batch) == [("passed", "")] * 5
    confirmed(manager, batch)
    assert outcomes(batch) == [("done", "")] * 5
    made_by = [item(batch, place).made["submission"] for place in range(1, 6)]
    first, second = (Submission.objects.get(number=number) for number in made_by[:2])
    assert made_by == [first.number, second.number, first.number, first.number, first.number]
    assert (first.status, second.status) == ("filed", "draft")
    (receipt,) = first.revisions.values_list("receipt", flat=True)
    assert item(batch, 5).made["receipt"] == receipt


@pytest.mark.parametrize("reference", ["#0", "#2", "#3", "#99999"])
def test_reference_to_no_earlier_item_is_refused(reference: str, program: Credential) -> None:
    batch = sent(program, CREATE, update(reference), mode="validate")
    assert outcomes(batch) == [("passed", ""), ("refused", "no-such-item")]


@pytest.mark.parametrize("named", ["#", "#x", "#123456", " #1", "RS-1", "RS-2026-99999" * 30])
def test_what_is_no_number_is_not_there(named: str, program: Credential) -> None:
    batch = sent(program, CREATE, update(named), mode="validate")
    assert outcomes(batch) == [("passed", ""), ("refused", "not-found")]


def test_nothing_is_done_with_what_was_not_made(program: Credential) -> None:
    batch = sent(program, WRONG, update("#1"), file("#1"), CREATE, mode="validate")
    assert outcomes(batch) == [
        ("refused", "unknown-line"), ("refused", "earlier-item-refused"), ("refused", "earlier-item-refused"),
        ("passed", ""),
    ]  # fmt: skip
    answer = item(batch, 2)
    assert (answer.status, answer.message) == (424, "This item depends on item 1, which was refused.")


def test_step_is_not_taken_after_a_refused_change_of_the_same_submission(program: Credential, manager: Person) -> None:
    """Else it would be filed without the change that was meant to be in it."""
    draft, other = ready_to_file(manager, "687a"), ready_to_file(manager, "687a")
    batch = sent(program, update(draft.number, 7), file(draft.number), file(other.number))
    assert outcomes(batch) == [
        ("refused", "configuration-changed-meanwhile"), ("refused", "earlier-item-refused"), ("passed", "")
    ]  # fmt: skip
    confirmed(manager, batch)
    assert [row.status for row in (draft, other) if row.refresh_from_db() is None] == ["draft", "filed"]


def test_change_after_a_refused_one_is_done(program: Credential, manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    answer = {"action": "answer", "submission": draft.number, "version": 1, "remark": 1, "kind": "answered"}
    batch = sent(program, answer, update(draft.number, 2))
    assert outcomes(batch) == [("refused", "not-found"), ("done", "")]


def test_second_change_of_the_same_answers_is_refused(program: Credential, manager: Person) -> None:
    draft = ready_to_file(manager, "687a")
    batch = sent(program, update(draft.number, 2), update(draft.number, 2, 0, odds_posted="layout"))
    assert outcomes(batch) == [("done", ""), ("refused", "written-twice")]
    assert item(batch, 2).message == "Item 1 of this batch changes the same answers."


def test_items_of_one_submission_are_done_in_their_order_wherever_they_stand(
    program: Credential, manager: Person
) -> None:
    drafts = [ready_to_file(manager, "687a") for _ in range(3)]
    changes = [update(draft.number, 2) for draft in drafts]
    steps = [file(draft.number) for draft in reversed(drafts)]
    batch = sent(program, *changes, *steps)
    confirmed(manager, batch)
    assert outcomes(batch) == [("done", "")] * 6
    for draft in drafts:
        verbs = Event.objects.filter(submission=draft).order_by("sequence").values_list("verb", flat=True)
        assert list(verbs) == ["started", "saved", "saved", "filed"]


def test_fields_of_another_shape_disturb_no_other_item(program: Credential) -> None:
    batch = sent(
        program,
        {"action": ["update"]},
        {"action": "update", "submission": {"number": 1}},
        {"action": "update", "submission": "RS-1", "version": True, "answers": {}},
        {"action": "update", "submission": "RS-1", "version": 1, "answers": {}, "group": 2**40},
        {"action": "update", "submission": "RS-1", "version": 1, "answers": [], "group": "0"},
        {"action": "update", "submission": "RS-1", "version": 1},
        CREATE,
    )
    codes = ["unknown-action", *["field-shape"] * 4, "field-missing", ""]
    assert [code for _, code in outcomes(batch)] == codes
