"""Rounds dealt and settled card by card, as the game is played, for one player.

The independent test of `no_draw`, `drawn` and `first_five`: it shares with them the encoding of cards, what
hands and combinations are, and the player's decisions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import helper, kernel
from games.maths.exchange import rules as ways
from games.maths.exchange.combinations import COMBINATIONS, PAIR, Tables, appraise, lowest_ace_king, tables
from games.maths.exchange.ends import AFTER_DRAW, WAYS
from games.maths.exchange.first_five import (
    ROWS,
)
from games.maths.exchange.five_cards import (
    BLACK,
    FOUR_OF_SUIT,
    HIGHEST_BITS,
    NOT_KEPT,
    RED,
    THREE_OF_SUIT,
    FiveCardTables,
    five_card_tables,
)
from games.maths.exchange.rules import Forcing
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    KEEP_ALL,
    SIXTH,
    bets_after_draw,
    first_decision,
    forces,
    highest_card_table,
)
from games.maths.exchange.terms import Terms
from games.maths.ranking import FIELD, flush_part, high_part, low_part
from games.maths.streams import advance, below, start

UP, NEW, CARDS_DEALT = 9, 10, 16  # five cards each, the dealer's last face up; up to five drawn; one for the dealer
ROOM = 10  # for the cards kept and the five that may be drawn
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
    _deal(*stream, paid, forcing, shared, five_card_tables(), deck, settled.ends, settled.first_rows)
    return settled


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    odds: Ints,
    forcing: Forcing,
    shared: tuple[Ints, int, Tables],
    of_five: FiveCardTables,
    deck: Ints,
    ends: Ints,
    first_rows: Ints,
) -> None:
    highest_card, lowest, ranking = shared
    keys, values, low, high = ranking
    worths, decisions, rows = of_five
    state = start(seed, block)
    cards = np.zeros(ROOM, np.int64)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        key, dealer_key = 0, 0
        for place in range(5):
            key += keys[deck[place]]
            dealer_key += keys[deck[5 + place]]
        dealer = values[low[low_part(dealer_key)] + high[high_part(dealer_key)] + flush_part(dealer_key)]
        suits = key >> 2 * FIELD
        number = low[low_part(key)] + high[high_part(key)]
        worth = worths[number + flush_part(key)]
        first, second = worth >> 4 & 15, worth & 15
        same_colored = 1 if suits & RED == 0 or suits & BLACK == 0 else 0
        first_rows[rows[same_colored, number + flush_part(key)]] += 1

        three, four = (suits + THREE_OF_SUIT) & HIGHEST_BITS, (suits + FOUR_OF_SUIT) & HIGHEST_BITS
        of_suit = 0  # the ranks of three cards or more of a suit
        for place in range(5):
            of_suit |= (three >> (4 * (deck[place] & 3) + 3) & 1) << (deck[place] >> 2)
        decision = decisions[1 if four else 0, number, deck[UP] >> 2]
        close = first < PAIR and four == 0 and of_suit & -of_suit > of_suit >> 5
        if decision < 0 or close or flush_part(key):
            decision = first_decision(deck, deck[UP], highest_card)
        elif decision < NOT_KEPT:
            kept_ranks, decision = decision, 0
            for place in range(5):
                decision |= (kept_ranks >> (deck[place] >> 2) & 1) << place
        else:
            decision -= NOT_KEPT
        if decision == FOLD:
            ends[ways.FOLDED, first, second] += 1
            continue
        if decision == INSTANT:
            ends[ways.INSTANT, first, second] += 1
            continue

        value, new = worth >> 8, 0
        if decision != BET:
            count, new = draw(deck, decision, cards)
            if count == 5:
                key = 0
                for place in range(5):
                    key += keys[cards[place]]
                worth = worths[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                value, first, second = worth >> 8, worth >> 4 & 15, worth & 15
            else:
                value, first, second = appraise(cards, count, lowest, ranking)
            seen, up_rank = 0, deck[UP] >> 2
            for place in range(5):
                seen += 1 if deck[place] >> 2 == up_rank else 0
                seen += 1 if (place < new) & (deck[NEW + place] >> 2 == up_rank) else 0
            if not bets_after_draw(first, cards, count, deck[UP], seen):
                ends[ways.FOLDED_AFTER_DRAW, first, second] += 1
                continue
        in_all = odds[first] + odds[second]
        if dealer >= lowest:
            way = _compare(value, dealer, 0)
        elif in_all < forcing[2]:
            way = ways.NOT_QUALIFIED
        else:
            way = force(deck, NEW + new, value, in_all, forcing, lowest, ranking)
        ends[way + (AFTER_DRAW if new else 0), first, second] += 1


@kernel
def draw(deck: Ints, decision: int, cards: Ints) -> tuple[int, int]:
    """Fill `cards`, which has `ROOM`, with the cards kept and the new ones; how many they are, and how many are new.

    What is beyond them is of no meaning: every card is written, kept or not, so that there is nothing to branch on.
    """
    count, keep = 0, KEEP_ALL if decision == SIXTH else decision
    for place in range(5):
        cards[count] = deck[place]
        count += keep >> place & 1
    for place in range(5):
        cards[count + place] = deck[NEW + place]
    new = 1 if decision == SIXTH else 5 - count
    return count + new, new


@kernel
def force(deck: Ints, next_place: int, value: int, odds: int, forcing: Forcing, lowest: int, ranking: Tables) -> int:
    """How the round ends against a dealer who does not qualify, if it is right to have the highest card replaced by the
    following one."""
    keys, values, low, high = ranking
    key, top = 0, 0
    for place in range(5, NEW):
        key += keys[deck[place]]
        top = max(top, deck[place])
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


@helper
def _compare(own: int, dealer: int, forced: int) -> int:
    """Alike whether the dealer was forced or not; the ways follow one another: tied, beaten, won."""
    return ways.TIED + (1 if own < dealer else 0) + (2 if own > dealer else 0) + forced
