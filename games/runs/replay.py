"""The replay of a round, from (seed, block, index): the cards, the decisions, and what each wager won by which section.

A chapter's `replay_steps` describe the deal up to the settlement. What the wagers won is not worked out again: it is
the difference that the round makes to the tally of its block, so a replay can never disagree with the simulation.
"""

from dataclasses import dataclass

from games import registry
from games.maths.results import Analysis, OutcomeRow, Step, WagerAnalysis
from games.rules.model import Answers, Chapter


@dataclass(frozen=True, slots=True)
class Settlement:
    """How one wager ended."""

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
    """Round `index` (from 0) of the stream; `analysis` is that of the same answers.

    `IndexError` where the block has no such round.
    """
    play = registry.play(chapter.number)
    if not 0 <= index < play.block_rounds:
        last = play.block_rounds - 1
        raise IndexError(f"round {index}: a block of chapter {chapter.number} has rounds 0 to {last:,}")
    before = play.simulate_block(chapter, answers, seed, block, index)
    after = play.simulate_block(chapter, answers, seed, block, index + 1)
    settlements = []
    for wager in analysis.wagers:
        counts, earlier = after[wager.key], before.get(wager.key, {})
        (outcome,) = (key for key, count in counts.items() if count > earlier.get(key, 0))
        row = next(row for row in wager.outcomes if row.outcome == outcome)
        settlements.append(Settlement(wager.key, wager.paytable, row, row.section or _section(chapter, wager)))
    steps = play.replay_steps(chapter, answers, seed, block, index)
    return Replay(chapter.number, seed, block, index, steps, tuple(settlements))


def _section(chapter: Chapter, analysis: WagerAnalysis) -> str:
    """Where the row names none: the paytable's subsection; without a paytable, that of the wager's settlement."""
    if analysis.paytable:
        return chapter.paytable(analysis.wager, analysis.paytable).citation
    wager = chapter.wager(analysis.wager)
    return wager.settled or wager.citation
