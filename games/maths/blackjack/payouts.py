"""What wins are paid, from a chapter's paytable; and the hands of 21 with odds of their own, which depend on suits.

Not here: which hands win (`rules`).
"""

from fractions import Fraction
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import HandClasses
from games.maths.blackjack.hands import ALL_HANDS, CARDS, COUNTS, HANDS, TOTAL
from games.maths.blackjack.rules import SUITS, BonusRows, Rules
from games.maths.parameters import ParameterError
from games.rules.model import Paytable

LIES = 3  # how the suits of a bonus lie: mixed, the same, all spades
NO_BONUS, SIX_SEVEN_EIGHT, THREE_SEVENS = 0, 1, 2
BONUSES = 6  # these, 21 of five, of six and of more cards
SEVEN = 6


class Payouts(NamedTuple):
    """What wins are paid, in halves of the required wager."""

    blackjack: int
    bonus: tuple[tuple[int, ...], ...]  # bonus × how the suits lie


def payouts(rules: Rules, table: Paytable) -> Payouts:
    """From the required wager's paytable; `ParameterError` where it lacks a row that the rules name, `ValueError` where
    it pays other than in halves, or a win not 1 to 1."""
    paid = {row.outcome: row.pays[0].odds for row in table.rows}
    if next(iter(paid.values())) != 1:
        raise ValueError(f"{table.citation}: a win pays {next(iter(paid.values()))}, the analysis knows 1 to 1")
    rows = _rows_of(rules.bonuses)
    for name in (rules.blackjack_row, *(name for names in rows for name in names)):
        if name and name not in paid:
            raise ParameterError("rules", f"`{name}` is not in {table.name} of `{table.wager}`")
    bonus = ((2,) * LIES, *(tuple(_halves(paid[name]) for name in names) for names in rows))
    return Payouts(_halves(paid[rules.blackjack_row]) if rules.blackjack_row else 2, bonus)


def _rows_of(bonuses: BonusRows | None) -> tuple[tuple[str, ...], ...]:
    """By how the suits lie; the number of a bonus is one more than its place."""
    if bonuses is None:
        return ()
    many = (bonuses.five_cards, bonuses.six_cards, bonuses.seven_cards)
    return (bonuses.six_seven_eight, bonuses.three_sevens, *((row,) * LIES for row in many))


def _halves(odds: Fraction | None) -> int:
    if odds is None or (2 * odds).denominator != 1:
        raise ValueError(f"{odds}: the analysis counts in halves of a wager")
    return int(2 * odds)


def bonus_of() -> HandClasses:
    """Hand → its bonus."""
    bonus = np.zeros(ALL_HANDS, dtype=np.int8)
    for hand in range(HANDS):
        if TOTAL[hand] == 21 and CARDS[hand] == 3 and COUNTS[hand].max() == 1 and COUNTS[hand, 5:8].sum() == 3:
            bonus[hand] = SIX_SEVEN_EIGHT
        elif CARDS[hand] == 3 and COUNTS[hand, SEVEN] == 3:
            bonus[hand] = THREE_SEVENS
        elif TOTAL[hand] == 21 and CARDS[hand] >= 5:
            bonus[hand] = THREE_SEVENS + min(CARDS[hand], 7) - 4
    return bonus


def suits_lie(decks: int) -> NDArray[np.float64]:
    """[whether the dealer shows a 7, bonus, how the suits lie] → chance, the values of the hand being given.

    The suits of different values are independent of each other; of three 7s, the one shown is missing.
    """
    same = np.zeros((2, BONUSES))
    same[:, SIX_SEVEN_EIGHT] = 1 / SUITS**2
    for shown in (0, 1):
        in_suit = sum(perm(decks - (shown if suit == 0 else 0), 3) for suit in range(SUITS))
        same[shown, THREE_SEVENS] = in_suit / perm(SUITS * decks - shown, 3)
    return np.stack([1 - same, same * (SUITS - 1) / SUITS, same / SUITS], axis=-1)


def suited_sevens(decks: int, ranks: int) -> float:
    """The chance of three 7s of one suit against a 7, for a player who draws to every pair of them."""
    dealt = perm(SUITS * decks - 1, 3) / perm(ranks * SUITS * decks - 1, 3) / ranks
    return float(dealt * suits_lie(decks)[1, THREE_SEVENS, 1:].sum())
