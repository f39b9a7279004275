"""Rounds of two own cards and five on the board against the dealer's two, with three chances to raise.

Of the exact side comes when to raise, as data; how a deal is numbered there is written again here. One deck, shuffled
before every round. Cards dealt first to last: the player's and the dealer's by turns, a burned card, the Flop, a
burned card, the Turn and the River card.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.best_five import RANKS, as_set, best_five, class_of_strength, strength
from games.second.cashier import LOST, endings, merged, net
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

DECK, CARDS_DEALT, FLOP, TURN, RIVER = 52, 11, 5, 9, 10
BEFORE, AFTER, LAST, FOLD = range(4)  # when the player raises
WIN, TIE, LOSE = range(3)  # of the player's hand; 3 more where the dealer does not qualify
UNQUALIFIED = 3
ENDS = 6
CLASSES = (
    "high card", "pair", "two pair", "three-of-a-kind", "straight", "flush", "full house", "four-of-a-kind",
    "straight flush", "royal flush",
)  # fmt: skip
PRINTED = tuple(name.capitalize() for name in CLASSES)
OWN_CARDS = (
    "Pair of aces",
    "Pair of 2s—kings",
    "Ace and a king, queen or jack of the same suit",
    "Ace and a king, queen or jack of different suits",
)
ACES, LOW_PAIR, SUITED_ACE, ACE_WITH, NOTHING = range(5)
CHOOSE = np.array([[comb(number, of) for of in range(6)] for number in range(RANKS + 5)])  # n over k
Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
Strategy = tuple[NDArray[np.bool_], NDArray[np.int16], Bits, Bits]
"""Where to raise. `before[pair]`; `forms[flop]`, the row of a Flop in `after[row, pair]`; `last[board, kinds]`; the two
latter as bits, lowest first. Sets of cards are numbered by their binomial coefficients (`_three`), so are two kinds
with repetition. A pair in `after` is that of the Flop whose suits are in falling order of its ranks in them, as bits.
A board is numbered by its five ranks; one with three, four or five cards of a suit behind those, by the ranks of the
suit, then by the others. The kind of a card is its rank, 13 more in a suit of which the board has three."""


@dataclass(frozen=True, slots=True)
class HeadsUpTable:
    """The table of one game; the required wagers are settled as one, in Antes."""

    raises: tuple[int, int, int]  # Antes before the Flop, after it, after the River card
    qualifier: int  # class from which on the dealer qualifies
    unqualified: str  # a dealer who does not
    odds: str  # wager whose one paytable a winning hand is paid by, from the class `odds_from` on
    odds_from: int
    bad_beat: str  # wager whose one paytable a losing hand is paid by, from the class `bad_beat_from` on
    bad_beat_from: int
    by_own_cards: str  # optional wager
    by_best_five: str  # optional wager

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; `strategy`: when the player raises."""
        required, own, made, deck = deal_rounds(self.qualifier, strategy, stream)
        settled: dict[str, list[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == "ante":
                settled[wager] = merged(self._required(chapter, required))
                continue
            table = chapter.paytable(wager, name)
            rows, numbers = (OWN_CARDS, own[:NOTHING]) if wager == self.by_own_cards else (PRINTED, made)
            by_row = dict(zip(rows, numbers, strict=True))
            counts = {row.outcome: int(by_row[row.outcome]) for row in table.rows}
            settled[wager] = endings(table, counts, stream[2], {})
        return Dealt(settled, tuple(deck[:CARDS_DEALT].tolist()))

    def _required(self, chapter: Chapter, rounds: Ints) -> Iterator[Ending]:
        """Yield Ante, Odds and Raise Wager by when the player raises, the end and the class of the player's hand."""
        (won,), (lost,) = chapter.tables_of(self.odds), chapter.tables_of(self.bad_beat)
        yield Ending("Folded", Fraction(2), Fraction(-2), int(rounds[FOLD].sum()))
        for when, raised in enumerate(self.raises):
            for rank, hand in enumerate(CLASSES):
                for end in range(ENDS):
                    ante = int(end < UNQUALIFIED)  # pushes if the dealer does not qualify
                    without = f"; dealer without {self.unqualified}" if end >= UNQUALIFIED else ""
                    if end % UNQUALIFIED == WIN:
                        paid = rank >= self.odds_from
                        words = f"wins with a {hand}" if paid else f"wins with less than a {CLASSES[self.odds_from]}"
                        amount = ante + raised + (_cell(won, hand, Fraction(0)) if paid else 0)
                    elif end % UNQUALIFIED == TIE:
                        words, amount = "ties", Fraction(0)
                    else:
                        odds = _cell(lost, hand, LOST) if end == LOSE and rank >= self.bad_beat_from else LOST
                        words = "loses" if odds == LOST else f"loses with a {hand}"
                        amount = odds - ante - raised
                    outcome = f"Raised {raised}×, {words}{without}"
                    yield Ending(outcome, Fraction(2 + raised), Fraction(amount), int(rounds[when, end, rank]))


def _cell(table: Paytable, hand: str, without: Fraction) -> Fraction:
    """Return the net of the row of this hand; `without` if the paytable has none."""
    cells = [row.pays[0].printed for row in table.rows if row.outcome == hand.capitalize()]
    return net(cells[0], table, {}) if cells else without


def deal_rounds(qualifier: int, strategy: Strategy, stream: Stream) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the rounds `[when, end, class]`, those by the own cards and by class, folded or not, and the deck."""
    required, own = np.zeros((FOLD + 1, ENDS, len(CLASSES)), np.int64), np.zeros(NOTHING + 1, np.int64)
    made, deck = np.zeros(len(CLASSES), np.int64), np.arange(DECK)
    before, forms, after, last = strategy
    _deal(*stream, qualifier, before, forms, after, last, CHOOSE, deck, required, own, made)
    return required, own, made, deck


@helper
def _two(first: int, second: int) -> int:
    """Return the number of two cards."""
    return max(first, second) * (max(first, second) - 1) // 2 + min(first, second)


@helper
def _three(first: int, second: int, third: int) -> int:
    """Return the number of three cards."""
    high, low = max(first, second, third), min(first, second, third)
    return high * (high - 1) * (high - 2) // 6 + _two(first + second + third - high - low, low)


@helper
def _renamed(card: int, flop: int) -> int:
    """Return the card with the place of its suit among the four, in falling order of the Flop's ranks in them."""
    own, place = flop >> 16 * (card & 3) & 0x1FFF, 0
    for suit in range(4):
        ranks = flop >> 16 * suit & 0x1FFF
        place += ranks > own or (ranks == own and suit < card & 3)
    return card & ~3 | place


@helper
def _own_cards(first: int, second: int) -> int:
    """Return the row of two cards."""
    high, low = max(first, second) >> 2, min(first, second) >> 2
    if high == low:
        return ACES if high == RANKS - 1 else LOW_PAIR
    if high < RANKS - 1 or low < RANKS - 4:
        return NOTHING
    return SUITED_ACE if first & 3 == second & 3 else ACE_WITH


@kernel
def _board(board: Ints, suit: int, number: int, choose: Ints) -> int:
    """Return the number of a board, which this sorts, with `number` cards of the suit; fewer than three: of none."""
    for place in range(1, 5):
        card, left = board[place], place
        while left and board[left - 1] > card:
            board[left] = board[left - 1]
            left -= 1
        board[left] = card
    if number < 3:
        ranks = 0
        for place in range(5):
            ranks += choose[(board[place] >> 2) + place, place + 1]
        return int(ranks)
    ranks, of_any_suit, of_suit = 0, 0, 0
    for place in range(5):
        rank = board[place] >> 2
        if board[place] & 3 == suit:
            ranks += choose[rank, of_suit + 1]
            of_suit += 1
        else:
            of_any_suit += choose[rank + place - of_suit, place - of_suit + 1]
    row = choose[RANKS + 4, 5] + ranks * choose[RANKS + 4 - number, 5 - number]
    for fewer in range(3, number):
        row += choose[RANKS, fewer] * choose[RANKS + 4 - fewer, 5 - fewer]
    return int(row + of_any_suit)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    qualifier: int,
    before: NDArray[np.bool_],
    forms: NDArray[np.int16],
    after: Bits,
    last: Bits,
    choose: Ints,
    deck: Ints,
    required: Ints,
    own: Ints,
    made: Ints,
) -> None:
    board, lowest = np.empty(5, np.int64), strength(qualifier, 0, 0)
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        first, second = deck[0], deck[2]
        flop = as_set(deck[FLOP]) | as_set(deck[FLOP + 1]) | as_set(deck[FLOP + 2])
        shared = flop | as_set(deck[TURN]) | as_set(deck[RIVER])
        mine = best_five(shared | as_set(first) | as_set(second))
        dealers = best_five(shared | as_set(deck[1]) | as_set(deck[3]))

        when = BEFORE
        if not before[_two(first, second)]:
            row = forms[_three(deck[FLOP], deck[FLOP + 1], deck[FLOP + 2])]
            pair = _two(_renamed(first, flop), _renamed(second, flop))
            when = AFTER if after[row, pair >> 3] >> (pair & 7) & 1 else LAST
        if when == LAST:
            counts, suit, number = 0, -1, 0
            for place in range(5):
                board[place] = deck[FLOP + place] if place < 3 else deck[TURN + place - 3]
                counts += 1 << 4 * (board[place] & 3)
            for each in range(4):
                if counts >> 4 * each & 15 > 2:
                    suit, number = each, counts >> 4 * each & 15
            row = _board(board, suit, number, choose)
            kind = (first >> 2) + (RANKS if first & 3 == suit else 0)
            kind_beside = (second >> 2) + (RANKS if second & 3 == suit else 0)
            kinds = _two(max(kind, kind_beside) + 1, min(kind, kind_beside))
            when = LAST if last[row, kinds >> 3] >> (kinds & 7) & 1 else FOLD

        end = WIN if mine > dealers else TIE if mine == dealers else LOSE
        if dealers < lowest:
            end += UNQUALIFIED
        required[when, end, class_of_strength(mine)] += 1
        own[_own_cards(first, second)] += 1
        made[class_of_strength(mine)] += 1
