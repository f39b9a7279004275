"""Rounds with two dice and with ten, thrown die by die and settled one by one.

The independent test of `game`: it shares with its counts nothing but the faces, 1 to 6.
"""

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.streams import advance, below, start

Ints = NDArray[np.int64]
DOUBLE, ANY_NUMBER, FIELD, ANY_CRAPS, ANY_SEVEN, ANY_DOUBLES = range(6)
LOST, WON, WON_MORE = range(3)
PAIRS = np.array([(low, high) for low in range(1, 7) for high in range(low + 1, 7)])  # two faces
TEN = 10
UPWARDS = np.array([2, 3, 4, 5, 6, 1])  # the last ranks highest where faces occur equally often


def throw_two(seed: int, block: int, rounds: int) -> tuple[Ints, Ints]:
    """Return (`won[wager, LOST | WON | WON_MORE]`, the dice of the last round).

    Of the six wagers on a double and the fifteen on two faces each round has the next one.
    """
    won, dice = np.zeros((6, 3), np.int64), np.zeros(2, np.int64)
    _throw_two(seed, block, rounds, won, dice)
    return won, dice


@kernel
def _throw_two(seed: int, block: int, rounds: int, won: Ints, dice: Ints) -> None:
    state = start(seed, block)
    for index in range(rounds):
        for die in range(2):
            state = advance(state)
            dice[die] = 1 + below(state, 6)
        first, second = dice
        total = first + second
        won[DOUBLE, WON if first == second == index % 6 + 1 else LOST] += 1
        low, high = PAIRS[index % 15]
        named = (first == low and second == high) or (first == high and second == low)
        won[ANY_NUMBER, WON if named else LOST] += 1
        if total == 2 or total == 12:
            won[FIELD, WON_MORE] += 1
        else:
            won[FIELD, WON if total <= 4 or total >= 9 else LOST] += 1
        won[ANY_CRAPS, WON if total <= 3 or total == 12 else LOST] += 1
        won[ANY_SEVEN, WON if total == 7 else LOST] += 1
        won[ANY_DOUBLES, WON if first == second else LOST] += 1


def throw_ten(seed: int, block: int, rounds: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the rounds of ten dice, and the dice of the last round.

    These are `first[face, matches]` of first rolls, `second[matches, matches after the second roll]`, the dice of the
    last round's first roll, and of its second: 0 where a die stayed on the table.
    """
    first, second = np.zeros((7, TEN + 1), np.int64), np.zeros((TEN + 1, TEN + 1), np.int64)
    dice, again = np.zeros(TEN, np.int64), np.zeros(TEN, np.int64)
    _throw_ten(seed, block, rounds, first, second, dice, again)
    return first, second, dice, again


@kernel
def _throw_ten(seed: int, block: int, rounds: int, first: Ints, second: Ints, dice: Ints, again: Ints) -> None:
    state = start(seed, block)
    shown = np.zeros(7, np.int64)
    for _ in range(rounds):
        shown[:] = 0
        for die in range(TEN):
            state = advance(state)
            dice[die] = 1 + below(state, 6)
            shown[dice[die]] += 1
        most = 2
        for face in UPWARDS:
            if shown[face] >= shown[most]:
                most = face
        matches = shown[most]
        first[most, matches] += 1
        after = matches
        for die in range(TEN):  # the second roll
            again[die] = 0
            if dice[die] != most:
                state = advance(state)
                again[die] = 1 + below(state, 6)
                if again[die] == most:
                    after += 1
        second[matches, after] += 1
