"""The simulations of a filing: started with it, dealt block by block by the workers, summarized once.

A long run is divided into parts, which all workers of all machines share; a short one is dealt in one job. Blocks
depend only on the seed and their index, so the result is the same for any number of workers. Not here: how a round is
dealt and how blocks are compared with the exact figures (`games.maths`), the ranges of parts (`simulation_parts`).
"""

from collections.abc import Collection

from django.conf import settings
from django.utils import timezone

from games import registry
from games.maths.results import Analysis, Tally
from games.maths.spreads import spreads
from games.rules.model import Answers, Chapter
from games.runs.engine import analyze, block_plan, summarize, to_json
from submissions.audit.record import record_event
from submissions.core.canonical_json import digest
from submissions.core.configuration_index import runs_needed
from submissions.core.errors import Refusal
from submissions.evidence.simulation_parts import WHOLE_BLOCKS, enqueue_parts, missing_blocks
from submissions.jobs import leases
from submissions.models import Block, Job, Revision, Simulation, SimulationPart
from submissions.rules.rules_day import filed_chapter

FEWEST_BLOCKS = 10


def start_simulations(revision: Revision) -> list[Simulation]:
    """A run, with its job, for each configuration with answers of its own; in the filing's transaction."""
    play = registry.play(revision.submission.chapter)
    nothing_to_deal = not play.deals_rounds
    rounds = play.filing_rounds if nothing_to_deal else settings.SIMULATION_ROUNDS or play.filing_rounds
    # Even with few rounds there are enough blocks to show convergence and to lose little when a worker dies.
    block_rounds = min(play.block_rounds, -(-rounds // FEWEST_BLOCKS))
    runs = []
    for place in runs_needed(revision.content["configurations"]):
        simulation, _ = Simulation.objects.get_or_create(
            revision=revision,
            configuration=place,
            defaults={"seed": seed_of(revision, place), "rounds": rounds, "block_rounds": block_rounds},
        )
        leases.enqueue(Job.Kind.SIMULATE, simulation.pk)
        runs.append(simulation)
    return runs


def seed_of(revision: Revision, place: int) -> int:
    """63 bits of the revision's digest plus the configuration's position: nobody chooses it, all can recompute it."""
    return (int(revision.sha256[:16], 16) + place) % 2**63


def run_simulation(lease: leases.Lease) -> None:
    """Analyze, deal the missing blocks, summarize; a long run is divided, and summarized when its parts are done.

    Another attempt continues where the last worker stopped.
    """
    simulation = Simulation.objects.select_related("revision__submission").get(pk=lease.job.subject)
    if simulation.finished_at:
        return
    chapter, answers, missing = _pinned_rules(simulation.revision), _answers(simulation), missing_blocks(simulation)
    is_divided = len(missing) > WHOLE_BLOCKS or (bool(missing) and simulation.parts.exists())
    with lease.commit():
        lease.beat(_dealt(simulation), simulation.rounds, "Computing the exact figures")
        if is_divided:
            enqueue_parts(lease.job, simulation, missing)  # other workers deal in the meantime
    analysis = analyze(chapter, answers)
    with lease.commit():
        Simulation.objects.filter(pk=simulation.pk, analysis__isnull=True).update(analysis=to_json(analysis))
    if is_divided:
        raise leases.Divided("Dealing")
    _deal(lease, simulation, chapter, answers, missing)
    _conclude(lease, simulation, chapter, answers, analysis)


def run_part(lease: leases.Lease) -> None:
    """Deal the missing blocks of one part."""
    part = SimulationPart.objects.select_related("simulation__revision__submission").get(pk=lease.job.subject)
    simulation = part.simulation
    blocks = range(part.first, part.first + part.count)
    missing = [index for index in missing_blocks(simulation) if index in blocks]
    if missing:
        _deal(lease, simulation, _pinned_rules(simulation.revision), _answers(simulation), missing)


def _pinned_rules(revision: Revision) -> Chapter:
    chapter = filed_chapter(revision)
    if chapter.digest != revision.rules_digest:
        now, then, receipt = chapter.digest[:12], revision.rules_digest[:12], revision.receipt
        raise Refusal("rules-changed/simulation", number=chapter.number, receipt=receipt, digest=now, rules_digest=then)
    return chapter


def _answers(simulation: Simulation) -> Answers:
    answers: Answers = simulation.revision.content["configurations"][simulation.configuration]["answers"]
    return answers


def _dealt(simulation: Simulation) -> int:
    return sum(simulation.blocks.values_list("rounds", flat=True))


def _deal(
    lease: leases.Lease, simulation: Simulation, chapter: Chapter, answers: Answers, missing: Collection[int]
) -> None:
    """Deal these blocks, each in a transaction of its own: a killed worker loses at most one."""
    play, plan = registry.play(chapter.number), block_plan(simulation.rounds, simulation.block_rounds)
    is_part = lease.job.parent_id is not None
    total = sum(plan[index] for index in missing) if is_part else simulation.rounds
    dealt = 0 if is_part else _dealt(simulation)
    lease.beat(dealt, total, "Dealing")
    for index in missing:
        lease.give_way()
        tally = play.simulate_block(chapter, answers, simulation.seed, index, plan[index])
        dealt += plan[index]
        with lease.commit():
            given = {"rounds": plan[index], "tally": tally}
            _, is_new = Block.objects.get_or_create(simulation=simulation, index=index, defaults=given)
            lease.beat(dealt, total, "Dealing")
            if is_part and is_new:
                lease.add_to_whole(plan[index])


def _conclude(
    lease: leases.Lease, simulation: Simulation, chapter: Chapter, answers: Answers, analysis: Analysis
) -> None:
    """Store the result with its event, once."""
    tallies: list[Tally] = list(simulation.blocks.order_by("index").values_list("tally", flat=True))
    lease.beat(simulation.rounds, simulation.rounds, "Comparing with the exact figures")
    result = summarize(chapter, answers, analysis, tallies, simulation.seed, simulation.rounds)
    data = {**to_json(result), "spreads": {}}
    for exact, simulated in zip(analysis.wagers, result.wagers, strict=True):
        lease.beat(simulation.rounds, simulation.rounds, "Computing what many rounds come to")
        data["spreads"][exact.key] = spreads(exact, simulated.observed)
    with lease.commit():
        first = Simulation.objects.filter(pk=simulation.pk, finished_at=None).update(
            analysis=to_json(analysis), result=data, passed=result.passed, finished_at=timezone.now()
        )
        if first:
            after = {
                "receipt": simulation.revision.receipt,
                "configuration": simulation.configuration,
                "rounds": simulation.rounds,
                "passed": result.passed,
                "sha256": digest(data),
            }
            rows = (simulation, *simulation.blocks.defer("tally"))
            record_event(None, simulation.revision.submission, "simulated", after=after, seals=rows)
