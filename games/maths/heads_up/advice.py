"""The decisions so that a person can check them, cell by cell, and what simplified strategies lose more.

Not here: how they are found (`best_play`), the same in sentences (`words`).
"""

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.heads_up.after_flop import HOLDINGS
from games.maths.heads_up.endings import INITIAL, outcome_rows
from games.maths.heads_up.odds import PRINTED, OddsTables
from games.maths.heads_up.rules import AFTER, BEFORE, LAST, Sections
from games.maths.heads_up.solved import after_flop, settled
from games.maths.heads_up.suits import RANKS
from games.maths.heads_up.words import raised_groups
from games.maths.in_words import antes
from games.maths.results import SimplifiedPlay, StrategyTable
from games.maths.wagers import required

ALWAYS, NEVER, LATE = "Always raises before the Flop", "Always raises at last", "Checks until the River card"
CHECKS = "Checks before the Flop and after it, then raises"


def strategy_tables(odds: OddsTables) -> tuple[StrategyTable, ...]:
    return _before(odds), _after(odds), _last(odds)


def _before(odds: OddsTables) -> StrategyTable:
    """All 169 pairs of ranks, of one suit and not."""
    raised, early = raised_groups(odds), f"{odds.rules.raises[BEFORE]}×"
    names = [name if len(name) < 3 else name[0].upper() for name in RANK_NAMES]
    rows = [
        (names[row], *(early if raised[row, column] else "check" for column in reversed(range(RANKS))))
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
    header = ("Two cards and the Flop", "Deals that come to it", f"Raised {odds.rules.raises[AFTER]}×", "Share raised")
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
    return StrategyTable(f"After the River card: share raised {odds.rules.raises[LAST]}×", header, tuple(rows))


def _share(raised: int, checked: int) -> str:
    return f"{100 * raised / (raised + checked):.2f}%" if raised + checked else "–"


def simplified_plays(odds: OddsTables, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    """Three simplified strategies, exactly."""
    all_deals, rules = settled(odds.pays()), odds.rules
    always, never = np.zeros_like(all_deals.best), np.zeros_like(all_deals.best)
    always[BEFORE] = never[LAST] = all_deals.best.sum(axis=0)
    first = antes(rules.raises[BEFORE])
    plays = (
        (ALWAYS, f"{first[0].upper()}{first[1:]} with every two cards", always),
        (NEVER, f"{CHECKS} {antes(rules.raises[LAST])} with every hand", never),
        (LATE, f"{CHECKS} or folds as is best", all_deals.late),
    )
    return tuple(
        SimplifiedPlay(name, when, required(outcome_rows(odds, sections, counts), INITIAL))
        for name, when, counts in plays
    )
