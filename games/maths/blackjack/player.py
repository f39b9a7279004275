"""The rules of a game as arrays for the kernels, what can be at stake on a hand, and how a single hand may end.

Amounts are halves of the wager. Chances and amounts are joint with the dealer having no Blackjack, which is settled
before any decision: so the shoe is never weighed for the hole card. Not here: the best play (`decisions`), how hands
end under it (`endings`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import hands
from games.maths.blackjack.arrays import EndChances, HandClasses, HandFlags, ValueCounts
from games.maths.blackjack.dealer import ENDS, Draws, draws
from games.maths.blackjack.hands import (
    ACE,
    ALL_HANDS,
    DOUBLE,
    FREE_DOUBLE,
    HIT,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    SPLIT,
    STAND,
    SURRENDER,
    TEN,
    VALUES,
)
from games.maths.blackjack.payouts import Payouts, bonus_of, suits_lie
from games.maths.blackjack.rules import LOST, WON, Rules, classes, hands_over, results
from games.maths.compiled import kernel

REAL, REAL_DOUBLED, REAL_FREE_DOUBLED, LAMMER_ALONE, LAMMER_DOUBLED, LAMMER_FREE_DOUBLED = range(6)
SURRENDERED, SURRENDERED_DOUBLED, RESCUED, SECOND, SECOND_DOUBLED = range(6, 11)
STAKES = np.array(
    [
        (2, -2, 1),  # REAL
        (4, -4, 2),  # REAL_DOUBLED
        (4, -2, 1),  # REAL_FREE_DOUBLED: the lammer wins as much as the wager, and loses nothing
        (2, 0, 0),  # LAMMER_ALONE
        (4, -2, 1),  # LAMMER_DOUBLED
        (4, 0, 0),  # LAMMER_FREE_DOUBLED
        (0, -1, 1),  # SURRENDERED
        (0, -2, 2),  # SURRENDERED_DOUBLED
        (0, -2, 2),  # RESCUED
        (2, -4, 2),  # SECOND: the first wager is returned at best
        (4, -8, 4),  # SECOND_DOUBLED
    ]
)
"""What is at stake on a hand → (net if won, net if lost, wagered); nets in halves. A tie wins nothing."""

STAKED, NETS, NO_NET = 5, 17, 8
ENDINGS = STAKED * NETS
"""An ending of one hand: (units wagered) × NETS + net + NO_NET."""
DECISIONS = 8


class Game(NamedTuple):
    """The rules as arrays, for the kernels."""

    draws: Draws
    moves: NDArray[np.int16]
    counts: NDArray[np.int8]
    size: NDArray[np.int8]
    total: NDArray[np.int8]
    soft: HandFlags
    over: HandFlags  # hand → whether it is at most 21 and gets no more cards
    compared: HandClasses  # hand → class
    results: NDArray[np.int8]  # class × dealer's end → 1, 0, −1
    allowed: NDArray[np.bool_]  # decision → whether this player knows it
    any_time: bool
    free_bets: bool
    bonus: HandClasses  # hand → bonus
    bonus_win: NDArray[np.int64]
    lies: NDArray[np.float64]


def game_of(rules: Rules, paid: Payouts, decks: int, without: frozenset[int] = frozenset()) -> Game:
    """The tables of a game, for a player who never decides what `without` names."""
    known = {STAND, HIT, DOUBLE, SPLIT, SURRENDER}
    known |= {FREE_DOUBLE} if rules.lammer else set()
    known |= {RESCUE} if rules.rescue else set()
    known |= {SECOND_CHANCE} if rules.second_chance else set()
    allowed = np.array([decision in known - without for decision in range(DECISIONS)])
    bonus = bonus_of() if rules.bonuses else np.zeros(ALL_HANDS, dtype=np.int8)
    return Game(
        draws(), hands.NEXT_HAND, hands.COUNTS, hands.CARDS, hands.TOTAL, hands.SOFT, hands_over(rules),
        classes(rules), results(rules), allowed, rules.any_time, rules.lammer != "", bonus, np.array(paid.bonus),
        suits_lie(decks),
    )  # fmt: skip


@kernel
def take_out(game: Game, hand: int, base: ValueCounts, left: ValueCounts) -> int:
    """What the hand leaves of the shoe, and how many cards; none where it takes more than there is."""
    cards = 0
    for value in range(VALUES):
        left[value] = base[value] - game.counts[hand, value]
        if left[value] < 0:
            return 0
        cards += left[value]
    return cards


@kernel
def total_chance(end: EndChances) -> float:
    """The chance of any end. Adding up by hand compiles in a tenth of the time that `sum` takes."""
    chance = 0.0
    for ends in range(ENDS):
        chance += end[ends]
    return chance


@kernel
def no_blackjack(up: int, left: ValueCounts, cards: int) -> float:
    if up == ACE:
        return 1.0 - float(left[TEN]) / cards
    if up == TEN:
        return 1.0 - float(left[ACE]) / cards
    return 1.0


@kernel
def subtracted(game: Game, hand: int, value: int) -> int:
    """The class of the hand less the card, an ace counting 1; a 21 is paid at once."""
    total = int(game.total[hand]) - value - 1
    if total > 21:
        return LOST
    if total == 21:
        return WON
    return max(0, total - 16)


@kernel
def stake_doubled(kind: int, free: bool) -> int:
    if kind == LAMMER:
        return LAMMER_FREE_DOUBLED if free else LAMMER_DOUBLED
    return REAL_FREE_DOUBLED if free else REAL_DOUBLED
