"""Rounds dealt and settled card by card, as the game is played, for one player.

The independent test of `no_draw`, `drawn` and `first_five`: it shares with them the encoding of cards, what
hands and combinations are, and the player's decisions.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.exchange import rules as ways
from games.maths.exchange.combinations import COMBINATIONS, Tables, appraise, lowest_ace_king, tables
from games.maths.exchange.ends import AFTER_DRAW, WAYS
from games.maths.exchange.first_five import (
    ACE_KING,
    FLUSH,
    FOUR,
    FULL_HOUSE,
    LOST,
    ROWS,
    SAME_COLORED_FIVE,
    SAME_COLORED_STRAIGHT,
    STRAIGHT,
    THREE,
)
from games.maths.exchange.rules import Forcing
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    KING,
    SIXTH,
    bets_after_draw,
    first_decision,
    forces,
    highest_card_table,
)
from games.maths.exchange.terms import Terms
from games.maths.ranking import class_of, flush_part, high_part, low_part
from games.maths.streams import advance, below, start

UP, NEW, CARDS_DEALT = 9, 10, 16  # five cards each, the dealer's last face up; up to five drawn; one for the dealer
_CLASS_ROWS: Final = np.array(
    [
        {
            hands.THREE: THREE,
            hands.STRAIGHT: STRAIGHT,
            hands.FLUSH: FLUSH,
            hands.FULL_HOUSE: FULL_HOUSE,
            hands.FOUR: FOUR,
            hands.STRAIGHT_FLUSH: SAME_COLORED_STRAIGHT,
            hands.ROYAL_FLUSH: SAME_COLORED_STRAIGHT,
        }.get(name, LOST)
        for name in hands.STANDARD
    ]
)
"""Class of the first five cards → row of the wager on them, before color and ace-king are looked at."""
_HIGH_CARD: Final = hands.STANDARD.index(hands.HIGH_CARD)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `ends[way, combination, second]` and `first_rows[row]` of the wager on the first five
    cards."""

    ends: Ints
    first_rows: Ints


def new_deck() -> Ints:
    """The cards in order; dealing leaves the last round's in front: one's own five, the dealer's five with the up
    card last, those drawn, the one that replaces the dealer's highest."""
    return np.arange(FULL_DECK)


def deal_rounds(terms: Terms, stream: tuple[int, int, int], deck: Ints) -> Settled:
    """Rounds of stream (seed, block, rounds)."""
    settled = Settled(
        np.zeros((WAYS, len(COMBINATIONS), len(COMBINATIONS)), dtype=np.int64),
        np.zeros(len(ROWS) + 1, dtype=np.int64),
    )
    shared = (highest_card_table(), lowest_ace_king(), tables())
    paid, forcing = np.array(terms.odds, dtype=np.int64), terms.stakes.forcing
    _deal(*stream, paid, forcing, shared, deck, _CLASS_ROWS, settled.ends, settled.first_rows)
    return settled


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    odds: Ints,
    forcing: Forcing,
    shared: tuple[Ints, int, Tables],
    deck: Ints,
    class_rows: Ints,
    ends: Ints,
    first_rows: Ints,
) -> None:
    highest_card, lowest, ranking = shared
    state = start(seed, block)
    cards = np.zeros(6, np.int64)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        value, first, second = appraise(deck, 5, lowest, ranking)
        first_rows[_first_row(deck, class_of(value), class_rows)] += 1

        decision = first_decision(deck, deck[UP], highest_card)
        if decision == FOLD:
            ends[ways.FOLDED, first, second] += 1
            continue
        if decision == INSTANT:
            ends[ways.INSTANT, first, second] += 1
            continue

        new = 0
        if decision != BET:
            count, new = draw(deck, decision, cards)
            value, first, second = appraise(cards, count, lowest, ranking)
            seen = 0
            for place in range(NEW + new):
                if (place < 5 or place >= NEW) and deck[place] >> 2 == deck[UP] >> 2:
                    seen += 1
            if not bets_after_draw(first, cards, count, deck[UP], seen):
                ends[ways.FOLDED_AFTER_DRAW, first, second] += 1
                continue
        way = reveal(deck, NEW + new, value, odds[first] + odds[second], forcing, lowest, ranking)
        ends[way + (AFTER_DRAW if new else 0), first, second] += 1


@kernel
def _first_row(deck: Ints, place: int, class_rows: Ints) -> int:
    """The highest row of the paytable that the first five cards reach."""
    row: int = class_rows[place]
    colors, ace, king = 0, False, False
    for card in deck[:5]:
        colors |= 1 << (card & 3 in (1, 2))  # clubs, diamonds, hearts, spades
        ace |= card >> 2 == KING + 1
        king |= card >> 2 == KING
    if row == STRAIGHT and colors != 3:
        return SAME_COLORED_STRAIGHT
    if row != LOST:
        return row
    if place == _HIGH_CARD and ace and king:
        return ACE_KING
    return SAME_COLORED_FIVE if colors != 3 else LOST


@kernel
def draw(deck: Ints, decision: int, cards: Ints) -> tuple[int, int]:
    """Fill `cards` with the cards kept and the new ones; how many it has, and how many are new."""
    count = 0
    for place in range(5):
        if decision == SIXTH or decision >> place & 1:
            cards[count] = deck[place]
            count += 1
    new = 1 if decision == SIXTH else 5 - count
    for place in range(new):
        cards[count + place] = deck[NEW + place]
    return count + new, new


@kernel
def reveal(deck: Ints, next_place: int, value: int, odds: int, forcing: Forcing, lowest: int, ranking: Tables) -> int:
    """How the round ends: by the dealer's hand, or the one after the highest card is replaced by the following."""
    keys, values, low, high = ranking
    key, top = 0, 0
    for place in range(5, NEW):
        key += keys[deck[place]]
        top = max(top, deck[place])
    dealer = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
    if dealer >= lowest:
        return _compare(value, dealer, 0)
    if odds < forcing[2]:
        return ways.NOT_QUALIFIED
    key -= keys[top]
    wins, losses = 0, 0
    for place in range(next_place, FULL_DECK):
        new_key = key + keys[deck[place]]
        dealer = values[low[low_part(new_key)] + high[high_part(new_key)] + flush_part(new_key)]
        if dealer >= lowest and dealer < value:
            wins += 1
        elif dealer >= lowest and dealer > value:
            losses += 1
    if not forces(odds, wins, losses, FULL_DECK - next_place, forcing):
        return ways.NOT_QUALIFIED
    key += keys[deck[next_place]]
    dealer = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
    if dealer < lowest:
        return ways.FORCED_NOT_QUALIFIED
    return _compare(value, dealer, ways.FORCED_NOT_QUALIFIED - ways.NOT_QUALIFIED)


@kernel
def _compare(own: int, dealer: int, forced: int) -> int:
    """Alike whether the dealer was forced or not."""
    result: int = ways.WON if own > dealer else ways.TIED if own == dealer else ways.BEATEN
    return result + forced
