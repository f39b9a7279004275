"""Drafts that are planned in memory with their days and answers, and several items of one submission: what is written
is what the same items write one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.audit.chain import verify_chain
from submissions.audit.row_verification import verify_history
from submissions.bulk import batch_worker, planned_items
from submissions.filings import drafts, table_groups
from submissions.models import Batch, Credential, Event, Job, Organization, Person, Submission
from tests.submissions.api.clients import administrator, made
from tests.submissions.bulk.batches import (
    counted,
    happened,
    outcomes,
    replace_step,
    send,
    sent,
    undone,
    unplanned,
    work,
    worker_that_dies_after_writing,
)
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("works_alone")]
Item = dict[str, object]
TODAY = timezone.localdate()
LATER, PAST = (TODAY + timedelta(days=40)).isoformat(), (TODAY - timedelta(days=1)).isoformat()
TWO = {"adjacent_boxes_allowed": True, "adjacent_boxes": 2}


@pytest.fixture
def program(casino: Organization) -> Credential:
    return made(casino, scopes=["prepare"]).credential


def create(**fields: object) -> Item:
    return {"action": "create", "chapter": "687a", **fields}


def change(submission: str, version: int, answers: object, **fields: object) -> Item:
    return {"action": "update", "submission": submission, "version": version, "answers": answers, **fields}


def in_groups(draft: Submission, *answers: object) -> list[Item]:
    """A change of these answers for each of the draft's configurations."""
    rows = draft.configurations.all()
    return [
        change(draft.number, row.version, given, group=row.position)
        for row, given in zip(rows, answers, strict=True)
    ]  # fmt: skip


CREATES: dict[str, list[Item]] = {
    "without answers": [create()],
    "with answers": [create(answers=TWO)],
    "with no answers": [create(answers={})],
    "with an answer that is no answer": [create(answers={"adjacent_boxes": None})],
    "with a day": [create(takes_effect=LATER)],
    "with a day and answers": [create(takes_effect=LATER, answers=TWO)],
    "with no day": [create(takes_effect="none")],
    "with a day that is over": [create(takes_effect=PAST, answers=TWO)],
    "with a day that is none": [create(takes_effect="soon")],
    "with a wrong answer": [create(answers={"adjacent_boxes": 9})],
    "with an unknown line": [create(answers={"boxes": 2})],
    "of an unknown chapter": [create(chapter="999")],
    "with an unknown field": [create(version=1)],
    "with another": [create(another="yes")],
    "several": [create(answers=TWO), create(chapter="686a"), create(chapter="593", takes_effect=LATER)],
    "and a change": [create(), change("#1", 1, TWO)],
    "with answers, and a change": [create(answers=TWO), change("#1", 2, {"adjacent_boxes": 3})],
    "and a change with a day": [create(), change("#1", 1, TWO, takes_effect=LATER)],
    "and a change of an older version": [create(answers=TWO), change("#1", 1, {"adjacent_boxes": 3})],
    "and a wrong change": [create(answers=TWO), change("#1", 2, {"adjacent_boxes": 9}, takes_effect=LATER)],
    "and two changes": [create(), change("#1", 1, TWO), change("#1", 2, {"adjacent_boxes": 3})],
    "refused, and a change": [create(chapter="999"), change("#1", 1, TWO)],
    "and a change of one that is not there": [create(), change("#2", 1, TWO)],
    "that is the only one, and another": [create(another="no"), create(answers=TWO)],
    "and another that must be the only one": [create(answers=TWO), create(another="no")],
}
CHANGES: dict[str, Callable[[Submission], list[Item]]] = {
    "two groups": lambda draft: in_groups(draft, {"adjacent_boxes": 3}, {"odds_posted": "layout"}),
    "the second wrong": lambda draft: in_groups(draft, {"adjacent_boxes": 3}, {"adjacent_boxes": 9}),
    "the first wrong": lambda draft: in_groups(draft, {"adjacent_boxes": 9}, {"adjacent_boxes": 3}),
    "one twice": lambda draft: in_groups(draft, {"adjacent_boxes": 3}, {}) + in_groups(draft, TWO, {})[:1],
    "a day": lambda draft: [each | {"takes_effect": LATER} for each in in_groups(draft, TWO, {"adjacent_boxes": 3})],
    "a day that is over": lambda draft: [
        each | {"takes_effect": PAST} for each in in_groups(draft, {"adjacent_boxes": 3}, {})
    ],
    "a day, and answers that are wrong": lambda draft: [
        in_groups(draft, {"adjacent_boxes": 9}, {})[0] | {"takes_effect": LATER},
        in_groups(draft, {}, {"adjacent_boxes": 3})[1],
    ],
}  # fmt: skip
MODES = (("validate", False), ("live", False), ("live", True))  # and whether all items are done together
RESULT = ("state", "status", "code", "message", "fix", "section", "option", "findings", "changes", "made")


def results(batch: Batch) -> list[str]:
    """The results of the items. A draft that is not stored has its item's reference in place of a number."""
    rows = batch.items.values_list(*RESULT)
    return [re.sub(r"RS-\d{4}-\d{5}|#\d", "RS", json.dumps(row)) for row in rows]


def written(after: int) -> list[list[tuple[object, ...]]]:
    """The events after this one, with the rows that they seal, of each submission; without keys and numbers."""
    of_each: dict[int, list[tuple[object, ...]]] = {}
    for event in Event.objects.filter(sequence__gt=after).exclude(submission=None).select_related("submission"):
        rows = {
            table: [_without_keys(state) for state in states.values()]
            for table, states in json.loads(event.rows).items()
        }  # fmt: skip
        said = (event.actor_id, event.organization_id, event.verb, event.reason, event.before, event.after, rows)
        of_each.setdefault(event.submission.pk, []).append(said)
    return list(of_each.values())


def _without_keys(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if name not in ("number", "submission_id", "created_at")}


def compare(
    program: Credential, items: list[Item], twins: list[Item], monkeypatch: pytest.MonkeyPatch, **given: Any
) -> None:
    """Send the items, and then their twins, which are not planned: all results, rows and events are the same."""
    ends = [Event.objects.count()]
    planned = sent(program, *items, **given)
    ends.append(Event.objects.count())
    Submission.objects.filter(created_by=program.service_account).update(status="withdrawn")  # so that none is open
    replace_step(monkeypatch, "planned_parts", unplanned)
    alone = sent(program, *twins, **given)
    assert results(planned) == results(alone)
    both = written(ends[0])
    assert both[: len(both) // 2] == both[len(both) // 2 :]
    assert 2 * ends[1] - ends[0] == Event.objects.count()
    assert verify_chain()[1] is None


@pytest.mark.parametrize("name", CREATES)
def test_planned_create_writes_what_one_by_itself_writes(
    name: str, program: Credential, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for mode, atomic in MODES:
        with subtests.test(mode=mode, atomic=atomic), undone(monkeypatch) as replaced:
            compare(program, CREATES[name], CREATES[name], replaced, mode=mode, atomic=atomic)


@pytest.mark.parametrize("name", CHANGES)
def test_planned_changes_of_one_submission_are_those_of_one_after_the_other(
    name: str, program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    draft, twin = in_two_groups(manager), in_two_groups(manager)
    for mode, atomic in MODES:
        with subtests.test(mode=mode, atomic=atomic), undone(monkeypatch) as replaced:
            compare(program, CHANGES[name](draft), CHANGES[name](twin), replaced, mode=mode, atomic=atomic)


def in_two_groups(manager: Person) -> Submission:
    draft = ready_to_file(manager, "687a")
    table_groups.add_group(manager, draft, table_groups.GroupDescription("Pit 3", "12-15"))
    return draft


def test_rows_of_planned_drafts_are_sealed(program: Credential) -> None:
    batch = sent(
        program, create(answers=TWO), create(takes_effect=LATER, answers=TWO), change("#1", 2, {}), atomic=True
    )
    assert counted(batch) == {"done": 3}
    made_now = Submission.objects.order_by("pk")
    years = [timezone.localtime(row.created_at).year for row in made_now]
    assert [row.number for row in made_now] == [
        f"RS-{year}-{row.pk:05d}" for year, row in zip(years, made_now, strict=True)
    ]
    assert [row["submission"] for row in batch.items.values_list("made", flat=True)] == [
        made_now[0].number,
        made_now[1].number,
        made_now[0].number,
    ]
    report = verify_history(most=1_000)
    assert report.broken is None
    assert not [text for text in map(str, report.differences) if "configuration" in text or "submission" in text]


@pytest.mark.parametrize("atomic", [False, True])
def test_change_of_a_person_after_the_planning_makes_all_items_of_the_submission_be_planned_again(
    atomic: bool, program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft, refresh = in_two_groups(manager), planned_items.current_plans

    def somebody_saves_first(*given: object) -> planned_items.Plans:
        drafts.save_answers(manager, draft, {"adjacent_boxes": 3}, configuration=1)
        return refresh(*given)  # type: ignore[arg-type]

    replace_step(monkeypatch, "current_plans", somebody_saves_first)
    batch = sent(program, create(), *in_groups(draft, {"adjacent_boxes": 3}, {"odds_posted": "layout"}), atomic=atomic)
    conflict, rest = ("refused", "configuration-changed-meanwhile"), ("undone", "others-refused")
    assert outcomes(batch) == ([rest, rest, conflict] if atomic else [("done", ""), ("done", ""), conflict])
    answers = [row.answers for row in draft.configurations.all()]
    assert [row["adjacent_boxes"] for row in answers] == ([2, 2] if atomic else [3, 3])
    assert answers[1]["odds_posted"] != "layout"
    assert happened()["started"] == (1 if atomic else 2)
    assert verify_chain()[1] is None


@pytest.mark.parametrize("atomic", [False, True])
def test_credential_that_is_revoked_after_the_planning_creates_nothing(
    atomic: bool, program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch, plan = send(program, *[create(answers=TWO)] * 3, atomic=atomic), planned_items.plan_items

    def plan_and_revoke(*given: Any) -> planned_items.Plans:
        plans = plan(*given)
        if not atomic or batch.items.filter(state="passed").exists():
            api_credentials.revoke_credential(administrator(program.organization), program)
        return plans

    replace_step(monkeypatch, "plan_items", plan_and_revoke)
    work(batch)
    assert counted(batch) == ({"refused": 1, "undone": 2} if atomic else {"refused": 3})
    assert set(batch.items.filter(state="refused").values_list("code", flat=True)) == {"credential-revoked"}
    assert (Submission.objects.count(), happened()["started"]) == (0, 0)


@pytest.mark.parametrize("atomic", [False, True])
def test_worker_that_dies_before_the_end_of_the_transaction_has_created_nothing(
    atomic: bool, program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [create(answers=TWO), create(), change("#2", 1, TWO)]
    batch = send(program, *items, atomic=atomic)
    with worker_that_dies_after_writing(monkeypatch):
        work(batch)
    assert (batch.state, counted(batch)) == ("running", {"passed" if atomic else "waiting": 3})
    assert (Submission.objects.count(), happened()["started"]) == (0, 0)
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert (counted(work(batch)), happened()["started"], happened()["saved"]) == ({"done": 3}, 2, 2)
    assert verify_chain()[1] is None


def test_worker_continues_after_the_drafts_that_another_one_created(
    program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planned_items, "MOST_PLANNED", 2)
    items = [create(), change("#1", 1, TWO), create(), change("#3", 1, TWO)]
    batch, process = send(program, *items), batch_worker._process_planned

    def first_and_die(*given: Any, **modes: Any) -> None:
        if happened()["started"]:
            raise OperationalError("the machine stops")
        process(*given, **modes)

    with monkeypatch.context() as trouble:
        trouble.setattr(batch_worker, "_process_planned", first_and_die)
        work(batch)
    assert outcomes(batch) == [("done", ""), ("done", ""), ("waiting", ""), ("waiting", "")]
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert (counted(work(batch)), happened()["started"], happened()["saved"]) == ({"done": 4}, 2, 2)


def test_statements_that_create_drafts_do_not_grow_with_the_items(program: Credential) -> None:
    counts = []
    for size in (2, 20):
        batch = send(program, *[create(answers=TWO, takes_effect=LATER)] * size, atomic=True)
        with CaptureQueriesContext(connection) as queries:
            work(batch)
        assert counted(batch) == {"done": size}
        counts.append(sum("SAVEPOINT" not in query["sql"] for query in queries))
    assert counts[0] == counts[1]
