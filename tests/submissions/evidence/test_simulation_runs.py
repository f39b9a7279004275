"""A simulation is begun with its filing and goes on, whoever takes it up, to the result that its seed determines."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.utils import timezone

from games import registry
from games.runs.dealing import deal_block
from submissions.filings import filing
from submissions.filings.evidence import simulations
from submissions.jobs import leases
from submissions.models import Block, Event, Job, Person, Revision, Simulation
from submissions.tasks import run_task
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("JSON")

ROUNDS = 100_000


@pytest.fixture
def revision(preparer: Person, manager: Person, settings: LazySettings) -> Revision:
    settings.SIMULATION_ROUNDS = ROUNDS
    return filing.file_submission(manager, ready_to_file(preparer, "686a"), version=1, attested=True)


def run(simulation: Simulation) -> None:
    run_task(Job.objects.get(kind=Job.Kind.SIMULATE, subject=simulation.pk))
    simulation.refresh_from_db()


def test_start_makes_a_run_and_a_job_for_the_configuration(revision: Revision) -> None:
    simulation = Simulation.objects.get(revision=revision)
    assert (simulation.configuration, simulation.rounds, simulation.blocks_needed) == (0, ROUNDS, 10)
    assert Job.objects.get(kind=Job.Kind.SIMULATE).subject == simulation.pk


def test_start_again_changes_nothing(revision: Revision) -> None:
    before = list(Simulation.objects.values())
    simulations.start_simulations(revision)
    assert list(Simulation.objects.values()) == before
    assert Job.objects.count() == 1


def test_seed_follows_from_the_digest_and_the_position() -> None:
    revision = Revision(sha256="8000000000000002" + "0" * 48)
    assert simulations.seed_of(revision, 0) == 2
    assert simulations.seed_of(revision, 1) == 3
    assert simulations.seed_of(Revision(sha256="f" * 64), 1) == 0


def test_what_a_dead_worker_dealt_is_kept_and_the_result_is_the_same(revision: Revision) -> None:
    resumed = Simulation.objects.get(revision=revision)
    whole = Simulation.objects.create(
        revision=Revision.objects.create(**_copy(revision)),
        seed=resumed.seed,
        rounds=resumed.rounds,
        block_rounds=resumed.block_rounds,
    )
    leases.enqueue(Job.Kind.SIMULATE, whole.pk)
    chapter, answers = registry.chapter("686a"), revision.content["configurations"][0]["answers"]
    for index in (0, 3):
        tally = deal_block(chapter, answers, resumed.seed, index, resumed.block_rounds)
        Block.objects.create(simulation=resumed, index=index, rounds=resumed.block_rounds, tally=tally)
    before = dict(resumed.blocks.values_list("index", "pk"))
    run(whole)
    run(resumed)
    after = dict(resumed.blocks.values_list("index", "pk"))
    assert before.items() < after.items()
    assert sorted(after) == list(range(10))
    assert resumed.result == whole.result
    assert resumed.analysis["wagers"]


def test_a_finished_run_delivered_again_writes_nothing(revision: Revision) -> None:
    simulation = Simulation.objects.get(revision=revision)
    run(simulation)
    Job.objects.update(state=Job.State.DUE, not_before=timezone.now())
    before = (Simulation.objects.values().get(), list(Block.objects.values()))
    run(simulation)
    assert (Simulation.objects.values().get(), list(Block.objects.values())) == before
    assert Event.objects.filter(verb="simulated").count() == 1


def test_progress_ends_where_the_rounds_end(revision: Revision) -> None:
    run(Simulation.objects.get(revision=revision))
    job = Job.objects.get(kind=Job.Kind.SIMULATE)
    assert (job.done_units, job.total_units, job.state) == (ROUNDS, ROUNDS, Job.State.DONE)


def _copy(revision: Revision) -> dict[str, object]:
    """The fields of another revision with the same content."""
    kept = {field.attname: getattr(revision, field.attname) for field in revision._meta.fields if field.name != "id"}
    return {**kept, "number": 2, "receipt": f"{revision.receipt}-again"}


@pytest.fixture
def suspected(revision: Revision) -> Simulation:
    """A run of which every round of the first stage is dealt; each block has 300 more wins than it was dealt."""
    simulation = Simulation.objects.get(revision=revision)
    chapter, answers = registry.chapter("686a"), revision.content["configurations"][0]["answers"]
    for index in range(10):
        tally = deal_block(chapter, answers, simulation.seed, index, simulation.block_rounds)
        tally["ante"]["Over 23 wins"] += 300
        tally["ante"]["Over 23 loses"] -= 300
        Block.objects.create(simulation=simulation, index=index, rounds=simulation.block_rounds, tally=tally)
    return simulation


def test_a_suspected_run_is_dealt_again_from_a_new_seed_and_judged_by_that(suspected: Simulation) -> None:
    while Job.objects.filter(kind__in=(Job.Kind.SIMULATE, Job.Kind.DEAL)).exclude(state__in=leases.ENDED).exists():
        for job in Job.objects.filter(kind__in=(Job.Kind.SIMULATE, Job.Kind.DEAL), state=Job.State.DUE):
            run_task(job)
    suspected.refresh_from_db()
    assert (suspected.passed, suspected.retest_rounds, suspected.blocks.count()) == (True, 10 * ROUNDS, 110)
    result = suspected.result
    assert (result["rounds"], result["seed"]) == (10 * ROUNDS, (suspected.seed + 2**62) % 2**63)
    assert (result["first"]["rounds"], result["first"]["seed"]) == (ROUNDS, suspected.seed)
    assert "ante: won" in result["first"]["suspected"]
    assert Event.objects.get(verb="simulated").after["rounds"] == 10 * ROUNDS
