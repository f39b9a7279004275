"""Rounds of a cross of five cards: two own cards with its row and with its column, a bet or a fold before each turn.

Two Antes and three bets: one Ante and one bet on each line, the third bet on the better of them. The third bet has too
many cases for a strategy that is shared: the player counts the 46 cards unseen, here too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.card_sums import (
    CLASSES,
    by_rank,
    by_suit,
    class_of_flush,
    class_of_pair,
    class_of_ranks,
    has_flush,
    mark,
    pairs_of,
    place_of_four,
    place_of_two,
)
from games.second.cashier import LOST, endings, net
from games.second.hands import PAIR
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

TOP, LEFT, RIGHT, BOTTOM, OWN, _, MIDDLE, CARDS = range(8)
"""Where a round's cards lie in the deck; those from `MIDDLE` on are unseen before the third bet."""
ANTES, LARGEST = 2, 3
FOLDED_WHEN = ("with two cards", "after the row's outer cards", "after the column's outer cards")
FIELD = 4  # bits of what is said of each rank, all ranks in one number
FOUR_OF_EACH = sum(4 << FIELD * rank for rank in range(13))
NEVER_LOSES = 1 << FIELD * 13
Ints = NDArray[np.int64]
Bets = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand of a line as outcomes name it, its classes, and the rows that pay an Ante and a bet, "" = both lose."""

    name: str
    kinds: Sequence[int]
    ante: str = ""
    bet: str = ""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The table of one game."""

    bets: Sequence[int]  # Antes, each of the three bets
    paid_by: str  # the wager whose only paytable pays the bets
    hands: Sequence[Hand]  # lowest first
    middle_pair: int  # the lowest rank of the lower row of pairs
    high_pair: int
    community: Mapping[str, Mapping[str, Sequence[int]]]  # wager on the community cards → row → classes

    def deal(self, chapter: Chapter, answers: Answers, strategy: tuple[Bets, Bets], stream: Stream) -> Dealt:
        """Deal and settle the rounds.

        `last`: the cards above, left, right and below, the player's two, the middle one, then the three bets in
        Antes, −1 where none was asked. `strategy`: the first bet by starting hand (the ranks of a higher and a lower
        card, as 13 × higher + lower if suited, else 13 × lower + higher), and the second as `[starting hand, place of
        the row's outer cards]`, where the suits of the own cards, the higher first, are called 0 and 1; 0 = a fold.
        """
        if not all(np.isin(bet, (0, *self.bets)).all() for bet in strategy):
            raise ValueError(f"{chapter.number}: the strategy has a bet that is not one of {self.bets}")
        antes, bets = self._nets(chapter)
        unit = lcm(*(pay.denominator for pay in (*antes, *bets)))
        ante, bet = (np.array([int(pay * unit) for pay in nets]) for nets in (antes, bets))
        result_of = np.zeros(CLASSES, np.int64)
        for result, hand in enumerate(self.hands):
            result_of[list(hand.kinds)] = result
        pairs = (by_rank(4 * self.middle_pair), by_rank(4 * self.high_pair))
        fifths = np.zeros(place_of_four(12, 13, 14, 15) + 1, np.int64)
        _fill_fifths(np.array(list(combinations_with_replacement(range(13), 4))), result_of, pairs, fifths)
        ended = np.zeros((LARGEST + 1,) * 3 + (len(self.hands),) * 2, np.int64)
        folded, five = np.zeros((3, ANTES + 2 * LARGEST + 1), np.int64), np.zeros(CLASSES, np.int64)
        deck, made = np.arange(52), np.full(3, -1)
        _deal(*stream, deck, strategy, (result_of, fifths, ante, bet), pairs, ended, folded, five, made)
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == "ante":
                settled[wager] = [*self._ended(antes, bets, ended), *self._folded(folded)]
            else:
                counts = {row: int(five[list(kinds)].sum()) for row, kinds in self.community[wager].items()}
                settled[wager] = endings(chapter.paytable(wager, name), counts, stream[2], {})
        return Dealt(settled, (*deck[:CARDS].tolist(), *made.tolist()))

    def _nets(self, chapter: Chapter) -> tuple[list[Fraction], list[Fraction]]:
        """Return what one unit of an Ante and of a bet wins, by hand."""

        def won(table: Paytable, outcome: str) -> Fraction:
            (pay,) = (row.pays[0] for row in table.rows if row.outcome == outcome)
            return net(pay.printed, table, {})

        ante, bet = chapter.tables_of("ante")[0], chapter.tables_of(self.paid_by)[0]
        return (
            [won(ante, hand.ante) if hand.ante else LOST for hand in self.hands],
            [won(bet, hand.bet) if hand.bet else LOST for hand in self.hands],
        )

    def _ended(self, antes: Sequence[Fraction], bets: Sequence[Fraction], ended: Ints) -> list[Ending]:
        """Return the endings of the rounds that were played to the end: by both hands, what is won and wagered."""
        rounds: defaultdict[tuple[str, Fraction, int], int] = defaultdict(int)
        results = range(len(self.hands))
        for x, y, z, across, down in product(self.bets, self.bets, self.bets, results, results):
            better, lesser = (self.hands[result].name for result in (max(across, down), min(across, down)))
            lines = f"{better} twice" if better == lesser else f"{better} and {lesser.lower()}"
            won = antes[across] + antes[down] + x * bets[across] + y * bets[down] + z * bets[max(across, down)]
            rounds[lines, won, ANTES + x + y + z] += int(ended[x, y, z, across, down])
        return [
            Ending(f"{lines}: {_won(won)}, {wagered} Antes wagered", Fraction(wagered), won, number)
            for (lines, won, wagered), number in rounds.items()
        ]

    def _folded(self, folded: Ints) -> list[Ending]:
        """Return the endings of the rounds that were folded, by decision and Antes wagered."""
        return [
            Ending(
                f"Folded {when}, {wagered} Antes wagered",
                Fraction(wagered),
                wagered * LOST,
                int(folded[stage, wagered]),
            )
            for stage, when in enumerate(FOLDED_WHEN)
            for wagered in range(ANTES + stage * min(self.bets), ANTES + stage * max(self.bets) + 1)
        ]


def _won(won: Fraction) -> str:
    return f"wins {won}" if won > 0 else f"loses {-won}" if won else "even"


@helper
def place_of_ranks(a: int, b: int, c: int, d: int) -> int:
    """Return the place of four ranks in any order, which may be equal, among all."""
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return place_of_four(a, b + 1, c + 2, d + 3)


@kernel
def _fill_fifths(fours: Ints, result_of: Ints, pairs: tuple[int, int], fifths: Ints) -> None:
    """Enter for each four ranks, not of one suit, the result with each fifth, `FIELD` bits a rank.

    `NEVER_LOSES` is added where none of the fifths loses.
    """
    for at in range(len(fours)):
        ranks = 0
        for place in range(4):
            ranks += by_rank(4 * fours[at, place])
        packed, loses = 0, False
        for rank in range(13):
            if ranks >> 3 * rank & 7 == 4:
                continue
            five = ranks + by_rank(4 * rank)
            kind = class_of_ranks(five)
            if kind == PAIR:
                kind = class_of_pair(pairs_of(five), pairs[0], pairs[1])
            packed |= result_of[kind] << FIELD * rank
            loses |= result_of[kind] == 0
        place = place_of_ranks(fours[at, 0], fours[at, 1], fours[at, 2], fours[at, 3])
        fifths[place] = packed if loses else packed | NEVER_LOSES


@helper
def _class(ranks: int, suits: int, marks: int, middle_pair: int, high_pair: int) -> int:
    """Return the class of five cards."""
    if has_flush(suits):
        return class_of_flush(marks)
    kind = class_of_ranks(ranks)
    return class_of_pair(pairs_of(ranks), middle_pair, high_pair) if kind == PAIR else kind


@helper
def renamed(card: int, first: int, second: int) -> int:
    """Return the card, where the first suit is called 0, the second 1 and the others follow in their order."""
    suit = card & 3
    if suit == first:
        return card - suit
    if suit == second:
        return card - suit + 1
    if first == second:
        return card + (suit < first)
    return card + 2 - (first < suit) - (second < suit)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    strategy: tuple[Bets, Bets],
    tables: tuple[Ints, Ints, Ints, Ints],
    pairs: tuple[int, int],
    ended: Ints,
    folded: Ints,
    five: Ints,
    made: Ints,
) -> None:
    first, second = strategy
    result_of, fifths, ante, bet = tables
    middle_pair, high_pair = pairs
    staked = np.zeros((LARGEST + 1, len(ante)), np.int64)  # what an Ante and so large a bet on its line win
    for size in range(LARGEST + 1):
        for result in range(len(ante)):
            staked[size, result] = ante[result] + size * bet[result]
    across_bet = down_bet = middle_bet = -1
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(CARDS):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, 52 - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        top, left, right, bottom, middle = deck[TOP], deck[LEFT], deck[RIGHT], deck[BOTTOM], deck[MIDDLE]
        row_ranks, row_suits = by_rank(left) + by_rank(right), by_suit(left) + by_suit(right)
        column_ranks, column_suits = by_rank(top) + by_rank(bottom), by_suit(top) + by_suit(bottom)
        row_marks, column_marks = mark(left) | mark(right), mark(top) | mark(bottom)
        ranks, suits = row_ranks + column_ranks + by_rank(middle), row_suits + column_suits + by_suit(middle)
        five[_class(ranks, suits, row_marks | column_marks | mark(middle), middle_pair, high_pair)] += 1
        across_bet = down_bet = middle_bet = -1

        # the first bet, on the two own cards
        a, b = max(deck[OWN], deck[OWN + 1]), min(deck[OWN], deck[OWN + 1])
        suited = (a ^ b) & 3 == 0
        begin = 13 * (a >> 2) + (b >> 2) if suited else 13 * (b >> 2) + (a >> 2)
        across_bet = int(first[begin])
        if across_bet == 0:
            folded[0, ANTES] += 1
            continue

        # the second bet, also on the row's outer cards
        outer = place_of_two(renamed(left, a & 3, b & 3), renamed(right, a & 3, b & 3))
        down_bet = int(second[begin, outer])
        if down_bet == 0:
            folded[1, ANTES + across_bet] += 1
            continue

        # the third bet, also on the column's outer cards
        wagered = ANTES + across_bet + down_bet
        own_ranks, own_suits, own_marks = by_rank(a) + by_rank(b), by_suit(a) + by_suit(b), mark(a) | mark(b)
        row_ranks, row_suits, row_marks = row_ranks + own_ranks, row_suits + own_suits, row_marks | own_marks
        column_ranks, column_suits = column_ranks + own_ranks, column_suits + own_suits
        column_marks |= own_marks
        in_row = fifths[place_of_ranks(a >> 2, b >> 2, left >> 2, right >> 2)]
        in_column = fifths[place_of_ranks(a >> 2, b >> 2, top >> 2, bottom >> 2)]
        middle_bet = LARGEST
        if in_row | in_column < NEVER_LOSES:
            lines = third = 0  # what the two lines and a third bet of one Ante win with the 46 cards unseen
            if (row_suits | column_suits) & 0x4444:
                for place in range(MIDDLE, 52):
                    card = deck[place]
                    ranks, suits, marks = row_ranks + by_rank(card), row_suits + by_suit(card), row_marks | mark(card)
                    across = result_of[_class(ranks, suits, marks, middle_pair, high_pair)]
                    ranks, suits = column_ranks + by_rank(card), column_suits + by_suit(card)
                    down = result_of[_class(ranks, suits, column_marks | mark(card), middle_pair, high_pair)]
                    lines += staked[across_bet, across] + staked[down_bet, down]
                    third += bet[max(across, down)]
            else:  # without four of one suit the cards of a rank do alike: how many of them are left is looked at
                left_over = FOUR_OF_EACH
                for place in range(MIDDLE):
                    left_over -= 1 << FIELD * (deck[place] >> 2)
                for rank in range(13):
                    ways = left_over >> FIELD * rank & 15
                    across, down = in_row >> FIELD * rank & 15, in_column >> FIELD * rank & 15
                    lines += ways * (staked[across_bet, across] + staked[down_bet, down])
                    third += ways * bet[max(across, down)]
            middle_bet = LARGEST if third >= 0 else 1
            if lines + middle_bet * third < wagered * 46 * bet[0]:
                middle_bet = 0
                folded[2, wagered] += 1
                continue

        # the two lines, and the better of them
        ranks, suits, marks = row_ranks + by_rank(middle), row_suits + by_suit(middle), row_marks | mark(middle)
        across = result_of[_class(ranks, suits, marks, middle_pair, high_pair)]
        ranks, suits = column_ranks + by_rank(middle), column_suits + by_suit(middle)
        down = result_of[_class(ranks, suits, column_marks | mark(middle), middle_pair, high_pair)]
        ended[across_bet, down_bet, middle_bet, across, down] += 1
    made[0], made[1], made[2] = across_bet, down_bet, middle_bet
