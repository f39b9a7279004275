"""The simulations of a filing: started with it, dealt block by block by the workers, summarized once.

A run whose first stage raises a suspicion is dealt again, ten times as many rounds from a new seed, and judged by
these.
Rounds of one are replayed by a job with the same cards and decisions.

A long run is divided into parts, ranges of blocks of some seconds' work, which all workers of all machines share, so
that more urgent jobs come in between; a short one is dealt in one job. Blocks depend only on the seed and their index,
so the result is the same for any number of workers. Not here: dealing a round and comparing blocks with the exact
figures (`games.maths`), replaying one (`games.runs.engine`), jobs with parts (`jobs.leases`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from games import registry
from games.maths.export import exact_data, exact_reader, to_json
from games.maths.results import Analysis, SimulationResult, Tally
from games.maths.statistics import spreads
from games.rules.model import Answers, Chapter
from games.runs.agreement import REJECTION, RETEST_ROUNDS, SUSPICION
from games.runs.dealing import deal_block
from games.runs.engine import (
    ENGINE,
    Replay,
    analyze,
    block_plan,
    is_suspected,
    replay_round,
    retest_seed,
    summarize,
    summarize_retest,
)
from submissions.audit.record import record_event
from submissions.core.configurations import runs_needed
from submissions.core.digests import digest
from submissions.core.errors import Refusal
from submissions.filings.evidence.computations import ComputationStopped, run_computation, stored_result
from submissions.jobs import leases
from submissions.models import Block, Computation, Job, Revision, Simulation, SimulationPart
from submissions.rules import filed_chapter

FEWEST_BLOCKS = 10


def start_simulations(revision: Revision) -> list[Simulation]:
    """Create a run, with its job, for each configuration with answers of its own; in the filing's transaction."""
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
    """Return 63 bits of the revision's digest plus the configuration's position, which all can recompute."""
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
        lease.beat(_dealt(simulation), simulation.all_rounds, "Computing the exact figures")
        if is_divided:
            enqueue_parts(lease.job, simulation, missing)  # other workers deal in the meantime
    analysis = analyze(chapter, answers)
    with lease.commit():
        Simulation.objects.filter(pk=simulation.pk, analysis__isnull=True).update(analysis=to_json(analysis))
    if is_divided:
        raise leases.Divided("Dealing")
    _deal(lease, simulation, chapter, answers, missing)
    lease.beat(simulation.all_rounds, simulation.all_rounds, "Comparing with the exact figures")
    first = _first_stage(simulation, chapter, answers, analysis)
    if is_suspected(first) and simulation.retest_rounds is None:
        with lease.commit():
            again = RETEST_ROUNDS * simulation.rounds
            Simulation.objects.filter(pk=simulation.pk, retest_rounds=None).update(retest_rounds=again)
        run_simulation(lease)  # deals what is now missing
        return
    _conclude(lease, simulation, first, chapter, answers, analysis)


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
    plan = _plan(simulation)
    is_part = lease.job.parent_id is not None
    total = sum(plan[index].rounds for index in missing) if is_part else simulation.all_rounds
    dealt = 0 if is_part else _dealt(simulation)
    lease.beat(dealt, total, "Dealing")
    for index in missing:
        lease.give_way()
        seed, block, rounds = plan[index]
        tally = deal_block(chapter, answers, seed, block, rounds)
        dealt += rounds
        with lease.commit():
            given = {"rounds": rounds, "tally": tally}
            _, is_new = Block.objects.get_or_create(simulation=simulation, index=index, defaults=given)
            lease.beat(dealt, total, "Dealing")
            if is_part and is_new:
                lease.add_to_whole(rounds)


class _Stream(NamedTuple):
    """The stream of a block, and its rounds."""

    seed: int
    block: int
    rounds: int


def _plan(simulation: Simulation) -> list[_Stream]:
    """Return the stream of each block, by its index: those of the first stage, then those of the second."""
    stages = ((simulation.seed, simulation.rounds), (retest_seed(simulation.seed), simulation.retest_rounds or 0))
    return [
        _Stream(seed, block, dealt)
        for seed, rounds in stages
        for block, dealt in enumerate(block_plan(rounds, simulation.block_rounds))
    ]


def _tallies(simulation: Simulation, stage_seed: int) -> list[Tally]:
    """Return the tallies of the stage with this seed, in the order of its blocks."""
    indexes = [index for index, stream in enumerate(_plan(simulation)) if stream.seed == stage_seed]
    blocks = simulation.blocks.filter(index__range=(indexes[0], indexes[-1]))
    return list(blocks.order_by("index").values_list("tally", flat=True))


def _first_stage(simulation: Simulation, chapter: Chapter, answers: Answers, analysis: Analysis) -> SimulationResult:
    tallies = _tallies(simulation, simulation.seed)
    return summarize(chapter, answers, analysis, tallies, simulation.seed, simulation.rounds, SUSPICION)


def _conclude(
    lease: leases.Lease,
    simulation: Simulation,
    first: SimulationResult,
    chapter: Chapter,
    answers: Answers,
    analysis: Analysis,
) -> None:
    """Store the result with its event, once: that of the second stage if there is one."""
    result = first
    if simulation.retest_rounds is not None:
        limit = REJECTION / len(runs_needed(simulation.revision.content["configurations"]))  # of the filing's runs
        tallies = _tallies(simulation, retest_seed(simulation.seed))
        result = summarize_retest(first, chapter, answers, analysis, tallies, simulation.retest_rounds, limit)
    data = {**to_json(result), "spreads": {}}
    for exact, simulated in zip(analysis.wagers, result.wagers, strict=True):
        lease.beat(simulation.all_rounds, simulation.all_rounds, "Computing what many rounds come to")
        data["spreads"][exact.key] = spreads(exact, simulated.observed)
    with lease.commit():
        is_concluded_now = Simulation.objects.filter(pk=simulation.pk, finished_at=None).update(
            analysis=to_json(analysis), result=data, passed=result.passed, finished_at=timezone.now()
        )
        if is_concluded_now:
            after = {
                "receipt": simulation.revision.receipt,
                "configuration": simulation.configuration,
                "rounds": result.rounds,
                "passed": result.passed,
                "sha256": digest(data),
            }
            rows = (simulation, *simulation.blocks.defer("tally"))
            record_event(None, simulation.revision.submission, "simulated", after=after, seals=rows)


WHOLE_BLOCKS = 10  # so many are dealt in one job
PART_BLOCKS = 5


def missing_blocks(simulation: Simulation) -> list[int]:
    """Return the indexes of the blocks that are not dealt, in order."""
    stored = set(simulation.blocks.values_list("index", flat=True))
    return [index for index in range(simulation.blocks_needed) if index not in stored]


def enqueue_parts(job: Job, simulation: Simulation, missing: Collection[int]) -> None:
    """Enqueue a job for each part with a missing block, in the caller's transaction; the parts never differ."""
    firsts = sorted({index - index % PART_BLOCKS for index in missing})
    last = simulation.blocks_needed
    parts = (
        SimulationPart(simulation=simulation, first=first, count=min(PART_BLOCKS, last - first)) for first in firsts
    )
    SimulationPart.objects.bulk_create(parts, ignore_conflicts=True)
    rows = SimulationPart.objects.filter(simulation=simulation, first__in=firsts).order_by("first")
    leases.enqueue_parts(job, Job.Kind.DEAL, list(rows.values_list("pk", flat=True)))


_read_round = exact_reader(Replay)


@dataclass(frozen=True, slots=True)
class RoundIndex:
    """The position of a round in the whole run: rounds are counted from 0, as blocks and the rounds in them are."""

    number: int
    block: int
    index: int


def round_index(simulation: Simulation, number: int) -> RoundIndex:
    """Return the position of this round; a `Refusal` if the run has no such round."""
    if not 0 <= number < simulation.rounds:
        raise Refusal("no-such-round", number=number, last=simulation.rounds - 1)
    return RoundIndex(number, *divmod(number, simulation.block_rounds))


def replayed_round(simulation: Simulation, place: RoundIndex) -> Replay | None:
    """Return the round, or None until it is dealt; `Refusal` if it cannot be replayed, or not yet."""
    _refuse_other_rules(simulation)
    arguments = {"simulation": simulation.pk, "round": place.number}
    try:
        data = stored_result(Job.Kind.REPLAY, f"round:{simulation.pk}:{place.number}", arguments)
    except ComputationStopped:
        raise Refusal("round-not-told") from None
    return None if data is None else _read_round(data)


def run_replay(lease: leases.Lease) -> None:
    """Run the job of one round."""
    run_computation(lease, _replay)


def _refuse_other_rules(simulation: Simulation) -> None:
    revision = simulation.revision
    if simulation.result is None:
        raise Refusal("no-rounds-yet")
    if filed_chapter(revision).digest != revision.rules_digest or simulation.result["engine"] != ENGINE:
        raise Refusal("other-rules", rules_digest=revision.rules_digest[:12], engine=simulation.result["engine"])


def _replay(row: Computation) -> Any:
    simulation = Simulation.objects.select_related("revision__submission").get(pk=row.arguments["simulation"])
    _refuse_other_rules(simulation)
    place = round_index(simulation, row.arguments["round"])
    content = simulation.revision.content
    chapter = filed_chapter(simulation.revision, content)
    answers = content["configurations"][simulation.configuration]["answers"]
    return exact_data(
        replay_round(chapter, answers, analyze(chapter, answers), simulation.seed, place.block, place.index)
    )
