"""Pocket Bonus and Trips Plus Wagers: how often each row of a paytable occurs, exactly or among rounds dealt."""

from collections.abc import Sequence
from math import comb

import numpy as np

from games.maths.cards import ACE
from games.maths.heads_up.endings import PRINTED
from games.maths.heads_up.seven_cards import count_hands
from games.maths.heads_up.suits import GROUPS, PAIR_GROUPS, RANKS
from games.maths.results import WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Paytable

POCKET = "pocket_bonus"
LOST_OUTCOME = "Lost"
LOST_BY = {POCKET: "§ 677a.11(i)(1)(ii)", "trips_plus": "§ 677a.11(i)(2)(ii)"}


def bonus_wager(table: Paytable, notes: tuple[str, ...]) -> WagerAnalysis:
    """Every two cards, or every seven."""
    if table.wager == POCKET:
        cycle, numbers = comb(52, 2), np.bincount(PAIR_GROUPS, minlength=GROUPS).tolist()
    else:
        cycle, numbers = comb(52, 7), count_hands()
    counts = bonus_counts(table, numbers, cycle)
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    lost = row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=LOST_BY[table.wager])
    return counted(table.wager, table.name, [*rows, lost], cycle, notes=notes)


def bonus_counts(table: Paytable, numbers: Sequence[int], total: int) -> dict[str, int]:
    """Outcome → count, from counts by group of two cards, or by class of hand."""
    names = [pocket(group) for group in range(GROUPS)] if table.wager == POCKET else PRINTED
    counts = {line.outcome: 0 for line in table.rows}
    for name, number in zip(names, numbers, strict=True):
        if name in counts:
            counts[name] += number
    return counts | {LOST_OUTCOME: total - sum(counts.values())}


def pocket(group: int) -> str:
    """The row of § 677a.12(d) for two cards, by their group (`suits`); "" where there is none."""
    first, second = divmod(group, RANKS)
    if first == second:
        return "Pair of aces" if first == ACE else "Pair of 2s—kings"
    if max(first, second) == ACE and min(first, second) >= ACE - 3:
        return f"Ace and a king, queen or jack of {'the same suit' if first > second else 'different suits'}"
    return ""
