"""The rules of a game as arrays, what can be at stake on a hand, and how a single hand may end.

Amounts are halves of the wager. Chances and amounts are joint with the dealer having no Blackjack, which is settled
before any decision: so the shoe is never weighed for the hole card. Not here: the best play (`decisions`), how hands
end under it (`endings`).
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import hands
from games.maths.blackjack.arrays import Floats, HandClasses, HandFlags
from games.maths.blackjack.hands import (
    ALL_HANDS,
    DOUBLE,
    FREE_DOUBLE,
    HANDS,
    HIT,
    KINDS,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    SPLIT,
    STAND,
    SURRENDER,
    VALUES,
)
from games.maths.blackjack.payouts import Payouts, bonus_of, suits_lie
from games.maths.blackjack.rules import LOST, WON, Rules, classes, hands_over, results

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

STAKE_DOUBLED = np.array([(REAL, REAL_DOUBLED, REAL_FREE_DOUBLED)] * KINDS)
STAKE_DOUBLED[LAMMER] = LAMMER_ALONE, LAMMER_DOUBLED, LAMMER_FREE_DOUBLED
"""Kind of the hand, whether it is as dealt, doubled, doubled free → what is at stake."""
STAKED, NETS, NO_NET = 5, 17, 8
ENDINGS = STAKED * NETS
"""An ending of one hand: (units wagered) × NETS + net + NO_NET."""
DECISIONS = 8


class Game(NamedTuple):
    """The rules as arrays. Hands that a second chance has subtracted a card from come after all others, by their cards
    and that card."""

    counts: NDArray[np.int8]  # hand × value
    subtracted: NDArray[np.int64]  # hand above 21 − HANDS, value of the card subtracted → hand
    subtracted_class: HandClasses  # the same → class
    over: HandFlags  # hand → whether it is at most 21 and gets no more cards
    compared: HandClasses  # hand → class
    nets: NDArray[np.int64]  # stake × class × dealer's end → net
    endings: NDArray[np.int64]  # the same → ending
    allowed: NDArray[np.bool_]  # decision → whether this player knows it
    any_time: bool
    free_bets: bool
    bonus: HandClasses  # hand → bonus
    bonus_win: NDArray[np.int64]
    lies: Floats


def game_of(rules: Rules, paid: Payouts, decks: int, without: frozenset[int] = frozenset()) -> Game:
    """The tables of a game, for a player who never decides what `without` names."""
    known = {STAND, HIT, DOUBLE, SPLIT, SURRENDER}
    known |= {FREE_DOUBLE} if rules.lammer else set()
    known |= {RESCUE} if rules.rescue else set()
    known |= {SECOND_CHANCE} if rules.second_chance else set()
    allowed = np.array([decision in known - without for decision in range(DECISIONS)])
    bonus = np.zeros(len(counts_of(rules)), dtype=np.int8)
    bonus[:ALL_HANDS] = bonus_of() if rules.bonuses else 0
    compared = results(rules)
    nets = np.where(compared > 0, STAKES[:, 0, None, None], np.where(compared < 0, STAKES[:, 1, None, None], 0))
    endings = STAKES[:, 2, None, None] * NETS + nets + NO_NET
    return Game(
        counts_of(rules), _subtracted()[1] if rules.second_chance else np.empty((0, VALUES), np.int64),
        _subtracted_classes(), hands_over(rules), classes(rules), nets, endings, allowed, rules.any_time,
        rules.lammer != "", bonus, np.array(paid.bonus), suits_lie(decks),
    )  # fmt: skip


def counts_of(rules: Rules) -> NDArray[np.int8]:
    """Hand × value → cards, as far as the game needs them."""
    return _subtracted()[0] if rules.second_chance else hands.COUNTS


@cache
def _subtracted() -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The cards of all hands, then of those above 21 with one more; where each of these is."""
    more, which = hands.one_more(hands.COUNTS[HANDS:].astype(np.int64))
    return np.concatenate([hands.COUNTS, more.astype(np.int8)]), ALL_HANDS + which


def _subtracted_classes() -> HandClasses:
    """Hand above 21 − HANDS, value → the class of the hand less the card, an ace counting 1; a 21 is paid at once."""
    total = hands.TOTAL[HANDS:, None] - np.arange(1, VALUES + 1)
    classes = np.where(total > 21, LOST, np.where(total == 21, WON, np.maximum(0, total - 16)))
    return classes.astype(np.int8)


def in_order(terms: Floats) -> Floats:
    """Sums over the last axis, added up from the first on: what a sum rounds to does not depend on the machine."""
    total: Floats = np.add.accumulate(terms, axis=-1)[..., -1]
    return total
