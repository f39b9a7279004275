"""Short jobs start at once under a full load of simulations; a worker that stops leaves its simulation to others."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import LazySettings, settings

from submissions.filings.review import decisions
from submissions.jobs import queues
from submissions.models import Block, Job, Person, ProcessReport, Simulation, Status, Submission
from tests.portal.broker import speaking_to
from tests.portal.running import Running, left_by_others, running, until
from tests.portal.test_kills import file_one
from tests.submissions.bulk.batches import send

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("processes"), pytest.mark.django_db(transaction=True)]
WHOLE, ENDLESS = 50_000_000, 10**10  # rounds: of one job, of ten minutes
GIVEN_BACK, TAKEN_AGAIN = 2, 3  # the fence: taken, given back after the block, taken
SOON = timedelta(seconds=2)
CHECK = {"action": "create", "chapter": "687a"}


def dealing() -> list[Job]:
    return list(Job.objects.filter(kind=Job.Kind.DEAL, state=Job.State.RUNNING))


def fill_workers(preparer: Person, manager: Person, test_settings: LazySettings, portal: Running) -> None:
    """Simulations without an end, more than there are workers for them."""
    test_settings.SIMULATION_ROUNDS = ENDLESS
    file_one(preparer, manager)
    endless = Block.objects.filter(simulation__rounds=ENDLESS)
    until(lambda: len(dealing()) == settings.WORKERS and endless.exists(), 90, portal.log.read_text)


def waited(jobs: Callable[[], Iterator[Job]]) -> dict[str, timedelta]:
    """From enqueuing to the start, by kind."""
    until(lambda: all(job.started_at for job in jobs()), 30)
    return {job.kind: job.started_at - job.created_at for job in jobs() if job.started_at}


@contextlib.contextmanager
def second_machine(portal: Running) -> Iterator[subprocess.Popen[bytes]]:
    """A worker for long jobs beside the portal's own, with the same database and broker."""
    command = [sys.executable, "-m", "celery", "--quiet", "--app", "portal.celery", "worker", "--hostname", "second@%h"]
    options = ["--queues", queues.LONG, "--concurrency", "1", "--loglevel", "WARNING", "--without-mingle"]
    environment = {**portal.environment, "REDIS_URL": portal.broker, "CELERY_SKIP_CHECKS": "1"}
    worker = subprocess.Popen([*command, *options], cwd=settings.BASE_DIR, env=environment, start_new_session=True)
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def test_simulation_of_a_worker_that_stops_goes_on_and_short_jobs_never_wait_for_simulations(
    preparer: Person, manager: Person, analyst: Person, director: Person, settings: LazySettings
) -> None:
    """In one portal, which takes long to start."""
    with running(PORTAL_JOB_LEASE_SECONDS="600") as portal, speaking_to(portal.broker):
        settings.SIMULATION_ROUNDS = WHOLE
        submission = assert_simulation_goes_on(portal, preparer, manager)
        decisions.recommend_approval(analyst, submission, version=submission.version)
        submission.refresh_from_db()
        fill_workers(preparer, manager, settings, portal)
        assert_short_jobs_start_at_once(portal, submission, manager, director)


def assert_simulation_goes_on(portal: Running, preparer: Person, manager: Person) -> Submission:
    """A worker that stops ends its block, not its run, and another takes it by the next sweep; the lease of ten minutes
    does not have to run out."""
    until(ProcessReport.objects.filter(process="worker").exists, 30, portal.log.read_text)
    time.sleep(1)  # between two reports: a process that is stopped while it writes would lock SQLite
    (own,) = portal.named("worker")
    os.kill(own.pid, signal.SIGSTOP)  # it takes nothing
    with second_machine(portal) as second:
        submission = file_one(preparer, manager)
        until(Block.objects.exists, 90, portal.log.read_text)
        os.kill(own.pid, signal.SIGCONT)
        blocks = Block.objects.count()
        second.terminate()
        until(lambda: Job.objects.get(kind=Job.Kind.SIMULATE).fence >= GIVEN_BACK, 30, portal.log.read_text)
        begun = time.monotonic()
        until(lambda: Job.objects.get(kind=Job.Kind.SIMULATE).fence >= TAKEN_AGAIN, 30, portal.log.read_text)
        passed = time.monotonic() - begun
        second.wait(30)
    until(lambda: Simulation.objects.get().passed, 90, portal.log.read_text)
    until(lambda: Job.objects.get(kind=Job.Kind.SIMULATE).state == Job.State.DONE, 30, portal.log.read_text)
    print(f"continued after {passed:.2f} s, at block {blocks} of 10")
    assert passed < SOON.total_seconds() + 1  # at the latest, the next sweep wakes the other worker
    assert Block.objects.count() == 10
    assert Job.objects.get(kind=Job.Kind.SIMULATE).fence == TAKEN_AGAIN + 1  # no third attempt
    submission.refresh_from_db()
    return submission


def assert_short_jobs_start_at_once(portal: Running, submission: Submission, manager: Person, director: Person) -> None:
    """Check, document and mail, within two seconds."""
    before = list(Job.objects.values_list("pk", flat=True))
    with left_by_others(portal) as left:
        decisions.approve_submission(director, submission, version=submission.version, confirmed=True)
        send(manager, CHECK, mode="validate")
        short = Job.objects.filter(queue__in=(queues.SHORT, queues.OUTBOUND)).exclude(pk__in=before)
        waits = waited(lambda: short.iterator())
    assert len(dealing()) == settings.WORKERS
    print({kind: round(wait.total_seconds(), 3) for kind, wait in waits.items()})
    assert {Job.Kind.MAIL, Job.Kind.CHECK, Job.Kind.DOCUMENT} <= waits.keys()
    assert max(waits.values()) * left[0] < SOON
    assert Submission.objects.get(pk=submission.pk).status == Status.APPROVED
