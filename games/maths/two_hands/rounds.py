"""Rounds of seven cards a side, dealt and settled: the simulation.

Here live the deal and the count of what came of it. Not here: odds (`exact`), the exact counts (`seven_cards`,
`ace_high`), which share with this path only the numbering of the cards and the ranking of hands, nor the required
wager's (`seven_pairs`), which also shares the tables of hands set by form.

Seven cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own seven
and the dealer's seven alone, so only these fourteen are dealt. Every round starts from a full deck of 53.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, JOKER, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.streams import advance, below, start
from games.maths.two_hands import seven_forms
from games.maths.forms import KEYS, forms
from games.maths.two_hands.hands import ROYAL_MATCH, SEVEN_NATURAL, SEVEN_WITH_JOKER, SIZE, THREE_PAIR
from games.maths.two_hands.house_ways import THREE_PAIRS, rule_table
from games.maths.two_hands.ranking import ROYAL_FLUSH, high_table, low_table, place_table, wild_table
from games.maths.two_hands.setting import SETTINGS, arrange, best_answer, dealer_setting, off_suit, shape, sort_by_rank
from games.maths.two_hands.seven_forms import FRONT, SEVEN, Ints, Values, code, high_of, low_of

QUEEN, KING = 10, 11
ENDS = 4
LOSES, TIES, WINS, PUSHES = range(ENDS)  # ends of the required wager; the last where the dealer is ace high
BOTH, WITH_JOKER, NO_JOKER, NOT = range(4)  # whether the dealer is ace high: with the player, alone, not


@dataclass(frozen=True, slots=True)
class Counts:
    """What came of the rounds, counted before any odds are looked at; `deck` opens with the last round's cards."""

    settled: Ints  # LOSES, TIES, WINS, PUSHES
    ace_high: Ints  # BOTH, WITH_JOKER, NO_JOKER, NOT
    made: Ints  # by the bits of `hands`: what the player's seven cards make
    made_wild: Ints  # the same with a fully wild joker
    deck: Ints  # the dealer's seven cards, the player's seven, the rest


def play(seed: int, block: int, rounds: int, house_way: str) -> Counts:
    """Deal and settle `rounds` rounds of stream (seed, block)."""
    settled, ace_high, made, made_wild = (np.zeros(size, np.int64) for size in (4, 4, SIZE, SIZE))
    counts = Counts(settled, ace_high, made, made_wild, np.arange(JOKER_DECK))
    numbers, known = forms(SEVEN), seven_forms.tables()
    by_form = np.zeros(len(known.bits), np.int64)
    _play(
        *(seed, block, rounds, KEYS, numbers.low, numbers.high, seven_forms.dealer_sets(house_way).codes),
        *(known.fronts, known.ace_high, known.joker, known.highs, known.lows, rule_table(house_way)),
        *(place_table(), high_table(), wild_table(), low_table()),
        *(settled, ace_high, by_form, made, made_wild, counts.deck),
    )
    np.add.at(made, known.bits, by_form)
    np.add.at(made_wild, known.wild_bits, by_form)
    return counts


@kernel
def seven_card_hands(cards: Ints, off: int, highs: Ints) -> int:
    """Bits for the hands of seven cards: a straight flush of seven, a royal flush with a Royal Match."""
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
    """The code of the hands of a dealer who has five cards of a suit; sorts the cards."""
    sort_by_rank(cards)
    arrange(cards, off_suit(cards), places, values, low_table, sums, highs, lows)
    form, lead = shape(cards)
    _, chosen = dealer_setting(form, 1, lead, rules, highs, lows)
    return code(highs[chosen], lows[chosen], high_values, low_values)


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
    """How many of the dealer's hands a player beats who has five cards of a suit; sorts and counts the dealer's
    cards."""
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
def _play(
    seed: int,
    block: int,
    rounds: int,
    keys: Ints,
    low: Values,
    high: Values,
    dealer_codes: Values,
    fronts: Values,
    ace_highs: NDArray[np.bool_],
    jokers: NDArray[np.bool_],
    high_values: Values,
    low_values: Values,
    rules: Ints,
    places: Ints,
    values: Values,
    wild_values: Values,
    low_table: Values,
    settled: Ints,
    ace_high: Ints,
    by_form: Ints,
    made: Ints,
    made_wild: Ints,
    deck: Ints,
) -> None:
    state = start(seed, block)
    cards, sums = np.zeros(7, np.int64), np.zeros((3, 8), np.int64)  # room for hands with a flush
    highs, lows = np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
    for _ in range(rounds):
        dealer_key, player_key = 0, 0
        for place in range(7):
            state = advance(state)
            pick = place + below(state, JOKER_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
            dealer_key += keys[deck[place]]
        for place in range(7, 14):
            state = advance(state)
            pick = place + below(state, JOKER_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
            player_key += keys[deck[place]]
        dealer, player = -1, -1  # forms, where there is no flush
        if flush_part(dealer_key) == 0:
            dealer = low[low_part(dealer_key)] + high[high_part(dealer_key)]
        if flush_part(player_key) == 0:
            player = low[low_part(player_key)] + high[high_part(player_key)]

        # The dealer's hands are set by the house way and shown.
        if dealer >= 0:
            shown = int(dealer_codes[dealer])
        else:
            cards[:] = deck[:7]
            shown = dealer_with_flush(
                *(cards, rules, places, values, low_table, high_values, low_values, sums, highs, lows)
            )
        dealer_high, dealer_low = np.int32(high_of(shown)), np.int32(low_of(shown))

        # The player answers the dealer's hands; what the player's seven cards make.
        beaten = np.int32(0)
        if player >= 0:
            for setting in range(FRONT):
                packed = fronts[player, setting]
                beats = np.int32(high_of(packed) > dealer_high) + np.int32(low_of(packed) > dealer_low)
                beaten = max(beaten, beats)
            by_form[player] += 1
        else:
            cards[:] = deck[7:14]
            met = player_with_flush(
                *(cards, high_values[dealer_high], low_values[dealer_low], places, values, wild_values, low_table),
                *(made, made_wild, sums, highs, lows),
            )
            beaten = np.int32(met)

        # Where the dealer is ace high the required wager ties, and the wager on it wins.
        if dealer < 0 or not ace_highs[dealer]:
            settled[beaten] += 1
            ace_high[NOT] += 1
        else:
            settled[PUSHES] += 1
            alone = WITH_JOKER if jokers[dealer] else NO_JOKER
            ace_high[BOTH if player >= 0 and ace_highs[player] else alone] += 1
