"""Rounds of seven cards against the dealer's seven, by the longest flush.

A hand is what its cards add to (`hands.suited`): of two flushes the higher has the greater 16 bits. Still shared with
the exact side: the player's decisions.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.cashier import endings, reset_meters
from games.second.hands import IN_RANKS, IN_SUIT, RANKS, falling, longest_flush, suited
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

DECK, CARDS = 52, 7
UNQUALIFIED, WON, TIED, LOST = range(4)
SIZES: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven")  # as a row begins: "Six-card flush"
FACES: Final = "23456789TJQKA"
THREE_AND_ONE = 286 * RANKS  # numbers of four cards in three suits that are three of one and one of another
TWO_AND_TWO = 78 * 79 // 2
Ints = NDArray[np.int64]
Small = NDArray[np.int8]
Strategy = tuple[Small, Ints, Small]
"""Antes raised by the longest flush (its 16 bits), 0 = folded, −1 = by the four other cards: then the third array says
them, by [row of the three cards, number of the four cards]; the second has the row of three cards."""


@dataclass(frozen=True, slots=True)
class LongestFlushTable:
    """The table of one game: the raises and the dealer's least flush; a progressive's terms if none are answered."""

    raises: tuple[int, ...]  # the most Antes, by the size of the longest flush: two to seven cards
    least_size: int  # with which the dealer qualifies
    least_high: str  # the face of the highest of those cards
    bet: Decimal
    reset: Decimal

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; `ValueError` for a decision to raise more than a flush allows."""
        by_flush, _, by_others = strategy
        most = np.array((0, 0, *self.raises))[np.arange(len(by_flush)) >> RANKS]
        if (by_flush > most).any() or (by_others > self.raises[1]).any():
            raise ValueError("the strategy raises more Antes than the flush allows")
        required = np.zeros((max(self.raises) + 1, LOST + 1), np.int64)
        flushes, straights = np.zeros(CARDS + 1, np.int64), np.zeros(CARDS + 1, np.int64)
        deck = np.arange(DECK)
        least = self.least_size << RANKS | 1 << FACES.index(self.least_high)
        _deal(*stream, deck, strategy, least, required, flushes, straights)
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if not name:
                settled[wager] = self._required(required)
                continue
            table = self._on_terms(chapter.paytable(wager, name), answers)
            counts = {row.outcome: _rounds_with(row.outcome, flushes, straights) for row in table.rows}
            settled[wager] = endings(table, counts, stream[2], reset_meters(table, answers))
        return Dealt(settled, (*deck[: 2 * CARDS : 2].tolist(), *deck[1 : 2 * CARDS : 2].tolist()))

    def _required(self, rounds: Ints) -> list[Ending]:
        """Return the ends of Ante and Raise Wager, in Antes; both pay 1 to 1."""
        settled = [Ending("Folded", Fraction(1), Fraction(-1), int(rounds[0].sum()))]
        for raised in sorted({1, *self.raises}):
            for end, how, won in (
                (UNQUALIFIED, "dealer does not qualify", 1),  # the Raise Wager is returned
                (WON, "wins", 1 + raised),
                (TIED, "ties", 0),
                (LOST, "loses", -1 - raised),
            ):
                outcome = f"Raised {raised}×, {how}"
                settled.append(Ending(outcome, Fraction(1 + raised), Fraction(won), int(rounds[raised, end])))
        return settled

    def _on_terms(self, table: Paytable, answers: Answers) -> Paytable:
        """Return the paytable with the bet of its progressive, and the reset amount of a chapter without answers."""
        if not any("meter" in pay.printed for row in table.rows for pay in row.pays):
            return table
        return replace(table, wager_amount=Decimal(str(answers.get("progressive_bet") or self.bet)), seed=self.reset)


def _rounds_with(outcome: str, flushes: Ints, straights: Ints) -> int:
    """Return the rounds that the row "Six-card flush" or "Six-card straight flush" names."""
    size, kind = outcome.split("-card ")
    return int({"flush": flushes, "straight flush": straights}[kind][SIZES.index(size)])


@helper
def straight_in(suit: int) -> int:
    """Return the most cards in consecutive rank in 16 bits of a suit, an ace before the deuce or after the king."""
    ranks, length = (suit & IN_RANKS) << 1 | suit >> (RANKS - 1) & 1, 0
    while ranks:
        ranks, length = ranks & ranks >> 1, length + 1
    return length


@helper
def place_of(ranks: int) -> int:
    """Return the place of one to three ranks among all choices of as many, the highest of them weighs most."""
    place, taken = 0, 0
    for rank in range(RANKS):
        if ranks >> rank & 1:
            taken += 1
            lower = rank  # ways to take as many from the ranks below
            if taken >= 2:
                lower = lower * (rank - 1) // 2
            if taken == 3:
                lower = lower * (rank - 2) // 3
            place += lower
    return place


@helper
def number_beside(hand: int) -> int:
    """Return the number of the four cards beside the longest flush, which has three."""
    _, first, second, third = falling(hand & IN_SUIT, hand >> 16 & IN_SUIT, hand >> 32 & IN_SUIT, hand >> 48 & IN_SUIT)
    size, second_size = first >> RANKS, second >> RANKS
    first, second, third = place_of(first), place_of(second), place_of(third)
    if size == 3:
        return first * RANKS + second
    if second_size == 2:
        return THREE_AND_ONE + first * (first + 1) // 2 + second
    return THREE_AND_ONE + TWO_AND_TWO + first * (78 + 13) + second * (second + 1) // 2 + third


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    strategy: Strategy,
    least: int,
    required: Ints,
    flushes: Ints,
    straights: Ints,
) -> None:
    by_flush, rows, by_others = strategy
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        own, dealer = 0, 0
        for place in range(2 * CARDS):  # one card at a time, the player first; the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
            if place & 1:
                dealer += suited(deck[place])
            else:
                own += suited(deck[place])

        mine, theirs = longest_flush(own), longest_flush(dealer)
        raised = by_flush[mine]
        if raised < 0:
            raised = by_others[rows[place_of(mine)], number_beside(own)]
        end = UNQUALIFIED if theirs < least else WON if mine > theirs else TIED if mine == theirs else LOST
        required[raised, end] += 1
        flushes[mine >> RANKS] += 1
        straights[max(straight_in(own), straight_in(own >> 16), straight_in(own >> 32), straight_in(own >> 48))] += 1
