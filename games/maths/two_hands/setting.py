"""Setting seven cards into a high and a low hand: every way, the dealer's house way, the player's best answer.

And all hands without a flush as tables by form.

A house way is one row for each line of a chapter's `house_ways.toml`; the words that a dealer follows are in that file,
under the same `when`. A row fits by the shape of the seven cards, the rank of the largest group (of pairs, the higher)
and whether a straight or better is there; it sets the highest low hand that leaves a high hand of at least `keep`. A
row with `low_at_least` fits only if the low hand can then be that high.

Each form (`maths.ranking`) is worked out once, as if no two of its cards were of a suit; a kernel that meets five cards
of one suit (one hand in twenty) sets the cards themselves. Two hands make a code, `high << 8 | low`, both as places
among all high and all low hands. The front of a form has the codes of those settings that no other beats in both hands,
from the highest high hand to the highest low hand: what a player can beat can be beaten with one of these.

Cards are numbered rank * 4 + suit, 52 = the joker. Not here: the rank of hands (`ranking`), dealing (`seven_game`).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths.cards import ACE
from games.maths.ranking import forms
from games.maths.two_hands.ranking import (
    FIVE_ACES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    high_table,
    low_table,
    low_value,
    place_table,
)

SETTINGS: Final = 21  # ways to choose two cards of seven for the low hand
RUN_BITS: Final = 1 << STRAIGHT | 1 << FLUSH | 1 << STRAIGHT_FLUSH | 1 << ROYAL_FLUSH


@kernel
def sort_by_rank(cards: NDArray[np.int64]) -> None:
    """Sort cards rising, in place; the joker (52) comes last."""
    for place in range(1, len(cards)):
        card, gap = cards[place], place
        while gap > 0 and cards[gap - 1] > card:
            cards[gap] = cards[gap - 1]
            gap -= 1
        cards[gap] = card


@kernel
def off_suit(cards: NDArray[np.int64]) -> int:
    """Return the places, as bits, of the cards outside the suit that has most of them; the joker is in every suit."""
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
    """Return the pairs, threes and fours of sorted cards, the joker an ace: (shape, rank of the largest group).

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
    """Return the first rule that fits, as (rule, setting): the highest low hand it allows, then the highest high hand.

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


# Shapes: 16 * size of the largest group + 4 * size of the second + number of further pairs (`setting.shape`).
NO_PAIR, ONE_PAIR, TWO_PAIRS, THREE_PAIRS = 20, 36, 40, 41
THREE, THREE_AND_PAIR, THREE_AND_TWO_PAIRS, THREE_TWICE = 52, 56, 57, 60
FOUR, FOUR_AND_PAIR, FOUR_AND_THREE, FIVE, FIVE_AND_PAIR = 68, 72, 76, 84, 88

DEUCE, SIX, SEVEN, TEN, JACK, KING = 0, 4, 5, 8, 9, 11
WITH_ACE: Final = low_value(ACE, DEUCE)
WITH_KING: Final = low_value(KING, DEUCE)
ANY_RANK: Final = (DEUCE, ACE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a house way. Ranges include both ends; `run`: None = with or without a straight or better."""

    when: str
    shapes: tuple[int, int]
    keep: int = HIGH_CARD
    lead: tuple[int, int] = ANY_RANK
    run: bool | None = None
    low_at_least: int = 0

    def row(self) -> tuple[int, ...]:
        run = (0, 1) if self.run is None else (int(self.run), int(self.run))
        return (*self.shapes, *run, *self.lead, self.keep << 20, self.low_at_least)


def _only(shape: int) -> tuple[int, int]:
    return shape, shape


_FOUR_WITH_MORE: Final = (
    Rule("Four-of-a-kind and three-of-a-kind", _only(FOUR_AND_THREE), FULL_HOUSE),
    Rule("Four-of-a-kind and a pair", _only(FOUR_AND_PAIR), FOUR_OF_A_KIND),
)
_FULL: Final = (
    Rule("Three-of-a-kind twice", _only(THREE_TWICE), THREE_OF_A_KIND),
    Rule("Full house", (THREE_AND_PAIR, THREE_AND_TWO_PAIRS), THREE_OF_A_KIND),
)
_THREE: Final = (
    Rule("Three aces", _only(THREE), PAIR, _only(ACE)),
    Rule("Three-of-a-kind, kings or lower", _only(THREE), THREE_OF_A_KIND, (DEUCE, KING)),
)
_THREE_PAIR: Final = Rule("Three pair", _only(THREE_PAIRS), TWO_PAIR)
_ONE_PAIR: Final = (Rule("One pair", _only(ONE_PAIR), PAIR), Rule("No pair", _only(NO_PAIR)))

HOUSE_WAYS: Final[dict[str, tuple[Rule, ...]]] = {
    "traditional": (
        Rule("Five aces and a pair of kings", _only(FIVE_AND_PAIR), FIVE_ACES, low_at_least=low_value(KING, KING)),
        Rule("Five aces", (FIVE, FIVE_AND_PAIR), THREE_OF_A_KIND),
        *_FOUR_WITH_MORE,
        Rule("Four-of-a-kind, jacks to aces", _only(FOUR), PAIR, (JACK, ACE)),
        Rule("Four-of-a-kind, 7s to 10s, with an ace", _only(FOUR), FOUR_OF_A_KIND, (SEVEN, TEN), None, WITH_ACE),
        Rule("Four-of-a-kind, 7s to 10s, without an ace", _only(FOUR), PAIR, (SEVEN, TEN)),
        Rule("Four-of-a-kind, 2s to 6s", _only(FOUR), FOUR_OF_A_KIND, (DEUCE, SIX)),
        *_FULL,
        Rule("Three-of-a-kind with a straight or better", _only(THREE), STRAIGHT, run=True),
        *_THREE,
        _THREE_PAIR,
        Rule("Two pair, the higher jacks to aces", _only(TWO_PAIRS), PAIR, (JACK, ACE)),
        Rule("Two pair, the higher 7s to 10s, with an ace", _only(TWO_PAIRS), TWO_PAIR, (SEVEN, TEN), None, WITH_ACE),
        Rule("Two pair, the higher 7s to 10s, without an ace", _only(TWO_PAIRS), PAIR, (SEVEN, TEN)),
        Rule(
            *("Two pair, the higher 3s to 6s, with an ace or king", _only(TWO_PAIRS), TWO_PAIR),
            *((DEUCE, SIX), None, WITH_KING),
        ),
        Rule("Two pair, the higher 3s to 6s, without an ace or king", _only(TWO_PAIRS), PAIR, (DEUCE, SIX)),
        Rule("A straight or better, with one pair or none", (NO_PAIR, ONE_PAIR), STRAIGHT, run=True),
        *_ONE_PAIR,
    ),
    "simplified": (
        Rule("Five aces", (FIVE, FIVE_AND_PAIR), THREE_OF_A_KIND),
        *_FOUR_WITH_MORE,
        Rule("Four-of-a-kind, 7s to aces", _only(FOUR), PAIR, (SEVEN, ACE)),
        Rule("Four-of-a-kind, 2s to 6s", _only(FOUR), FOUR_OF_A_KIND, (DEUCE, SIX)),
        *_FULL,
        _THREE_PAIR,
        Rule("Two pair, kings or lower, with an ace", _only(TWO_PAIRS), TWO_PAIR, (DEUCE, KING), None, WITH_ACE),
        Rule("Two pair, any other", _only(TWO_PAIRS), PAIR),
        Rule("A straight or better", (NO_PAIR, THREE), STRAIGHT, run=True),
        *_THREE,
        *_ONE_PAIR,
    ),
}


@cache
def rule_table(key: str) -> NDArray[np.int64]:
    """Return the rows of the house way filed under `key`, in its order, for `setting.dealer_setting`."""
    return np.array([rule.row() for rule in HOUSE_WAYS[key]], dtype=np.int64)


SEVEN_CARDS: Final = 7
NO_SUIT: Final = 0b1111111  # every card outside of the suit: nothing can be a flush
FORM_FRONT: Final = 16  # one more than the longest front; the rest of a row is 0, which beats nothing

Values = NDArray[np.int32]


@helper
def high_of(code: int) -> int:
    """Return the place of the high hand among `highs`."""
    return code >> 8


@helper
def low_of(code: int) -> int:
    """Return the place of the low hand among `lows`."""
    return code & 255


@dataclass(frozen=True, slots=True)
class SevenForms:
    """Tables by form: the front; whether the hand is ace high.

    `highs` and `lows` are the values of all high and low hands, rising. `codes[house way, form]` are the dealer's two
    hands and `lines[house way, form]` the line that sets them, in the order of `HOUSE_WAYS`.
    """

    fronts: Values
    ace_high: NDArray[np.bool_]
    highs: Values
    lows: Values
    codes: Values
    lines: Values


@cache
def form_tables() -> SevenForms:
    """Return the tables of all forms; `ValueError` if no line of a house way fits a form."""
    ranks = forms(SEVEN_CARDS).ranks
    ace_high = np.zeros(len(ranks), np.bool_)
    _fill(ranks, place_table(), high_table(), low_table(), ace_high)
    fronts, codes, lines = set_hands(ranks << 2, FORM_FRONT, suited=False)
    if lines.min() < 0:
        way = list(HOUSE_WAYS)[int(lines.min(axis=1).argmin())]
        raise ValueError(f"no line of the {way} house way fits a dealer's seven cards")
    highs, lows = np.unique(high_table()), np.unique(low_table())
    return SevenForms(fronts, ace_high, highs, lows, codes, lines)


def set_hands(hands: Ints, front_size: int, *, suited: bool) -> tuple[Values, Values, Values]:
    """Return the fronts, and the codes and lines of the dealer by house way; `hands` are of rising cards.

    They are set as if no two cards were of a suit unless `suited`.
    """
    rules = tuple(rule_table(way) for way in HOUSE_WAYS)
    fronts = np.zeros((len(hands), front_size), np.int32)
    codes, lines = np.zeros((2, len(rules), len(hands)), np.int32)
    tables = (place_table(), high_table(), low_table(), np.unique(high_table()), np.unique(low_table()))
    _set_all(hands, suited, rules, tables, fronts, codes, lines)
    return fronts, codes, lines


@kernel
def front(highs: Ints, lows: Ints, high_values: Values, low_values: Values, codes: Values) -> int:
    """Write the codes of the settings that no other beats in both hands, the highest high hand first; their number."""
    number, least = 0, -1
    while True:
        best_high, best_low = -1, -1
        for setting in range(SETTINGS):
            high, low = highs[setting], lows[setting]
            if low > least and high >= low and (high > best_high or (high == best_high and low > best_low)):
                best_high, best_low = high, low
        if best_high < 0:
            return number
        codes[number] = hands_code(best_high, best_low, high_values, low_values)
        least = best_low
        number += 1


@kernel
def hands_code(high: int, low: int, high_values: Values, low_values: Values) -> int:
    """Return the code of two hands by their values."""
    return int(np.searchsorted(high_values, high)) << 8 | int(np.searchsorted(low_values, low))


@kernel
def _fill(ranks: Ints, places: Ints, values: Values, low_values: Values, ace_high: NDArray[np.bool_]) -> None:
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for number in range(len(ranks)):
        cards = ranks[number] << 2
        form, lead = shape(cards)
        met = arrange(cards, NO_SUIT, places, values, low_values, sums, highs, lows)
        ace_high[number] = form == NO_PAIR and lead == ACE and met & RUN_BITS == 0


@kernel
def _set_all(
    hands: Ints,
    suited: bool,
    rules: tuple[Ints, ...],
    tables: tuple[Ints, Values, Values, Values, Values],
    fronts: Values,
    codes: Values,
    lines: Values,
) -> None:
    places, values, low_table, high_values, low_values = tables
    sums, highs, lows = np.zeros((3, 8), np.int64), np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for number in range(len(hands)):
        cards = hands[number]
        off = off_suit(cards) if suited else NO_SUIT
        met = arrange(cards, off, places, values, low_table, sums, highs, lows)
        front(highs, lows, high_values, low_values, fronts[number])
        form, lead = shape(cards)
        for way in range(len(rules)):
            line, setting = dealer_setting(form, 1 if met & RUN_BITS else 0, lead, rules[way], highs, lows)
            lines[way, number] = line
            codes[way, number] = hands_code(highs[setting], lows[setting], high_values, low_values)
