"""Whole analyses and whole runs of any chapter: what commands, pages and workers call.

Not here: the mathematics of a chapter (its `play.py`), the comparison of tallies with exact figures (`statistics`).
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from games import registry
from games.maths.export import to_json
from games.maths.rake import Rake
from games.maths.results import Analysis, SimulationResult, Tally, WagerAnalysis
from games.maths.statistics import add, compare_to_exact, convergence
from games.maths.streams import GENERATOR, SEED_LIMIT
from games.rules.model import Answers, Chapter
from games.runs.shipped_figures import shipped_wagers

__all__ = ["ENGINE", "analyze", "block_plan", "deal_blocks", "simulate", "summarize", "to_json"]

ENGINE = "games.maths/3"
"""Changes with every change of a figure: stored results and caches name it."""

MOST_ROUNDS = 10**12  # half a day of the fastest game on one core

Progress = Callable[[int], None]
"""Called with the number of rounds dealt so far."""


def analyze(chapter: Chapter, answers: Answers | None = None) -> Analysis:
    """Every wager of the configuration; without answers, every paytable of every wager."""
    wagers = shipped_wagers(chapter, answers)
    if wagers is None:
        wagers = computed_wagers(chapter, answers)
    return Analysis(chapter.number, chapter.digest, ENGINE, wagers, _rake(chapter, answers))


def computed_wagers(chapter: Chapter, answers: Answers | None = None) -> tuple[WagerAnalysis, ...]:
    """The wagers of `analyze`, computed now."""
    return registry.play(chapter.number).analyze(chapter, answers)


def _rake(chapter: Chapter, answers: Answers | None) -> Rake | None:
    rake = None if answers is None else registry.play(chapter.number).rake
    return rake(chapter, answers) if rake and answers is not None else None


def block_plan(rounds: int, block_rounds: int) -> list[int]:
    """The rounds of each block, in order; the last takes what is left."""
    full, rest = divmod(rounds, block_rounds)
    return [block_rounds] * full + [rest] * (rest > 0)


def deal_blocks(
    chapter: Chapter, answers: Answers, rounds: int, seed: int, workers: int = 1
) -> Iterator[tuple[int, Tally]]:
    """(rounds, tally) of every block, in order. The kernels let go of the interpreter, so threads share the work."""
    play = registry.play(chapter.number)
    plan = block_plan(rounds, play.block_rounds)
    pool = ThreadPoolExecutor(workers)
    try:
        tallies = pool.map(
            lambda block: play.simulate_block(chapter, answers, seed, block, plan[block]), range(len(plan))
        )
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
) -> SimulationResult:
    """A whole run, the same for every number of workers."""
    if not 0 <= seed < SEED_LIMIT:
        raise ValueError(f"seed {seed}: allowed are 0 to 2⁶³ − 1 ({SEED_LIMIT - 1:,})")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"rounds {rounds:,}: allowed are 1 to {MOST_ROUNDS:,}")
    analysis = analyze(chapter, answers)
    tallies, done = [], 0
    for dealt, tally in deal_blocks(chapter, answers, rounds, seed, workers):
        tallies.append(tally)
        done += dealt
        progress(done)
    return summarize(chapter, answers, analysis, tallies, seed, rounds)


def summarize(
    chapter: Chapter, answers: Answers, analysis: Analysis, tallies: Sequence[Tally], seed: int, rounds: int
) -> SimulationResult:
    """The result of a run from its blocks' tallies, in the order of the blocks.

    `ValueError` where they are not those of this run: other rounds, or other wagers than the answers offer.
    """
    total = add(tallies)
    wagers = []
    for row in analysis.wagers:
        counts = total.get(row.key, {})
        if sum(counts.values()) != rounds:
            raise ValueError(f"{row.key}: the blocks hold {sum(counts.values())} rounds, the run has {rounds}")
        wagers.append(compare_to_exact(row, counts))
    return SimulationResult(
        chapter=chapter.number,
        rules_digest=chapter.digest,
        engine=analysis.engine,
        generator=GENERATOR,
        seed=seed,
        rounds=rounds,
        wagers=tuple(wagers),
        passed=all(wager.passed for wager in wagers),
        convergence={row.key: convergence(row, [tally[row.key] for tally in tallies]) for row in analysis.wagers},
    )
