"""The best play of a hand, card by card, against one up card; of equal decisions the one that wagers more.

A hand is judged by its own cards and the up card; splitting, which needs all hands of a pair, is judged in `optimal`.
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import EndChances, HandFigures, PhaseDecisions, ValueCounts
from games.maths.blackjack.dealer import ENDS, chances
from games.maths.blackjack.hands import (
    ALL_HANDS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HANDS,
    HIT,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TWO_CARDS,
    VALUES,
)
from games.maths.blackjack.payouts import LIES, NO_BONUS, SEVEN
from games.maths.blackjack.player import (
    LAMMER_ALONE,
    REAL,
    REAL_DOUBLED,
    RESCUED,
    SECOND,
    STAKES,
    SURRENDERED,
    Game,
    no_blackjack,
    stake_doubled,
    subtracted,
    take_out,
    total_chance,
)
from games.maths.compiled import kernel

INDIFFERENT = 1e-12


@kernel
def decide(game: Game, up: int, base: ValueCounts, decision: PhaseDecisions, alone: HandFigures) -> None:
    """Into `decision[phase, hand]` the best play against the up card, into `alone[hand]` its worth without splitting.

    `base`: cards of each value, the up card taken out. Each hand is judged by its own cards and the up card.
    """
    left, end = np.empty(VALUES, np.int64), np.empty(ENDS)
    worth, doubled = np.zeros((4, ALL_HANDS)), np.zeros((6, ALL_HANDS))
    for hand in range(ALL_HANDS - 1, VALUES, -1):
        unseen = take_out(game, hand, base, left)
        if unseen == 0:
            continue
        if hand >= HANDS:
            _above_21(game, up, hand, left, unseen, worth, doubled, decision)
            continue
        chances(game.draws, up, left, unseen, end)
        _once_doubled(game, hand, end, doubled, decision)
        stage = TWO_CARDS if game.size[hand] == 2 else DRAWN
        for kind in range(4):
            best, value = _best(game, up, kind, hand, left, unseen, end, worth, doubled)
            decision[3 * kind + stage, hand], worth[kind, hand] = best, value
    for hand in range(ALL_HANDS):
        alone[hand] = worth[FIRST, hand]


@kernel
def _best(
    game: Game, up: int, kind: int, hand: int, left: ValueCounts, cards: int, end: EndChances,
    worth: NDArray[np.float64], doubled: NDArray[np.float64],
) -> tuple[int, float]:  # fmt: skip
    """The decision on an unfinished hand and its worth; equal ones resolve to the larger wager."""
    best, decision = _worth(game, LAMMER_ALONE if kind == LAMMER else REAL, game.compared[hand], end), STAND
    if kind == FIRST and game.bonus[hand] != NO_BONUS:
        best = _bonus(game, up, hand) * total_chance(end)
    if game.over[hand]:
        return decision, best
    early = game.size[hand] == 2 or game.any_time
    if kind != SPLIT_ACE:
        hit = _after(game, hand, left, cards, worth[kind])
        if hit >= best - INDIFFERENT:
            best, decision = hit, HIT
        free = doubles_free(game, hand)
        double = FREE_DOUBLE if free and game.allowed[FREE_DOUBLE] else DOUBLE
        if early and game.allowed[double]:
            twice = _after(game, hand, left, cards, doubled[stake_doubled(kind, double == FREE_DOUBLE)])
            if twice >= best - INDIFFERENT:
                best, decision = twice, double
    surrenders = game.any_time or (kind == FIRST and game.size[hand] == 2)
    if surrenders and game.allowed[SURRENDER] and STAKES[SURRENDERED, 1] * total_chance(end) > best + INDIFFERENT:
        best, decision = STAKES[SURRENDERED, 1] * total_chance(end), SURRENDER
    return decision, best


@kernel
def _once_doubled(
    game: Game, hand: int, end: EndChances, doubled: NDArray[np.float64], decision: PhaseDecisions
) -> None:
    for stake in range(1, 6):
        doubled[stake, hand] = _worth(game, stake, game.compared[hand], end)
    way_out = -1
    if game.allowed[RESCUE]:
        way_out = RESCUE
    elif game.any_time and game.allowed[SURRENDER] and not game.over[hand]:
        way_out = SURRENDER
    if way_out >= 0 and STAKES[RESCUED, 1] * total_chance(end) > doubled[REAL_DOUBLED, hand] + INDIFFERENT:
        doubled[REAL_DOUBLED, hand] = STAKES[RESCUED, 1] * total_chance(end)
        decision[3 * FIRST + DOUBLED, hand] = decision[3 * SPLIT_HAND + DOUBLED, hand] = way_out


@kernel
def _above_21(
    game: Game, up: int, hand: int, left: ValueCounts, cards: int,
    worth: NDArray[np.float64], doubled: NDArray[np.float64], decision: PhaseDecisions,
) -> None:  # fmt: skip
    none = no_blackjack(up, left, cards)
    for stake in range(6):
        doubled[stake, hand] = STAKES[stake, 1] * none
    worth[FIRST, hand] = worth[SPLIT_HAND, hand] = STAKES[REAL, 1] * none
    if game.allowed[SECOND_CHANCE]:
        second = _second_chance(game, up, hand, left, cards)
        if second >= STAKES[REAL, 1] * none - INDIFFERENT:
            worth[FIRST, hand] = worth[SPLIT_HAND, hand] = second
            doubled[REAL_DOUBLED, hand] = 2 * second
            decision[:, hand] = SECOND_CHANCE


@kernel
def _second_chance(game: Game, up: int, hand: int, left: ValueCounts, cards: int) -> float:
    """One card more, its value subtracted."""
    worth, end = 0.0, np.empty(ENDS)
    for value in range(VALUES):
        if left[value] > 0:
            chance = left[value] / cards
            left[value] -= 1
            chances(game.draws, up, left, cards - 1, end)
            worth += chance * _worth(game, SECOND, subtracted(game, hand, value), end)
            left[value] += 1
    return worth


@kernel
def _after(game: Game, hand: int, left: ValueCounts, cards: int, worth: NDArray[np.float64]) -> float:
    """What a card more is worth."""
    more = 0.0
    for value in range(VALUES):
        if left[value] > 0:
            more += left[value] * worth[game.moves[hand, value]]
    return more / cards


@kernel
def _worth(game: Game, stake: int, compared: int, end: EndChances) -> float:
    worth = 0.0
    for ends in range(ENDS):
        result = game.results[compared, ends]
        if result > 0:
            worth += STAKES[stake, 0] * end[ends]
        elif result < 0:
            worth += STAKES[stake, 1] * end[ends]
    return worth


@kernel
def _bonus(game: Game, up: int, hand: int) -> float:
    mean = 0.0
    for lie in range(LIES):
        kind = game.bonus[hand]
        mean += game.lies[1 if up == SEVEN else 0, kind, lie] * game.bonus_win[kind, lie]
    return mean


@kernel
def doubles_free(game: Game, hand: int) -> bool:
    """A lammer doubles the first two cards that make a hard 9, 10 or 11."""
    return game.free_bets and game.size[hand] == 2 and not game.soft[hand] and 9 <= game.total[hand] <= 11
