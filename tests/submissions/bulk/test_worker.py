"""A worker checks a batch and carries it out: what happens when people, credentials, others and machines get in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connections
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.bulk import batch_worker, intake, item_handlers
from submissions.bulk.batch_results import batch_progress
from submissions.filings import drafts, filing
from submissions.jobs import leases, queues
from submissions.models import Batch, Credential, Event, Item, Job, Organization, Person, Role, Submission
from tests.cast import person
from tests.portal.broker import speaking_to
from tests.submissions.api.clients import administrator, made
from tests.submissions.bulk.batches import (
    confirmed,
    counted,
    happened,
    item,
    last_attempt,
    outcomes,
    replace_step,
    send,
    sent,
    unplanned,
    work,
)
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.jobs.workers import run_due

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks", "transactions")]
CREATE = {"action": "create", "chapter": "687a"}
NOBODY = "redis://127.0.0.1:1"


@pytest.fixture
def program(casino: Organization) -> Credential:
    return made(casino, scopes=["prepare", "file"]).credential


def update(draft: Submission, **answers: object) -> dict[str, object]:
    version = draft.configurations.get().version
    answers = answers or {"adjacent_boxes": 3}
    return {"action": "update", "submission": draft.number, "version": version, "answers": answers}


def file(draft: Submission) -> dict[str, object]:
    return {"action": "file", "submission": draft.number, "version": draft.version}


# People and credentials


def leave(manager: Person) -> None:
    manager.is_active = False


def read_only(manager: Person) -> None:
    manager.role = Role.READER


@pytest.mark.parametrize(("change", "code"), [(leave, "person-left"), (read_only, "not-allowed")])
def test_nothing_is_signed_for_whoever_may_no_longer(
    change: Callable[[Person], None], code: str, program: Credential, manager: Person
) -> None:
    """Confirmed, and gone or in another role before the worker came."""
    draft = ready_to_file(manager, "687a")
    batch = sent(program, file(draft), CREATE)
    intake.confirm_batch(manager, batch, attested=True)
    change(manager)
    manager.save()
    assert outcomes(work(batch)) == [("refused", code), ("done", "")]
    assert (item(batch).status, Event.objects.filter(verb="filed").count()) == (403, 0)


def test_steps_are_not_checked_where_nobody_could_confirm_them(program: Credential, preparer: Person) -> None:
    draft = ready_to_file(preparer, "687a")
    batch = sent(program, file(draft))
    assert (batch.state, outcomes(batch)) == ("done", [("refused", "nobody-signs")])


def test_revoked_credential_does_nothing_more(program: Credential) -> None:
    batch = send(program, CREATE, CREATE)
    api_credentials.revoke_credential(administrator(program.organization), program)
    assert outcomes(work(batch)) == [("refused", "credential-revoked")] * 2
    assert (item(batch).status, batch.state, Submission.objects.count()) == (401, "done", 0)


@pytest.mark.parametrize("atomic", [False, True])
def test_credential_revoked_in_the_middle_does_nothing_from_then_on(
    atomic: bool, program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at again in each transaction."""
    replace_step(monkeypatch, "planned_parts", unplanned)
    monkeypatch.setattr(batch_worker, "MOST_CHAINS", 2)
    batch = send(program, *[CREATE] * 6, atomic=atomic)
    pauses: list[None] = []

    def revoke() -> None:
        pauses.append(None)
        if len(pauses) == 2:
            api_credentials.revoke_credential(administrator(program.organization), program)

    monkeypatch.setattr(batch_worker, "yield_lock", revoke)
    work(batch)
    if atomic:
        assert counted(batch) == {"undone": 4, "refused": 2}
    else:
        assert outcomes(batch) == [("done", "")] * 4 + [("refused", "credential-revoked")] * 2
    assert Submission.objects.count() == (0 if atomic else 4)


def test_what_a_person_confirmed_is_done_though_the_credential_was_revoked(
    program: Credential, manager: Person
) -> None:
    batch = sent(program, file(ready_to_file(manager, "687a")), CREATE)
    intake.confirm_batch(manager, batch, attested=True)
    api_credentials.revoke_credential(administrator(program.organization), program)
    assert outcomes(work(batch)) == [("done", ""), ("done", "")]


# Other batches, other people


def test_two_batches_over_the_same_submissions_do_each_change_once(program: Credential, manager: Person) -> None:
    changes = [update(ready_to_file(manager, "687a")) for _ in range(3)]
    first, second = send(program, *changes), send(program, *changes)
    assert outcomes(work(second)) == [("done", "")] * 3
    assert outcomes(work(first)) == [("refused", "configuration-changed-meanwhile")] * 3


def test_all_together_takes_back_what_only_fails_together(program: Credential, manager: Person) -> None:
    """Each would pass by itself, but no table is in two groups."""
    group = {"action": "add-group", "submission": ready_to_file(manager, "687a").number, "version": 1}
    both = [{**group, "name": "Pit 3", "tables": "9"}, {**group, "name": "Pit 4", "tables": "9"}]
    batch = sent(program, CREATE, *both, atomic=True)
    assert outcomes(batch) == [
        ("undone", "others-refused"),
        ("undone", "others-refused"),
        ("refused", "table-in-two-groups"),
    ]
    assert (Submission.objects.count(), item(batch).status) == (1, 424)


def test_what_was_checked_and_then_changed_takes_back_all_that_was_to_be_done_together(
    program: Credential, manager: Person
) -> None:
    first, second = ready_to_file(manager, "687a"), ready_to_file(manager, "687a")
    batch = sent(manager, update(first), update(second), atomic=True, needs_confirmation=True)
    assert (batch.state, outcomes(batch)) == ("waiting", [("passed", "")] * 2)
    sent(program, update(second, odds_posted="layout"))
    confirmed(manager, batch)
    assert outcomes(batch) == [("undone", "others-refused"), ("refused", "configuration-changed-meanwhile")]
    assert first.configurations.get().answers["adjacent_boxes"] == 2


@pytest.mark.parametrize("mode", ["validate", "live"])
def test_submission_of_another_casino_is_not_there(mode: str, program: Credential, stranger: Person) -> None:
    theirs = ready_to_file(stranger, "687a")
    before = happened()
    batch = sent(program, update(theirs), {**file(theirs), "action": "withdraw", "reason": "x"}, mode=mode)
    assert outcomes(batch) == [("refused", "not-found"), ("refused", "earlier-item-refused")]
    assert (item(batch).message, happened()) == (
        f"The submission “{theirs.number}” does not exist, or you cannot see it.",
        before,
    )


# Faults, and machines


def broken(*_: object, **__: object) -> None:
    raise KeyError("nobody thought of this")


def add_group(draft: Submission) -> dict[str, object]:
    return {"action": "add-group", "submission": draft.number, "version": 1, "name": "Pit 3", "tables": "9"}


@pytest.mark.parametrize("other", [update, add_group])
def test_item_that_fails_by_our_fault_is_told_and_alone(
    other: Callable[[Submission], dict[str, object]],
    program: Credential,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An update by itself is planned; every other item is applied by its handler."""
    monkeypatch.setitem(item_handlers.apply_item.__globals__["_HANDLERS"], "add-group", broken)
    draft = ready_to_file(person(program.organization, Role.PREPARER, "Somebody"), "687a")
    monkeypatch.setattr(drafts, "plan_answers", broken)
    batch = sent(program, CREATE, other(draft), CREATE)
    assert outcomes(batch) == [("done", ""), ("refused", "our-fault"), ("done", "")]
    assert (item(batch, 2).status, f"{batch.number}, item 2" in caplog.text) == (500, True)
    assert "nobody thought of this" not in item(batch, 2).message


def out_of_order(*_: object) -> None:
    raise OperationalError("the disk is full")


def test_batch_that_stopped_says_so_and_goes_on_when_it_is_run_again(
    program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = send(program, *[CREATE] * 3)
    job = last_attempt(batch)
    with monkeypatch.context() as trouble:
        trouble.setattr(batch_worker, "save_results", out_of_order)
        work(batch)
    (standing,) = batch_progress([batch])
    assert standing.progress is not None
    assert (batch.state, standing.progress.stopped, counted(batch)) == ("running", True, {"waiting": 3})
    assert standing.progress.words == "Stopped by an error. Nothing is lost. The portal's operator can run it again."
    assert Submission.objects.count() == 0
    with speaking_to(NOBODY):
        call_command("run_again", str(job.pk))
    assert (outcomes(work(batch)), batch.state) == ([("done", "")] * 3, "done")


def test_worker_that_dies_in_the_middle_leaves_each_item_done_or_waiting(
    program: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_step(monkeypatch, "planned_parts", unplanned)
    monkeypatch.setattr(batch_worker, "MOST_CHAINS", 2)
    batch = send(program, *[CREATE] * 5)
    with monkeypatch.context() as trouble:
        trouble.setattr(batch_worker, "yield_lock", out_of_order)
        work(batch)
    assert (counted(batch), Submission.objects.count()) == ({"done": 2, "waiting": 3}, 2)
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert (outcomes(work(batch)), Submission.objects.count()) == ([("done", "")] * 5, 5)


def test_worker_that_lost_its_lease_keeps_nothing(program: Credential, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_step(monkeypatch, "planned_parts", unplanned)
    batch = send(program, *[CREATE] * 3)
    answer = batch_worker.answer_item

    def taken_over(*given: Any) -> None:
        answer(*given)
        Job.objects.filter(subject=batch.pk).update(fence=99)

    monkeypatch.setattr(batch_worker, "answer_item", taken_over)
    work(batch)
    assert (counted(batch), Submission.objects.count()) == ({"waiting": 3}, 0)


def test_batch_is_done_once_though_its_job_comes_twice(program: Credential) -> None:
    batch = sent(program, CREATE)
    Job.objects.filter(subject=batch.pk).update(state=Job.State.DUE, lease_until=None)
    work(batch)
    assert (batch.state, Submission.objects.count()) == ("done", 1)


def test_long_batches_and_short_jobs_take_turns(program: Credential, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is done once, none waits for the end of another, and no attempt is lost by giving way."""
    replace_step(monkeypatch, "planned_parts", unplanned)
    monkeypatch.setattr(batch_worker, "TRANSACTION_BUDGET_S", 0.0)  # one item
    monkeypatch.setattr(batch_worker, "SHARE_AFTER_S", 0.0)
    batches = [send(program, *[CREATE] * 4), send(program, *[CREATE] * 4)]
    Job.objects.create(kind=Job.Kind.WEBHOOK, subject=1, queue=queues.SHORT, urgency=1, not_before=timezone.now())
    turns: list[tuple[str, int]] = []

    def noted(work: leases.Work) -> leases.Work:
        def run(lease: leases.Lease) -> None:
            turns.append((lease.job.kind, lease.job.subject))
            work(lease)

        return run

    works = {"bulk": noted(batch_worker.apply_batch), "webhook": noted(lambda lease: None)}
    while run_due(queues.SHORT, works):
        pass
    first, second = (("bulk", batch.pk) for batch in batches)
    assert turns == [first, second, ("webhook", 1), *[first, second] * 3]
    assert [counted(batch) for batch in batches] == [{"done": 4}, {"done": 4}]
    assert set(Job.objects.values_list("state", "attempts")) == {(Job.State.DONE, 1)}


@pytest.mark.django_db(transaction=True)
def test_batches_and_people_do_not_lock_each_other_out(program: Credential, manager: Person) -> None:
    """Two batches over the same submissions in opposite order, and people who save and file them meanwhile."""
    rows = [ready_to_file(manager, "687a") for _ in range(12)]
    batches = [send(program, *map(update, rows)), send(program, *map(update, reversed(rows)))]
    failed: list[BaseException] = []

    def person_saves() -> None:
        for draft in rows[::3]:
            seen = draft.configurations.get().answers
            drafts.save_answers(manager, draft, {"odds_posted": "layout"}, seen=seen)

    def person_files() -> None:
        for draft in reversed(rows[1::3]):
            filing.file_submission(manager, draft, version=draft.version, attested=True)

    def alone(what: Callable[[], object]) -> None:
        try:
            what()
        except BaseException as error:
            failed.append(error)
        finally:
            connections.close_all()

    deeds = [person_saves, person_files, *((lambda one=one: work(one)) for one in batches)]
    threads = [threading.Thread(target=alone, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert [batch.state for batch in Batch.objects.all()] == ["done", "done"]
    assert Job.objects.filter(kind=Job.Kind.BULK).exclude(attempts=1).count() == 0
    assert (
        Item.objects.filter(state="done").count()
        == Event.objects.filter(actor=program.service_account, verb="saved").count()
    )
