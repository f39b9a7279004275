"""Rounds of Raise It Up Stud Poker, dealt and settled card by card as §§ 587.8 to 587.11 say.

The independent test of `raise_it_up`: it shares with it the encoding of cards, the ranking of hands, the numbering of
sets and the decisions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.staged_raises.flop_poker_rounds import ROYAL, own_class
from games.maths.staged_raises.raise_it_up import FOLD, ONCE, ROYAL_OF_SPADES, SPADES, THREE_TIMES, TWICE, Decisions
from games.maths.staged_raises.raise_it_up_sets import CHOOSE
from games.maths.streams import advance, below, start

OWN, COMMUNITY = 3, 3
CARDS_DEALT = OWN + COMMUNITY
UNDECIDED = -1
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `required[end, class]` of the best five of six cards (0 = no winning hand);
    `own[folded, class]` of the three own cards, the royal of spades apart; and the cards of the last round, the
    player's first."""

    required: Ints
    own: Ints
    last: tuple[int, ...]


def deal_rounds(decisions: Decisions, least: int, stream: tuple[int, int, int]) -> Settled:
    """Rounds of stream (seed, block, rounds) under the decisions; `least`: the lowest value of a winning hand."""
    ranking = standard()
    deck = np.arange(FULL_DECK)
    required, own = np.zeros((4, len(ranking.classes)), np.int64), np.zeros((2, ROYAL_OF_SPADES + 1), np.int64)
    tables = (ranking.keys, ranking.values, LOW, HIGH, CHOOSE)
    raises = (decisions.three_times, decisions.twice, decisions.once)
    _deal(*stream, deck, tables, raises, least, required, own)
    return Settled(required, own, tuple(int(card) for card in deck[:CARDS_DEALT]))


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[Ints, NDArray[np.int32], NDArray[np.int16], NDArray[np.int16], Ints],
    raises: tuple[Bools, Bools, Bools],
    least: int,
    required: Ints,
    own: Ints,
) -> None:
    keys, values, low, high, choose = tables
    three_times, twice, once = raises
    smaller = np.zeros(CARDS_DEALT, np.int64)
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt: § 587.5(a)
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # § 587.11(b), (d), (f): one decision after another, each on the cards seen
        end = UNDECIDED
        for seen in range(CARDS_DEALT - 1):
            if end != UNDECIDED:
                break
            smaller[seen] = 0  # of the cards seen, how many are lower than this one
            for earlier in range(seen):
                higher = 1 if deck[seen] > deck[earlier] else 0
                smaller[seen] += higher
                smaller[earlier] += 1 - higher
            if seen + 1 < OWN:
                continue
            known = np.int64(0)  # the place of the set of cards seen
            for card in range(seen + 1):
                known += choose[deck[card], smaller[card] + 1]
            if seen + 1 == OWN:
                end = THREE_TIMES if three_times[known] else UNDECIDED
            elif seen == OWN:
                end = TWICE if twice[known] else UNDECIDED
            else:
                end = ONCE if once[known] else FOLD

        # § 587.11(g), (i)(1), (i)(3)(i): the own three cards
        kind = own_class(deck[0], deck[1], deck[2])
        if kind == ROYAL and deck[0] % 4 == SPADES:
            kind = ROYAL_OF_SPADES
        own[1 if end == FOLD else 0, kind] += 1

        # § 587.11(i)(2): the best five of the six cards
        key = 0
        for place in range(CARDS_DEALT):
            key += keys[deck[place]]
        best = 0
        for place in range(CARDS_DEALT):
            five = key - keys[deck[place]]
            best = max(best, values[low[low_part(five)] + high[high_part(five)] + flush_part(five)])
        required[end, class_of(best) if best >= least else 0] += 1
