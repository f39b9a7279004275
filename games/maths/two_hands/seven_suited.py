"""Seven cards of which five or more share a suit, as tables: what `seven_forms` is to all other hands.

Such a hand is worth what the ranks of its suit, with or without the joker, and the ranks of the at most two other
cards make of it. Here live the numbers of these hands and the tables of both kinds behind one another. Not here:
counting (`seven_pairs`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER
from games.maths.compiled import kernel
from games.maths.two_hands import seven_forms
from games.maths.two_hands.house_ways import HOUSE_WAYS, rule_table
from games.maths.two_hands.ranking import high_table, low_table, place_table
from games.maths.two_hands.setting import SETTINGS, arrange, dealer_setting, off_suit, shape, sort_by_rank
from games.maths.two_hands.seven_forms import SEVEN, Ints, Values, code, front

RANKS: Final = 13
BESIDE: Final = (RANKS + 1) * (RANKS + 2) // 2  # two ranks or fewer: the 13 stands for none
LONGEST: Final = 4, 5, 6, 7  # cards of the suit; four with the joker
FRONT: Final = SETTINGS + 1  # of seven cards of a suit each setting may be on the front; the rest of a row is 0


@dataclass(frozen=True, slots=True)
class Hands:
    """First the hands without a flush, by form; then those with one, by `places` of the suit + number of the cards
    beside it."""

    fronts: Values
    ace_high: NDArray[np.bool_]
    codes: Values  # [house way, hand]: the dealer's two hands
    lines: Values  # [house way, hand]: the line that sets them


@cache
def places() -> Values:
    """`[ranks of the suit as bits]`: where the hands of the suit begin."""
    begin = np.zeros(1 << RANKS, np.int32)
    for place, ranks in enumerate(_suits()):
        begin[sum(1 << rank for rank in ranks)] = place * BESIDE
    return begin


def _suits() -> list[tuple[int, ...]]:
    return [ranks for size in LONGEST for ranks in combinations(range(RANKS), size)]


@cache
def all_hands() -> Hands:
    """Under every house way, in the order of `HOUSE_WAYS`."""
    known, ways = seven_forms.tables(), [seven_forms.dealer_sets(way) for way in HOUSE_WAYS]
    suited_hands = len(_suits()) * BESIDE
    fronts = np.zeros((suited_hands, FRONT), np.int32)
    codes, lines = np.zeros((2, len(ways), suited_hands), np.int32)
    dealt = [
        (place * BESIDE + int(beside_number(*beside)), *(4 * rank + 3 for rank in ranks), *beside_cards, *joker)
        for place, ranks in enumerate(_suits())
        for beside, beside_cards, joker in _beside(SEVEN - len(ranks))
    ]
    tables = (place_table(), high_table(), low_table(), known.highs, known.lows)
    _fill(np.array(dealt), tuple(rule_table(way) for way in HOUSE_WAYS), *tables, fronts, codes, lines)
    return Hands(
        np.concatenate([np.pad(known.fronts, ((0, 0), (0, FRONT - seven_forms.FRONT))), fronts]),
        np.concatenate([known.ace_high, np.zeros(suited_hands, np.bool_)]),
        np.concatenate([np.stack([way.codes for way in ways]), codes], axis=1),
        np.concatenate([np.stack([way.lines for way in ways]).astype(np.int32), lines], axis=1),
    )


def _beside(more_cards: int) -> list[tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]]:
    """(two ranks, the cards of other suits, the joker) for each way to fill up seven cards."""
    hands: list[tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]] = []
    for joker in (), (JOKER,):
        size = more_cards - len(joker)
        for first in range(RANKS) if 1 <= size <= 2 else (RANKS,) if size == 0 else ():
            for second in range(first, RANKS) if size == 2 else (RANKS,):
                ranks = [(rank, suit) for suit, rank in enumerate((first, second)) if rank < RANKS]
                hands.append(((first, second), tuple(4 * rank + suit for rank, suit in ranks), joker))
    return hands


@kernel
def beside_number(first: int, second: int) -> int:
    """Two ranks, in any order, to a number; 13 where there is no card."""
    low, high = min(first, second), max(first, second)
    return high * (high + 1) // 2 + low


@kernel
def suited(cards: Ints) -> tuple[int, int]:
    """(ranks of the suit as bits, number of the cards beside it) of seven cards with a flush."""
    suits = np.zeros(4, np.int64)
    longest = 0
    for card in cards:
        if card < JOKER:
            suits[card & 3] += 1 << 16 | 1 << (card >> 2)
            longest = max(longest, suits[card & 3])
    first, second = RANKS, RANKS
    for card in cards:
        if card < JOKER and suits[card & 3] != longest:
            first, second = card >> 2, first
    return longest & 0x1FFF, beside_number(first, second)


@kernel
def _fill(
    dealt: Ints,
    rules: tuple[Ints, ...],
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    fronts: Values,
    codes: Values,
    lines: Values,
) -> None:
    """`dealt[row]` has the number of a hand, then its cards."""
    cards = np.zeros(dealt.shape[1] - 1, np.int64)
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for row in range(len(dealt)):
        number = dealt[row, 0]
        for place in range(len(cards)):
            cards[place] = dealt[row, 1 + place]
        sort_by_rank(cards)
        arrange(cards, off_suit(cards), places, values, low_table, sums, highs, lows)
        form, lead = shape(cards)
        front(highs, lows, high_values, low_values, fronts[number])
        for way in range(len(rules)):
            line, setting = dealer_setting(form, 1, lead, rules[way], highs, lows)
            lines[way, number] = line
            codes[way, number] = code(highs[setting], lows[setting], high_values, low_values)
