"""The row that each end of an attempt leaves, the wake-ups that follow, and what waits how long in which place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.conf import LazySettings
from django.db import connection
from django.db.models import F
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from submissions.core.errors import Refusal, TooManyAtOnce
from submissions.core.log_context import job_id, request_id
from submissions.jobs import clock, division, drain, export_files, leases, progress, queues, sweep
from submissions.models import Computation, ExportPart, Job, Person, SweepTurn
from tests.portal.broker import real_broker, speaking_to

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
State = Job.State
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(settings: LazySettings) -> Iterator[None]:
    settings.JOB_CLOCK = "process"
    settings.JOB_LEASE = timedelta(seconds=20)
    with speaking_to("redis://127.0.0.1:1"), time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What would be sent to the broker."""
    messages: list[tuple[Any, ...]] = []

    def send_task(task: str, *, args: Any, queue: str, retry: bool, producer: Any) -> None:
        messages.append((task, *args, queue, retry, producer is not None))

    monkeypatch.setattr(current_app, "send_task", send_task)
    return messages


def job(kind: str = "simulate", subject: int = 7, **given: Any) -> Job:
    return Job.objects.create(**{"kind": kind, "subject": subject, "not_before": NOW, **given})


def running(**given: Any) -> leases.Lease:
    """A job in its second attempt, and one beside it that nothing concerns."""
    job(subject=99, state=State.RUNNING, fence=5, attempts=2, lease_until=NOW)
    row = job(attempts=1, fence=4, **given)
    lease = leases.take_lease(row.pk)
    assert lease is not None
    return lease


def row(lease: leases.Lease) -> dict[str, Any]:
    return Job.objects.filter(pk=lease.job.pk).values().get()


def fields(values: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(values[name] for name in names)


def test_lease_of_a_due_job() -> None:
    lease = running()
    assert (lease.fence, lease.shares, lease.job.attempts) == (5, False, 2)
    assert fields(row(lease), "state", "fence", "attempts", "lease_until", "started_at", "finished_at") == (
        State.RUNNING, 5, 2, NOW + 20 * SECOND, NOW, None,
    )  # fmt: skip
    with time_machine.travel(NOW + 20 * SECOND, tick=False):
        again = leases.take_lease(lease.job.pk)
    assert again is not None
    assert fields(row(again), "fence", "attempts", "started_at") == (6, 3, NOW)
    assert leases.take_lease(lease.job.pk) is None
    assert Job.objects.get(subject=99).fence == 5


ENDS = {
    "done": (lambda lease: lease.end(State.DONE), (State.DONE, "", 2, NOW, NOW)),
    "failed": (lambda lease: lease.end(State.FAILED, "Why."), (State.FAILED, "Why.", 2, NOW, NOW)),
    "due": (lambda lease: lease.end(State.DUE, "Again."), (State.DUE, "Again.", 2, NOW + 4 * SECOND, None)),
    "put off": (lambda lease: lease.put_off("Later.", MINUTE), (State.DUE, "Later.", 1, NOW + MINUTE, None)),
    "divided": (lambda lease: lease.divide("In parts."), (State.DUE, "In parts.", 0, NOW, None)),
}


@pytest.mark.parametrize("end", ENDS)
def test_row_after_the_end_of_an_attempt(end: str) -> None:
    lease, (ends, expected) = running(), ENDS[end]
    ends(lease)
    assert fields(row(lease), "state", "message", "attempts", "not_before", "finished_at") == expected
    assert fields(row(lease), "fence", "lease_until") == (6, None)
    other = Job.objects.get(subject=99)
    assert (other.state, other.fence, other.message) == (State.RUNNING, 5, "")


def test_pause_between_attempts_is_a_minute_at_most() -> None:
    lease = running()
    lease.job.attempts = 7
    lease.end(State.DUE)
    assert row(lease)["not_before"] == NOW + MINUTE


@pytest.mark.parametrize("behind", [False, True])
def test_job_that_is_put_back_keeps_its_age_or_not(sent: list[Any], behind: bool) -> None:
    lease = running(queue="short")
    Job.objects.filter(pk=lease.job.pk).update(not_before=NOW - MINUTE)
    lease.put_back(behind=behind)
    place = NOW if behind else NOW - MINUTE
    assert fields(row(lease), "state", "message", "attempts", "not_before") == (State.DUE, "", 1, place)
    assert sent == [("submissions.run_job", "short", lease.job.pk, "short", False, True)]


def test_beat_stores_the_progress() -> None:
    lease = running()
    with time_machine.travel(NOW + SECOND, tick=False):
        lease.beat(0, 5, "Begins")
    names = ("done_units", "total_units", "message", "attempts", "lease_until", "state")
    assert fields(row(lease), *names) == (0, 5, "Begins", 2, NOW + 21 * SECOND, State.RUNNING)
    lease.beat(2, 5, "Goes on")
    assert fields(row(lease), *names) == (2, 5, "Goes on", 1, NOW + 20 * SECOND, State.RUNNING)
    assert (lease.job.attempts, lease.job.done_units) == (1, 2)
    lease.job.attempts = 3
    lease.beat(2, 5)
    assert (lease.job.attempts, row(lease)["message"]) == (3, "")
    assert Job.objects.get(subject=99).done_units == 0
    Job.objects.filter(pk=lease.job.pk).update(fence=9)
    with pytest.raises(leases.LeaseLost, match=f"job {lease.job.pk}: fence 5 is not the present one"):
        lease.extend()


def test_progress_of_a_part_is_added_to_the_whole() -> None:
    whole = job(subject=1, state=State.DIVIDED, done_units=10)
    lease = running(parent=whole)
    lease.add_to_whole(3)
    lease.add_to_whole(2)
    assert Job.objects.get(pk=whole.pk).done_units == 15
    alone = leases.Lease(job(subject=3), 0)
    alone.add_to_whole(3)
    assert Job.objects.get(subject=3).done_units == 0


def way(lease: leases.Lease, share_after: float | None = None) -> tuple[str, bool] | None:
    try:
        lease.give_way(share_after)
    except leases.GiveWay as given:
        return str(given), given.behind
    return None


def test_job_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    lease = leases.Lease(job(urgency=2, state=State.RUNNING), 1, shares=True, begun=time.monotonic())
    due = "others of the queue are due"
    assert (way(lease), way(lease, 0.0)) == (None, None)
    job(subject=8, urgency=2)
    assert (way(lease), way(lease, 60)) == (None, None)
    lease.begun -= 61
    assert (way(lease), way(lease, 60)) == (None, (due, True))
    job(subject=9, urgency=0, queue="short")
    assert way(lease) is None
    job(subject=10, urgency=1)
    assert (way(lease), way(lease, 60), way(lease, 9999)) == ((due, False), (due, True), None)
    flag = bytearray(1)
    monkeypatch.setattr(drain, "_flag", flag)
    assert not drain.stop_requested()
    drain.request_stop()
    assert drain.stop_requested()
    assert (way(lease, 9999), leases.run_due("long", {})) == (("the worker stops", False), False)
    lease.shares = False
    assert way(lease) is None
    assert (leases.GiveWay("x").behind, str(leases.GiveWay("x"))) == (False, "x")


def test_enqueued_job(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    token = request_id.set("r-1")
    with django_capture_on_commit_callbacks(execute=True):
        row = leases.enqueue(Job.Kind.DOCUMENT, 3)
        assert leases.enqueue(Job.Kind.DOCUMENT, 3) == row
    request_id.reset(token)
    assert (row.kind, row.subject, row.queue, row.urgency, row.request_id, row.not_before, row.state) == (
        "document", 3, "short", 1, "r-1", NOW, State.DUE,
    )  # fmt: skip
    assert sent == [("submissions.run_job", "short", row.pk, "short", False, True)]


def test_job_that_is_run_again(
    sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    whole = job(subject=1, state=State.ERRORED, finished_at=NOW)
    other = job(subject=2, state=State.FAILED)
    done = job(subject=3, state=State.DONE)
    row = job(
        state=State.FAILED, attempts=8, fence=4, finished_at=NOW, parent=whole, lease_until=NOW, queue="short",
        not_before=NOW - MINUTE,
    )  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        assert leases.run_again(row.pk)
        assert not leases.run_again(row.pk)
        assert not leases.run_again(done.pk)
        assert not leases.run_again(404)
    row.refresh_from_db()
    assert (row.state, row.attempts, row.fence, row.not_before, row.finished_at, row.lease_until) == (
        State.DUE, 0, 5, NOW, None, None,
    )  # fmt: skip
    whole.refresh_from_db()
    assert (whole.state, whole.finished_at) == (State.DIVIDED, None)
    assert Job.objects.get(pk=other.pk).state == State.FAILED
    assert sent == [("submissions.run_job", "short", row.pk, "short", False, True)]
    assert leases.run_again(job(state=State.FAILED, subject=4, parent=done).pk)
    assert Job.objects.get(pk=done.pk).state == State.DONE
    assert leases.run_again(done.pk, among=(State.DONE,))


RAISED = {
    "refusal": (Refusal("not-allowed", "No."), (State.FAILED, "No.", 2, NOW)),
    "later": (leases.TryLater("No mail server."), (State.DUE, "No mail server.", 1, NOW + MINUTE)),
    "later, soon": (leases.TryLater("Wait.", SECOND), (State.DUE, "Wait.", 1, NOW + SECOND)),
    "way": (leases.GiveWay("Others.", behind=True), (State.DUE, "", 1, NOW)),
    "parts": (leases.Divided("In parts."), (State.DUE, "In parts.", 0, NOW)),
    "error": (ZeroDivisionError("by zero"), (State.DUE, "ZeroDivisionError: by zero", 2, NOW + 4 * SECOND)),
    "lost": (leases.LeaseLost("gone"), (State.RUNNING, "", 2, NOW)),
    "disk": (
        OSError(28, "No space left on device"),
        (State.DUE, "Waits until there is room: the disk is full.", 1, NOW + MINUTE),
    ),
}


def executors(error: Exception | None = None) -> dict[str, leases.Executor]:
    def work(lease: leases.Lease) -> None:
        if error:
            raise error

    return {"simulate": work}


def test_job_that_ended_is_not_taken_again() -> None:
    row = job(state=State.DONE, lease_until=NOW - MINUTE)
    assert leases.take_lease(row.pk) is None


def test_work_is_logged_with_its_job_and_its_request() -> None:
    row, seen = job(request_id="r-9"), []
    leases.run_leased(row.pk, {"simulate": lambda lease: seen.append((job_id.get(), request_id.get()))})
    assert seen == [(row.pk, "r-9")]


def test_work_that_is_to_be_tried_later_says_why_and_when() -> None:
    later = leases.TryLater("Wait.", SECOND)
    assert (str(later), later.pause) == ("Wait.", SECOND)


@pytest.mark.parametrize("case", RAISED)
def test_row_after_the_work_raised(case: str) -> None:
    error, expected = RAISED[case]
    row = job(attempts=1, fence=4)
    leases.run_leased(row.pk, executors(error))
    row.refresh_from_db()
    assert (row.state, row.message, row.attempts, row.not_before) == expected


def test_last_attempt_ends_the_job(settings: LazySettings) -> None:
    settings.JOB_ATTEMPTS = 3
    row = job(attempts=2)
    leases.run_leased(row.pk, executors(ZeroDivisionError("by zero")))
    row.refresh_from_db()
    assert (row.state, row.message, row.finished_at) == (State.ERRORED, "ZeroDivisionError: by zero", NOW)
    for message, last in (("", "nothing"), ("dealing", "dealing")):
        other = job(subject=40 + len(message), attempts=3, fence=7, message=message)
        assert leases.take_lease(other.pk) is None
        other.refresh_from_db()
        assert (other.state, other.fence, other.finished_at) == (State.ERRORED, 8, NOW)
        assert other.message == f"3 attempts ended with the worker's death, without progress. Last: {last}"


def test_job_that_another_process_takes_in_the_same_moment_is_not_taken() -> None:
    row, first = job(fence=4), [True]

    def take_it_first(execute: Any, query: str, *arguments: Any) -> Any:
        if query.startswith("UPDATE") and first:
            first.clear()
            Job.objects.filter(pk=row.pk).update(state=State.RUNNING, fence=5, attempts=1)
        return execute(query, *arguments)

    with connection.execute_wrapper(take_it_first):
        assert leases.take_lease(row.pk) is None
    row.refresh_from_db()
    assert (row.fence, row.attempts) == (5, 1)


def test_due_job_is_run() -> None:
    assert not leases.run_due("long", executors())
    row, later = job(), job(subject=8, not_before=NOW + SECOND)
    assert leases.run_due("long", executors())
    assert not leases.run_due("short", executors())
    assert Job.objects.get(pk=row.pk).state == State.DONE
    assert Job.objects.get(pk=later.pk).state == State.DUE
    lease = leases.claim_due("long")
    assert lease is None
    Job.objects.filter(pk=later.pk).update(not_before=NOW)
    lease = leases.claim_due("long")
    assert lease is not None
    assert (lease.job, lease.shares) == (later, True)


def test_parts_of_a_job(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    whole, other = job(state=State.RUNNING, request_id="r-1"), job(subject=8, state=State.RUNNING)
    ended = {1: State.DONE, 2: State.FAILED, 3: State.ERRORED, 4: State.RUNNING}
    for subject, state in ended.items():
        job("deal", subject, parent=whole, state=state, attempts=4, fence=2, finished_at=NOW, not_before=NOW - MINUTE)
    job("deal", 6, parent=whole, state=State.DONE)
    job("deal", 7, parent=other, state=State.DONE)
    with django_capture_on_commit_callbacks(execute=True):
        division.enqueue_parts(whole, Job.Kind.DEAL, [1, 2, 3, 4, 5, 7])
    rows = {row.subject: row for row in Job.objects.filter(kind="deal")}
    for subject in (1, 2, 3):
        again = rows[subject]
        assert (again.state, again.attempts, again.fence, again.not_before) == (State.DUE, 0, 3, NOW)
        assert again.finished_at is None
    assert (rows[4].state, rows[4].fence, rows[6].state, rows[7].state) == (State.RUNNING, 2, State.DONE, State.DONE)
    new = rows[5]
    assert (new.parent, new.queue, new.urgency, new.request_id, new.not_before, new.state) == (
        whole, "long", 2, "r-1", NOW, State.DUE,
    )  # fmt: skip
    assert sent == [("submissions.run_job", "long", None, "long", False, True)] * 6


def test_parts_have_the_place_of_their_kind_and_others_of_the_whole_stay_as_they_are() -> None:
    whole = job(state=State.RUNNING)
    dealt = job("deal", 1, parent=whole, state=State.DONE)
    division.enqueue_parts(whole, Job.Kind.MAIL, [1])
    part = Job.objects.get(kind="mail")
    assert (part.queue, part.urgency, part.state) == ("outbound", 0, State.DUE)
    assert Job.objects.get(pk=dealt.pk).state == State.DONE


def test_whole_is_settled(sent: list[Any], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> None:
    wholes = [job(subject=n, state=State.DIVIDED, queue="short", not_before=NOW - MINUTE) for n in range(4)]
    states = ((State.DONE, State.DONE), (State.DONE, State.DUE), (State.FAILED, State.ERRORED), (State.RUNNING,))
    for whole, parts in zip(wholes, states, strict=True):
        for n, state in enumerate(parts):
            job("deal", 10 * whole.subject + n, parent=whole, state=state, message=f"{state} {n}")
    running = job(subject=50, state=State.RUNNING)
    with django_capture_on_commit_callbacks(execute=True):
        for whole in (*wholes, running):
            division.settle(whole.pk)
    found = {row.subject: row for row in Job.objects.filter(kind="simulate")}
    assert [found[n].state for n in (0, 1, 2, 3, 50)] == [
        State.DUE, State.DIVIDED, State.FAILED, State.DIVIDED, State.RUNNING,
    ]  # fmt: skip
    assert (found[2].message, found[2].finished_at, found[0].not_before) == ("failed 0", NOW, NOW - MINUTE)
    assert sent == [("submissions.run_job", "short", wholes[0].pk, "short", False, True)]
    Job.objects.filter(kind="simulate", subject__in=(0, 2)).update(state=State.DIVIDED)
    division.settle_all()
    assert [row.state for row in Job.objects.filter(kind="simulate").order_by("subject")] == [
        State.DUE, State.DIVIDED, State.FAILED, State.DIVIDED, State.RUNNING,
    ]  # fmt: skip


def test_part_that_ends_settles_its_whole() -> None:
    whole = job(subject=1, state=State.DIVIDED)
    lease = running(parent=whole)
    lease.end(State.DUE)
    assert Job.objects.get(pk=whole.pk).state == State.DIVIDED
    leases.Lease(lease.job, row(lease)["fence"]).end(State.DONE)
    assert Job.objects.get(pk=whole.pk).state == State.DUE


def test_restored_jobs_are_due() -> None:
    row = job(state=State.RUNNING, fence=3, lease_until=NOW + MINUTE, not_before=NOW - MINUTE)
    done = job(subject=8, state=State.DONE, fence=3)
    assert sweep.release_leases() == 1
    row.refresh_from_db()
    assert (row.state, row.fence, row.lease_until, row.not_before) == (State.DUE, 4, None, NOW)
    done.refresh_from_db()
    assert (done.state, done.fence) == (State.DONE, 3)


def test_clock_of_the_process() -> None:
    assert (clock.now(), clock.now(MINUTE), clock.difference()) == (NOW, NOW + MINUTE, timedelta(0))


class TestSweep:
    """What the sweeper corrects."""

    def test_turn(self, settings: LazySettings) -> None:
        settings.SWEEP_EVERY = 2 * SECOND
        SweepTurn.objects.all().delete()
        assert (sweep.take_turn(), sweep.take_turn()) == (True, False)
        assert SweepTurn.objects.get().at == NOW
        for seconds, expected in ((0.9, False), (1, True), (1.5, False)):
            with time_machine.travel(NOW + seconds * SECOND, tick=False):
                assert sweep.take_turn() is expected
        assert SweepTurn.objects.get().at == NOW + SECOND

    def test_leases_that_ended(self) -> None:
        for subject, until in ((1, None), (2, NOW), (3, NOW + SECOND), (4, NOW + timedelta(minutes=5, seconds=20)),
                               (5, NOW + timedelta(minutes=5, seconds=21))):  # fmt: skip
            job(subject=subject, state=State.RUNNING, lease_until=until, fence=3)
        job(subject=6, state=State.DONE, lease_until=NOW)
        sweep.sweep_due_jobs()
        assert list(Job.objects.order_by("subject").values_list("state", "fence")) == [
            (State.DUE, 3), (State.DUE, 3), (State.RUNNING, 3), (State.RUNNING, 3), (State.DUE, 3), (State.DONE, 0),
        ]  # fmt: skip

    def test_times_that_were_never_set(self) -> None:
        pause, rest = NOW + timedelta(minutes=6), NOW + timedelta(hours=7, minutes=5)
        cases = (
            ("simulate", pause, pause), ("simulate", pause + SECOND, NOW), ("webhook", pause + SECOND, pause + SECOND),
            ("webhook", rest, rest), ("webhook", rest + SECOND, NOW),
        )  # fmt: skip
        for subject, (kind, not_before, _) in enumerate(cases):
            job(kind, subject, not_before=not_before)
        done = job(subject=9, state=State.DONE, not_before=rest + SECOND)
        sweep.sweep_due_jobs()
        found = Job.objects.exclude(pk=done.pk).order_by("subject")
        assert list(found.values_list("not_before", flat=True)) == [expected for *_, expected in cases]
        done.refresh_from_db()
        assert done.not_before == rest + SECOND

    def test_wake_ups_for_what_is_due(self) -> None:
        for subject in (1, 2):
            job("document", subject, queue="long", urgency=2)  # of an earlier version
        job("document", 3, queue="long", urgency=2, state=State.RUNNING, lease_until=NOW + SECOND)
        ended = [job("document", 4 + n, queue="x", state=state) for n, state in enumerate((State.DONE, State.FAILED))]
        job("simulate", 1)
        job("simulate", 2, not_before=NOW + SECOND)
        job("of tomorrow", 1, queue="new", urgency=0)
        job("mail", 1, queue="outbound", urgency=7)
        with real_broker() as client:
            assert sweep.sweep_due_jobs() == 5
            assert {queue: client.llen(queue) for queue in queues.QUEUES if client.llen(queue)} == {
                "short": 2, "long": 2, "outbound": 1,
            }  # fmt: skip
        open_jobs = Job.objects.exclude(pk__in=[row.pk for row in ended])
        assert set(open_jobs.values_list("kind", "queue", "urgency")) == {
            ("document", "short", 1), ("simulate", "long", 2), ("of tomorrow", "long", 2), ("mail", "outbound", 0),
        }  # fmt: skip
        assert {row.queue for row in Job.objects.filter(pk__in=[row.pk for row in ended])} == {"x"}


def test_wake_ups(sent: list[Any]) -> None:
    message = ("submissions.run_job", "long", None, "long", False, True)
    assert (queues.send_wake_ups("long", 2), queues.send_wake_ups("long", 0)) == (2, 0)
    assert sent == [message] * 2
    assert (queues.send_wake_ups("long"), sent[2:]) == (1, [message])


def test_wake_ups_in_the_broker() -> None:
    with real_broker() as client:
        assert (queues.waiting_wake_ups("long"), queues.waiting_wake_ups("short")) == (0, 0)
        client.rpush("long", "x")
        client.rpush("drafts", "x", "y")
        assert queues.waiting_wake_ups("long") == 1
        assert queues.send_missing_wake_ups({"long": 3, "short": 1, "drafts": 1}) == 3
        assert [client.llen(queue) for queue in ("long", "short", "drafts")] == [3, 1, 2]


def test_wake_ups_without_a_broker() -> None:
    assert (queues.send_wake_ups("long", 2), queues.send_missing_wake_ups({"long": 3})) == (0, 0)


def shown(*rows: Job) -> tuple[str, int, int, str, bool]:
    found = progress.Progress.of(rows)
    return found.words, found.done, found.total, found.left, found.stopped


def test_progress_of_jobs() -> None:
    started = NOW - 100 * SECOND
    due = Job(state=State.DUE, done_units=1, total_units=4)
    work = Job(state=State.RUNNING, done_units=50, total_units=80, started_at=started, message="Dealing")
    divided = Job(state=State.DIVIDED)
    error = "Stopped by an error. Nothing is lost. The portal's operator can run it again."
    assert shown() == ("Waiting for a worker.", 0, 0, "", False)
    assert shown(due) == ("Waiting for a worker.", 1, 4, "", False)
    assert shown(due, work) == ("Dealing", 51, 84, "about 0:01:00 left", False)
    assert shown(divided) == ("Started", 0, 0, "", False)
    assert shown(due, Job(state=State.ERRORED, message="KeyError")) == (error, 0, 0, "", True)
    failed = Job(state=State.FAILED, message="The rules changed.")
    assert shown(work, failed, Job(state=State.ERRORED)) == ("Failed: The rules changed.", 0, 0, "", True)
    assert shown(Job(state=State.FAILED))[0] == "Failed: no reason was given."


@pytest.mark.parametrize(
    ("done", "total", "left"),
    [
        (50, 79, "about 58 s left"), (50, 80, "about 0:01:00 left"), (80, 84, "about 5 s left"),
        (100, 104, "a few seconds left"), (1, 100, "about 2:45:00 left"), (0, 5, ""), (5, 0, ""),
    ],
)  # fmt: skip
def test_time_left(done: int, total: int, left: str) -> None:
    work = Job(state=State.RUNNING, done_units=done, total_units=total, started_at=NOW - 100 * SECOND)
    assert shown(work)[3] == left
    work.started_at = None
    assert shown(work)[3] == ""


def test_job_that_was_never_started_is_not_measured() -> None:
    job("verify", 1, state=State.DONE, finished_at=NOW)
    assert progress.measured_seconds(Job.Kind.VERIFY) is None


def test_place_in_a_queue() -> None:
    place = progress.QueuePlace
    assert progress.queue_place(Job.Kind.VERIFY, 7, 2) == place(0, None)
    assert (progress.measured_seconds(Job.Kind.VERIFY), progress.retry_after(Job.Kind.VERIFY)) == (None, 10)
    for subject, state in enumerate((State.DUE, State.RUNNING, State.DONE, State.FAILED, State.DUE)):
        job("verify", subject, state=state)
    job("simulate", 4)
    rows = Job.objects.filter(kind="verify", subject__in=(0, 1, 4))
    assert list(progress.pending_jobs(Job.Kind.VERIFY).order_by("pk")) == list(rows.order_by("pk"))
    for n, seconds in enumerate((900, *range(1, 21))):  # the oldest of 21 is not measured
        job("verify", 100 + n, state=State.DONE, started_at=NOW, finished_at=NOW + seconds * SECOND)
    Job.objects.filter(subject=100).update(started_at=NOW - 999 * SECOND, finished_at=NOW - SECOND)
    job("verify", 200, state=State.DONE, finished_at=NOW - MINUTE)  # was never started
    job("verify", 201, state=State.FAILED, started_at=NOW - 999 * MINUTE, finished_at=NOW + MINUTE)
    job("simulate", 202, state=State.DONE, started_at=NOW - 999 * MINUTE, finished_at=NOW + MINUTE)
    job("simulate", 404)
    assert progress.measured_seconds(Job.Kind.VERIFY) == 10.5
    assert progress.retry_after(Job.Kind.VERIFY) == 11
    assert progress.queue_place(Job.Kind.VERIFY, 4, 2) == place(2, 21 * SECOND)
    assert progress.queue_place(Job.Kind.VERIFY, 4, 1) == place(2, 31.5 * SECOND)
    assert progress.queue_place(Job.Kind.VERIFY, 404, 2) == place(0, 10.5 * SECOND)
    Job.objects.filter(state=State.DONE).update(started_at=F("finished_at") - SECOND / 2)
    assert progress.retry_after(Job.Kind.VERIFY) == 1


def test_place_of_each_queue() -> None:
    early = job(subject=1, urgency=1, not_before=NOW - MINUTE)
    first, second = job(subject=2, urgency=0), job(subject=3, urgency=1)
    twin = job(subject=4, urgency=1, not_before=NOW - MINUTE)
    job(subject=5, not_before=NOW + SECOND)
    job(subject=6, state=State.RUNNING)
    job(subject=7, queue="short")
    assert list(queues.due_jobs("long")) == [first, early, twin, second]


def wanted(**given: Any) -> export_files.ExportRequest:
    values = {"kind": "queue", "file_name": "queue.csv", "media_type": "text/csv", "rows": 1200, "query": "a=1"}
    return export_files.ExportRequest(**{**values, "content": {"day": "2026-03-04"}, **given})


def test_export_is_requested_once(
    manager: Person, reader: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    row = export_files.request_export(manager, wanted())
    assert (row.kind, row.arguments["person"], export_files.request_of(row)) == ("export", manager.pk, wanted())
    assert row.key.startswith("export:")
    assert Job.objects.get().subject == row.pk
    assert export_files.request_export(manager, wanted(rows=5)) == row
    others = [export_files.request_export(manager, wanted(**change)) for change in ({"query": "b"}, {"kind": "other"})]
    assert row not in others
    job("export", 99, state=State.DONE, started_at=NOW - 30 * SECOND, finished_at=NOW)
    job("draft", 99, state=State.DONE, started_at=NOW - 50 * SECOND, finished_at=NOW)
    with pytest.raises(TooManyAtOnce) as refused:
        export_files.request_export(manager, wanted(query="c"))
    assert (refused.value.code, refused.value.retry_after) == ("too-many-at-once", 30)
    assert "3" in refused.value.message
    Computation.objects.create(kind=Job.Kind.REPLAY, key="r", arguments={"person": reader.pk})
    assert list(export_files.exports_of(manager).order_by("pk")) == [row, *others]
    assert list(export_files.exports_of(reader)) == []
    assert export_files.request_export(reader, wanted()) != row
    Job.objects.filter(subject=row.pk).update(state=State.DONE)
    assert export_files.request_export(manager, wanted()) != row


@pytest.mark.parametrize(("rows", "parts"), [(0, 1), (500, 1), (501, 2), (1200, 3)])
def test_export_is_written_part_by_part(manager: Person, rows: int, parts: int) -> None:
    row = export_files.request_export(manager, wanted(rows=rows))
    assert export_files.export_size(row) == 0
    seen: list[tuple[int, int, int, str]] = []

    def make(person: Person, request: export_files.ExportRequest, part: int) -> str:
        held = Job.objects.get()
        seen.append((part, held.done_units, held.total_units, held.message))
        assert (person, request) == (manager, wanted(rows=rows))
        return f"é{part}"

    lease = leases.take_lease(Job.objects.get().pk)
    assert lease is not None
    export_files.run_export(lease, {"queue": make, "other": None})
    assert seen == [(part, part * 500, rows, "Writing rows") for part in range(parts)]
    stored = ExportPart.objects.filter(export=row).values_list("number", "text", "size")
    assert list(stored) == [(part, f"é{part}", 3) for part in range(parts)]
    row.refresh_from_db()
    assert (row.result, export_files.export_size(row)) == ({"parts": parts}, 3 * parts)
    seen.clear()
    ExportPart.objects.filter(number=parts - 1).delete()
    export_files.run_export(lease, {"queue": make})
    assert [part for part, *_ in seen] == [parts - 1]


def test_export_under_a_lost_lease_stores_nothing(manager: Person) -> None:
    row = export_files.request_export(manager, wanted())
    lease = leases.take_lease(Job.objects.get().pk)
    assert lease is not None

    def make(*_: Any) -> str:
        Job.objects.update(fence=99)
        return "x"

    with pytest.raises(leases.LeaseLost):
        export_files.run_export(lease, {"queue": make})
    assert (row.parts.count(), timezone.now()) == (0, NOW)
