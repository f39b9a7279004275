"""The dealer's hand: how likely it comes to 17, 18, 19, 20, 21, 22 or more, for any cards that have left the shoe.

The dealer draws to 16 and stands on all 17s. A dealer's Blackjack ends the round before any decision, so that its
chance is left out: what is returned adds up to the chance that the dealer has none. Not here: what the player's hand
is worth then.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import EndChances, ValueCounts
from games.maths.blackjack.hands import ACE, BLACKJACK, CARDS, COUNTS, NEXT_HAND, TEN, TOTAL, VALUES
from games.maths.compiled import kernel

ENDS = 7
"""17, 18, 19, 20, 21, 22, above 22."""
DEALER_STOPS_AT = 17
_BLACKJACK = -1 - ENDS


class Draws(NamedTuple):
    """The dealer's unfinished hands, of all up cards one after the other, each before those that it grows into."""

    first: NDArray[np.int64]  # up card → its first hand; one more number for the end
    drawn: NDArray[np.int64]  # hand × value: cards drawn to the up card
    size: NDArray[np.int64]  # cards drawn to the up card
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


def draws() -> Draws:
    """The tables that `chances` reads."""
    first, hands, moves, drawn = [0], list[int](), list[list[int]](), []
    for up in range(VALUES):
        mine = _unfinished(up)
        number = {hand: len(hands) + place for place, hand in enumerate(mine)}
        moves += [[_move(int(to), number) for to in NEXT_HAND[hand]] for hand in mine]
        drawn += [COUNTS[hand].astype(np.int64) - np.eye(VALUES, dtype=np.int64)[up] for hand in mine]
        hands += mine
        first.append(len(hands))
    return Draws(np.array(first), np.array(drawn), CARDS[hands].astype(np.int64) - 1, np.array(moves))


@kernel
def chances(draws: Draws, up: int, left: ValueCounts, cards: int, out: EndChances) -> None:
    """Into `out`, by end: the chance with the up card when `left` cards of each value, `cards` in all, are unseen."""
    first, last = draws.first[up], draws.first[up + 1]
    reached = np.zeros(last - first)
    reached[0] = 1.0
    out[:] = 0.0
    for hand in range(first, last):
        if reached[hand - first] > 0.0 and cards > draws.size[hand]:
            chance = reached[hand - first] / (cards - draws.size[hand])
            for value in range(VALUES):
                have = left[value] - draws.drawn[hand, value]
                to = draws.moves[hand, value]
                if have > 0 and to >= 0:
                    reached[to - first] += chance * have
                elif have > 0 and to > _BLACKJACK:
                    out[-1 - to] += chance * have


def blackjack_needs(up: int) -> int:
    """The value of the hole card that makes a Blackjack with this up card; −1 for none."""
    return {ACE: TEN, TEN: ACE}.get(up, -1)
