"""The dealer's hand: how likely it comes to 17, 18, 19, 20, 21, 22 or more, for any cards that have left the shoe.

The dealer draws to 16 and stands on all 17s. A dealer's Blackjack ends the round before any decision, so that its
chance is left out: what is returned adds up to the chance that the dealer has none. Not here: what the player's hand
is worth then.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.blackjack.hands import (
    ACE,
    BLACKJACK,
    CARDS,
    COUNTS,
    NEXT_HAND,
    TEN,
    TOTAL,
    VALUES,
    Floats,
    ValueCounts,
)

ENDS = 7
"""17, 18, 19, 20, 21, 22, above 22."""
DEALER_STOPS_AT = 17
LANES = 32
"""Shoes that `chances` carries along side by side: as many as fill vectors and still lie in the nearest caches."""
_BLACKJACK = -1 - ENDS


class Draws(NamedTuple):
    """The dealer's unfinished hands, of all up cards one after the other, each before those that it grows into."""

    first: NDArray[np.int64]  # up card → its first hand; one more number for the end
    drawn: Floats  # hand × value: cards drawn to the up card
    size: Floats  # cards drawn to the up card
    moves: NDArray[np.int64]  # hand × value → hand, or −1 − end, or one below for a Blackjack


def _unfinished(up: int) -> list[int]:
    unfinished = [int(NEXT_HAND[0, up])]
    for hand in unfinished:
        unfinished += sorted({int(to) for to in NEXT_HAND[hand] if TOTAL[to] < DEALER_STOPS_AT} - set(unfinished))
    return sorted(unfinished)


def _move(to: int, number: dict[int, int]) -> int:
    if to == BLACKJACK:
        return _BLACKJACK
    return number[to] if to in number else -1 - min(int(TOTAL[to]) - DEALER_STOPS_AT, ENDS - 1)


@cache
def draws() -> Draws:
    """Return the tables that `chances` reads."""
    first, hands, moves, drawn = [0], list[int](), list[list[int]](), []
    for up in range(VALUES):
        mine = _unfinished(up)
        number = {hand: len(hands) + place for place, hand in enumerate(mine)}
        moves += [[_move(int(to), number) for to in NEXT_HAND[hand]] for hand in mine]
        drawn.append(COUNTS[mine] - np.eye(VALUES)[up])
        hands += mine
        first.append(len(hands))
    return Draws(np.array(first), np.concatenate(drawn), CARDS[hands] - 1.0, np.array(moves))


@kernel
def chances(
    draws: Draws, up: int, base: ValueCounts, counts: NDArray[np.int8], hands: NDArray[np.int64], out: Floats
) -> None:
    """Write the chances with the up card into `out[hand, end]`, each of `hands` having left the shoe `base`.

    Hands are lanes, each added up in the same order beside any others. What a shoe cannot deal has the chance 0.
    """
    first, last = draws.first[up], draws.first[up + 1]
    left, unseen, chance = np.zeros((VALUES, LANES)), np.zeros(LANES), np.empty(LANES)
    reached, ended = np.empty((last - first, LANES)), np.empty((ENDS, LANES))
    for begin in range(0, len(hands), LANES):
        lanes = min(LANES, len(hands) - begin)
        for lane in range(lanes):
            unseen[lane] = 0.0
            for value in range(VALUES):
                left[value, lane] = base[value] - counts[hands[begin + lane], value]
                unseen[lane] += left[value, lane]
        reached[:] = 0.0
        reached[0] = 1.0
        ended[:] = 0.0
        for hand in range(first, last):
            for lane in range(LANES):
                chance[lane] = np.true_divide(reached[hand - first, lane], max(unseen[lane] - draws.size[hand], 1.0))
            for value in range(VALUES):
                to, drawn = draws.moves[hand, value], draws.drawn[hand, value]
                if to >= 0:
                    for lane in range(LANES):
                        reached[to - first, lane] += chance[lane] * max(left[value, lane] - drawn, 0.0)
                elif to > _BLACKJACK:
                    for lane in range(LANES):
                        ended[-1 - to, lane] += chance[lane] * max(left[value, lane] - drawn, 0.0)
        for lane in range(lanes):
            for end in range(ENDS):
                out[hands[begin + lane], end] = ended[end, lane]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The dealer's ends beside each hand of the player's; found when first asked for."""

    up: int
    base: ValueCounts  # the shoe without the up card
    counts: NDArray[np.int8]  # hand × value
    chances: Floats  # hand × end
    known: NDArray[np.bool_]  # hand

    def beside(self, hands: NDArray[np.int64]) -> Floats:
        """Return the chances of the ends beside each of these hands."""
        wanted = np.zeros_like(self.known)
        wanted[hands] = True
        unknown = np.flatnonzero(wanted & ~self.known)
        if len(unknown):
            chances(draws(), self.up, self.base, self.counts, unknown, self.chances)
            self.known[unknown] = True
        return self.chances[hands]

    def no_blackjack(self, hands: NDArray[np.int64], cards: NDArray[np.int64]) -> Floats:
        """Return the chances that the dealer has no Blackjack beside these hands, which leave `cards` unseen cards."""
        hole = blackjack_needs(self.up)
        return np.ones(len(hands)) if hole < 0 else 1.0 - (self.base[hole] - self.counts[hands, hole]) / cards


def ends_of(up: int, base: ValueCounts, counts: NDArray[np.int8]) -> Ends:
    """Return the ends, none of them computed yet."""
    return Ends(up, base, counts, np.zeros((len(counts), ENDS)), np.zeros(len(counts), dtype=np.bool_))


def blackjack_needs(up: int) -> int:
    """Return the value of the hole card that makes a Blackjack with this up card; −1 for none."""
    return {ACE: TEN, TEN: ACE}.get(up, -1)
