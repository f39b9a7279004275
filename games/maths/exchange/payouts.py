"""The worth of five or six cards and the payouts of a round.

A combination is numbered as the paytable of the Bet Wager lists it, 0 = none. It is the cards that make the hand,
without the others; a second one has a card outside the first. `ends[way, combination, second combination]` counts
rounds. A first hand that is paid at once is paid on the Ante Wager. For the wager on the first five cards an ace-king
is one of any suits, without a pair; a straight flush and a royal flush are same-colored straights. Not here: when the
dealer is beaten, and how often each end occurs (`no_draw`, `drawn`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import cards
from games.maths.exchange import rules as ways
from games.maths.exchange.rules import FORCED, FORCED_WON, NEVER, WON, FirstFive, Sections, Stakes
from games.maths.exchange.strategy import ACE, KING
from games.maths.hands import PRINTED
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.results import LOST_NET, LOST_OUTCOME, WagerAnalysis, counted_by_table, net_of
from games.rules.model import Paytable

COMBINATIONS: Final = ("Nothing", "Ace-king", "One pair", *PRINTED[2:])
NOTHING, ACE_KING, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(11)
SECONDS: Final = {
    ACE_KING: (NOTHING,),
    PAIR: (NOTHING, ACE_KING),
    TWO_PAIR: (NOTHING, ACE_KING, TWO_PAIR),
    THREE: (NOTHING, ACE_KING),
    STRAIGHT: (NOTHING, ACE_KING, STRAIGHT),
    FLUSH: (NOTHING, ACE_KING, PAIR, STRAIGHT, FLUSH),
    FULL_HOUSE: (NOTHING, ACE_KING, FULL_HOUSE),
    FOUR: (NOTHING, ACE_KING, FULL_HOUSE),
    STRAIGHT_FLUSH: (NOTHING, ACE_KING, STRAIGHT, FLUSH, STRAIGHT_FLUSH),
    ROYAL_FLUSH: (NOTHING, STRAIGHT, FLUSH, STRAIGHT_FLUSH),
}
"""Winning combination → the second combinations that five or six cards can have beside it."""

HandTables = tuple[Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]]


def hand_tables() -> HandTables:
    """Return the tables of the ranking that kernels read."""
    return standard().keys, standard().values, LOW, HIGH


def lowest_ace_king() -> int:
    """Return the value of the lowest hand with which the dealer qualifies."""
    return standard().value(cards("Ac Kd 4h 3s 2c"))


@kernel
def combination(value: int, lowest: int) -> int:
    """Return the combination of a hand of this value; `lowest` is that of the lowest ace-king."""
    if class_of(value) == 0:
        return ACE_KING if value >= lowest else NOTHING
    return class_of(value) + 1


@kernel
def appraise(hand: Ints, count: int, lowest: int, ranking: HandTables) -> tuple[int, int, int]:
    """Return (value of the best five of `count` cards, its combination, the second combination)."""
    keys, values, low, high = ranking
    total, counts = 0, 0
    for place in range(count):
        total += keys[hand[place]]
        counts += 1 << 4 * (hand[place] >> 2)
    best, dropped = -1, 0
    if count == 5:
        best = values[low[low_part(total)] + high[high_part(total)] + flush_part(total)]
    else:
        for place in range(6):
            key = total - keys[hand[place]]
            value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
            if value > best:
                best, dropped = value, place
    first = combination(best, lowest)
    if first in (STRAIGHT, FLUSH, FULL_HOUSE, STRAIGHT_FLUSH, ROYAL_FLUSH):
        if count == 5:
            return best, first, NOTHING
        return best, first, _with_the_sixth(hand, dropped, total, counts, lowest, ranking)
    return best, first, _beside_cards_of_a_kind(first, counts) if first > ACE_KING else NOTHING


@kernel
def _beside_cards_of_a_kind(first: int, counts: int) -> int:
    """Return the second combination beside four, three or two of a kind, or two pair; other cards lie outside."""
    if first in (FOUR, TWO_PAIR):
        pairs = 0
        for rank in range(ACE + 1):
            pairs += 1 if counts >> 4 * rank & 15 == 2 else 0
        if first == FOUR and pairs == 1:
            return FULL_HOUSE
        if first == TWO_PAIR and pairs == 3:
            return TWO_PAIR
    aces, kings = counts >> 4 * ACE & 15, counts >> 4 * KING & 15
    inside = first == TWO_PAIR and aces == 2 and kings == 2
    return ACE_KING if aces and kings and not inside else NOTHING


@kernel
def _with_the_sixth(hand: Ints, outside: int, total: int, counts: int, lowest: int, ranking: HandTables) -> int:
    """Return the highest combination in which the sixth card takes part, beside one of five cards."""
    keys, values, low, high = ranking
    rank, second = hand[outside] >> 2, NOTHING
    for place in range(6):
        if place == outside:
            continue
        key = total - keys[hand[place]]
        candidate = combination(values[low[low_part(key)] + high[high_part(key)] + flush_part(key)], lowest)
        alike = (counts >> 4 * rank & 15) - (1 if hand[place] >> 2 == rank else 0)
        whole = candidate in (STRAIGHT, FLUSH, FULL_HOUSE, STRAIGHT_FLUSH, ROYAL_FLUSH)
        if candidate > second and (whole or (candidate > ACE_KING and alike > 1)):
            second = candidate
    if second == NOTHING and rank >= KING and counts >> 4 * KING & 15 and counts >> 4 * ACE & 15:
        return ACE_KING
    return second


@dataclass(frozen=True, slots=True)
class Terms:
    """The stakes, and the odds by combination, to 1: `odds[combination]`.

    `ValueError` for odds for which the family's strategy does not say when to force.
    """

    odds: tuple[int, ...]
    stakes: Stakes

    def __post_init__(self) -> None:
        if len(self.odds) != len(COMBINATIONS) or self.odds[NOTHING]:
            raise ValueError(f"the odds are {self.odds}; there is one for each of {', '.join(COMBINATIONS)}, 0 first")
        least = self.stakes.least_forcing
        for name, odds in zip(COMBINATIONS[THREE + 1 :], self.odds[THREE + 1 :], strict=True):
            if odds < least != NEVER:
                raise ValueError(
                    f"{name} pays {odds} to 1; above three-of-a-kind it takes {least} to 1 or more, "
                    "so that a hand with which the dealer is never forced beats pairs only"
                )


def odds_of(table: Paytable) -> tuple[int, ...]:
    """Return the odds of each combination by the paytable of the Bet Wager, to 1; 0 for one that is not paid."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    if wrong := [name for name, net in pays.items() if name not in COMBINATIONS or net.denominator > 1]:
        allowed = ", ".join(COMBINATIONS[1:])
        raise ValueError(f"{table.wager} {table.name} pays {wrong[0]!r}; it pays whole odds on {allowed}")
    return tuple(int(pays.get(name, 0)) for name in COMBINATIONS)


AFTER_DRAW: Final = 8  # added to the eight for a round with a draw
WAYS: Final = FORCED_WON + AFTER_DRAW + 1


@dataclass(frozen=True, slots=True)
class End:
    """One outcome: a way, for winning ones with the odds of both combinations in all; nets in Antes."""

    outcome: str
    way: int
    net: Fraction
    wagered: Fraction  # with the Options fees
    section: str
    pays: str = ""
    combinations: tuple[tuple[int, int], ...] = ()  # (combination, second), for winning ends; none = any combination

    def count(self, ends: Ints) -> int:
        if not self.combinations:
            return int(ends[self.way].sum())
        return sum(int(ends[self.way, first, second]) for first, second in self.combinations)


_NAMES: Final = {
    ways.NOT_QUALIFIED: "Dealer does not qualify",
    ways.TIED: "Tie",
    ways.BEATEN: "Beaten by the dealer",
    WON: "Wins",
    ways.FORCED_NOT_QUALIFIED: "Dealer forced, does not qualify",
    ways.FORCED_TIED: "Dealer forced, tie",
    ways.FORCED_BEATEN: "Dealer forced, beaten by the dealer",
    FORCED_WON: "Dealer forced, wins",
}
_WITHOUT_A_DRAW: Final = {
    PAIR: (NOTHING, ACE_KING),
    TWO_PAIR: (NOTHING, ACE_KING),
    THREE: (NOTHING, ACE_KING),
    FULL_HOUSE: (NOTHING,),
    FOUR: (NOTHING, ACE_KING),
}
"""Hands that the strategy bets at once: combination → the second ones that five cards can have beside it."""


def all_ends(terms: Terms, instant: dict[int, Fraction], sections: Sections) -> tuple[End, ...]:
    """Return every outcome; combinations in the first five cards pay `instant` to 1 on the Ante."""
    unit, draw_fee = Fraction(1), terms.stakes.draw_fee
    ends = [
        End(
            f"{COMBINATIONS[first]} in the first five cards",
            ways.INSTANT,
            instant[first],
            unit,
            sections.instant_payout,
            f"{int(instant[first]):,} to 1",
            ((first, 0),),
        )
        for first in (ROYAL_FLUSH, STRAIGHT_FLUSH)
    ]
    settled = (*ways.SETTLED, *(FORCED if terms.stakes.force_fee is not None else ()))
    for drawn in (0, 1):
        for way in settled:
            if way in (WON, FORCED_WON):
                ends += _wins(terms, way, drawn, sections)
        for way in settled:
            if way not in (WON, FORCED_WON) and (way != ways.FORCED_TIED or drawn or _may_tie_forced(terms)):
                ends.append(_flat(terms, way, drawn, sections))
    ends.append(End("Folded", ways.FOLDED, -unit, unit, sections.folded))
    lost = Fraction(1 + draw_fee)
    return *ends, End("Folded after a draw", ways.FOLDED_AFTER_DRAW, -lost, lost, sections.folded_after_draw)


def _may_tie_forced(terms: Terms) -> bool:
    """Return True if a hand bet at once may force the dealer and meet its like: not with three of a kind or more."""
    return any(
        terms.odds[first] + terms.odds[second] >= terms.stakes.least_forcing
        for first in (PAIR, TWO_PAIR)
        for second in _WITHOUT_A_DRAW[first]
    )


def _fees(terms: Terms, way: int, drawn: int) -> int:
    """Return the fees, in Antes."""
    return drawn * terms.stakes.draw_fee + (terms.stakes.force_fee or 0 if way in FORCED else 0)


def _flat(terms: Terms, way: int, drawn: int, sections: Sections) -> End:
    """Return an end in which every hand is paid alike."""
    fees, bet = _fees(terms, way, drawn), terms.stakes.bet
    net = {ways.NOT_QUALIFIED: 1, ways.BEATEN: -1 - bet, ways.FORCED_BEATEN: -1 - bet}.get(way, 0)
    name = _named(_NAMES[way], drawn)
    return End(name, way + AFTER_DRAW * drawn, Fraction(net - fees), Fraction(1 + bet + fees), sections.ends[way])


def _wins(terms: Terms, way: int, drawn: int, sections: Sections) -> Iterator[End]:
    """Yield one end for each sum of odds, the highest first."""
    in_all: dict[int, list[tuple[int, int]]] = {}
    for first, seconds in (SECONDS if drawn else _WITHOUT_A_DRAW).items():
        for second in seconds:
            in_all.setdefault(terms.odds[first] + terms.odds[second], []).append((first, second))
    fees, bet = _fees(terms, way, drawn), terms.stakes.bet
    for total in sorted(in_all, reverse=True):
        if way == WON or total >= terms.stakes.least_forcing:
            pairs = tuple(in_all[total])
            yield End(
                _named(f"{_NAMES[way]} {total} to 1", drawn),
                way + AFTER_DRAW * drawn,
                Fraction(bet * total - fees),
                Fraction(1 + bet + fees),
                sections.ends[way],
                "; ".join(_combined(first, second) for first, second in pairs),
                pairs,
            )


def _combined(first: int, second: int) -> str:
    return COMBINATIONS[first] + (f" and {COMBINATIONS[second].lower()}" if second else "")


def _named(name: str, drawn: int) -> str:
    return f"{name}, after a draw" if drawn else name


FIRST_FIVE_HANDS: Final = comb(52, 5)
FIRST_FIVE_ROWS: Final = (
    "Four-of-a-kind", "Same-colored straight", "Full house", "Flush", "Straight", "Three-of-a-kind", "Ace-king",
    "Same colored five",
)  # fmt: skip
ACE_KING_ROW: Final = FIRST_FIVE_ROWS.index("Ace-king")

_STRAIGHTS: Final = 10  # sets of ranks
_ACE_KINGS: Final = comb(11, 3) - 1  # with three other ranks that make no straight
_ONE_SUIT, _ONE_COLOR, _ANY = 4, 2 * 2**5, 4**5  # suits of five different ranks
_SUITED_ACE_KING: Final = 4 * 4**3  # of them those in which ace and king share a suit
_SUITED_ONE_COLOR: Final = 2 * 2 * 2**3  # and all five a color


def first_five_counts(suited: bool = False) -> tuple[int, ...]:
    """Return the number of `HANDS` that each row pays, the lost last; `suited` = ace-kings must be of one suit."""
    ace_king = _ACE_KINGS * ((_SUITED_ACE_KING if suited else _ANY) - _ONE_SUIT)
    colored_ace_king = _ACE_KINGS * ((_SUITED_ONE_COLOR if suited else _ONE_COLOR) - _ONE_SUIT)
    flush = (comb(13, 5) - _STRAIGHTS) * _ONE_SUIT
    colored_straight = _STRAIGHTS * _ONE_COLOR  # straight and royal flushes too
    paid = (
        13 * 48,
        colored_straight,
        13 * comb(4, 3) * 12 * comb(4, 2),
        flush,
        _STRAIGHTS * _ANY - colored_straight,
        13 * comb(4, 3) * comb(12, 2) * 4**2,
        ace_king,
        2 * comb(26, 5) - flush - colored_straight - colored_ace_king,
    )
    return *paid, FIRST_FIVE_HANDS - sum(paid)


def first_five_wager(table: Paytable, wager: FirstFive) -> WagerAnalysis:
    """Return the exact analysis; `ValueError` if the paytable has other rows than `ROWS`, in this order."""
    if tuple(line.outcome for line in table.rows) != FIRST_FIVE_ROWS:
        raise ValueError(f"{table.wager} {table.name} pays other hands than {', '.join(FIRST_FIVE_ROWS)}")
    counts = dict(zip((*FIRST_FIVE_ROWS, LOST_OUTCOME), first_five_counts(), strict=True))
    nets = [*(net_of(line.pays[0], table) for line in table.rows), LOST_NET]
    suited = -sum((net * count for net, count in zip(nets, first_five_counts(suited=True), strict=True)), Fraction(0))
    note = (
        f"Computed as printed, with an ace-king of any suits. If only ace-kings of one suit were paid, the hold would "
        f"be {float(100 * suited / FIRST_FIVE_HANDS):.6f} % (reading {wager.reading})."
    )
    return counted_by_table(table, counts, FIRST_FIVE_HANDS, wager.lost, notes=(note,))
