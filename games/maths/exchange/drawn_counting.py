"""Rounds with a draw, or in which the dealer may be forced: every deal counted, by the ranks of the cards.

The player's five cards are taken by their ranks, under each up card (a club, which by symmetry represents every suit);
all deals of these ranks are counted together (`own_or_six`, `exchanged`). Not here: what the counts come to
(`required`), where they are kept (`drawn`), rounds that neither have a draw nor may force the dealer (`no_draw`).
"""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.exchange.behind import RANKS, Behind, behind
from games.maths.exchange.combinations import COMBINATIONS, Tables, lowest_ace_king, tables
from games.maths.exchange.ends import WAYS
from games.maths.exchange.exchanged import MOST_DRAWN, Drawn, meet_exchanged
from games.maths.exchange.no_draw import CHOOSE, SUIT_SETS, multisets
from games.maths.exchange.own_or_six import meet_own
from games.maths.exchange.settling import Table
from games.maths.exchange.starts import PLACES, deals_of, kept_places, room
from games.maths.exchange.strategy import BET, SIXTH, highest_card_table
from games.maths.exchange.terms import Terms

DRAWS: Final = MOST_DRAWN + 1  # none, a sixth card, two, three or four exchanged
Ints = NDArray[np.int64]


def counted(
    terms: Terms, ups: Iterable[int], present: Sequence[int] = range(RANKS), hands: Sequence[Ints] | None = None
) -> Ints:
    """`ends[cards drawn, way, combination, second]` under up cards of these ranks, each a club: of every deal of the
    player's, each choice of new cards, of the dealer's four hidden ones, and of the card for a forced dealer.

    Of no cards drawn only hands that may force the dealer. `present` are the ranks of the deck, four cards each, and
    `hands` the player's cards of each rank; fewer than all serve tests. `ValueError` for an exchange that keeps some
    cards of a rank only: the counting has no place for it.
    """
    deck = np.zeros(RANKS, np.int64)
    deck[list(present)] = 4
    own = np.array([hand for hand in multisets(5) if (hand <= deck).all()]) if hands is None else np.array(hands)
    draws = (drawn_cards(2, present), drawn_cards(3, present), drawn_cards(4, present))
    table = (lowest_ace_king(), terms.stakes.forcing, CHOOSE)
    ends = np.zeros((DRAWS, WAYS, len(COMBINATIONS), len(COMBINATIONS)), np.int64)
    for up in ups:
        known = (CHOOSE, SUIT_SETS), highest_card_table(), tables(), table, behind(up, present), draws, room()
        if not _count(own, up, deck, np.array(terms.odds, np.int64), *known, ends):
            raise ValueError("the strategy keeps some cards of a rank and exchanges others")
    return ends


def drawn_cards(size: int, present: Sequence[int]) -> Drawn:
    """All multisets of so many cards of the ranks `present`."""
    chosen = list(combinations_with_replacement(present, size))
    ranks, numbers = np.zeros((2, len(chosen), MOST_DRAWN), np.int64)
    for row, drawn in enumerate(chosen):
        for place, rank in enumerate(sorted(set(drawn))):
            ranks[row, place], numbers[row, place] = rank, drawn.count(rank)
    masks = np.array([sum(1 << rank for rank in set(drawn)) for drawn in chosen], np.int64)
    return Drawn(size, ranks, numbers, (numbers > 0).sum(axis=1), masks)


@kernel
def _count(
    own: Ints,
    up: int,
    deck: Ints,
    odds: Ints,
    suits: tuple[Ints, Ints],
    highest_card: Ints,
    ranking: Tables,
    table: Table,
    dealers: Behind,
    draws: tuple[Drawn, Drawn, Drawn],
    arrays: tuple[Ints, Ints, Ints],
    ends: Ints,
) -> bool:
    """Whether every exchange keeps all cards of a rank or none."""
    for hand in own:
        if hand[up] == 4:
            continue
        ranks = np.flatnonzero(hand)
        number = deals_of(hand, ranks, up, suits, highest_card, arrays)
        deals = (number, arrays[0], arrays[1], arrays[2])
        met, bet, sixth = np.zeros(PLACES, np.bool_), False, False
        for deal in range(number):
            decision = arrays[1][deal]
            bet |= decision == BET
            sixth |= decision == SIXTH
            if decision < BET:
                kept_mask = kept_places(deals, deal, ranks)
                if kept_mask < 0:
                    return False
                met[kept_mask] = True
        if bet:
            meet_own(hand, ranks, up, deals, BET, -1, deck, odds, ranking, table, dealers, ends[0])
        if sixth:
            for rank in range(len(deck)):
                meet_own(hand, ranks, up, deals, SIXTH, rank, deck, odds, ranking, table, dealers, ends[1])
        for kept_mask in range(PLACES):
            if met[kept_mask]:
                size = 5
                for place in range(len(ranks)):
                    size -= hand[ranks[place]] if kept_mask >> place & 1 else 0
                meet_exchanged(
                    hand, ranks, up, kept_mask, deals, draws[size - 2], deck, odds, ranking, table, dealers, ends[size]
                )
    return True
