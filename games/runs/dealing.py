"""Blocks of rounds, dealt and settled by the second laboratory's table of the chapter, and one round of them."""

from collections.abc import Mapping
from typing import cast

from games import registry
from games.maths.results import Step, Tally
from games.play import TabledGame
from games.rules.model import Answers, Chapter
from games.runs.agreement import Amounts
from games.second.table import Dealt


def deal_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Return the number of rounds of stream (seed, block) by wager and outcome."""
    dealt = _deal(chapter, answers, (seed, block, rounds))
    return {
        wager: {ending.outcome: ending.rounds for ending in endings if ending.rounds}
        for wager, endings in dealt.endings.items()
    }


def settled_amounts(chapter: Chapter, answers: Answers) -> Mapping[str, Amounts]:
    """Return the amounts of each wager's outcomes as the table settles them."""
    return {
        wager: {ending.outcome: (ending.wagered, ending.won) for ending in endings}
        for wager, endings in _deal(chapter, answers, (0, 0, 0)).endings.items()
    }


def round_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Return round `index` (from 0) of the stream, step by step, up to its settlement."""
    last = _deal(chapter, answers, (seed, block, index + 1)).last
    return _tabled_game(chapter).describe_round(chapter, answers, last)


def _deal(chapter: Chapter, answers: Answers, stream: tuple[int, int, int]) -> Dealt:
    """Return the rounds as the table settles them; `ValueError` for an outcome twice: one would hide the other."""
    if not registry.play(chapter.number).deals_rounds:
        return Dealt({}, ())
    dealt = registry.table(chapter.number).deal(
        chapter, answers, _tabled_game(chapter).strategy(chapter, answers), stream
    )
    for wager, endings in dealt.endings.items():
        outcomes = [ending.outcome for ending in endings]
        if len(set(outcomes)) < len(outcomes):
            raise ValueError(f"{wager}: the table settles {max(outcomes, key=outcomes.count)!r} twice")
    return dealt


def _tabled_game(chapter: Chapter) -> TabledGame:
    return cast(TabledGame, registry.play(chapter.number).game)
