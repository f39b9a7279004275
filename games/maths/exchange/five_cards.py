"""Every five cards, found once and then looked up by the rounds dealt: what they are worth, the first decision, the row
of the wager on the first five cards.

Not here: six cards (`combinations`), what is done by suits as well (`strategy`).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.compiled import kernel
from games.maths.exchange.combinations import Tables, appraise, lowest_ace_king, tables
from games.maths.exchange.first_five import (
    ACE_KING,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    LOST,
    SAME_COLORED_FIVE,
    SAME_COLORED_STRAIGHT,
    STRAIGHT,
    THREE,
)
from games.maths.exchange.strategy import ACE, BET, first_decision, highest_card_table
from games.maths.ranking import HANDS, HIGH, LOW, class_of, high_part, low_part, standard

_CLASS_ROWS: Final = np.array(
    [
        {
            hands.THREE: THREE,
            hands.STRAIGHT: STRAIGHT,
            hands.FLUSH: FLUSH,
            hands.FULL_HOUSE: FULL_HOUSE,
            hands.FOUR: FOUR,
            hands.STRAIGHT_FLUSH: SAME_COLORED_STRAIGHT,
            hands.ROYAL_FLUSH: SAME_COLORED_STRAIGHT,
        }.get(name, LOST)
        for name in hands.STANDARD
    ]
)
"""Class of the first five cards → row of the wager on them, before color and ace-king are looked at."""
_HIGH_CARD: Final = hands.STANDARD.index(hands.HIGH_CARD)

EXAMPLES: Final = 4
RED, BLACK = 0x0FF0, 0xF00F  # suits as they are counted in a key
THREE_OF_SUIT, FOUR_OF_SUIT, HIGHEST_BITS = 0x5555, 0x4444, 0x8888
"""Added to suits, a suit with so many cards has its highest bit set."""
NOT_KEPT: Final = 1 << ACE + 1  # added to a first decision that is no exchange
BY_SUIT: Final = -1

Ints = NDArray[np.int64]
FiveCardTables = tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]
"""By hand, placed as `Ranking.values` are: value << 8 | combination << 4 | second one. By ranks and up card: the ranks
kept, as bits, or `NOT_KEPT` + first decision; first without four of a suit and, but for a pair or better, without three
of a suit within five ranks; then with four of a suit; `BY_SUIT` where more depends on suits. `[of one color, hand]`:
the row of the wager on the first five cards."""


@cache
def five_card_tables() -> FiveCardTables:
    """What every five cards are worth and how they are played, found once and then looked up."""
    ranks = [chosen for chosen in combinations_with_replacement(range(ACE + 1), 5) if len(set(chosen)) > 1]
    hands_of = np.zeros((len(ranks), EXAMPLES, 5), np.int64)
    for row, chosen in enumerate(ranks):
        for example, suits in enumerate(_suits(chosen)):
            hands_of[row, example] = [4 * rank + suit for rank, suit in zip(chosen, suits, strict=True)]
    key, suited = tables()[0][hands_of].sum(axis=2), (hands_of & 3 == hands_of[:, :, :1] & 3).all(axis=2)
    numbers = LOW[low_part(key)].astype(np.int64) + HIGH[high_part(key)] + HANDS * suited
    worths, decisions = np.zeros(2 * HANDS, np.int32), np.zeros((2, HANDS, ACE + 1), np.int16)
    shared = (highest_card_table(), lowest_ace_king(), tables())
    _fill(hands_of, numbers, shared, worths, decisions)
    return worths, decisions, _first_rows()


def _suits(ranks: Sequence[int]) -> tuple[Sequence[int], ...]:
    """The suits of `EXAMPLES` hands of five ranks, the highest last: without three of a suit, the two highest of
    different suits, or of one; all of one suit; four of one. Of some ranks there are only the first."""
    plain, different = (0, 1, 2, 3, 0), len(set(ranks))
    four = [1 if place and ranks[place] == ranks[place - 1] else 0 for place in range(5)]
    if different == 5:
        return plain, (0, 1, 2, 3, 3), (0,) * 5, (0, 0, 0, 0, 1)
    return plain, plain, plain, four if different == 4 else plain


def _first_rows() -> NDArray[np.int8]:
    """[of one color, hand] → the highest row of the wager on the first five cards that they reach."""
    values = standard().values
    row = _CLASS_ROWS[np.maximum(class_of(values), 0)]  # type: ignore[arg-type]  # elementwise
    lost, ace_king = row == LOST, values >= lowest_ace_king()
    by_color = (np.where(lost, LOST, row), np.where(row == STRAIGHT, SAME_COLORED_STRAIGHT, row))
    fives = (LOST, SAME_COLORED_FIVE)
    high_card = class_of(values) == _HIGH_CARD  # type: ignore[arg-type]  # elementwise
    return np.stack(
        [
            np.where(lost, np.where(high_card & ace_king, ACE_KING, five), of_color)
            for of_color, five in zip(by_color, fives, strict=True)
        ]
    ).astype(np.int8)


@kernel
def _fill(
    hands_of: Ints,
    numbers: Ints,
    shared: tuple[Ints, int, Tables],
    worths: NDArray[np.int32],
    decisions: NDArray[np.int16],
) -> None:
    """From examples of each five ranks (`_suits`)."""
    highest_card, lowest, ranking = shared
    for row in range(len(numbers)):
        for example in range(EXAMPLES):
            value, first, second = appraise(hands_of[row, example], 5, lowest, ranking)
            worths[numbers[row, example]] = value << 8 | first << 4 | second
        for up in range(ACE + 1):
            for example in (0, 1, 3):
                decision = first_decision(hands_of[row, example], 4 * up, highest_card)
                entry = NOT_KEPT + decision
                if decision < BET:
                    entry = 0
                    for place in range(5):
                        entry |= (decision >> place & 1) << (hands_of[row, example, place] >> 2)
                if example == 1 and decisions[0, numbers[row, 0], up] != entry:
                    entry = BY_SUIT
                decisions[1 if example == 3 else 0, numbers[row, 0], up] = entry
