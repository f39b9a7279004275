"""Deals of five ranks of which an exchange keeps some, counted by which of the ranks are of a suit, or of two.

Not here: the deals (`starts`), what the player draws (`exchanged`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.exchange.settling import CLUBS, OTHER_SUIT
from games.maths.exchange.starts import PLACES, SUITS, Deals, kept_places
from games.maths.exchange.strategy import BET

Ints = NDArray[np.int64]


class Marked(NamedTuple):
    """How many deals keep these ranks, by their cards of one suit or of two, as places among the different ranks.

    A suit is *kept* where all cards kept are of it and of different ranks. `avoiding` tables have, for each set of
    places, the deals with none of them in the suit.
    """

    seen: Ints  # [CLUBS or OTHER_SUIT, of the suit]; each of the three other suits counts
    clubs_avoiding: Ints  # [places in clubs]
    kept_clubs_avoiding: Ints  # [places in clubs, which are kept]
    kept_other: Ints  # [places avoided in the suit kept, not clubs; of clubs]
    kept_other_avoiding: Ints  # [the same; places avoided in clubs]
    beside_clubs: Ints  # [places avoided in clubs, which are kept; of another suit]
    beside_other: Ints  # [places avoided in the suit kept, not clubs; of another suit, not clubs]


@kernel
def mark(ranks: Ints, own: Ints, kept_mask: int, deals: Deals) -> Marked:
    """Of the deals that keep these places."""
    number, _, _, marks = deals
    seen, two = np.zeros((2, PLACES), np.int64), np.zeros((3, PLACES, PLACES), np.int64)
    kept_clubs = np.zeros(PLACES, np.int64)
    different = True
    for place in range(len(ranks)):
        different &= kept_mask >> place & 1 == 0 or own[ranks[place]] == 1
    for deal in range(number):
        if deals[2][deal] >= BET or kept_places(deals, deal, ranks) != kept_mask:
            continue
        clubs = marks[deal, 0]
        seen[CLUBS, clubs] += 1
        for suit in range(1, SUITS):
            seen[OTHER_SUIT, marks[deal, suit]] += 1
        for suit in range(SUITS):
            if not different or marks[deal, suit] & kept_mask != kept_mask:
                continue
            if suit == 0:
                kept_clubs[clubs] += 1
            else:
                two[0, marks[deal, suit], clubs] += 1
            for beside in range(1, SUITS):
                if beside != suit:
                    two[1 if suit == 0 else 2, marks[deal, suit], marks[deal, beside]] += 1
    clubs_avoiding, kept_clubs_avoiding = np.zeros((2, PLACES), np.int64)
    avoided, both = np.zeros((3, PLACES, PLACES), np.int64), np.zeros((PLACES, PLACES), np.int64)
    for places in range(PLACES):
        for of_suit in range(PLACES):
            if places & of_suit == 0:
                clubs_avoiding[places] += seen[CLUBS, of_suit]
                kept_clubs_avoiding[places] += kept_clubs[of_suit]
                for table in range(3):
                    avoided[table, places] += two[table, of_suit]
    for places in range(PLACES):
        for clubs in range(PLACES):
            if places & clubs == 0:
                both[:, places] += avoided[0, :, clubs]
    return Marked(seen, clubs_avoiding, kept_clubs_avoiding, avoided[0], both, avoided[1], avoided[2])
