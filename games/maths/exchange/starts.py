"""All deals of five ranks to the player, under one up card, by what the player does with them.

The up card is a club, which by symmetry represents every suit. A deal is known here by the player's cards, and by the
place of its ranks among the different ranks of the five (`marks`), as bits for each suit. Not here: what comes of it.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.exchange.no_draw import fill_deal
from games.maths.exchange.strategy import first_decision

MOST_DEALS: Final = 4**5
SUITS: Final = 4
PLACES: Final = 1 << 5
Ints = NDArray[np.int64]
Deals = tuple[int, Ints, Ints, Ints]
"""For the kernels: how many; `cards[deal]`, `decisions[deal]`, `marks[deal, suit]`; rows beyond are of no meaning."""


def room() -> tuple[Ints, Ints, Ints]:
    """Arrays for `deals_of` to fill."""
    return np.zeros((MOST_DEALS, 5), np.int64), np.zeros(MOST_DEALS, np.int64), np.zeros((MOST_DEALS, SUITS), np.int64)


@kernel
def deals_of(
    own: Ints, ranks: Ints, up: int, suits: tuple[Ints, Ints], highest_card: Ints, arrays: tuple[Ints, Ints, Ints]
) -> int:
    """Fill the arrays with every deal of `own[rank]` cards, whose different ranks are `ranks`; how many there are."""
    choose, suit_sets = suits
    cards, decisions, marks = arrays
    number, deals = 0, 1
    for rank in ranks:
        deals *= choose[4, own[rank]]
    for deal in range(deals):
        clubs = fill_deal(deal, own, ranks, choose, suit_sets, cards[number])
        blocked = False
        for place in range(len(ranks)):
            blocked |= ranks[place] == up and clubs >> place & 1 == 1
        if blocked:
            continue
        decisions[number] = first_decision(cards[number], 4 * up, highest_card)
        marks[number] = 0
        for card in cards[number]:
            for place in range(len(ranks)):
                if ranks[place] == card >> 2:
                    marks[number, card & 3] |= 1 << place
        number += 1
    return number


@kernel
def kept_places(deals: Deals, deal: int, ranks: Ints) -> int:
    """The different ranks that an exchange keeps, as bits; −1 where it keeps some cards of a rank only."""
    _, cards, decisions, _ = deals
    kept_mask, dropped = 0, 0
    for card in range(5):
        for place in range(len(ranks)):
            if ranks[place] == cards[deal, card] >> 2:
                if decisions[deal] >> card & 1:
                    kept_mask |= 1 << place
                else:
                    dropped |= 1 << place
    return -1 if kept_mask & dropped else kept_mask


@kernel
def as_ranks(marks: int, ranks: Ints) -> int:
    """Places among the different ranks to the ranks themselves, both as bits."""
    bits = 0
    for place in range(len(ranks)):
        if marks >> place & 1:
            bits |= 1 << ranks[place]
    return bits


@kernel
def as_marks(mask: int, ranks: Ints) -> int:
    """Ranks to places among the different ranks, both as bits; others are left out."""
    bits = 0
    for place in range(len(ranks)):
        if mask >> ranks[place] & 1:
            bits |= 1 << place
    return bits
