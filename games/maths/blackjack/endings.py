"""How hands end that are played by a strategy: the chance of every net and amount wagered, with the dealer's end.

Not here: which play is best (`decisions`), several hands of one pair (`splits`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import Floats, HandFigures, PhaseDecisions, ValueCounts
from games.maths.blackjack.dealer import ENDS, Ends, blackjack_needs
from games.maths.blackjack.hands import (
    ALL_HANDS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FREE_DOUBLE,
    HANDS,
    HIT,
    NEXT_HAND,
    RESCUE,
    SECOND_CHANCE,
    SURRENDER,
    TWO_CARDS,
    VALUES,
)
from games.maths.blackjack.payouts import NO_BONUS, SEVEN
from games.maths.blackjack.player import (
    DECISIONS,
    ENDINGS,
    NETS,
    NO_NET,
    REAL,
    RESCUED,
    SECOND,
    SECOND_DOUBLED,
    STAKE_DOUBLED,
    STAKES,
    SURRENDERED,
    SURRENDERED_DOUBLED,
    Game,
)
from games.maths.blackjack.rules import LOST
from games.maths.compiled import kernel

DEALT, TWICE, TWICE_FREE = range(3)
"""How a hand is reached: as dealt, doubled, doubled free."""


class Played(NamedTuple):
    """What becomes of hands."""

    reached: HandFigures  # not doubled
    taken: Floats  # decision → chance that it is taken after the first two cards
    end_chances: Floats  # ending × dealer's end → chance
    moments: Floats  # ending × dealer's end × value (and all together) → chance × cards drawn; empty: not asked for


class Settled(NamedTuple):
    """Hands that are settled, one after the other."""

    hand: NDArray[np.int64]
    chance: Floats
    stake: NDArray[np.int64]
    compared: NDArray[np.int8]  # class


def play_out(
    game: Game, ends: Ends, kind: int, dealt: HandFigures, decision: PhaseDecisions, own: ValueCounts | None = None
) -> Played:
    """Hands of this kind, dealt with these chances, under the strategy.

    Blackjacks and hands to be split are no part of `dealt`. `own`: moments are asked for; cards by value that count as
    not drawn.
    """
    reach, taken, visits = _visits(
        NEXT_HAND, game.counts, ends.base, blackjack_needs(ends.up), decision[3 * kind : 3 * kind + 3], dealt
    )
    way, hand, choice = visits.T
    chance = reach[way, hand]
    settled = _settled(game, kind, way, hand, choice, chance)
    seconds = choice == SECOND_CHANCE
    if seconds.any():
        left = ends.base - game.counts[hand[seconds]]
        settled = _second_chances(game, way[seconds], hand[seconds], left, chance[seconds], settled)
    both = settled.chance[:, None] * ends.beside(settled.hand)
    ending = game.endings[settled.stake, settled.compared]
    moments = np.zeros((0 if own is None else ENDINGS, ENDS, VALUES + 1))
    if own is not None:
        _remember(settled.hand, game.counts, own, ending, both, moments)
    elif game.bonus.any():
        ending, both = _with_bonuses(game, ends.up, settled, ending, both)
    cells = (ending * ENDS + np.arange(ENDS)).ravel()
    end_chances = np.bincount(cells, both.ravel(), ENDINGS * ENDS).astype(np.float64)  # adds up in this order
    return Played(reach[DEALT], taken, end_chances.reshape(ENDINGS, ENDS), moments)


@kernel
def _visits(
    moves: NDArray[np.int16], counts: NDArray[np.int8], base: ValueCounts, hole: int, decision: PhaseDecisions,
    dealt: HandFigures,
) -> tuple[Floats, Floats, NDArray[np.int64]]:  # fmt: skip
    """The chances of reaching each hand, [way, hand], those of each decision after the first two cards, and the hands
    reached: [place, (way, hand, decision)].

    `hole`: the value that makes the dealer's Blackjack, or −1; `decision[stage, hand]`. A hand grows into those of
    larger numbers only.
    """
    reach, taken, left = np.zeros((3, ALL_HANDS)), np.zeros(DECISIONS), np.empty(VALUES, np.int64)
    visits, places = np.empty((3 * ALL_HANDS, 3), np.int64), 0
    for hand in range(ALL_HANDS):
        reach[DEALT, hand] = dealt[hand]
    for way in range(3):
        for hand in range(VALUES, ALL_HANDS):
            if reach[way, hand] > 0.0:
                cards, least, size = 0, 0, 0
                for value in range(VALUES):
                    left[value] = base[value] - counts[hand, value]
                    cards, least, size = cards + left[value], min(least, left[value]), size + counts[hand, value]
                if least == 0 and cards > 0:
                    chance, stage = reach[way, hand], TWO_CARDS if size == 2 else DRAWN
                    choice = decision[DOUBLED if way > DEALT else stage, hand]
                    visits[places, 0], visits[places, 1], visits[places, 2] = way, hand, choice
                    places += 1
                    if way > DEALT or stage == DRAWN:
                        taken[choice] += chance * (1.0 - left[hole] / cards if hole >= 0 else 1.0)
                    to = TWICE if choice == DOUBLE else TWICE_FREE if choice == FREE_DOUBLE else DEALT
                    if way == DEALT and (to > DEALT or choice == HIT):
                        for value in range(VALUES):
                            if left[value] > 0:
                                reach[to, moves[hand, value]] += chance * left[value] / cards
    return reach, taken, visits[:places]


def _settled(
    game: Game, kind: int, way: NDArray[np.int64], hand: NDArray[np.int64], choice: NDArray[np.int64], chance: Floats
) -> Settled:
    """Hands neither drawn to nor given a second chance."""
    now = _SETTLED[choice]
    way, hand, choice, chance = way[now], hand[now], choice[now], chance[now]
    given_up = _GIVEN_UP[np.minimum(way, TWICE), choice]
    stake = np.where(given_up > 0, given_up, STAKE_DOUBLED[kind, way])
    return Settled(hand, chance, stake, np.where(given_up > 0, LOST, game.compared[hand]))


_SETTLED = ~np.isin(np.arange(DECISIONS), (HIT, DOUBLE, FREE_DOUBLE, SECOND_CHANCE))
_GIVEN_UP = np.zeros((2, DECISIONS), dtype=np.int64)  # whether it is doubled, decision → stake
_GIVEN_UP[:, SURRENDER], _GIVEN_UP[TWICE, RESCUE] = (SURRENDERED, SURRENDERED_DOUBLED), RESCUED


def _second_chances(
    game: Game, way: NDArray[np.int64], hand: NDArray[np.int64], left: NDArray[np.int64], chance: Floats, more: Settled
) -> Settled:
    """One card more, its value subtracted; then `more`."""
    place, value = np.nonzero(left)
    above = hand[place] - HANDS
    each = chance[place] * left[place, value] / left.sum(axis=1)[place]
    stake = np.where(way[place] > DEALT, SECOND_DOUBLED, SECOND)
    return Settled(
        np.concatenate([game.subtracted[above, value], more.hand]),
        np.concatenate([each, more.chance]),
        np.concatenate([stake, more.stake]),
        np.concatenate([game.subtracted_class[above, value], more.compared]),
    )


def _with_bonuses(
    game: Game, up: int, settled: Settled, ending: NDArray[np.int64], both: Floats
) -> tuple[NDArray[np.int64], Floats]:
    """`ending` and `both` for each way in which suits lie; a bonus is paid on the original hand only."""
    bonus = np.where(settled.stake == REAL, game.bonus[settled.hand], NO_BONUS)
    paid = STAKES[REAL, 2] * NETS + game.bonus_win[bonus] + NO_NET
    ending = np.where(bonus[:, None, None] == NO_BONUS, ending[:, None], paid[:, :, None])
    both = both[:, None] * game.lies[1 if up == SEVEN else 0, bonus][:, :, None]
    return ending.reshape(-1, ENDS), both.reshape(-1, ENDS)


@kernel
def _remember(
    hands: NDArray[np.int64], counts: NDArray[np.int8], own: ValueCounts, ending: NDArray[np.int64], both: Floats,
    moments: Floats,
) -> None:  # fmt: skip
    """Adds `both[place, end]` times the cards drawn to `moments[ending, end, value]`, and to its end times all."""
    drawn = np.empty(VALUES + 1)
    for place in range(len(hands)):
        drawn[VALUES] = 0.0
        for value in range(VALUES):
            drawn[value] = counts[hands[place], value] - own[value]
            drawn[VALUES] += drawn[value]
        for end in range(ENDS):
            for value in range(VALUES + 1):
                moments[ending[place, end], end, value] += both[place, end] * drawn[value]
