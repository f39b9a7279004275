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

from games.maths.blackjack.arrays import Floats, ValueCounts
from games.maths.blackjack.hands import ACE, BLACKJACK, CARDS, COUNTS, NEXT_HAND, TEN, TOTAL, VALUES
from games.maths.compiled import kernel

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
    """The tables that `chances` reads."""
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
def chances(draws: Draws, up: int, left: Floats, cards: Floats, out: Floats) -> None:
    """Into `out[block, end, lane]`: the chance with the up card where `left[block, value, lane]` are unseen, in all
    `cards[block, lane]`.

    Each lane is a shoe, added up in the same order whatever is beside it. What it cannot deal has the chance 0.
    """
    first, last = draws.first[up], draws.first[up + 1]
    reached, chance = np.empty((last - first, LANES)), np.empty(LANES)
    for block in range(len(left)):
        have, unseen, end = left[block], cards[block], out[block]
        end[:] = 0.0
        reached[:] = 0.0
        reached[0] = 1.0
        for hand in range(first, last):
            for lane in range(LANES):
                chance[lane] = np.true_divide(reached[hand - first, lane], max(unseen[lane] - draws.size[hand], 1.0))
            for value in range(VALUES):
                to, drawn = draws.moves[hand, value], draws.drawn[hand, value]
                if to >= 0:
                    for lane in range(LANES):
                        reached[to - first, lane] += chance[lane] * max(have[value, lane] - drawn, 0.0)
                elif to > _BLACKJACK:
                    for lane in range(LANES):
                        end[-1 - to, lane] += chance[lane] * max(have[value, lane] - drawn, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """How the dealer ends beside each hand of the player's; found when first asked for."""

    up: int
    base: ValueCounts  # the shoe without the up card
    counts: NDArray[np.int8]  # hand × value
    chances: Floats  # hand × end
    known: NDArray[np.bool_]  # hand

    def beside(self, hands: NDArray[np.int64]) -> Floats:
        """The chances of the ends beside each of these hands."""
        wanted = np.zeros_like(self.known)
        wanted[hands] = True
        unknown = np.flatnonzero(wanted & ~self.known)
        if len(unknown):
            self.chances[unknown] = end_chances(self.up, self.base - self.counts[unknown])
            self.known[unknown] = True
        return self.chances[hands]

    def no_blackjack(self, hands: NDArray[np.int64], cards: NDArray[np.int64]) -> Floats:
        """The chances that the dealer has none beside these hands, which leave so many `cards`."""
        hole = blackjack_needs(self.up)
        return np.ones(len(hands)) if hole < 0 else 1.0 - (self.base[hole] - self.counts[hands, hole]) / cards


def ends_of(up: int, base: ValueCounts, counts: NDArray[np.int8]) -> Ends:
    """None of them found yet."""
    return Ends(up, base, counts, np.zeros((len(counts), ENDS)), np.zeros(len(counts), dtype=np.bool_))


def end_chances(up: int, left: NDArray[np.int64]) -> Floats:
    """Shoe × end → chance, where `left[shoe, value]` is unseen."""
    blocks = np.zeros((-(-len(left) // LANES), LANES, VALUES))
    blocks.reshape(-1, VALUES)[: len(left)] = left
    out = np.empty((len(blocks), ENDS, LANES))
    chances(draws(), up, np.ascontiguousarray(blocks.transpose(0, 2, 1)), blocks.sum(axis=2), out)
    return out.transpose(0, 2, 1).reshape(-1, ENDS)[: len(left)]


def blackjack_needs(up: int) -> int:
    """The value of the hole card that makes a Blackjack with this up card; −1 for none."""
    return {ACE: TEN, TEN: ACE}.get(up, -1)
