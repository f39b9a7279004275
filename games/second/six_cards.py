"""Rounds of six cards a side, set into a high hand of five and a low hand of one.

The dealer sets by the house way that the regulation prescribes, read here from its words: the class of the best five
cards stays whole, a royal flush as a straight flush, and of what is left the highest card is the low hand, the joker
above the ace. The player's settings and doubles are given. The player's six cards are dealt first, then the dealer's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import endings, reset_meters
from games.second.hands import ACE, FLUSH, NO_PAIR, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH
from games.second.table import Dealt, Ending, Stream
from games.second.two_hands import (
    CLASS,
    DECK,
    FIVE_ALIKE,
    FLUSHES,
    GROUPED,
    JOKER,
    JOKER_RANK,
    NO_FLUSH,
    Ints,
    cards_of,
    class_of,
    five_cards,
    keys,
    lower,
    numbers,
    rank_of,
    suit,
    upper,
)
from games.streams import advance, below, start

SIX: Final = 6
HOUSE_WAY: Final = -1  # in place of the rank that the player sets as the low hand
HIGH: Final = (1 << 30) - 1  # of a code (`set_hands`): the high hand
FIRSTS: Final = 13 * (FIVE_ALIKE + 1)

WIN, HIGH_WINS, LOW_WINS, BOTH_LOWER, LOW_COPY, HIGH_COPY, BOTH_COPY = range(7)
COMPARED: Final = (
    ("Both hands win", 1),
    ("High hand wins, low hand does not", 0),
    ("Low hand wins, high hand does not", 0),
    ("Both hands lower", -1),
    ("High hand lower, low hand identical", -1),
    ("High hand identical, low hand lower", -1),
    ("Both hands identical", -1),
)
DOUBLE_WINS, DOUBLE_TIES, DOUBLE_LOSES, RETURNED, NOT_PLACED = range(5)
DOUBLED: Final = (
    ("Wins", 1, 1),
    ("Ties", 1, 0),
    ("Loses", 1, -1),
    ("Returned: the dealer has less than a pair of 8s", 1, 0),
    ("Not placed", 0, 0),
)
Strategy = tuple[Ints, Ints, Ints, Sequence[tuple[int, int] | None]]
"""Of each of the player's hands the six ranks, rising, 13 the joker; the places of the cards outside of a suit that
five share, as bits, all six where none do; the rank of the low hand. Last, for each rank of the low hand the least high
hand with which the player doubles, by its class, lowest first, and the rank compared first (of a straight: 13 = ace to
10, 12 = ace to 5); None = never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardTable:
    """The table of one game; the required wager and its double pay even money."""

    required: str  # keys of the wagers
    double: str
    metered: str
    qualifying_pair: int  # rank of the dealer's least pair with which the double is settled
    classes: Mapping[str, int]  # printed row → the class of the best five cards that it pays
    highest_cards: Mapping[str, int]  # printed row → the highest rank of five cards without a pair
    least_reset: int  # dollars on the meter where no other amount is answered

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; the last: the player's six cards, then the dealer's."""
        compared, doubled, best = np.zeros(7, np.int64), np.zeros(5, np.int64), np.zeros(FIRSTS, np.int64)
        deck, numbered = np.arange(DECK), numbers(SIX)
        plain, suited = _low_hands(strategy)
        player, dealer = _set_by_ranks(plain), _by_house_way()
        doubles = np.array([_least(*least) if least else FIVE_ALIKE + 1 << CLASS for least in strategy[3]])
        qualifier = _least(PAIR, self.qualifying_pair)
        sums = keys(), numbered.low, numbered.high
        _deal(*stream, sums, player, dealer, suited, doubles, qualifier, compared, doubled, best, deck)
        settled: dict[str, Sequence[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == self.required:
                ends = ((outcome, 1, net) for outcome, net in COMPARED)
                settled[wager] = _even_money(ends, compared)
            elif wager == self.double:
                settled[wager] = _even_money(DOUBLED, doubled)
            else:
                table = chapter.paytable(wager, name)
                counts = {row.outcome: self._rounds(row.outcome, best) for row in table.rows}
                reset = replace(table, seed=Decimal(self.least_reset))
                meters = reset_meters(reset, answers) if wager == self.metered else {}
                settled[wager] = endings(table, counts, stream[2], meters)
        return Dealt(settled, tuple(deck[: 2 * SIX].tolist()))

    def _rounds(self, row: str, best: Ints) -> int:
        """Return the rounds in which the player's best five cards are those of the row."""
        if row in self.classes:
            return int(best[13 * self.classes[row] : 13 * self.classes[row] + 13].sum())
        return int(best[self.highest_cards[row]])


def _even_money(ends: Iterable[tuple[str, int, int]], rounds: Ints) -> list[Ending]:
    return [
        Ending(outcome, Fraction(wagered), Fraction(won), int(number))
        for (outcome, wagered, won), number in zip(ends, rounds, strict=True)
    ]


def _least(hand_class: int, first: int) -> int:
    """Return the number of the least high hand of the class with this rank compared first."""
    if hand_class in (STRAIGHT, STRAIGHT_FLUSH, ROYAL_FLUSH):
        return hand_class << CLASS | 1 << first - 4
    return hand_class << CLASS | 1 << first + (0 if hand_class in (NO_PAIR, FLUSH) else GROUPED)


def _low_hands(strategy: Strategy) -> tuple[Ints, Ints]:
    """Return the ranks of the player's low hands by number, and by `[ranks of the suit as bits, rank beside it]`."""
    ranks, outside, lows, _ = strategy
    beside = outside[:, None] >> np.arange(SIX) & 1 == 1
    no_suit = beside.all(axis=1)
    plain, suited = np.zeros(len(numbers(SIX).ranks), np.int64), np.zeros((1 << 13, 14), np.int64)
    plain[numbers(SIX).of(ranks[no_suit])] = lows[no_suit]
    in_suit = np.where(beside | (ranks == JOKER_RANK), 0, 1 << ranks).sum(axis=1)
    left = np.where(beside.any(axis=1), np.where(beside, ranks, 0).max(axis=1), JOKER_RANK)
    suited[in_suit[~no_suit], left[~no_suit]] = lows[~no_suit]
    return plain, suited


@cache
def _by_house_way() -> Ints:
    return _set_by_ranks(np.full(len(numbers(SIX).ranks), HOUSE_WAY))


def _set_by_ranks(lows: Ints) -> Ints:
    """Return the code of six cards by number, no five of a suit, where the low hands are of these ranks."""
    codes = np.zeros(len(lows), np.int64)
    _set_all(cards_of(numbers(SIX).ranks), lows, codes)
    return codes


@kernel
def _set_all(cards: Ints, lows: Ints, codes: Ints) -> None:
    highs = np.zeros(SIX, np.int64)
    for number in range(len(cards)):
        codes[number] = set_hands(cards[number], lows[number], highs)


@kernel
def set_hands(cards: Ints, low_rank: int, highs: Ints) -> int:
    """Return the code of six cards, set with a low hand of this rank or by the house way; `highs`: room for six.

    Above four bits for the rank of the low hand are 30 for the high hand; above these, 13 × the class of the best five
    cards, and their highest rank where they have no pair.
    """
    a, b, c, d, e, f = cards
    for place in range(SIX):
        highs[place] = five_cards(b, c, d, e, f)  # without card `place`
        a, b, c, d, e, f = b, c, d, e, f, a
    best = int(highs.max())
    whole = STRAIGHT_FLUSH if class_of(best) == ROYAL_FLUSH else class_of(best)
    chosen_low, chosen_high = -1, -1
    for place in range(SIX):
        high, low = highs[place], cards[place] >> 2
        legal = high >= 1 << rank_of(cards[place])
        fits = class_of(high) >= whole if low_rank == HOUSE_WAY else low == low_rank
        if legal and fits and (low > chosen_low or (low == chosen_low and high > chosen_high)):
            chosen_low, chosen_high = low, high
    highest = 0
    while class_of(best) == NO_PAIR and best >> highest > 1:
        highest += 1
    return 13 * class_of(best) + highest << 34 | chosen_high << 4 | chosen_low


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    sums: tuple[Ints, NDArray[np.int32], NDArray[np.int32]],
    player: Ints,
    dealer: Ints,
    suited: Ints,
    doubles: Ints,
    qualifier: int,
    compared: Ints,
    doubled: Ints,
    best: Ints,
    deck: Ints,
) -> None:
    keys_of, low_numbers, high_numbers = sums
    state = start(seed, block)
    codes, highs = np.zeros(2, np.int64), np.zeros(SIX, np.int64)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for who in range(2):
            total = NO_FLUSH
            for place in range(SIX * who, SIX * who + SIX):
                state = advance(state)
                pick = place + below(state, DECK - place)
                deck[place], deck[pick] = deck[pick], deck[place]
                total += keys_of[deck[place]]
            if total & FLUSHES == 0:
                number = low_numbers[lower(total)] + high_numbers[upper(total)]
                codes[who] = dealer[number] if who else player[number]
            elif who:
                codes[who] = set_hands(deck[SIX : 2 * SIX], HOUSE_WAY, highs)
            else:
                shared, ranks = suit(deck[:SIX])
                codes[who] = set_hands(deck[:SIX], suited[ranks, _beside(deck[:SIX], shared)], highs)
        high, low = codes[0] >> 4 & HIGH, codes[0] & 15
        dealer_high, dealer_low = codes[1] >> 4 & HIGH, min(codes[1] & 15, ACE)
        if high > dealer_high:
            end = WIN if low > dealer_low else HIGH_WINS
        elif low > dealer_low:
            end = LOW_WINS
        elif low == dealer_low:
            end = BOTH_COPY if high == dealer_high else LOW_COPY
        else:
            end = HIGH_COPY if high == dealer_high else BOTH_LOWER
        compared[end] += 1
        if high < doubles[low]:
            doubled[NOT_PLACED] += 1
        elif dealer_high < qualifier:
            doubled[RETURNED] += 1
        elif end == WIN:
            doubled[DOUBLE_WINS] += 1
        else:
            doubled[DOUBLE_TIES if end in (HIGH_WINS, LOW_WINS) else DOUBLE_LOSES] += 1
        best[codes[0] >> 34] += 1


@kernel
def _beside(cards: Ints, shared: int) -> int:
    """Return the rank of the card outside of the suit; 13 = none but the joker."""
    for card in cards:
        if card != JOKER and card & 3 != shared:
            return int(card >> 2)
    return JOKER_RANK
