"""The decisions so that a person can check them: in words, cell by cell, and what plain players lose more.

Not here: how they are found (`best_play`).
"""

from fractions import Fraction

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.heads_up.after_flop import HOLDINGS
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.chances import Ints
from games.maths.heads_up.endings import INITIAL, PRINTED, OddsTables, outcome_rows
from games.maths.heads_up.settled import AFTER, BEFORE, FOLD, LAST
from games.maths.heads_up.solved import after_flop, decisions, settled
from games.maths.heads_up.suits import GROUPS, PAIR_GROUPS, RANKS
from games.maths.results import Choice, SimplifiedPlay, StrategyTable
from games.maths.wagers import required

WORDS = {
    BEFORE: (
        "Raise 3× before the Flop",
        "A pair of 3s or better; any ace; a king with a 7 or better, of one suit with a 4 or better; a queen with a 10 "
        "or better, of one suit with an 8 or better; a jack and a 10 of one suit",
    ),
    AFTER: (
        "Raise 2× after the Flop",
        "Else, with three-of-a-kind or two pairs made with one's own cards, or better; with nearly every pair made "
        "with a card of the Flop; with some draws (table)",
    ),
    LAST: (
        "Raise 1× after the River card",
        "Else, with a straight or better; with two pairs or three-of-a-kind unless they lie on the board "
        "(9,999 in 10,000); with nearly every pair of one's own; else where it is worth more than to fold (table)",
    ),
    FOLD: ("Fold after the River card", "Else"),
}
ALWAYS, NEVER, LATE = "Always raises before the Flop", "Always raises at last", "Checks until the River card"


def choices(odds: OddsTables) -> tuple[Choice, ...]:
    """Each decision with how often it is taken."""
    taken = settled(odds.pays()).best.sum(axis=(1, 2))
    return tuple(Choice(*WORDS[when], Fraction(int(taken[when]), CYCLE)) for when in WORDS)


def strategy_tables(odds: OddsTables) -> tuple[StrategyTable, ...]:
    return _before(odds), _after(odds), _last(odds)


def _before(odds: OddsTables) -> StrategyTable:
    """All 169 pairs of ranks, of one suit and not."""
    raised = np.zeros(GROUPS, np.bool_)
    raised[PAIR_GROUPS] = decisions(odds.pays()).before
    names = [name if len(name) < 3 else name[0].upper() for name in RANK_NAMES]
    rows = [
        (names[row], *("3×" if raised[row * RANKS + column] else "check" for column in reversed(range(RANKS))))
        for row in reversed(range(RANKS))
    ]
    title = "Before the Flop: above the diagonal cards of one suit, below it of two"
    return StrategyTable(title, ("", *reversed(names)), tuple(rows))


def _after(odds: OddsTables) -> StrategyTable:
    """Own cards and Flops that come to the decision."""
    checked, raised = after_flop(odds.pays())
    rows = [
        (holding, f"{checked[place] + raised[place]:,}", f"{raised[place]:,}", _share(raised[place], checked[place]))
        for place, holding in enumerate(HOLDINGS)
    ]
    header = ("Two cards and the Flop", "Deals that come to it", "Raised 2×", "Share raised")
    return StrategyTable("After the Flop", header, tuple(rows))


def _last(odds: OddsTables) -> StrategyTable:
    """Own cards and boards that come to the decision, by what the board contains alone."""
    folded, raised = settled(odds.pays()).last
    met = [board for board in range(len(PRINTED)) if (folded + raised)[:, board].any()]
    rows = [
        (PRINTED[rank], *(_share(raised[rank, board], folded[rank, board]) for board in met))
        for rank in range(len(PRINTED))
    ]
    header = ("Best five of seven", *(f"Board alone: {PRINTED[board].lower()}" for board in met))
    return StrategyTable("After the River card: share raised 1×", header, tuple(rows))


def _share(raised: int, checked: int) -> str:
    return f"{100 * raised / (raised + checked):.2f}%" if raised + checked else "–"


def simplified_plays(odds: OddsTables) -> tuple[SimplifiedPlay, ...]:
    """Three simplified strategies, exactly."""
    all_deals = settled(odds.pays())
    always, never = np.zeros_like(all_deals.best), np.zeros_like(all_deals.best)
    always[BEFORE] = never[LAST] = all_deals.best.sum(axis=0)
    return (
        _simplified(odds, ALWAYS, "Three Antes with every two cards", always),
        _simplified(odds, NEVER, "Checks before the Flop and after it, then raises one Ante with every hand", never),
        _simplified(odds, LATE, "Checks before the Flop and after it, then raises or folds as is best", all_deals.late),
    )


def _simplified(odds: OddsTables, name: str, when: str, counts: Ints) -> SimplifiedPlay:
    return SimplifiedPlay(name, when, required(outcome_rows(odds, counts), INITIAL))
