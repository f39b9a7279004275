"""The best play of a hand, card by card, against one up card; of equal decisions the one that wagers more.

A hand is judged by its own cards and the up card; splitting, which needs all hands of a pair, is judged in `optimal`.
"""

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import Floats, HandFigures, HandFlags, PhaseDecisions
from games.maths.blackjack.dealer import Ends
from games.maths.blackjack.hands import (
    ALL_HANDS,
    CARDS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HANDS,
    HIT,
    KINDS,
    NEXT_HAND,
    RESCUE,
    SECOND_CHANCE,
    SOFT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TOTAL,
    TWO_CARDS,
    VALUES,
)
from games.maths.blackjack.payouts import NO_BONUS, SEVEN
from games.maths.blackjack.player import (
    REAL,
    REAL_DOUBLED,
    RESCUED,
    SECOND,
    STAKE_DOUBLED,
    STAKES,
    SURRENDERED,
    Game,
    in_order,
)
from games.maths.compiled import kernel

INDIFFERENT = 1e-12
STAKED_ONCE = 6
NEVER = np.int8(-1)


def decide(game: Game, ends: Ends, decision: PhaseDecisions) -> HandFigures:
    """Into `decision[phase, hand]` the best play against the up card; returns what each hand is worth not split.

    Each hand is judged by its own cards and the up card.
    """
    left = ends.base - game.counts[:ALL_HANDS]
    possible = (CARDS > 1) & (left.min(axis=1) >= 0) & (left.sum(axis=1) > 0)
    worth, doubled = np.zeros((KINDS, ALL_HANDS)), np.zeros((STAKED_ONCE, ALL_HANDS))
    _above_21(game, ends, HANDS + np.flatnonzero(possible[HANDS:]), left, worth, doubled, decision)
    hands = np.flatnonzero(possible[:HANDS])
    end, over = ends.beside(hands), game.over[hands]
    nets, none = game.nets[:STAKED_ONCE, game.compared[hands]], in_order(end)
    stakes = in_order(nets * end)
    doubled[1:, hands] = stakes[1:]
    _out_of_doubled(game, hands, none, doubled, decision)
    stand = stakes[STAKE_DOUBLED[:, 0]]
    bonus = game.bonus[hands]
    mean = in_order(game.lies[1 if ends.up == SEVEN else 0, bonus] * game.bonus_win[bonus])
    stand[FIRST] = np.where(bonus != NO_BONUS, mean * none, stand[FIRST])
    surrendered = np.full((KINDS, len(hands)), -np.inf)
    if game.allowed[SURRENDER]:
        early = game.any_time | ((np.arange(KINDS) == FIRST)[:, None] & (CARDS[hands] == 2))
        surrendered = np.where(early & ~over, STAKES[SURRENDERED, 1] * none, -np.inf)
    _draw_or_not(
        NEXT_HAND, hands, left[hands], CARDS[hands], over, _doubling(game)[hands], stand, surrendered, doubled, worth,
        decision,
    )  # fmt: skip
    alone: HandFigures = worth[FIRST]
    return alone


@kernel
def _draw_or_not(
    moves: NDArray[np.int16], hands: NDArray[np.int64], left: NDArray[np.int64], size: NDArray[np.int8],
    over: HandFlags, doubling: NDArray[np.int8], stand: Floats, surrendered: Floats, doubled: Floats, worth: Floats,
    decision: PhaseDecisions,
) -> None:  # fmt: skip
    """Into `decision` and `worth[kind, hand]` the best play of each of `hands`, from the largest number down, for each
    grows into those of larger numbers only; equal ones resolve to the larger wager.

    By place among `hands`: `left[place, value]`, `stand` and `surrendered[kind, place]`, `doubling[place]` the decision
    that doubles it. By hand: `doubled[stake, hand]`, what it is worth once doubled.
    """
    for place in range(len(hands) - 1, -1, -1):
        hand, cards = hands[place], 0
        for value in range(VALUES):
            cards += left[place, value]
        for kind in range(KINDS):
            best, choice = stand[kind, place], STAND
            if kind != SPLIT_ACE and not over[place]:
                double = doubling[place]
                stake = STAKE_DOUBLED[kind, 2 if double == FREE_DOUBLE else 1]
                hit, twice = 0.0, 0.0
                for value in range(VALUES):
                    if left[place, value] > 0:
                        hit += left[place, value] * worth[kind, moves[hand, value]]
                        twice += left[place, value] * doubled[stake, moves[hand, value]]
                hit, twice = hit / cards, twice / cards
                if hit >= best - INDIFFERENT:
                    best, choice = hit, HIT
                if double != NEVER and twice >= best - INDIFFERENT:
                    best, choice = twice, double
            if surrendered[kind, place] > best + INDIFFERENT:
                best, choice = surrendered[kind, place], SURRENDER
            decision[3 * kind + (TWO_CARDS if size[place] == 2 else DRAWN), hand], worth[kind, hand] = choice, best


def _doubling(game: Game) -> NDArray[np.int8]:
    """Hand → the decision that doubles it: a lammer doubles the first two cards that make a hard 9, 10 or 11."""
    free = game.free_bets & (CARDS == 2) & ~SOFT & (TOTAL >= 9) & (TOTAL <= 11) & game.allowed[FREE_DOUBLE]
    early = (CARDS == 2) | game.any_time
    return np.where(free, FREE_DOUBLE, np.where(early & game.allowed[DOUBLE], DOUBLE, NEVER)).astype(np.int8)


def _out_of_doubled(
    game: Game, hands: NDArray[np.int64], none: Floats, doubled: Floats, decision: PhaseDecisions
) -> None:
    """The better of leaving a doubled hand and giving it up; `none`: the chances that the dealer has no Blackjack."""
    worth, given_up = doubled[REAL_DOUBLED, hands], STAKES[RESCUED, 1] * none
    out = given_up > worth + INDIFFERENT
    if not game.allowed[RESCUE]:
        out &= game.any_time & game.allowed[SURRENDER] & ~game.over[hands]
    doubled[REAL_DOUBLED, hands[out]] = given_up[out]
    for kind in (FIRST, SPLIT_HAND):
        decision[3 * kind + DOUBLED, hands[out]] = RESCUE if game.allowed[RESCUE] else SURRENDER


def _above_21(
    game: Game, ends: Ends, hands: NDArray[np.int64], left: NDArray[np.int64], worth: Floats, doubled: Floats,
    decision: PhaseDecisions,
) -> None:  # fmt: skip
    """Lost, or one card more, its value subtracted."""
    cards = left[hands].sum(axis=1)
    none = ends.no_blackjack(hands, cards)
    doubled[:, hands] = STAKES[:STAKED_ONCE, 1, None] * none
    worth[FIRST, hands] = worth[SPLIT_HAND, hands] = lost = STAKES[REAL, 1] * none
    if game.allowed[SECOND_CHANCE]:
        second = np.zeros(len(hands))
        for value in range(VALUES):
            nets = game.nets[SECOND, game.subtracted_class[hands - HANDS, value]]
            end = ends.beside(game.subtracted[hands - HANDS, value])
            second += left[hands, value] / cards * in_order(nets * end)
        better = second >= lost - INDIFFERENT
        taken = hands[better]
        worth[FIRST, taken] = worth[SPLIT_HAND, taken] = second[better]
        doubled[REAL_DOUBLED, taken] = 2 * second[better]
        decision[:, taken] = SECOND_CHANCE
