"""How hands end that are played by a strategy: the chance of every net and amount wagered, with the dealer's end.

Not here: which play is best (`decisions`), several hands of one pair (`splits`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import Floats, HandFigures, PhaseDecisions, ValueCounts
from games.maths.blackjack.dealer import ENDS, Ends
from games.maths.blackjack.hands import (
    ALL_HANDS,
    CARDS,
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
    reach, visits = _visits(NEXT_HAND, game.counts, ends.base, decision[3 * kind : 3 * kind + 3], dealt)
    way, hand, cards = visits.T
    stage = np.where(way > DEALT, DOUBLED, np.where(CARDS[hand] == 2, TWO_CARDS, DRAWN))
    choice, chance = decision[3 * kind + stage, hand], reach[way, hand]
    taken = np.where(stage > TWO_CARDS, chance * ends.no_blackjack(hand, cards), 0.0)
    settled = _settled(game, kind, way, hand, choice, chance)
    seconds = choice == SECOND_CHANCE
    if seconds.any():
        left = ends.base - game.counts[hand[seconds]]
        settled = _second_chances(game, way[seconds], hand[seconds], left, chance[seconds], settled)
    both = settled.chance[:, None] * ends.beside(settled.hand)
    ending = game.endings[settled.stake, settled.compared]
    if own is None:
        drawn = np.empty((len(both), 0))
        if game.bonus.any():
            ending, both = _with_bonuses(game, ends.up, settled, ending, both)
            drawn = np.empty((len(both), 0))
    else:
        drawn = np.empty((len(both), VALUES + 1))
        drawn[:, :VALUES] = game.counts[settled.hand] - own
        drawn[:, VALUES] = drawn[:, :VALUES].sum(axis=1)
    end_chances, moments = np.zeros((ENDINGS, ENDS)), np.zeros((ENDINGS, ENDS, drawn.shape[1]))
    _add_up(ending, both, drawn, end_chances, moments)
    return Played(reach[DEALT], np.bincount(choice, taken, DECISIONS), end_chances, moments)


@kernel
def _visits(
    moves: NDArray[np.int16], counts: NDArray[np.int8], base: ValueCounts, decision: PhaseDecisions, dealt: HandFigures
) -> tuple[Floats, NDArray[np.int64]]:
    """The chances of reaching each hand, [way, hand], and the hands reached: [place, (way, hand, cards unseen)].

    `decision[stage, hand]`. A hand grows into those of larger numbers only.
    """
    reach, visits, places = np.zeros((3, ALL_HANDS)), np.empty((3 * ALL_HANDS, 3), np.int64), 0
    left = np.empty(VALUES, np.int64)
    for hand in range(ALL_HANDS):
        reach[DEALT, hand] = dealt[hand]
    for way in range(3):
        for hand in range(VALUES, ALL_HANDS):
            if reach[way, hand] > 0.0:
                cards, least, size = 0, 0, 0
                for value in range(VALUES):
                    left[value] = base[value] - counts[hand, value]
                    cards += left[value]
                    size += counts[hand, value]
                    least = min(least, left[value])
                if least == 0 and cards > 0:
                    visits[places, 0], visits[places, 1], visits[places, 2] = way, hand, cards
                    places += 1
                    choice = decision[TWO_CARDS if size == 2 else DRAWN, hand]
                    to = TWICE if choice == DOUBLE else TWICE_FREE if choice == FREE_DOUBLE else DEALT
                    if way == DEALT and (to > DEALT or choice == HIT):
                        for value in range(VALUES):
                            if left[value] > 0:
                                reach[to, moves[hand, value]] += reach[DEALT, hand] * left[value] / cards
    return reach, visits[:places]


def _settled(
    game: Game, kind: int, way: NDArray[np.int64], hand: NDArray[np.int64], choice: NDArray[np.int8], chance: Floats
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
    mine = Settled(game.subtracted[above, value], each, stake, game.subtracted_class[above, value])
    return Settled(*(np.concatenate(both) for both in zip(mine, more, strict=True)))


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
def _add_up(ending: NDArray[np.int64], both: Floats, drawn: Floats, end_chances: Floats, moments: Floats) -> None:
    """Adds `both[place, end]` to `end_chances[ending, end]`, times `drawn[place, …]` to `moments[ending, end, …]`."""
    for place in range(both.shape[0]):
        for end in range(ENDS):
            chance = both[place, end]
            end_chances[ending[place, end], end] += chance
            for value in range(drawn.shape[1]):
                moments[ending[place, end], end, value] += chance * drawn[place, value]
