"""The test of what was filed: started with the filing, dealt block by block in a worker, summed up once.

Not here: how a round is dealt and how blocks are held against the exact figures (`games.maths`).
"""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from games.maths.results import Analysis, Tally
from games.maths.run import analyze, block_plan, summarise, to_json
from games.maths.spreads import spreads
from games.rules import registry
from games.rules.model import Answers, Chapter
from submissions.actions import jobs
from submissions.actions.history import record
from submissions.canonical import digest
from submissions.errors import Refusal
from submissions.models import Block, Job, Revision, Simulation
from submissions.places import runs_needed

FEWEST_BLOCKS = 10


def start(revision: Revision) -> list[Simulation]:
    """A run, with its job, for each configuration whose answers no earlier one has; inside the filing's transaction."""
    play = registry.play(revision.submission.chapter)
    nothing_to_deal = play.FILING_ROUNDS == 1  # no wager against the house
    rounds = play.FILING_ROUNDS if nothing_to_deal else settings.SIMULATION_ROUNDS or play.FILING_ROUNDS
    # However few the rounds, there are blocks enough to see convergence and to lose little by a death.
    block_rounds = min(play.BLOCK_ROUNDS, -(-rounds // FEWEST_BLOCKS))
    runs = []
    for place in runs_needed(revision.content["configurations"]):
        simulation, _ = Simulation.objects.get_or_create(
            revision=revision,
            configuration=place,
            defaults={"seed": seed_of(revision, place), "rounds": rounds, "block_rounds": block_rounds},
        )
        jobs.enqueue(Job.Kind.SIMULATE, simulation.pk)
        runs.append(simulation)
    return runs


def seed_of(revision: Revision, place: int) -> int:
    """63 bits of the revision's digest, and the configuration's place: nobody chooses it, anyone can redo it."""
    return (int(revision.sha256[:16], 16) + place) % 2**63


def run(lease: jobs.Lease) -> None:
    """Analyse, deal the blocks that are missing, sum up. Begun again, it goes on where the last worker stopped."""
    simulation = Simulation.objects.select_related("revision__submission").get(pk=lease.job.subject)
    if simulation.finished_at:
        return
    chapter = _pinned_rules(simulation.revision)
    answers = simulation.revision.content["configurations"][simulation.configuration]["answers"]
    lease.beat(_dealt(simulation), simulation.rounds, "Computing the exact figures")
    analysis = analyze(chapter, answers)
    with lease.commit():
        Simulation.objects.filter(pk=simulation.pk, analysis__isnull=True).update(analysis=to_json(analysis))
    _deal(lease, simulation, chapter, answers)
    _conclude(lease, simulation, chapter, answers, analysis)


def _pinned_rules(revision: Revision) -> Chapter:
    chapter = registry.chapter(revision.submission.chapter)
    if chapter.digest != revision.rules_digest:
        raise Refusal(
            "rules-changed",
            f"The rules of chapter {chapter.number} changed after {revision.receipt} was filed: "
            f"their digest is {chapter.digest[:12]}…, the revision was judged by {revision.rules_digest[:12]}….",
            fix="Return the submission, so that it is filed again under the rules of today.",
        )
    return chapter


def _dealt(simulation: Simulation) -> int:
    return sum(simulation.blocks.values_list("rounds", flat=True))


def _deal(lease: jobs.Lease, simulation: Simulation, chapter: Chapter, answers: Answers) -> None:
    """Every missing block, each kept in a transaction of its own: a killed worker loses one at most."""
    play = registry.play(chapter.number)
    there = set(simulation.blocks.values_list("index", flat=True))
    dealt = _dealt(simulation)
    lease.beat(dealt, simulation.rounds, "Dealing")
    for index, rounds in enumerate(block_plan(simulation.rounds, simulation.block_rounds)):
        if index in there:
            continue
        tally = play.simulate_block(chapter, answers, simulation.seed, index, rounds)
        dealt += rounds
        with lease.commit():
            Block.objects.get_or_create(simulation=simulation, index=index, defaults={"rounds": rounds, "tally": tally})
            lease.beat(dealt, simulation.rounds, "Dealing")


def _conclude(
    lease: jobs.Lease, simulation: Simulation, chapter: Chapter, answers: Answers, analysis: Analysis
) -> None:
    """The result and the event that tells of it, together and once."""
    tallies: list[Tally] = list(simulation.blocks.order_by("index").values_list("tally", flat=True))
    lease.beat(simulation.rounds, simulation.rounds, "Comparing with the exact figures")
    result = summarise(chapter, answers, analysis, tallies, simulation.seed, simulation.rounds)
    data = {**to_json(result), "spreads": {}}
    for found, seen in zip(analysis.wagers, result.wagers, strict=True):
        lease.beat(simulation.rounds, simulation.rounds, "Computing what many rounds come to")
        data["spreads"][found.key] = spreads(found, seen.observed)
    with lease.commit():
        first = Simulation.objects.filter(pk=simulation.pk, finished_at=None).update(
            result=data, passed=result.passed, finished_at=timezone.now()
        )
        if first:
            after = {
                "receipt": simulation.revision.receipt,
                "configuration": simulation.configuration,
                "rounds": simulation.rounds,
                "passed": result.passed,
                "sha256": digest(data),
            }
            record(None, simulation.revision.submission, "simulated", after=after)
