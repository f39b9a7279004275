"""Rounds of five cards against the dealer's five, with a draw for a fee, and a dealer who may be forced to try again.

Of the exact side come the player's decisions, as data; where a hand stands in it is worked out here again. One deck,
shuffled before every round. Cards dealt first to last: the player's five, the dealer's five with the up card last,
those drawn, the one that replaces the dealer's highest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play
from games.second.best_five import (
    OF_SUIT,
    RANKS,
    as_set,
    best_five,
    class_of_strength,
    flush_ranks,
    size,
    straights,
    strength,
)
from games.second.cashier import endings, merged, net
from games.second.hands import ACE, NO_PAIR
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

DECK, CARDS_DEALT, DEALERS, UP, NEW = 52, 16, 5, 9, 10
COMBINATIONS = (
    "Nothing", "Ace-king", "One pair", "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house",
    "Four-of-a-kind", "Straight flush", "Royal flush",
)  # fmt: skip
NOTHING, ACE_KING, ONE_PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(11)
FIRST_FIVE = (
    "Four-of-a-kind", "Same-colored straight", "Full house", "Flush", "Straight", "Three-of-a-kind", "Ace-king",
    "Same colored five", "Lost",
)  # fmt: skip
FOLDED, INSTANT, FOLDED_AFTER_DRAW, NOT_QUALIFIED, TIED, BEATEN, WON = range(7)
FORCED = 4  # added to the latter four where the dealer was forced
AFTER_DRAW = 8  # added to these eight after a draw
WAYS = 19
ENDS = {
    NOT_QUALIFIED: "Dealer does not qualify",
    TIED: "Tie",
    BEATEN: "Beaten by the dealer",
    WON: "Wins",
    NOT_QUALIFIED + FORCED: "Dealer forced, does not qualify",
    TIED + FORCED: "Dealer forced, tie",
    BEATEN + FORCED: "Dealer forced, beaten by the dealer",
    WON + FORCED: "Dealer forced, wins",
}
BET, SIXTH, FOLD = 31, 32, 33  # first decisions; the others: the cards kept, as bits
HELD_NOTHING, HELD_ACE_KING, HELD_WITH_QUEEN_OR_JACK, HELD_DEUCES, HELD_MORE = range(5)
ACE_AND_KING, QUEEN_AND_JACK = 3 << ACE - 1, 3 << ACE - 3
RED = OF_SUIT << 16 | OF_SUIT << 32
CHOOSE = np.array([[comb(number, of) for of in range(6)] for number in range(RANKS + 4)])  # n over k
Ints = NDArray[np.int64]
Strategy = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_], tuple[int, int, int, int]]
"""`lines[ranks, suits]`: five cards in rising order by their ranks (the sum of the binomials of rank + place over
place + 1) and by which are of one suit (`SUITS`); `first[line, up rank]`. `bets[held, up rank, cards of that rank held
or exchanged]` after a draw. Then when to force: the least odds in all, and (a, b, c) where a × odds × cards that win
− b × cards that lose must reach c × cards unseen."""


def _suits() -> NDArray[np.int64]:
    """Return suits of five cards, the first lowest in base 4 → their pattern, numbered as patterns first occur."""
    numbers: dict[tuple[int, ...], int] = {}
    of_code = np.zeros(4**5, np.int64)
    for code in range(4**5):
        suits = [code >> 2 * place & 3 for place in range(5)]
        of_code[code] = numbers.setdefault(tuple(suits.index(suit) for suit in suits), len(numbers))
    return of_code


SUITS = _suits()


@dataclass(frozen=True, slots=True)
class ExchangeTable:
    """The table of one game; the required wagers and fees are settled as one, in Antes."""

    bet: int  # Antes
    draw_fee: int
    force_fee: int | None  # None: the dealer cannot be forced
    least_exchanged: int
    bet_wager: str  # whose one paytable a winning hand is paid by
    first_five: str  # optional wager

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; `strategy`: the player's decisions."""
        ends, first_rows, deck = self.deal_rounds(chapter, strategy, stream)
        settled: dict[str, list[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            table = chapter.paytable(wager, name)
            if wager == self.first_five:
                counts = dict(zip(FIRST_FIVE[:-1], first_rows[:-1].tolist(), strict=True))
                settled[wager] = endings(table, counts, stream[2], {})
            else:
                instant = {row.outcome: net(row.pays[0].printed, table, {}) for row in table.rows}
                settled[wager] = merged([*self._before_the_dealer(instant, ends), *self._settled(chapter, ends)])
        return Dealt(settled, tuple(deck[:CARDS_DEALT].tolist()))

    def deal_rounds(self, chapter: Chapter, strategy: Strategy, stream: Stream) -> tuple[Ints, Ints, Ints]:
        """Return the rounds `[way, combination, second one]`, those by rows of the first five cards, and the deck."""
        lines, first, bets, (least, per_win, per_loss, needed) = strategy
        fewest = min(5 - int(decision).bit_count() for decision in np.unique(first) if decision < BET)
        if fewest < self.least_exchanged:
            raise ValueError(f"the strategy exchanges {fewest} cards; the least is {self.least_exchanged}")
        ends = np.zeros((WAYS, len(COMBINATIONS), len(COMBINATIONS)), np.int64)
        rows = np.zeros(len(FIRST_FIVE), np.int64)
        deck, odds = np.arange(DECK), np.array([int(pays) for pays in self._odds(chapter)])
        tables = lines, first, bets, SUITS, CHOOSE
        _deal(*stream, tables, odds, least, per_win, per_loss, needed, deck, ends, rows)
        return ends, rows, deck

    def _odds(self, chapter: Chapter) -> list[Fraction]:
        """Return what the Bet Wager pays for each combination, to 1."""
        (table,) = chapter.tables_of(self.bet_wager)
        pays = {row.outcome: net(row.pays[0].printed, table, {}) for row in table.rows}
        return [pays.get(name, Fraction(0)) for name in COMBINATIONS]

    def _before_the_dealer(self, instant: dict[str, Fraction], ends: Ints) -> Iterator[Ending]:
        ante = Fraction(1)
        for place, name in enumerate(COMBINATIONS):
            if place >= STRAIGHT_FLUSH:
                rounds = int(ends[INSTANT, place].sum())
                yield Ending(f"{name} in the first five cards", ante, instant[name], rounds)
        yield Ending("Folded", ante, -ante, int(ends[FOLDED].sum()))
        lost = ante + self.draw_fee
        yield Ending("Folded after a draw", lost, -lost, int(ends[FOLDED_AFTER_DRAW].sum()))

    def _settled(self, chapter: Chapter, ends: Ints) -> Iterator[Ending]:
        """Yield the ends against the dealer."""
        odds = self._odds(chapter)
        for way, words in ENDS.items():
            forced = way >= NOT_QUALIFIED + FORCED
            if forced and self.force_fee is None:
                continue
            end = way - FORCED if forced else way
            for draw, after in ((0, ""), (AFTER_DRAW, ", after a draw")):
                fees = (self.draw_fee if draw else 0) + (self.force_fee or 0 if forced else 0)
                wagered = Fraction(1 + self.bet + fees)
                if end == WON:  # the Ante is returned
                    for first in range(ACE_KING, len(COMBINATIONS)):
                        for second in range(first + 1):
                            paid, rounds = odds[first] + odds[second], int(ends[way + draw, first, second])
                            yield Ending(f"{words} {paid} to 1{after}", wagered, self.bet * paid - fees, rounds)
                    continue
                ante = 0 if forced or end == TIED else 1  # the Bet is returned
                won = -1 - self.bet if end == BEATEN else ante
                yield Ending(words + after, wagered, Fraction(won - fees), int(ends[way + draw].sum()))


@helper
def combination(value: int) -> int:
    """Return the combination that the strength of a hand is of."""
    kind = class_of_strength(value)
    if kind > NO_PAIR:
        return kind + 1
    return ACE_KING if value & ACE_AND_KING == ACE_AND_KING else NOTHING


@helper
def second_combination(cards: int, number: int, value: int) -> int:
    """Return the highest combination with a card outside of the one that the best five of five or six cards make."""
    first = combination(value)
    if first < ONE_PAIR:
        return NOTHING
    made_of = value >> RANKS & OF_SUIT
    ranks = (cards | cards >> 16 | cards >> 32 | cards >> 48) & OF_SUIT
    ace_king = ACE_KING if ranks & ACE_AND_KING == ACE_AND_KING else NOTHING
    if first in (ONE_PAIR, THREE):
        return ace_king
    alike = number - size(ranks)  # cards less ranks
    if first == TWO_PAIR:
        return TWO_PAIR if alike == 3 else NOTHING if made_of == ACE_AND_KING else ace_king
    if first == FOUR:
        return FULL_HOUSE if alike == 4 else ace_king
    if number == 5:
        return NOTHING
    if first == FULL_HOUSE:
        outside = ranks & ~(made_of | value)
        return FULL_HOUSE if outside == 0 else ace_king if outside & ACE_AND_KING else NOTHING
    suited, in_line = flush_ranks(cards), straights(ranks)
    if first == FLUSH:
        if size(suited) == 6:
            return FLUSH
        if in_line:
            return STRAIGHT
        return ONE_PAIR if alike else ace_king if ranks & ~suited & ACE_AND_KING else NOTHING
    if size(suited) == 6:
        in_line = straights(suited)
        return STRAIGHT_FLUSH if in_line & (in_line - 1) else FLUSH
    if alike or in_line & (in_line - 1):
        return STRAIGHT
    outside = ranks & ~(made_of * 31 >> 1 | (1 << ACE if made_of == 1 else 0))
    return ace_king if outside & ACE_AND_KING else NOTHING


@helper
def first_five_row(cards: int, value: int) -> int:
    """Return the place in `FIRST_FIVE` of a hand of this strength."""
    first = combination(value)
    one_color = cards & RED == 0 or cards & ~RED == 0
    if first == FOUR:
        return 0
    if one_color and first in (STRAIGHT, STRAIGHT_FLUSH, ROYAL_FLUSH):
        return 1
    if first == FULL_HOUSE:
        return 2
    if first == FLUSH:
        return 3
    if first == STRAIGHT:
        return 4
    if first == THREE:
        return 5
    if first == ACE_KING:
        return 6
    return 7 if one_color else 8


@helper
def held_after_draw(cards: int, value: int) -> int:
    """Return the line of the player's decision after a draw."""
    first = combination(value)
    if first > ACE_KING:
        return HELD_DEUCES if first == ONE_PAIR and value >> RANKS & OF_SUIT == 1 else HELD_MORE
    if first == NOTHING:
        return HELD_NOTHING
    ranks = cards | cards >> 16 | cards >> 32 | cards >> 48
    return HELD_WITH_QUEEN_OR_JACK if ranks & QUEEN_AND_JACK else HELD_ACE_KING


@helper
def against_dealer(mine: int, dealers: int) -> int:
    """Return the end against a dealer, who qualifies with an ace-king or better."""
    if dealers < strength(NO_PAIR, 0, ACE_AND_KING):
        return NOT_QUALIFIED
    return WON if mine > dealers else TIED if mine == dealers else BEATEN


@kernel
def force(deck: Ints, next_place: int, mine: int, odds: int, per_win: int, per_loss: int, needed: int) -> int:
    """Return the end against a dealer who does not qualify: the player may force another card for the highest."""
    lower_four, top = 0, 0
    for place in range(DEALERS, NEW):
        lower_four |= as_set(deck[place])
        top = max(top, deck[place])
    lower_four &= ~as_set(top)
    wins, losses = 0, 0
    for place in range(next_place, DECK):
        end = against_dealer(mine, best_five(lower_four | as_set(deck[place])))
        wins += end == WON
        losses += end == BEATEN
    if per_win * odds * wins - per_loss * losses < needed * (DECK - next_place):
        return NOT_QUALIFIED
    return against_dealer(mine, best_five(lower_four | as_set(deck[next_place]))) + FORCED


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    tables: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_], Ints, Ints],
    odds: Ints,
    least: int,
    per_win: int,
    per_loss: int,
    needed: int,
    deck: Ints,
    ends: Ints,
    first_rows: Ints,
) -> None:
    lines, first_decisions, bets, suits, choose = tables
    five = np.empty(5, np.int64)
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        cards, hidden = 0, 0
        for place in range(5):
            cards |= as_set(deck[place])
            hidden |= as_set(deck[DEALERS + place])
        mine = best_five(cards)
        first_rows[first_five_row(cards, mine)] += 1
        if combination(mine) >= STRAIGHT_FLUSH:
            ends[INSTANT, combination(mine), NOTHING] += 1
            continue

        a, b, c, d, e = deck[0], deck[1], deck[2], deck[3], deck[4]
        a, b = min(a, b), max(a, b)
        d, e = min(d, e), max(d, e)
        c, e = min(c, e), max(c, e)
        c, d = min(c, d), max(c, d)
        b, e = min(b, e), max(b, e)
        a, d = min(a, d), max(a, d)
        a, c = min(a, c), max(a, c)
        b, d = min(b, d), max(b, d)
        b, c = min(b, c), max(b, c)
        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
        ranks, of_suits = 0, 0
        for place in range(5):
            ranks += choose[(five[place] >> 2) + place, place + 1]
            of_suits |= (five[place] & 3) << 2 * place
        up = deck[UP] >> 2
        decision = first_decisions[lines[ranks, suits[of_suits]], up]
        if decision == FOLD:
            ends[FOLDED, combination(mine), second_combination(cards, 5, mine)] += 1
            continue
        new, number = 0, 5
        if decision != BET:
            kept_places = BET if decision == SIXTH else decision
            new = 1 if decision == SIXTH else 5 - size(kept_places)
            number = 6 if decision == SIXTH else 5
            cards, seen = 0, 0
            for place in range(5):
                cards |= as_set(five[place]) if kept_places >> place & 1 else 0
                seen += five[place] >> 2 == up
            for place in range(NEW, NEW + new):
                cards |= as_set(deck[place])
                seen += deck[place] >> 2 == up
            mine = best_five(cards)
            if not bets[held_after_draw(cards, mine), up, seen]:
                ends[FOLDED_AFTER_DRAW, combination(mine), second_combination(cards, number, mine)] += 1
                continue
        first, second = combination(mine), second_combination(cards, number, mine)
        way = against_dealer(mine, best_five(hidden))
        in_all = odds[first] + odds[second]
        if way == NOT_QUALIFIED and in_all >= least:
            way = force(deck, NEW + new, mine, in_all, per_win, per_loss, needed)
        ends[way + (AFTER_DRAW if new else 0), first, second] += 1
