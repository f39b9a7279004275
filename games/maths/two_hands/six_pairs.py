"""Player's and dealer's six cards against each other, counted over all C(53, 6) × C(47, 6) deals: exact.

Two hands of one deck share no card. The pairs that share none are counted by inclusion–exclusion: the pairs that share
k given cards are added for an even k and subtracted for an odd k, over all sets of k cards, one canonical set for each
orbit of the suits. Every setting of the player's cards meets every dealer, so the counts say which one is best. Hands
are distinguished by their ranks, and by the suit that five of them share, as the tables of `six_cards` have them: the
player looks at nothing else. Not here: the house way (`six_cards`), what the counts come to (`six_against_dealer`).
"""

from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.compiled import kernel
from games.maths.disk_cache import cached_arrays
from games.maths.forms import forms
from games.maths.two_hands.six_cards import (
    LINES,
    LOWS,
    SIX,
    Codes,
    Ints,
    Settings,
    all_settings,
    high_hands,
    low_of,
    settings,
)
from games.maths.two_hands.six_counting import (
    BELOW_BOTH,
    BELOW_HIGH,
    BELOW_LOW,
    COPY_AND_WIN,
    DEALT,
    SAME_BOTH,
    SAME_HIGH,
    SAME_LOW,
    STRONG,
    STRONG_BOTH,
    STRONG_LOST,
    counted,
)
from games.maths.two_hands.six_ends import (
    BOTH_COPY,
    BOTH_LOWER,
    ENDS,
    HIGH_COPY,
    HIGH_WINS,
    LOW_COPY,
    LOW_WINS,
    WIN,
)
from games.maths.two_hands.six_ways import BEST, HIGHEST_HIGH, HIGHEST_LOW, REGULATION

DEALS: Final = comb(53, 6) * comb(47, 6)
WAYS: Final = (BEST, REGULATION, HIGHEST_HIGH, HIGHEST_LOW)  # of the player; the dealer keeps to the regulation's
TALLIES: Final = 4
QUALIFIED_WIN, QUALIFIED_LOSS, QUALIFIED, ALL_DEALS = range(TALLIES)
DIFFERENCES: Final = 3
COPIES_LOSE, BOTH_WAGERS = range(2)
AS_HOUSE_WAY, HIGHER_LOW, LOWER_LOW = range(DIFFERENCES)  # how the best low hand differs from the house way's

SETTINGS: Final = 7  # by the house way, then those that no other beats in both hands, the highest high hand first
BY_HOUSE_WAY: Final = 0
HANDS_BITS: Final = 0x1FFFF  # of a code (`six_cards`): both hands
LOW_BITS: Final = 15  # the low hand


@dataclass(frozen=True, slots=True)
class Pairs:
    """`ends[place in WAYS, end]` of `DEALS`; `qualified[place in WAYS, tally, player's high, low]` for the best setting
    and the house way: the deals in which the dealer's high hand is a pair of eights or better, won, lost and all by the
    player's hands; last, all deals. `chosen[hand]`: the place of the best setting in `_codes`. `differs[line of the
    house way, difference]`, of C(53, 6) hands. `copies`: deals in which one hand is identical and the other wins, by
    the place in `WAYS`. `edges`, deals won more than lost: `COPIES_LOSE`, set best if those deals lost; `BOTH_WAGERS`,
    set and doubled best for both wagers at once."""

    ends: Ints
    qualified: Ints
    chosen: NDArray[np.int8]
    differs: Ints
    copies: Ints
    edges: Ints


@cache
def count() -> Pairs:
    """Count every deal once, and keep the counts."""
    arrays = cached_arrays("six_pairs", lambda: asdict(_summed(_codes(), counted(np.arange(JOKER_DECK), _codes()))))
    ends, qualified, differs, copies, edges = (
        cast(Ints, arrays[name]) for name in ("ends", "qualified", "differs", "copies", "edges")
    )
    return Pairs(ends, qualified, cast(NDArray[np.int8], arrays["chosen"]), differs, copies, edges)


@cache
def best_settings() -> Settings:
    """The codes of the best settings, as `six_cards.settings` has those of the house way."""
    codes, chosen, plain = _codes(), count().chosen, len(forms(SIX).ranks)
    best = np.where(codes[:, BY_HOUSE_WAY] < 0, 0, codes[np.arange(len(codes)), chosen])
    return Settings(best[:plain], best[plain:].reshape(-1, LOWS))


def loss_if(way: int) -> tuple[Fraction, Fraction]:
    """What is lost per wager, with the best setting and by the house way, if that were this one. Takes some seconds."""
    codes = _codes(way)
    hands = np.flatnonzero(codes[:, BY_HOUSE_WAY] >= 0)
    codes, edge = codes[hands], _edge(counted(np.arange(JOKER_DECK), codes)[hands])
    best = int(np.where(codes < 0, np.iinfo(np.int64).min // 2, edge).max(axis=1).sum())
    return Fraction(-best, DEALS), Fraction(-int(edge[:, BY_HOUSE_WAY].sum()), DEALS)


def _codes(way: int = REGULATION) -> Codes:
    """`[hand, setting]`: the code by the house way, then those of the front; −1 where there are no more."""
    house_way, every = settings(way), all_settings()
    by_house_way = np.concatenate([house_way.by_form, house_way.by_suit.ravel()])
    codes = np.full((len(every), SETTINGS), -1, np.int32)
    codes[:, BY_HOUSE_WAY] = np.where(every.max(axis=1) < 0, -1, by_house_way)
    _fill_fronts(every, codes)
    return codes


@kernel
def _fill_fronts(every: Codes, codes: Codes) -> None:
    for hand in range(len(every)):
        least, slot = -1, BY_HOUSE_WAY + 1
        while True:
            highest = -1
            for code in every[hand]:
                if code >= 0 and low_of(code) > least and (highest < 0 or code & HANDS_BITS > highest & HANDS_BITS):
                    highest = code
            if highest < 0:
                break
            codes[hand, slot] = highest
            least = low_of(highest)
            slot += 1


def _summed(codes: Codes, counts: Ints) -> Pairs:
    """Choose the best setting of every hand, and sum up."""
    hands = np.flatnonzero(codes[:, BY_HOUSE_WAY] >= 0)
    codes, counts = codes[hands], counts[hands]
    edge = np.where(codes < 0, np.iinfo(np.int64).min // 2, _edge(counts))
    # Of equal settings the house way's; else the one with the highest high hand.
    places = {BEST: edge.argmax(axis=1), REGULATION: np.full(len(hands), BY_HOUSE_WAY)}
    places |= {HIGHEST_HIGH: np.full(len(hands), BY_HOUSE_WAY + 1), HIGHEST_LOW: (codes >= 0).sum(axis=1) - 1}
    rows = np.arange(len(hands))
    sums = np.stack([counts[rows, places[way]].sum(axis=0) for way in WAYS])
    qualified = np.zeros((2, TALLIES, len(high_hands()), LOWS), np.int64)
    for place, way in enumerate(WAYS[:2]):
        code, taken = codes[rows, places[way]], counts[rows, places[way]]
        for tally, column in enumerate((STRONG_BOTH, STRONG_LOST, STRONG, DEALT)):
            np.add.at(qualified[place, tally], (code >> 4 & 0x1FFF, code & LOW_BITS), taken[:, column])
    best, house_way = codes[rows, places[BEST]], codes[:, BY_HOUSE_WAY]
    how = np.where(best & LOW_BITS > house_way & LOW_BITS, HIGHER_LOW, LOWER_LOW)
    differs = np.zeros((LINES, DIFFERENCES), np.int64)
    dealt = counts[:, BY_HOUSE_WAY, DEALT] // comb(47, 6)
    np.add.at(differs, (house_way >> 17 & 15, np.where(best == house_way, AS_HOUSE_WAY, how)), dealt)
    doubling = np.maximum(0, counts[..., STRONG_BOTH] - counts[..., STRONG_LOST])
    edges = [(edge - counts[..., COPY_AND_WIN]).max(axis=1).sum(), (edge + doubling).max(axis=1).sum()]
    chosen = np.zeros(len(_codes()), np.int8)
    chosen[hands] = places[BEST]
    return Pairs(_ends(sums), qualified, chosen, differs, sums[:, COPY_AND_WIN], np.array(edges))


def _edge(counts: Ints) -> Ints:
    """The deals that the required wager wins, less those that it loses."""
    return np.asarray(counts[..., BELOW_HIGH] + counts[..., BELOW_LOW] - counts[..., DEALT])


def _ends(sums: Ints) -> Ints:
    both, high, low, dealt = (sums[:, column] for column in (BELOW_BOTH, BELOW_HIGH, BELOW_LOW, DEALT))
    copies = {BOTH_COPY: sums[:, SAME_BOTH], HIGH_COPY: sums[:, SAME_HIGH], LOW_COPY: sums[:, SAME_LOW]}
    # HIGH_COPY: the high hand identical, the low hand lower; LOW_COPY the other way round.
    lower = dealt - high - low + both - sum(copies.values())
    ends = {WIN: both, HIGH_WINS: high - both, LOW_WINS: low - both, BOTH_LOWER: lower, **copies}
    return np.stack([ends[end] for end in range(ENDS)], axis=1)
