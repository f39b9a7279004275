"""Filings go through while workers, their children and the broker are killed at random.

All end; each simulation is summed up once from its blocks, each dealt once; each approval has one document;
the chain of events holds. `make soak` does it with 20 filings, the suite with a few.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter

import pytest
from django.conf import LazySettings

from submissions.audit.chain import verify_chain
from submissions.filings import drafts, filing
from submissions.filings.review import decisions
from submissions.models import Block, Document, Event, Job, Person, Simulation, Status, Submission
from tests.games.chapters.examples import example
from tests.portal.broker import speaking_to
from tests.portal.running import Process, Running, running
from tests.soak import SOAK

pytestmark = [
    pytest.mark.processes,
    pytest.mark.service("locks", "transactions", "time"),
    pytest.mark.xdist_group("processes"),
    pytest.mark.django_db(transaction=True),
]

FILINGS = SOAK or 2
KILLS = 4 + 2 * FILINGS
ROUNDS = 20_000_000  # some seconds of dealing, in ten blocks
STEPS = ("started", "saved", "filed", "simulated", "recommended", "approved", "signed")
LONGEST = 120 + 40 * FILINGS  # seconds
ANSWERS = example("687a")


def file_one(preparer: Person, manager: Person) -> Submission:
    submission = drafts.start_submission(preparer, "687a")
    drafts.save_answers(preparer, submission, ANSWERS, seen={})
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    return submission


def decide(analyst: Person, director: Person) -> None:
    """Recommend and approve whatever has passed by now."""
    for submission in Submission.objects.filter(status=Status.FILED):
        if all(Simulation.objects.filter(revision__submission=submission).values_list("passed", flat=True)):
            decisions.recommend_approval(analyst, submission, version=submission.version)
            submission.refresh_from_db()
            decisions.approve_submission(director, submission, version=submission.version, confirmed=True)


def kill_one(portal: Running, chance: random.Random) -> str:
    """Kill the worker, one of its children, the broker or the sweeper; says which."""
    victims: dict[str, list[Process]] = {
        "short": portal.named("short"),
        "child": portal.worker_children(),
        "worker": portal.named("worker"),
        "broker": portal.named("broker"),
        "sweeper": portal.named("sweeper"),
    }
    (kind,) = chance.choices(list(victims), weights=(2, 4, 2, 2, 1))
    if not victims[kind]:
        return ""
    try:
        os.kill(chance.choice(victims[kind]).pid, signal.SIGKILL)
    except ProcessLookupError:  # it was gone already
        return ""
    return kind


def test_filings_go_through_whatever_is_killed(
    preparer: Person, manager: Person, analyst: Person, director: Person, settings: LazySettings
) -> None:
    settings.SIMULATION_ROUNDS = ROUNDS
    killed: Counter[str] = Counter()
    chance, end = random.Random(687), time.monotonic() + LONGEST
    with running(PORTAL_JOB_LEASE_SECONDS="4") as portal, speaking_to(portal.broker):
        filed = [file_one(preparer, manager) for _ in range(FILINGS)]
        while Document.objects.count() < FILINGS:
            time.sleep(chance.uniform(1.0, 6.0))
            if killed.total() < KILLS and (kind := kill_one(portal, chance)):
                killed[kind] += 1
            decide(analyst, director)
            assert time.monotonic() < end, (list(Job.objects.values()), portal.log.read_text()[-4000:])
        while Job.objects.exclude(state=Job.State.DONE).exists():
            time.sleep(0.5)
            assert time.monotonic() < end, list(Job.objects.values())
    print(f"{FILINGS} filings, killed: {dict(killed)}, attempts: {sum(Job.objects.values_list('fence', flat=True))}")
    assert killed.total() >= 3
    assert Counter(Submission.objects.values_list("status", flat=True)) == {Status.APPROVED: FILINGS}
    for submission in filed:
        told = Counter(Event.objects.filter(submission=submission).values_list("verb", flat=True))
        assert told == dict.fromkeys(STEPS, 1)
    for simulation in Simulation.objects.all():
        blocks = Block.objects.filter(simulation=simulation).order_by("index")
        assert list(blocks.values_list("index", flat=True)) == list(range(simulation.blocks_needed))
        assert sum(blocks.values_list("rounds", flat=True)) == ROUNDS
    assert Document.objects.count() == FILINGS
    assert verify_chain() == (Event.objects.count(), None)
