"""A long simulation is shared by all workers: same tallies, same result, concluded once, for any number and order."""

from __future__ import annotations

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.db.models.signals import post_save
from django.utils import timezone

from games import registry
from games.runs.dealing import deal_block
from submissions.filings import filing
from submissions.filings.evidence import simulations
from submissions.jobs import leases, queues, sweep
from submissions.jobs.progress import Progress
from submissions.models import Block, Event, Job, Person, Simulation
from submissions.tasks import run_task
from tests.portal.broker import speaking_to
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.jobs.workers import apply_message
from tests.submissions.rulemakings import publish, rulemaking

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks")]
BLOCKS, BLOCK_ROUNDS = 23, 20_000
NO_BROKER = "redis://127.0.0.1:1"


@pytest.fixture
def simulation(preparer: Person, manager: Person) -> Simulation:
    """A filed Over/Under with more blocks than one job deals."""
    filing.file_submission(manager, ready_to_file(preparer, "686a"), version=1, attested=True)
    Job.objects.exclude(kind=Job.Kind.SIMULATE).delete()
    Simulation.objects.update(rounds=BLOCKS * BLOCK_ROUNDS - 1, block_rounds=BLOCK_ROUNDS)
    return Simulation.objects.get()


def tally(simulation: Simulation, index: int) -> object:
    """What `games` deals for this block, alone."""
    answers = simulation.revision.content["configurations"][0]["answers"]
    rounds = BLOCK_ROUNDS - (index == BLOCKS - 1)
    return deal_block(registry.chapter("686a"), answers, simulation.seed, index, rounds)


def run() -> bool:
    job = queues.due_jobs(queues.LONG).first()
    if job is None:
        return False
    apply_message(job.kind, job.pk)
    return Job.objects.get(pk=job.pk).fence > job.fence


def parts() -> list[Job]:
    return list(Job.objects.filter(kind=Job.Kind.DEAL).order_by("pk"))


def whole() -> Job:
    return Job.objects.get(kind=Job.Kind.SIMULATE)


def assert_concluded_once(simulation: Simulation) -> None:
    simulation.refresh_from_db()
    assert simulation.passed is True
    assert simulation.result["rounds"] == simulation.rounds
    assert list(simulation.blocks.values_list("index", flat=True)) == list(range(BLOCKS))
    assert sum(simulation.blocks.values_list("rounds", flat=True)) == simulation.rounds
    assert Event.objects.filter(verb="simulated").count() == 1
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}


def test_run_of_many_blocks_is_divided_into_parts_that_cover_them(simulation: Simulation) -> None:
    run()
    assert (whole().state, len(parts())) == (Job.State.DIVIDED, 5)
    ranges = [range(part.first, part.first + part.count) for part in simulation.parts.order_by("first")]
    assert [index for blocks in ranges for index in blocks] == list(range(BLOCKS))
    simulation.refresh_from_db()
    assert simulation.analysis["wagers"]  # the page has the exact figures before the first block


def test_run_of_few_blocks_stays_whole(simulation: Simulation) -> None:
    Simulation.objects.update(rounds=simulations.WHOLE_BLOCKS * BLOCK_ROUNDS)
    run()
    assert (whole().state, parts()) == (Job.State.DONE, [])


def test_tallies_are_the_same_in_any_order_of_the_parts(simulation: Simulation) -> None:
    run()
    for part in reversed(parts()):
        run_task(part)
    run()
    assert_concluded_once(simulation)
    stored = list(simulation.blocks.order_by("index").values_list("tally", flat=True))
    assert stored == [tally(simulation, index) for index in range(BLOCKS)]


@pytest.mark.django_db(transaction=True)
def test_three_workers_at_once_conclude_once(simulation: Simulation) -> None:
    together = Barrier(3)

    def work() -> None:
        together.wait()
        while whole().state != Job.State.DONE:
            run()
        connection.close()

    workers = [Thread(target=work) for _ in range(3)]
    with speaking_to(NO_BROKER):
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert_concluded_once(simulation)
    assert whole().done_units == simulation.rounds


def test_progress_is_the_sum_of_the_blocks(simulation: Simulation) -> None:
    for _ in range(3):  # divide, two parts
        run()
    progress = Progress.of([whole()])
    dealt = sum(simulation.blocks.values_list("rounds", flat=True))
    assert (progress.done, progress.total, progress.words) == (dealt, simulation.rounds, "Dealing")
    assert progress.left


def test_killed_worker_loses_one_block_at_most(simulation: Simulation) -> None:
    """It dealt two blocks of its part; another worker deals the other three and counts all five."""
    run()
    first, *_ = parts()
    lease = leases.take_lease(first.pk)
    assert lease is not None
    for index in (0, 1):
        Block.objects.create(simulation=simulation, index=index, rounds=BLOCK_ROUNDS, tally=tally(simulation, index))
        lease.add_to_whole(BLOCK_ROUNDS)
    before = dict(simulation.blocks.values_list("index", "pk"))
    Job.objects.filter(pk=first.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    with speaking_to(NO_BROKER):
        sweep.sweep_due_jobs()
    while run():
        pass
    assert before.items() < dict(simulation.blocks.values_list("index", "pk")).items()
    assert_concluded_once(simulation)
    assert whole().done_units == simulation.rounds


def test_worker_that_is_asked_to_stop_gives_its_part_back_after_the_block(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(**_: object) -> None:
        leases.request_stop()

    run()
    monkeypatch.setattr(leases, "_stop_flag", bytearray(1))
    post_save.connect(stop, sender=Block)
    run()
    post_save.disconnect(stop, sender=Block)
    first, *_ = parts()
    assert simulation.blocks.count() == 1
    assert (first.state, first.attempts, first.lease_until) == (Job.State.DUE, 0, None)
    assert not run()  # it takes no other job
    monkeypatch.setattr(leases, "_stop_flag", bytearray(1))
    while run():
        pass
    assert_concluded_once(simulation)


def test_whole_that_is_begun_again_takes_up_its_parts(simulation: Simulation) -> None:
    """The worker that divided it was killed while it computed the exact figures; two blocks are missing by then."""
    run()
    for part in parts()[:-1]:
        run_task(part)
    Job.objects.filter(pk=whole().pk).update(state=Job.State.DUE)
    run()
    assert whole().state == Job.State.DIVIDED
    while run():
        pass
    assert_concluded_once(simulation)
    assert len(parts()) == 5


def test_open_simulation_of_an_earlier_version_goes_on_in_parts(simulation: Simulation) -> None:
    """Its job has dealt seven blocks, in one piece; its row has no queue of its own yet."""
    for index in range(7):
        Block.objects.create(simulation=simulation, index=index, rounds=BLOCK_ROUNDS, tally=tally(simulation, index))
    Job.objects.update(queue=Job._meta.get_field("queue").default, attempts=1, fence=4, done_units=7 * BLOCK_ROUNDS)
    before = dict(simulation.blocks.values_list("index", "pk"))
    with speaking_to(NO_BROKER):
        sweep.sweep_due_jobs()
    while run():
        pass
    assert before.items() < dict(simulation.blocks.values_list("index", "pk")).items()
    assert [part.first for part in simulation.parts.order_by("first")] == [5, 10, 15, 20]
    assert_concluded_once(simulation)
    assert whole().done_units == simulation.rounds


def test_part_under_changed_rules_stops_the_run_with_the_remedy(
    simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    filed_on = simulation.revision.filed_at.date() - timedelta(days=2)  # data of that day is corrected afterwards
    publish(monkeypatch, rulemaking("686a", filed_on, '[chapter]\nstatus = "final"\n'))
    run()
    assert whole().state == Job.State.FAILED
    assert "rules of chapter 686a changed" in whole().message
