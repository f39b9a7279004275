"""The play of any chapter, run: analyses, simulations, the replay of a round, the crosscheck, compiling ahead.

Commands, pages and workers call it.

A round is replayed from (seed, block, index): the cards, the decisions, and what each wager won by which section. The
game describes the deal up to the settlement; the amounts won are the difference that the round makes to the tally of
its block, so a replay can never disagree with the simulation.

Not here: the mathematics of a chapter (its `play.py`), its table (`second.py`), the comparison with exact figures
(`agreement`), how compiled code is kept (`games.compiled`), the figures that are shipped (`shipped_figures`).
"""

import os
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from games import registry
from games.maths.rake import Rake
from games.maths.results import (
    Analysis,
    FirstStage,
    OutcomeRow,
    SimulationResult,
    Step,
    Tally,
    WagerAnalysis,
    WagerSimulation,
)
from games.maths.statistics import add, convergence
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import covering
from games.runs.agreement import REJECTION, RETEST_ROUNDS, SUSPICION, compare_to_exact
from games.runs.dealing import deal_block, round_steps, settled_amounts
from games.runs.shipped_figures import shipped_wagers
from games.streams import BLOCKS, GENERATOR, SEED_LIMIT

ENGINE = "games.maths/5"
"""Changes with every change of a figure: stored results and caches name it."""

MOST_ROUNDS = 10**11  # an hour of the fastest game on one core

MOST_BLOCK_ROUNDS = 10**9  # so that a block ends within minutes

Progress = Callable[[int], None]
"""Called with the number of rounds dealt so far."""


def analyze(chapter: Chapter, answers: Answers | None = None) -> Analysis:
    """Return every wager of the configuration; without answers, every paytable of every wager."""
    wagers = shipped_wagers(chapter, answers)
    if wagers is None:
        wagers = computed_wagers(chapter, answers)
    return Analysis(chapter.number, chapter.digest, ENGINE, wagers, _rake(chapter, answers))


def computed_wagers(chapter: Chapter, answers: Answers | None = None) -> tuple[WagerAnalysis, ...]:
    """Return the wagers of `analyze`, computed now."""
    return registry.play(chapter.number).analyze(chapter, answers)


def _rake(chapter: Chapter, answers: Answers | None) -> Rake | None:
    rake = None if answers is None else registry.play(chapter.number).rake
    return rake(chapter, answers) if rake and answers is not None else None


def block_plan(rounds: int, block_rounds: int) -> list[int]:
    """Return the rounds of each block, in order; the last takes what is left. `ValueError` for more than `BLOCKS`."""
    full, rest = divmod(rounds, block_rounds)
    if full >= BLOCKS:
        raise ValueError(f"{rounds:,} rounds in blocks of {block_rounds:,}: allowed are {BLOCKS:,} blocks at most")
    return [block_rounds] * full + [rest] * (rest > 0)


def deal_blocks(
    chapter: Chapter, answers: Answers, rounds: int, seed: int, workers: int = 1, block_rounds: int | None = None
) -> Iterator[tuple[int, Tally]]:
    """Yield (rounds, tally) of every block, in order; kernels let go of the interpreter, so threads share the work.

    `block_rounds`: those of a block, if not as many as the chapter's play says: the streams depend on it.
    """
    plan = block_plan(rounds, block_rounds or registry.play(chapter.number).block_rounds)
    pool = ThreadPoolExecutor(workers)
    try:
        tallies = pool.map(lambda block: deal_block(chapter, answers, seed, block, plan[block]), range(len(plan)))
        yield from zip(plan, tallies, strict=True)
    finally:
        pool.shutdown(cancel_futures=True)  # a caller that stops reading stops the dealing


def simulate(
    chapter: Chapter,
    answers: Answers,
    rounds: int,
    seed: int,
    workers: int = 1,
    progress: Progress = lambda done: None,
    block_rounds: int | None = None,
) -> SimulationResult:
    """Return a whole run, the same for every number of workers; with its second stage if the first is suspected."""
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed {seed}: allowed are 0 to 2⁶³ − 1 ({SEED_LIMIT - 1:,})")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"rounds {rounds:,}: allowed are 1 to {MOST_ROUNDS:,}")
    analysis = analyze(chapter, answers)

    def deal(rounds: int, seed: int) -> list[Tally]:
        tallies, done = [], 0
        for dealt, tally in deal_blocks(chapter, answers, rounds, seed, workers, block_rounds):
            tallies.append(tally)
            done += dealt
            progress(done)
        return tallies

    result = summarize(chapter, answers, analysis, deal(rounds, seed), seed, rounds)
    if not is_suspected(result):
        return result
    again = RETEST_ROUNDS * rounds
    return summarize_retest(result, chapter, answers, analysis, deal(again, retest_seed(seed)), again)


def summarize(
    chapter: Chapter,
    answers: Answers,
    analysis: Analysis,
    tallies: Sequence[Tally],
    seed: int,
    rounds: int,
    limit: float = SUSPICION,
) -> SimulationResult:
    """Return the result of a run's stage from its blocks' tallies, in the order of the blocks.

    `limit`: the chance that a correct stage disagrees. `ValueError` where the tallies are not those of this run: other
    rounds, or other wagers than the answers offer.
    """
    total = add(tallies)
    if unknown := total.keys() - {row.key for row in analysis.wagers}:
        raise ValueError(f"the blocks hold {', '.join(sorted(unknown))}, which the analysis lacks")
    for row in analysis.wagers:
        counted = sum(total.get(row.key, {}).values())
        if counted != rounds:
            raise ValueError(f"{row.key}: the blocks hold {counted} rounds, the run has {rounds}")
    wagers = compare_to_exact(analysis.wagers, total, settled_amounts(chapter, answers), limit)
    return SimulationResult(
        chapter=chapter.number,
        rules_digest=chapter.digest,
        engine=analysis.engine,
        generator=GENERATOR,
        seed=seed,
        rounds=rounds,
        wagers=wagers,
        passed=all(wager.passed for wager in wagers),
        convergence={row.key: convergence(row, [tally[row.key] for tally in tallies]) for row in analysis.wagers},
    )


def is_suspected(result: SimulationResult) -> bool:
    """Return True if only numbers of rounds disagree: more rounds decide. Amounts that differ need no more rounds."""
    return not result.passed and not any(wager.pays_differ for wager in result.wagers)


def retest_seed(seed: int) -> int:
    """Return the seed of the second stage, which follows from that of the first."""
    return (seed + SEED_LIMIT // 2) % SEED_LIMIT


def summarize_retest(
    first: SimulationResult,
    chapter: Chapter,
    answers: Answers,
    analysis: Analysis,
    tallies: Sequence[Tally],
    rounds: int,
    limit: float = REJECTION,
) -> SimulationResult:
    """Return the result of the second stage, which is judged by itself, with what the first was suspected of."""
    seed = retest_seed(first.seed)
    suspected = tuple(f"{wager.key}: {subject}" for wager in first.wagers for subject in wager.disagrees)
    result = summarize(chapter, answers, analysis, tallies, seed, rounds, limit)
    return replace(result, first=FirstStage(first.seed, first.rounds, suspected))


@dataclass(frozen=True, slots=True)
class Settlement:
    """The end of one wager."""

    wager: str
    paytable: str
    row: OutcomeRow
    section: str  # the subsection that pays or takes it


@dataclass(frozen=True, slots=True)
class Replay:
    """One round, as it was dealt."""

    chapter: str
    seed: int
    block: int
    index: int
    steps: tuple[Step, ...]
    settlements: tuple[Settlement, ...]


def replay_round(chapter: Chapter, answers: Answers, analysis: Analysis, seed: int, block: int, index: int) -> Replay:
    """Return round `index` (from 0) of the stream; `analysis` is that of the same answers.

    `IndexError` where the block has no such round.
    """
    play = registry.play(chapter.number)
    if not 0 <= index < play.block_rounds:
        last = play.block_rounds - 1
        raise IndexError(f"round {index}: a block of chapter {chapter.number} has rounds 0 to {last:,}")
    before = deal_block(chapter, answers, seed, block, index)
    after = deal_block(chapter, answers, seed, block, index + 1)
    settlements = []
    for wager in analysis.wagers:
        counts, earlier = after[wager.key], before.get(wager.key, {})
        (outcome,) = (key for key, count in counts.items() if count > earlier.get(key, 0))
        row = next(row for row in wager.outcomes if row.outcome == outcome)
        settlements.append(Settlement(wager.key, wager.paytable, row, row.section or _section(chapter, wager)))
    steps = round_steps(chapter, answers, seed, block, index)
    return Replay(chapter.number, seed, block, index, steps, tuple(settlements))


def _section(chapter: Chapter, analysis: WagerAnalysis) -> str:
    """Return the section where the row names none: the paytable's, or that of the wager's settlement."""
    if analysis.paytable:
        return chapter.paytable(analysis.wager, analysis.paytable).citation
    wager = chapter.wager(analysis.wager)
    return wager.settled or wager.citation


CROSSCHECK_ROUNDS = 10_000_000
RARE = 1_000_000  # one in so many: a wager with a rarer outcome is dealt …
RARE_ROUNDS = 100_000_000


@dataclass(frozen=True, slots=True)
class Checked:
    """One wager under one paytable, as analyzed and as dealt."""

    analysis: WagerAnalysis
    simulation: WagerSimulation


def crosscheck(chapter: Chapter, seed: int, rounds: int | None = None, workers: int = 1) -> Iterator[Checked]:
    """Yield every paytable of every wager once; `rounds` for all, or as many as the rarest outcome asks for."""
    done = set()
    for place, answers in enumerate(covering(chapter)):
        analysis = analyze(chapter, answers)
        if not analysis.wagers:  # poker: the house deals, and takes a rake
            continue
        result = simulate(chapter, answers, rounds or _needed(analysis), seed + place, workers)
        for wager, seen in zip(analysis.wagers, result.wagers, strict=True):
            if (wager.key, wager.paytable) not in done:
                done.add((wager.key, wager.paytable))
                yield Checked(wager, seen)


def _needed(analysis: Analysis) -> int:
    rarest = min((row.probability for wager in analysis.wagers for row in wager.outcomes if row.probability), default=1)
    return RARE_ROUNDS if rarest * RARE < 1 else CROSSCHECK_ROUNDS


COMPILED_SEED, COMPILED_ROUNDS = 1, 1_000


def compile_chapter(chapter: Chapter) -> bool:
    """Compile all that a configuration with every wager needs; return False if that was done, or cannot be kept."""
    mark = _mark(chapter.number)
    if mark.exists() or not _creates(mark.parent):
        return False
    answers, play = covering(chapter)[0], registry.play(chapter.number)
    computed_wagers(chapter, answers)
    if play.deals_rounds:
        deal_block(chapter, answers, COMPILED_SEED, 0, COMPILED_ROUNDS)
    mark.touch()
    return True


def _mark(number: str) -> Path:
    """Return the mark of this source (the folder's name is its digest), this Python and this compiler."""
    name = f"{number}-python-{platform.python_version()}-numba-{version('numba')}.compiled"
    return Path(os.environ["NUMBA_CACHE_DIR"]) / name


def _creates(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
