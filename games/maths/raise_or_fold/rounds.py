"""Rounds of DJ Wild Stud Poker, dealt and settled card by card as §§ 687a.8 to 687a.11 say.

The independent test of `exact` and `hand_counts`: it shares with them the encoding of cards and the ranking of hands
only.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER, JOKER_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, Ranking, class_of, flush_part, high_part, low_part
from games.maths.streams import advance, below, start

FOLD, WIN, TIE, LOSE = range(4)
NATURAL, WITH_WILD = range(2)
CARDS_DEALT = 11  # five to the player, five to the dealer, one that may replace the joker
DEUCE_CARDS = 4
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `required[result, player's class]`, `trips[column, class]` of the better payout,
    `bad_beat[class]` of the beaten hand (0 = none was), `progressive[folded, class]` with the joker replaced; and the
    last round's cards."""

    required: Ints
    trips: Ints
    bad_beat: Ints
    progressive: Ints
    deck: Ints

    @property
    def player(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self.deck[:5])

    @property
    def dealer(self) -> tuple[int, ...]:
        return tuple(int(card) for card in self.deck[5:10])

    @property
    def replacement(self) -> int:
        """The card that replaces the joker for the Progressive Bonus Wager."""
        return int(self.deck[10])


def deal_rounds(
    wild: Ranking,
    plain: Ranking,
    folds: NDArray[np.bool_],
    pays: tuple[Ints, Ints],
    least_beaten: int,
    stream: tuple[int, int, int],
) -> Settled:
    """Rounds of stream (seed, block, rounds). `folds[value]`: the player's decision; `pays`: what the Trips Bonus
    Wager wins by plain class and by class with wilds (−1: nothing); `least_beaten`: the lowest class of a bad beat."""
    size = len(wild.classes)
    settled = Settled(
        np.zeros((4, size), np.int64),
        np.zeros((2, size), np.int64),
        np.zeros(size, np.int64),
        np.zeros((2, len(plain.classes)), np.int64),
        np.arange(JOKER_DECK),
    )
    tables = (wild.keys, wild.values, plain.keys, plain.values, LOW, HIGH)
    tallies = (settled.required, settled.trips, settled.bad_beat, settled.progressive)
    _deal(*stream, settled.deck, tables, folds, pays, least_beaten, tallies)
    return settled


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[Ints, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16]],
    folds: NDArray[np.bool_],
    pays: tuple[Ints, Ints],
    least_beaten: int,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    wild_keys, wild_values, plain_keys, plain_values, low, high = tables
    plain_pays, wild_pays = pays
    required, trips, bad_beat, progressive = tallies
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt: § 687a.8(d) to (f)
            state = advance(state)
            pick = place + below(state, JOKER_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        own_key, plain_key, dealer_key = 0, 0, 0
        joker, deuces = False, False
        for place in range(5):
            card = deck[place]
            own_key += wild_keys[card]
            dealer_key += wild_keys[deck[5 + place]]
            if card == JOKER:
                joker = True
                card = deck[10]  # § 687a.11(f)(1)
            elif card < DEUCE_CARDS:
                deuces = True
            plain_key += plain_keys[card]
        own = wild_values[low[low_part(own_key)] + high[high_part(own_key)] + flush_part(own_key)]
        dealer = wild_values[low[low_part(dealer_key)] + high[high_part(dealer_key)] + flush_part(dealer_key)]
        plain = class_of(plain_values[low[low_part(plain_key)] + high[high_part(plain_key)] + flush_part(plain_key)])
        own_class = class_of(own)

        # § 687a.11(b), (e): fold, or raise and compare
        folded = folds[own]
        result = FOLD if folded else WIN if own > dealer else TIE if own == dealer else LOSE
        required[result, own_class] += 1

        # § 687a.11(f)(1)
        progressive[1 if folded else 0, plain] += 1

        # § 687a.12(d): the better payout of a hand with 2s; with the joker there is no natural hand
        if joker or (deuces and wild_pays[own_class] > plain_pays[plain]):
            trips[WITH_WILD, own_class] += 1
        else:
            trips[NATURAL, plain] += 1

        # § 687a.11(f)(3), either way; § 687a.11(b)(2): a folded hand forfeits it
        beaten = class_of(min(own, dealer))
        bad_beat[beaten if result in (WIN, LOSE) and beaten >= least_beaten else 0] += 1
