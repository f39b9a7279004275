"""Every wager of a chapter under every paytable, simulated beside its exact figures: the whole proof, as rows.

Not here: how it is printed (`commands.crosscheck`), what a run is (`runs.engine`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.maths.results import Analysis, WagerAnalysis, WagerSimulation
from games.rules.model import Chapter
from games.rules.wagers_in_play import covering
from games.runs.engine import analyze, simulate

ROUNDS = 10_000_000
RARE = 1_000_000  # one in so many: a wager with a rarer outcome is dealt …
RARE_ROUNDS = 100_000_000


@dataclass(frozen=True, slots=True)
class Checked:
    """One wager under one paytable, as analyzed and as dealt."""

    analysis: WagerAnalysis
    simulation: WagerSimulation


def crosscheck(chapter: Chapter, seed: int, rounds: int | None = None, workers: int = 1) -> Iterator[Checked]:
    """Every paytable of every wager once; `rounds` for all, or as many as the rarest outcome asks for."""
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
    return RARE_ROUNDS if rarest * RARE < 1 else ROUNDS
