"""Updates that are planned in memory and written together: they do what the same items do one by one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.audit.chain import verify_chain
from submissions.audit.row_verification import verify_history
from submissions.bulk import planned_items
from submissions.filings import drafts
from submissions.models import Batch, Configuration, Credential, Delivery, Event, Job, Organization, Person, Submission
from submissions.notifications import webhooks
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

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("works_alone"), pytest.mark.service("JSON", "queries")]
Item = dict[str, object]


@pytest.fixture
def program(casino: Organization) -> Credential:
    return made(casino, scopes=["prepare"]).credential


def update(draft: Submission, **answers: object) -> Item:
    version = draft.configurations.get().version
    return {"action": "update", "submission": draft.number, "version": version, "answers": answers}


ITEMS: dict[str, Callable[[Submission], Item]] = {
    "one line": lambda draft: update(draft, adjacent_boxes=3),
    "two lines": lambda draft: update(draft, adjacent_boxes=3, odds_posted="layout"),
    "nothing new": lambda draft: update(draft, **draft.configurations.get().answers),
    "an unknown line": lambda draft: update(draft, boxes=3),
    "a wrong answer": lambda draft: update(draft, adjacent_boxes=9),
    "an answer of another shape": lambda draft: update(draft, adjacent_boxes=[3]),
    "an older version": lambda draft: update(draft, adjacent_boxes=3) | {"version": 7},
    "a group that is not there": lambda draft: update(draft, adjacent_boxes=3) | {"group": 4},
    "a submission that is not there": lambda draft: update(draft, adjacent_boxes=3) | {"submission": "RS-2026-99999"},
    "no answers": lambda draft: {"action": "update", "submission": draft.number, "version": 2},
    "text": lambda draft: update(draft, adjacent_boxes="3"),
}
RESULT = ("state", "status", "code", "message", "fix", "section", "option", "findings", "changes")


def results(batch: Batch) -> list[tuple[object, ...]]:
    return list(batch.items.values_list(*RESULT, "made__version", "made__group", "made__configuration_version"))


def payloads() -> list[tuple[object, ...]]:
    return list(Event.objects.filter(verb="saved").values_list("before", "after"))


@pytest.mark.parametrize("name", ITEMS)
def test_planned_update_has_the_same_result_and_event_as_one_by_itself(
    name: str, program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    draft, twin = ready_to_file(manager, "687a"), ready_to_file(manager, "687a")
    before = len(payloads())
    for mode, form in product(("validate", "live"), ("json", "csv")):
        with subtests.test(mode=mode, form=form), undone(monkeypatch) as replaced:
            planned = sent(program, ITEMS[name](draft), mode=mode, form=form)
            replace_step(replaced, "planned_parts", unplanned)
            alone = sent(program, ITEMS[name](twin), mode=mode, form=form)
            [mine], [theirs] = results(planned), results(alone)
            assert [str(value).replace(draft.number, twin.number) for value in mine] == list(map(str, theirs))
            assert draft.configurations.get().answers == twin.configurations.get().answers
            events = payloads()[before:]
            assert events[: len(events) // 2] == events[len(events) // 2 :]
            assert verify_chain()[1] is None


@pytest.mark.parametrize("atomic", [False, True])
def test_draft_that_a_person_changes_after_the_planning_is_not_overwritten(
    atomic: bool, program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(3)]
    refresh = planned_items.current_plans

    def somebody_saves_first(*given: object) -> planned_items.Plans:
        drafts.save_answers(manager, rows[1], {"odds_posted": "layout"})
        return refresh(*given)  # type: ignore[arg-type]

    replace_step(monkeypatch, "current_plans", somebody_saves_first)
    batch = sent(program, *(update(row, adjacent_boxes=3) for row in rows), atomic=atomic)
    conflict, rest = ("refused", "configuration-changed-meanwhile"), ("undone", "others-refused")
    assert outcomes(batch) == ([rest, conflict, rest] if atomic else [("done", ""), conflict, ("done", "")])
    boxes = [row.configurations.get().answers["adjacent_boxes"] for row in rows]
    assert boxes == ([2, 2, 2] if atomic else [3, 2, 3])
    assert verify_chain()[1] is None


def test_credential_that_is_revoked_after_the_planning_writes_nothing(
    program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = send(program, *(update(ready_to_file(manager, "687a"), adjacent_boxes=3) for _ in range(3)), atomic=True)
    plan, before = planned_items.plan_items, happened()["saved"]

    def plan_and_revoke(*given: object) -> planned_items.Plans:
        plans = plan(*given)  # type: ignore[arg-type]
        if happened()["credential-revoked"] == 0 and batch.items.filter(state="passed").exists():
            api_credentials.revoke_credential(administrator(program.organization), program)
        return plans

    replace_step(monkeypatch, "plan_items", plan_and_revoke)
    work(batch)
    assert counted(batch) == {"refused": 1, "undone": 2}
    assert (batch.items.get(state="refused").code, happened()["saved"]) == ("credential-revoked", before)


@pytest.mark.parametrize("atomic", [False, True])
def test_worker_that_dies_before_the_end_of_the_transaction_has_written_nothing(
    atomic: bool, program: Credential, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(3)]
    batch, before = send(program, *(update(row, adjacent_boxes=3) for row in rows), atomic=atomic), happened()
    with worker_that_dies_after_writing(monkeypatch):
        work(batch)
    assert (batch.state, counted(batch), happened()) == ("running", {"passed" if atomic else "waiting": 3}, before)
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert (counted(work(batch)), happened()["saved"]) == ({"done": 3}, before["saved"] + 3)
    assert verify_chain()[1] is None


def test_statements_of_the_transaction_do_not_grow_with_the_items(program: Credential, manager: Person) -> None:
    counts = []
    for size in (2, 20):
        rows = [ready_to_file(manager, "687a") for _ in range(size)]
        batch = send(program, *(update(row, adjacent_boxes=3) for row in rows), atomic=True)
        with CaptureQueriesContext(connection) as queries:
            work(batch)
        assert counted(batch) == {"done": size}
        counts.append(sum("SAVEPOINT" not in query["sql"] for query in queries))
    assert counts[0] == counts[1]


def test_updates_that_change_nothing_write_no_history(program: Credential, manager: Person) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(2)]
    before = Event.objects.count()
    assert counted(sent(program, *map(ITEMS["nothing new"], rows), atomic=True)) == {"done": 2}
    assert (Event.objects.count(), verify_chain()) == (before, (before, None))


def test_webhook_gets_each_planned_update(program: Credential, manager: Person) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(3)]
    person = administrator(program.organization)
    webhooks.create_webhook(person, url="https://casino.example.test/hook", verbs=["saved"])
    sent(program, *(update(row, adjacent_boxes=3) for row in rows), atomic=True)
    assert Delivery.objects.filter(event__verb="saved").count() == 3


def test_rows_that_planned_updates_write_are_sealed(program: Credential, manager: Person) -> None:
    rows = [ready_to_file(manager, "687a") for _ in range(3)]
    sent(program, *(update(row, adjacent_boxes=3) for row in rows))
    seals = Event.objects.filter(verb="saved").order_by("-sequence")[:3].values_list("rows", flat=True)
    keys = [str(row.pk) for row in Configuration.objects.filter(submission__in=rows).order_by("-pk")]
    assert all(f'"{key}":' in text and '"version":3' in text for key, text in zip(keys, seals, strict=True))
    report = verify_history(most=1_000)
    assert report.broken is None
    assert not any("configuration" in str(difference) for difference in report.differences)
