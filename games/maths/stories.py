"""A round told as a story, from (seed, block, index): the cards, the decisions, and what each wager won by which
subsection.

A chapter's `story` tells the deal. What the wagers won is not told a second time: it is the difference that the
round makes to the tally of its block, so a story can never disagree with the simulation.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.maths.results import Analysis, OutcomeRow, Step, WagerAnalysis
from games.play import Play
from games.rules import registry
from games.rules.model import Answers, Chapter


@dataclass(frozen=True, slots=True)
class Settlement:
    """How one wager ended."""

    wager: str
    paytable: str
    row: OutcomeRow
    section: str  # the subsection that pays or takes it


@dataclass(frozen=True, slots=True)
class Story:
    """One round, as it was dealt."""

    chapter: str
    seed: int
    block: int
    index: int
    steps: tuple[Step, ...]
    settlements: tuple[Settlement, ...]


def tell(chapter: Chapter, answers: Answers, analysis: Analysis, seed: int, block: int, index: int) -> Story:
    """Round `index` (from 0) of the stream; `analysis` is that of the same answers.

    `IndexError` where the block has no such round.
    """
    play: Play = registry.play(chapter.number)
    if not 0 <= index < play.BLOCK_ROUNDS:
        last = play.BLOCK_ROUNDS - 1
        raise IndexError(f"round {index}: a block of chapter {chapter.number} has rounds 0 to {last:,}")
    before = play.simulate_block(chapter, answers, seed, block, index)
    after = play.simulate_block(chapter, answers, seed, block, index + 1)
    settlements = []
    for found in analysis.wagers:
        counts, earlier = after[found.key], before.get(found.key, {})
        (outcome,) = (key for key, count in counts.items() if count > earlier.get(key, 0))
        row = next(row for row in found.outcomes if row.outcome == outcome)
        settlements.append(Settlement(found.key, found.paytable, row, row.section or _section(chapter, found)))
    steps = play.story(chapter, answers, seed, block, index)
    return Story(chapter.number, seed, block, index, steps, tuple(settlements))


def _section(chapter: Chapter, found: WagerAnalysis) -> str:
    """Where the row names none: the paytable's subsection; without a paytable, that of the wager's settlement."""
    if found.paytable:
        return chapter.paytable(found.wager, found.paytable).citation
    wager = chapter.wager(found.wager)
    return wager.settled or wager.citation
