"""Six cards set into a high hand of five and a low hand of one, as tables, and the ends of a round.

The tables are of the house way, two plainer ways, the best one, and the house way under other readings. A round ends by
how a player's two hands compare to a dealer's.

The tables are by form (`maths.ranking`) where no five cards share a suit, else by the ranks of the suit and the card
beside it. The low hand is a rank, the joker 13: above an ace for a player; a dealer's joker is an ace, 12. A code says
all that the wagers need of six cards: `high_of`, `low_of`, `line_of`. Not here: the ranking of high hands
(`ranking`), the words of the house way (the chapter's `house_ways.toml`), counting (`six_pairs`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths.cards import ACE
from games.maths.ranking import forms
from games.maths.two_hands.pairs import RANKS, SIX
from games.maths.two_hands.ranking import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    JOKER_RANK,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    high_table,
    place_table,
)
from games.maths.two_hands.setting import NO_PAIR, THREE_PAIRS, THREE_TWICE, shape

ENDS: Final = 7
WIN, HIGH_WINS, LOW_WINS, BOTH_LOWER, LOW_COPY, HIGH_COPY, BOTH_COPY = range(ENDS)
"""The three copies lose; a tie where one hand wins."""
DOUBLE_ENDS: Final = 5
DOUBLE_WIN, DOUBLE_TIE, DOUBLE_LOSS, RETURNED, NOT_PLACED = range(DOUBLE_ENDS)
"""The ends of the wager that doubles the required one."""

LOWS: Final = 14
NO_SUIT: Final = 0b111111  # every card outside of the suit: nothing can be a flush

# Lines of the chapter's house way, in its order.
(
    LINE_THREE_TWICE, LINE_THREE_PAIRS, LINE_SETS, LINE_SIX_STRAIGHT_FLUSH, LINE_STRAIGHT_FLUSH, LINE_SIX_FLUSH,
    LINE_FLUSH, LINE_SIX_STRAIGHT, LINE_STRAIGHT, LINE_GROUPS, LINE_NO_PAIR,
) = range(11)  # fmt: skip
LINES: Final = 11

Codes = NDArray[np.int32]


@helper
def low_of(code: int) -> int:
    """Return the rank of the low hand, 13 = the joker."""
    return code & 15


@helper
def high_of(code: int) -> int:
    """Return the place of the high hand among all high hands, `high_hands()`."""
    return (code >> 4) & 0x1FFF


@helper
def line_of(code: int) -> int:
    """Return the line of the house way that sets the cards so."""
    return code >> 17


@dataclass(frozen=True, slots=True)
class Settings:
    """The code of all six cards under one way of setting."""

    by_form: Codes
    by_suit: Codes  # [ranks of the suit as bits, rank of the card beside it]; 13 where nothing is beside it


@cache
def high_hands() -> NDArray[np.int32]:
    """Return the value of every high hand, rising."""
    return np.unique(high_table())


@cache
def settings(way: int) -> Settings:
    """Return the tables of one way."""
    every, hands, ranks = all_settings()
    codes = np.zeros(len(every), np.int32)
    _choose(way, high_hands(), every, hands, ranks, codes)
    return by_form_and_suit(codes)


def by_form_and_suit(codes: Codes) -> Settings:
    """Return the tables of codes that are numbered as `all_settings`."""
    plain = len(forms(SIX).ranks)
    return Settings(codes[:plain], codes[plain:].reshape(-1, LOWS))


@cache
def all_settings() -> tuple[Codes, Ints, Ints]:
    """Return `[hand, low card]`: the code of each card as the low hand, rising; −1 where the high hand would be lower.

    First the hands without a flush by form, then `LOWS` × ranks of the suit + rank of the card beside it, −1 where
    nothing is beside it. Also the numbers of the hands that there are, and their ranks.
    """
    plain, (ranks, _, suit, beside) = forms(SIX).ranks, _suited_forms()
    codes = np.full((len(plain) + (LOWS << 13), SIX), -1, np.int32)
    hands = np.concatenate([np.arange(len(plain)), len(plain) + LOWS * suit + beside])
    every, places = np.concatenate([plain, ranks]), np.searchsorted(high_hands(), high_table())
    _fill_all(place_table(), high_table(), places, every, all_outside(), hands, codes)
    return codes, hands, every


@cache
def all_outside() -> Ints:
    """Return of each hand of `all_settings` the places outside of the suit that five cards share, as bits."""
    _, off, _, _ = _suited_forms()
    return np.concatenate([np.full(len(forms(SIX).ranks), NO_SUIT), off])


@cache
def _suited_forms() -> tuple[Ints, Ints, Ints, Ints]:
    """Return all six cards with five of a suit (the joker any): ranks, places off the suit, suit, card beside."""
    rows = []
    for size in (4, 5, 6):
        for suit in combinations(range(ACE + 1), size):
            joker = (JOKER_RANK,) if size == 4 else ()
            for beside in range(LOWS if size == 5 else ACE + 1) if size < SIX else (None,):
                cards = sorted([*((rank, 0) for rank in (*suit, *joker)), *([] if beside is None else [(beside, 1)])])
                off = sum(outside << place for place, (rank, outside) in enumerate(cards) if rank != JOKER_RANK)
                in_suit = sum(1 << rank for rank in suit)
                rows.append(([rank for rank, _ in cards], off, in_suit, RANKS if beside is None else beside))
    ranks, off, suits, beside_cards = zip(*rows, strict=True)
    return np.array(ranks), np.array(off), np.array(suits), np.array(beside_cards)


@kernel
def _choose(way: int, high_values: Codes, every: Codes, hands: Ints, ranks: Ints, codes: Codes) -> None:
    """Write the code by one way of setting of every row of six rising ranks."""
    for row in range(len(hands)):
        settings = every[hands[row]]
        best = 0
        for code in settings:
            best = max(best, high_values[high_of(code)] if code >= 0 else 0)
        form, _ = shape(ranks[row] << 2)
        floor = least_high(way, best, form)
        strength = -1
        for low in range(6):
            rank = ranks[row, low]
            if settings[low] < 0 or must_stay(way, best, form, ranks[row], rank):
                continue
            high = high_values[high_of(settings[low])]
            if high >= floor and rank << 24 | high > strength:
                codes[hands[row]], strength = settings[low], rank << 24 | high


@kernel
def _fill_all(
    places: Ints, values: NDArray[np.int32], order: Ints, ranks: Ints, offs: Ints, hands: Ints, codes: Codes
) -> None:
    """Fill `codes[hands[row], low card]` of six rising ranks; `offs`: the places outside of the long suit, as bits."""
    highs, orders = np.zeros(6, np.int64), np.zeros(6, np.int64)
    for row in range(len(ranks)):
        best = 0
        for low in range(6):
            number, place = 0, 0
            for column in range(6):
                if column != low:
                    number += places[place, ranks[row, column]]
                    place += 1
            suited = 1 if offs[row] & ~(1 << low) == 0 else 0
            highs[low], orders[low] = values[suited, number], order[suited, number]
            best = max(best, highs[low])
        form, _ = shape(ranks[row] << 2)
        line = _line(form, best >> 20, offs[row] == 0, _in_a_row(ranks[row]))
        for low in range(6):
            if highs[low] >= min(ranks[row, low], ACE) << 16:
                codes[hands[row], low] = line << 17 | orders[low] << 4 | ranks[row, low]


@kernel
def _line(form: int, category: int, suited: bool, in_a_row: bool) -> int:
    """Return the line of the house way that speaks of the cards; `suited` and `in_a_row` are said of all six."""
    if category in (STRAIGHT_FLUSH, ROYAL_FLUSH):
        return LINE_SIX_STRAIGHT_FLUSH if suited and in_a_row else LINE_STRAIGHT_FLUSH
    if category == FLUSH:
        return LINE_SIX_FLUSH if suited else LINE_FLUSH
    if category == STRAIGHT:
        return LINE_SIX_STRAIGHT if in_a_row else LINE_STRAIGHT
    if form in (THREE_TWICE, THREE_PAIRS):
        return LINE_THREE_TWICE if form == THREE_TWICE else LINE_THREE_PAIRS
    if category >= FULL_HOUSE:
        return LINE_SETS
    return LINE_GROUPS if category > HIGH_CARD else LINE_NO_PAIR


@kernel
def _in_a_row(ranks: Ints) -> bool:
    """Return True if six rising ranks, the joker as any, make a straight of all six."""
    bits, count = 0, 0
    for rank in ranks:
        if rank != JOKER_RANK:
            count += 1 if bits >> rank & 1 == 0 else 0
            bits |= 1 << rank
    if count + (1 if ranks[5] == JOKER_RANK else 0) < 6:
        return False
    for lowest in range(ACE - 4):
        if bits & ~(0b111111 << lowest) == 0:
            return True
    return bits & ~(0b11111 | 1 << ACE) == 0


REGULATION, HIGHEST_HIGH, HIGHEST_LOW, BEST = range(4)  # ways of setting; the best is found by `six_pairs`
PAIRS_DIVIDED, PAIRS_KEPT, JOKER_KEPT = range(4, 7)  # the house way as it is not read


@kernel
def least_high(way: int, best: int, form: int) -> int:
    """Return the least value that the high hand must keep. The house way breaks no class that the six cards make."""
    if way == HIGHEST_HIGH:
        return best
    if way == HIGHEST_LOW:
        return 0
    category = best >> 20
    if way == PAIRS_DIVIDED and category in (PAIR, TWO_PAIR) and form != THREE_PAIRS:
        return 0
    if way == PAIRS_DIVIDED and category == FULL_HOUSE and form != THREE_TWICE:
        return THREE_OF_A_KIND << 20
    if way == PAIRS_KEPT and form != NO_PAIR and _runs(category):
        return 0
    return (STRAIGHT_FLUSH if category == ROYAL_FLUSH else category) << 20


@kernel
def must_stay(way: int, best: int, form: int, ranks: Ints, low: int) -> bool:
    """Return True if a card of this rank may not be the low hand; only under another reading of the house way."""
    if way == JOKER_KEPT:
        return low == JOKER_RANK and _runs(best >> 20)
    if way != PAIRS_KEPT or form == NO_PAIR or not _runs(best >> 20):
        return False
    alike = 0
    for rank in ranks:
        alike += 1 if min(rank, ACE) == min(low, ACE) else 0
    return alike > 1


@kernel
def _runs(category: int) -> bool:
    """Return True if the category is a straight, a flush, or both at once."""
    return category in (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL_FLUSH)
