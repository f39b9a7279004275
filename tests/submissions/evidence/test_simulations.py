"""The test of a filed configuration, done by the same runner that a worker calls."""

from datetime import timedelta

import pytest
from django.db.models.signals import pre_save

from games import registry
from games.runs.dealing import deal_block
from submissions.audit.chain import verify_chain
from submissions.filings import filing
from submissions.models import Block, Event, Job, Person, Simulation, Submission
from submissions.tasks import run_task
from tests.conftest import deal_the_same_rounds_again
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.rulemakings import publish, rulemaking


@pytest.fixture
def simulation(preparer: Person, manager: Person) -> Simulation:
    """A filed Over/Under of 400,000 rounds in four blocks."""
    filing.file_submission(manager, ready_to_file(preparer, "686a"), version=1, attested=True)
    Simulation.objects.update(rounds=400_000, block_rounds=100_000)
    return Simulation.objects.get()


def run_jobs() -> None:
    for job in Job.objects.all():
        run_task(job)


def test_run_keeps_analysis_blocks_and_result(simulation: Simulation) -> None:
    run_jobs()
    simulation.refresh_from_db()
    assert simulation.passed is True
    assert simulation.blocks.count() == 4
    assert {wager["wager"] for wager in simulation.analysis["wagers"]} == {"ante", "bonus"}
    assert simulation.result["rounds"] == 400_000
    assert Job.objects.get().state == Job.State.DONE
    assert Event.objects.filter(verb="simulated").count() == 1
    assert verify_chain()[1] is None


def test_run_again_changes_nothing(simulation: Simulation) -> None:
    run_jobs()
    Job.objects.update(state=Job.State.DUE)
    run_jobs()
    assert Block.objects.count() == 4
    assert Event.objects.filter(verb="simulated").count() == 1


def test_run_goes_on_where_the_last_worker_stopped(simulation: Simulation) -> None:
    """Two blocks are there already; they are left as they are, and the sum is that of an undisturbed run."""
    chapter = registry.chapter("686a")
    answers = simulation.revision.content["configurations"][0]["answers"]
    tallies = [deal_block(chapter, answers, simulation.seed, index, 100_000) for index in range(4)]
    for index in (0, 2):
        Block.objects.create(simulation=simulation, index=index, rounds=100_000, tally=tallies[index])
    run_jobs()
    assert list(simulation.blocks.order_by("index").values_list("tally", flat=True)) == tallies


def test_changed_rules_fail_with_the_remedy(simulation: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    filed_on = simulation.revision.filed_at.date() - timedelta(days=2)  # data of that day is corrected afterwards
    publish(monkeypatch, rulemaking("686a", filed_on, '[chapter]\nstatus = "final"\n'))
    run_jobs()
    job = Job.objects.get()
    assert job.state == Job.State.FAILED
    assert "rules of chapter 686a changed" in job.message


def test_seed_follows_from_the_revision(preparer: Person, manager: Person) -> None:
    pre_save.disconnect(deal_the_same_rounds_again, sender=Simulation)
    try:
        filing.file_submission(manager, ready_to_file(preparer, "686a"), version=1, attested=True)
    finally:
        pre_save.connect(deal_the_same_rounds_again, sender=Simulation)
    simulation = Simulation.objects.get()
    assert simulation.seed == int(simulation.revision.sha256[:16], 16) % 2**63
    assert isinstance(simulation.revision.submission, Submission)
