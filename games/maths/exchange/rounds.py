"""Rounds dealt and settled card by card, as the game is played, for one player.

The independent test of `no_draw`, `drawn`, `estimate` and `first_five_counts`: it shares with them the encoding of
cards, what hands and combinations are, and the player's decisions. Every five cards are looked at once: their worth,
the first decision and the row of the wager on the first five cards are then read from tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.maths import hands
from games.maths.cards import FULL_DECK
from games.maths.exchange import payouts
from games.maths.exchange import rules as ways
from games.maths.exchange.payouts import AFTER_DRAW, COMBINATIONS, PAIR, WAYS, HandTables, Terms, appraise, hand_tables
from games.maths.exchange.rules import Forcing
from games.maths.exchange.strategy import (
    ACE,
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
from games.maths.ranking import FIELD, HANDS, HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.streams import advance, below, start

_CLASS_ROWS: Final = np.array(
    [
        {
            hands.THREE: payouts.THREE_ROW,
            hands.STRAIGHT: payouts.STRAIGHT_ROW,
            hands.FLUSH: payouts.FLUSH_ROW,
            hands.FULL_HOUSE: payouts.FULL_HOUSE_ROW,
            hands.FOUR: payouts.FOUR_ROW,
            hands.STRAIGHT_FLUSH: payouts.SAME_COLORED_STRAIGHT_ROW,
            hands.ROYAL_FLUSH: payouts.SAME_COLORED_STRAIGHT_ROW,
        }.get(name, payouts.LOST_ROW)
        for name in hands.STANDARD
    ]
)
"""Class of the first five cards → row of the wager on them, before color and ace-king are looked at."""
_HIGH_CARD: Final = hands.STANDARD.index(hands.HIGH_CARD)

EXAMPLES: Final = 4
RED, BLACK = 0x0FF0, 0xF00F  # suits as they are counted in a key
THREE_OF_SUIT, FOUR_OF_SUIT, HIGHEST_BITS = 0x5555, 0x4444, 0x8888
"""Added to suits, a suit with so many cards has its highest bit set."""
NOT_KEPT: Final = 1 << ACE + 1  # added to a first decision that is no exchange
BY_SUIT: Final = -1

Ints = NDArray[np.int64]
FiveCardTables = tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]
"""By hand, placed as `Ranking.values` are: value << 8 | combination << 4 | second one. By ranks and up card: the ranks
kept, as bits, or `NOT_KEPT` + first decision; first without four of a suit and, but for a pair or better, without three
of a suit within five ranks; then with four of a suit; `BY_SUIT` where more depends on suits. `[of one color, hand]`:
the row of the wager on the first five cards."""


@cache
def five_card_tables() -> FiveCardTables:
    """Return the worth and the play of every five cards, found once and then looked up."""
    ranks = [chosen for chosen in combinations_with_replacement(range(ACE + 1), 5) if len(set(chosen)) > 1]
    hands_of = np.zeros((len(ranks), EXAMPLES, 5), np.int64)
    for row, chosen in enumerate(ranks):
        for example, suits in enumerate(_suits(chosen)):
            hands_of[row, example] = [4 * rank + suit for rank, suit in zip(chosen, suits, strict=True)]
    key, suited = hand_tables()[0][hands_of].sum(axis=2), (hands_of & 3 == hands_of[:, :, :1] & 3).all(axis=2)
    numbers = LOW[low_part(key)].astype(np.int64) + HIGH[high_part(key)] + HANDS * suited
    worths, decisions = np.zeros(2 * HANDS, np.int32), np.zeros((2, HANDS, ACE + 1), np.int16)
    shared = (highest_card_table(), payouts.lowest_ace_king(), hand_tables())
    _fill(hands_of, numbers, shared, worths, decisions)
    return worths, decisions, _first_rows()


def _suits(ranks: Sequence[int]) -> tuple[Sequence[int], ...]:
    """Return the suits of `EXAMPLES` hands of five ranks, the highest rank last.

    They are: without three of a suit, the two highest of different suits, or of one; all of one suit; four of one. Of
    some ranks there are only the first.
    """
    plain, different = (0, 1, 2, 3, 0), len(set(ranks))
    four = [1 if place and ranks[place] == ranks[place - 1] else 0 for place in range(5)]
    if different == 5:
        return plain, (0, 1, 2, 3, 3), (0,) * 5, (0, 0, 0, 0, 1)
    return plain, plain, plain, four if different == 4 else plain


def _first_rows() -> NDArray[np.int8]:
    """Return [of one color, hand] → the highest row of the wager on the first five cards that they reach."""
    values = standard().values
    row = _CLASS_ROWS[np.maximum(class_of(values), 0)]  # type: ignore[arg-type]  # elementwise
    high_card = class_of(values) == _HIGH_CARD  # type: ignore[arg-type]  # elementwise
    row = np.where(high_card & (values >= payouts.lowest_ace_king()), payouts.ACE_KING_ROW, row)
    of_a_color = np.where(row == payouts.STRAIGHT_ROW, payouts.SAME_COLORED_STRAIGHT_ROW, row)
    of_a_color = np.where(row == payouts.LOST_ROW, payouts.SAME_COLORED_FIVE_ROW, of_a_color)
    return np.stack([row, of_a_color]).astype(np.int8)


@kernel
def _fill(
    hands_of: Ints,
    numbers: Ints,
    shared: tuple[Ints, int, HandTables],
    worths: NDArray[np.int32],
    decisions: NDArray[np.int16],
) -> None:
    """Fill the tables from examples of each five ranks (`_suits`)."""
    highest_card, lowest, ranking = shared
    for row in range(len(numbers)):
        for example in range(EXAMPLES):
            value, first, second = appraise(hands_of[row, example], 5, lowest, ranking)
            worths[numbers[row, example]] = value << 8 | first << 4 | second
        for up in range(ACE + 1):
            for example in (0, 1, 3):
                decision = first_decision(hands_of[row, example], 4 * up, highest_card)
                entry = NOT_KEPT + decision
                if decision < BET:
                    entry = 0
                    for place in range(5):
                        entry |= (decision >> place & 1) << (hands_of[row, example, place] >> 2)
                if example == 1 and decisions[0, numbers[row, 0], up] != entry:
                    entry = BY_SUIT
                decisions[1 if example == 3 else 0, numbers[row, 0], up] = entry


UP, NEW, CARDS_DEALT = 9, 10, 16  # five cards each, the dealer's last face up; up to five drawn; one for the dealer
ROOM = 10  # for the cards kept and the five that may be drawn


@dataclass(frozen=True, slots=True)
class Settled:
    """Numbers of rounds: `ends[way, combination, second]`, `first_rows[row]` of the wager on the first five cards."""

    ends: Ints
    first_rows: Ints


def new_deck() -> Ints:
    """Return the cards in order.

    Dealing leaves the last round's in front: one's own five, the dealer's five with the up card last, those drawn, the
    one that replaces the dealer's highest.
    """
    return np.arange(FULL_DECK)


def deal_rounds(terms: Terms, stream: tuple[int, int, int], deck: Ints) -> Settled:
    """Return the rounds of stream (seed, block, rounds)."""
    settled = Settled(
        np.zeros((WAYS, len(COMBINATIONS), len(COMBINATIONS)), dtype=np.int64),
        np.zeros(len(payouts.FIRST_FIVE_ROWS) + 1, dtype=np.int64),
    )
    shared = (highest_card_table(), payouts.lowest_ace_king(), hand_tables())
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
    shared: tuple[Ints, int, HandTables],
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
            if not bets_after_draw(first, cards, count, deck[UP], seen_of_up(deck, new)):
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
def seen_of_up(deck: Ints, new: int) -> int:
    """Return how many of one's own cards, the `new` ones too, are of the up card's rank."""
    seen, up_rank = 0, deck[UP] >> 2
    for place in range(5):
        seen += 1 if deck[place] >> 2 == up_rank else 0
        seen += 1 if (place < new) & (deck[NEW + place] >> 2 == up_rank) else 0
    return seen


@kernel
def force(
    deck: Ints, next_place: int, value: int, odds: int, forcing: Forcing, lowest: int, ranking: HandTables
) -> int:
    """Return the end of the round against a dealer who does not qualify, forced if that is right."""
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
    """Return the way of a dealer who qualifies: tied, beaten or won, which follow one another also if `forced`."""
    return ways.TIED + (1 if own < dealer else 0) + (2 if own > dealer else 0) + forced
