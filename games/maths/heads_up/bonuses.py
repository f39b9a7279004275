"""The optional wagers: how often each row of a paytable occurs, exactly or among rounds dealt."""

from collections.abc import Sequence
from math import comb

import numpy as np

from games.maths.cards import ACE
from games.maths.heads_up.odds import PRINTED
from games.maths.heads_up.rules import OWN_CARDS, BonusWager
from games.maths.heads_up.seven_cards import count_hands
from games.maths.heads_up.suits import GROUPS, PAIR_GROUPS, RANKS
from games.maths.results import WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Paytable

LOST_OUTCOME = "Lost"


def bonus_wager(table: Paytable, bonus: BonusWager) -> WagerAnalysis:
    """Every two cards, or every seven."""
    if bonus.by == OWN_CARDS:
        cycle, numbers = comb(52, 2), np.bincount(PAIR_GROUPS, minlength=GROUPS).tolist()
    else:
        cycle, numbers = comb(52, 7), count_hands()
    counts = bonus_counts(table, bonus, numbers, cycle)
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    lost = row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST_NET, section=bonus.lost)
    return counted(table.wager, table.name, [*rows, lost], cycle, notes=bonus.notes)


def bonus_counts(table: Paytable, bonus: BonusWager, numbers: Sequence[int], total: int) -> dict[str, int]:
    """Outcome → count, from counts by group of two cards, or by class of hand; `ValueError` for another row."""
    names = [pocket(group) for group in range(GROUPS)] if bonus.by == OWN_CARDS else PRINTED
    counts = {line.outcome: 0 for line in table.rows}
    if unknown := counts.keys() - set(names):
        allowed = ", ".join(dict.fromkeys(name for name in names if name))
        raise ValueError(f"{table.wager} {table.name} pays {min(unknown)!r}; allowed are {allowed}")
    for name, number in zip(names, numbers, strict=True):
        if name in counts:
            counts[name] += number
    return counts | {LOST_OUTCOME: total - sum(counts.values())}


def pocket(group: int) -> str:
    """The row for two cards, by their group (`suits`); "" where there is none."""
    first, second = divmod(group, RANKS)
    if first == second:
        return "Pair of aces" if first == ACE else "Pair of 2s—kings"
    if max(first, second) == ACE and min(first, second) >= ACE - 3:
        return f"Ace and a king, queen or jack of {'the same suit' if first > second else 'different suits'}"
    return ""
