"""Rounds of seven cards a side, dealt and settled: the simulation.

It shares with the exact counts of hands (`seven_wagers`) only the numbering of the cards and the ranking of hands, and
with those of the required wager (`seven_pairs`) also the tables of hands set by form. Hands with five or more of a suit
have no form: each is set by itself.

Seven cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own seven
and the dealer's seven alone, so only these fourteen are dealt. Every round starts from a full deck of 53.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, JOKER, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.streams import advance, below, start
from games.maths.two_hands import setting
from games.maths.two_hands.ranking import (
    FLUSH,
    HAND_SETS,
    JOKER_RANK,
    ROYAL_FLUSH,
    ROYAL_MATCH,
    SEVEN_NATURAL,
    SEVEN_WITH_JOKER,
    THREE_PAIR,
    high_table,
    low_table,
    place_table,
    wild_table,
)
from games.maths.two_hands.setting import (
    SETTINGS,
    SEVEN_CARDS,
    THREE_PAIRS,
    Ints,
    Values,
    arrange,
    best_answer,
    dealer_setting,
    hands_code,
    high_of,
    low_of,
    off_suit,
    rule_table,
    shape,
    sort_by_rank,
)

QUEEN, KING = 10, 11
CARDS_DEALT = 14
ENDS = 4
LOSES, TIES, WINS, PUSHES = range(ENDS)  # ends of the required wager; the last where the dealer is ace high
ACE_HIGH, HAS_JOKER = 1 << 24, 1 << 25  # added to the code of a dealer's hands
BOTH, WITH_JOKER, NO_JOKER, NOT = range(4)  # whether the dealer is ace high: with the player, alone, not


@dataclass(frozen=True, slots=True)
class Counts:
    """The rounds by their ends, counted before any odds are looked at; `deck` opens with the last round's cards."""

    settled: Ints  # LOSES, TIES, WINS, PUSHES
    ace_high: Ints  # BOTH, WITH_JOKER, NO_JOKER, NOT
    made: Ints  # by the bits of hands (`ranking`): what the player's seven cards make
    made_wild: Ints  # the same with a fully wild joker
    deck: Ints  # the dealer's seven cards, the player's seven, the rest


def play(seed: int, block: int, rounds: int, house_way: str) -> Counts:
    """Deal and settle `rounds` rounds of stream (seed, block)."""
    settled, ace_high, made, made_wild = (np.zeros(size, np.int64) for size in (4, 4, HAND_SETS, HAND_SETS))
    counts = Counts(settled, ace_high, made, made_wild, np.arange(JOKER_DECK))
    numbers, known, without_flush = forms(SEVEN_CARDS), setting.form_tables(), _without_flush()
    by_kind = np.zeros((2, len(without_flush.bits)), np.int64)
    _play(
        *(seed, block, rounds, KEYS, numbers.low, numbers.high, _dealers(house_way)),
        *(without_flush.first, without_flush.codes),
        *(without_flush.kinds, known.ace_high),
        *(*_flush_places(), known.highs, known.lows),
        *(rule_table(house_way), place_table()),
        *(high_table(), wild_table(), low_table()),
        *(settled, ace_high, by_kind, made, made_wild, counts.deck),
    )
    for flush, numbers_of in enumerate(by_kind):
        np.add.at(made, without_flush.bits | flush << FLUSH, numbers_of)
        np.add.at(made_wild, without_flush.wild_bits | flush << FLUSH, numbers_of)
    return counts


@dataclass(frozen=True, slots=True)
class WithoutFlush:
    """A player's hands by form, in so few bytes that they stay in a core's own cache.

    The front of a form is `codes[first[form] : first[form + 1]]`; its kind tells the bits of hands, also under a fully
    wild joker.
    """

    first: Values
    codes: Values
    kinds: NDArray[np.uint16]  # by form
    bits: Ints  # by kind
    wild_bits: Ints  # by kind


@cache
def _without_flush() -> WithoutFlush:
    known = setting.form_tables()
    used = known.fronts != 0
    first = np.concatenate(([0], used.sum(axis=1).cumsum())).astype(np.int32)
    bits, kinds = np.unique(known.bits * HAND_SETS + known.wild_bits, return_inverse=True)
    return WithoutFlush(first, known.fronts[used], kinds.astype(np.uint16), bits // HAND_SETS, bits % HAND_SETS)


@cache
def _flush_places() -> tuple[Values, Values]:
    """Return the place of a plain flush by its ranks as bits, −1 for more than that; of two cards by their ranks.

    Places are those of a code; the joker is the fourteenth rank.
    """
    flushes, known, by_place = np.full(1 << JOKER_RANK + 1, -1, np.int32), setting.form_tables(), place_table()
    for ranks in combinations(range(JOKER_RANK + 1), 5):
        value = high_table()[1, sum(int(by_place[place, rank]) for place, rank in enumerate(ranks))]
        if value >> 20 == FLUSH:
            flushes[sum(1 << rank for rank in ranks)] = np.searchsorted(known.highs, value)
    return flushes, np.searchsorted(known.lows, low_table()).astype(np.int32)


@cache
def _dealers(house_way: str) -> Values:
    """Return the code of the dealer's hands by form, with `ACE_HIGH` added for these, `HAS_JOKER` with the joker."""
    known = setting.form_tables()
    marked = setting.dealer_sets(house_way).codes + ACE_HIGH * known.ace_high + HAS_JOKER * known.joker
    return np.asarray(marked, np.int32)


@kernel
def _play(
    seed: int,
    block: int,
    rounds: int,
    keys: Ints,
    low: Values,
    high: Values,
    dealers: Values,
    first: Values,
    codes: Values,
    kinds: NDArray[np.uint16],
    ace_highs: NDArray[np.bool_],
    flushes: Values,
    low_places: Values,
    high_values: Values,
    low_values: Values,
    rules: Ints,
    places: Ints,
    values: Values,
    wild_values: Values,
    low_table: Values,
    settled: Ints,
    ace_high: Ints,
    by_kind: Ints,
    made: Ints,
    made_wild: Ints,
    deck: Ints,
) -> None:
    state = start(seed, block)
    cards, sums = np.zeros(7, np.int64), np.zeros((3, 8), np.int64)  # room for hands with a flush
    highs, lows = np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):
            state = advance(state)
            pick = place + below(state, JOKER_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        dealer_key, player_key = 0, 0
        for place in range(7):
            dealer_key += keys[deck[place]]
            player_key += keys[deck[7 + place]]
        dealer = low[low_part(dealer_key)] + high[high_part(dealer_key)]  # forms
        player = low[low_part(player_key)] + high[high_part(player_key)]

        # The dealer's hands are set by the house way and shown.
        if flush_part(dealer_key) == 0:
            shown = int(dealers[dealer])
        else:
            for place in range(7):
                cards[place] = deck[place]
            shown = dealer_with_flush(
                *(cards, rules, places, values, low_table, high_values, low_values, sums, highs, lows)
            )
        dealer_high, dealer_low = high_of(shown & (ACE_HIGH - 1)), low_of(shown)

        # The player answers the dealer's hands; what the player's seven cards make.
        beaten = 0
        for place in range(first[player], first[player + 1]):
            packed = codes[place]
            beats = (1 if high_of(packed) > dealer_high else 0) + (1 if low_of(packed) > dealer_low else 0)
            beaten = max(beaten, beats)
        if flush_part(player_key) == 0:
            by_kind[0, kinds[player]] += 1
        else:
            answer = answer_with_flush(deck[7:CARDS_DEALT], dealer_high, dealer_low, flushes, low_places)
            if answer >= 0:
                beaten = max(beaten, answer)
                by_kind[1, kinds[player]] += 1
            else:
                for place in range(7):
                    cards[place] = deck[7 + place]
                beaten = player_with_flush(
                    *(cards, high_values[dealer_high], low_values[dealer_low], places, values, wild_values, low_table),
                    *(made, made_wild, sums, highs, lows),
                )

        # Where the dealer is ace high the required wager ties, and the wager on it wins.
        if shown & ACE_HIGH == 0:
            settled[beaten] += 1
            ace_high[NOT] += 1
        else:
            settled[PUSHES] += 1
            alone = WITH_JOKER if shown & HAS_JOKER else NO_JOKER
            both = flush_part(player_key) == 0 and ace_highs[player]
            ace_high[BOTH if both else alone] += 1


@kernel
def seven_card_hands(cards: Ints, off: int, highs: Ints) -> int:
    """Return bits for the hands of seven cards: a straight flush of seven, a royal flush with a Royal Match."""
    bits = 0
    if off == 0:
        naturals = 7 if cards[6] < JOKER else 6
        low, second = cards[0] >> 2, cards[naturals - 2] >> 2
        high = cards[naturals - 1] >> 2
        if high - low <= 6 or (high == ACE and second <= 5):
            bits |= SEVEN_NATURAL if naturals == 7 else SEVEN_WITH_JOKER
    setting = 0
    for first in range(6):
        for second in range(first + 1, 7):
            if highs[setting] >> 20 == ROYAL_FLUSH:
                pair = (cards[first] >> 2 == QUEEN) and (cards[second] >> 2 == KING)
                if pair and cards[first] & 3 == cards[second] & 3:
                    bits |= ROYAL_MATCH
            setting += 1
    return bits


@kernel
def dealer_with_flush(
    cards: Ints,
    rules: Ints,
    places: Ints,
    values: Values,
    low_table: Values,
    high_values: Values,
    low_values: Values,
    sums: Ints,
    highs: Ints,
    lows: Ints,
) -> int:
    """Return the code of the hands of a dealer who has five cards of a suit; sorts the cards."""
    sort_by_rank(cards)
    arrange(cards, off_suit(cards), places, values, low_table, sums, highs, lows)
    form, lead = shape(cards)
    _, chosen = dealer_setting(form, 1, lead, rules, highs, lows)
    return hands_code(highs[chosen], lows[chosen], high_values, low_values)


@kernel
def player_with_flush(
    cards: Ints,
    dealer_high: int,
    dealer_low: int,
    places: Ints,
    values: Values,
    wild_values: Values,
    low_table: Values,
    made: Ints,
    made_wild: Ints,
    sums: Ints,
    highs: Ints,
    lows: Ints,
) -> int:
    """Return the number of the dealer's hands that a player with a flush beats; sort the cards, count their hands."""
    sort_by_rank(cards)
    off = off_suit(cards)
    met = arrange(cards, off, places, values, low_table, sums, highs, lows)
    beaten = best_answer(dealer_high, dealer_low, highs, lows)
    form, _ = shape(cards)
    met |= THREE_PAIR if form == THREE_PAIRS else 0
    if off == 0 or met >> ROYAL_FLUSH & 1:
        met |= seven_card_hands(cards, off, highs)
    made[met] += 1
    if cards[6] == JOKER:
        met |= arrange(cards, off, places, wild_values, low_table, sums, highs, lows)
    made_wild[met] += 1
    return beaten


@kernel
def answer_with_flush(cards: Ints, dealer_high: int, dealer_low: int, flushes: Values, low_places: Values) -> int:
    """Return the number of the dealer's hands that a flush beats; −1 if it may be more than a plain flush."""
    sizes = 0
    for card in cards:
        sizes += 0x1111 if card == JOKER else 1 << 4 * (card & 3)
    suit = 0
    for candidate in range(1, 4):
        if sizes >> 4 * candidate & 15 >= 5:
            suit = candidate
    ranks, off = 0, 0
    for place in range(7):
        if cards[place] == JOKER or cards[place] & 3 == suit:
            ranks |= 1 << (cards[place] >> 2)
        else:
            off |= 1 << place
    if off == 0:
        return -1
    beaten = 0
    for first in range(6):
        for second in range(first + 1, 7):
            if off & ~(1 << first | 1 << second) == 0:
                a, b = cards[first] >> 2, cards[second] >> 2
                five = ranks
                if off >> first & 1 == 0:
                    five &= ~(1 << a)
                if off >> second & 1 == 0:
                    five &= ~(1 << b)
                if flushes[five] < 0:
                    return -1
                beats = (1 if flushes[five] > dealer_high else 0) + (1 if low_places[a, b] > dealer_low else 0)
                beaten = max(beaten, beats)
    return beaten
