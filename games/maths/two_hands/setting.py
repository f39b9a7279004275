"""Setting seven cards into a high and a low hand: every way to do it, the dealer's way, the player's best answer.

Here live the kernels that work on one hand. Not here: what hands rank (`ranking`), what the house ways say
(`house_ways`), dealing (`rounds`). Cards are numbered rank * 4 + suit, 52 = the joker.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.compiled import kernel
from games.maths.two_hands.ranking import FLUSH, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH

SETTINGS: Final = 21  # ways to choose two cards of seven for the low hand
RUN_BITS: Final = 1 << STRAIGHT | 1 << FLUSH | 1 << STRAIGHT_FLUSH | 1 << ROYAL_FLUSH


@kernel
def sort_by_rank(cards: NDArray[np.int64]) -> None:
    """Rising, in place; the joker (52) comes last."""
    for place in range(1, len(cards)):
        card, gap = cards[place], place
        while gap > 0 and cards[gap - 1] > card:
            cards[gap] = cards[gap - 1]
            gap -= 1
        cards[gap] = card


@kernel
def off_suit(cards: NDArray[np.int64]) -> int:
    """The places, as bits, of the cards outside the suit that has most of them; the joker is in every suit."""
    sizes = 0
    for card in cards:
        if card < 52:
            sizes += 1 << 8 * (card & 3)
    longest = 0
    for suit in range(1, 4):
        if sizes >> 8 * suit & 255 > sizes >> 8 * longest & 255:
            longest = suit
    off = 0
    for place in range(len(cards)):
        if cards[place] < 52 and cards[place] & 3 != longest:
            off |= 1 << place
    return off


@kernel
def arrange(
    cards: NDArray[np.int64],
    off: int,
    places: NDArray[np.int64],
    values: NDArray[np.int32],
    low_values: NDArray[np.int32],
    sums: NDArray[np.int64],
    highs: NDArray[np.int64],
    lows: NDArray[np.int64],
) -> int:
    """Fill in the value of the high and the low hand of all 21 settings; return the high categories met, as bits.

    `cards` must be sorted. Five cards are numbered by the sum of their places' table entries, so three running
    sums (no low card passed yet, one, two) give each setting's number without walking its cards: `sums` is room
    for them, 3 by 8, its first column 0.
    """
    for place in range(7):
        rank = cards[place] >> 2
        sums[0, place + 1] = sums[0, place] + (places[place, rank] if place < 5 else 0)
        sums[1, place + 1] = sums[1, place] + (places[place - 1, rank] if 1 <= place < 6 else 0)
        sums[2, place + 1] = sums[2, place] + (places[place - 2, rank] if place >= 2 else 0)
    setting, met = 0, 0
    for first in range(6):
        for second in range(first + 1, 7):
            number = sums[0, first] + sums[1, second] - sums[1, first + 1] + sums[2, 7] - sums[2, second + 1]
            suited = 1 if off & ~(1 << first | 1 << second) == 0 else 0
            highs[setting] = values[suited, number]
            lows[setting] = low_values[cards[first] >> 2, cards[second] >> 2]
            met |= 1 << (highs[setting] >> 20)
            setting += 1
    return met


@kernel
def shape(cards: NDArray[np.int64]) -> tuple[int, int]:
    """The pairs, threes and fours of sorted cards, the joker an ace: (shape, rank of the largest group).

    A shape is 16 * size of the largest group + 4 * size of the second + number of further pairs.
    """
    lead, largest, second, pairs, size = 0, 0, 0, 0, 0
    for place in range(len(cards)):
        rank = min(cards[place] >> 2, ACE)
        size += 1
        if place + 1 < len(cards) and min(cards[place + 1] >> 2, ACE) == rank:
            continue
        pairs += 1 if size == 2 else 0
        if size >= largest:
            lead, largest, second = rank, size, largest
        else:
            second = max(second, size)
        size = 0
    counted = (1 if largest == 2 else 0) + (1 if second == 2 else 0)
    return 16 * largest + 4 * second + pairs - counted, lead


@kernel
def dealer_setting(
    form: int,
    run: int,
    lead: int,
    rules: NDArray[np.int64],
    highs: NDArray[np.int64],
    lows: NDArray[np.int64],
) -> tuple[int, int]:
    """The first rule that fits, as (rule, setting): the highest low hand it allows, then the highest high hand.

    `form` and `lead` are what `shape` returns, `run` is 1 where five of the cards make a straight or better.
    (-1, -1) if no rule fits.
    """
    for rule in range(len(rules)):
        if not (rules[rule, 0] <= form <= rules[rule, 1] and rules[rule, 2] <= run <= rules[rule, 3]):
            continue
        if not rules[rule, 4] <= lead <= rules[rule, 5]:
            continue
        floor, low_floor = rules[rule, 6], rules[rule, 7]
        chosen, best = -1, -1
        for setting in range(SETTINGS):
            if highs[setting] >= max(floor, lows[setting]) and lows[setting] >= low_floor:
                strength = lows[setting] << 24 | highs[setting]
                if strength > best:
                    chosen, best = setting, strength
        if chosen >= 0:
            return rule, chosen
    return -1, -1


@kernel
def best_answer(dealer_high: int, dealer_low: int, highs: NDArray[np.int64], lows: NDArray[np.int64]) -> int:
    """How many of the dealer's exposed hands a setting can beat at once: 2 wins, 1 ties, 0 loses."""
    best = 0
    for setting in range(SETTINGS):
        if highs[setting] >= lows[setting]:
            beaten = (1 if highs[setting] > dealer_high else 0) + (1 if lows[setting] > dealer_low else 0)
            best = max(best, beaten)
    return best
