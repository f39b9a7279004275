"""Rounds of five cards against the dealer's five, from 52 cards, or from 53 of which deuces and joker are wild.

A hand is met card by card as masks of the natural ranks that it has once, twice, three times and four times; wild cards
are counted. Still shared with the exact side: the player's decisions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second import showdown
from games.second.cashier import LOST as NOTHING
from games.second.cashier import endings, net, reset_meters
from games.second.hands import ACE, IN_RANKS, RANKS, class_of_five, suited
from games.second.showdown import (
    LOST,
    RESULTS,
    TIED,
    UNQUALIFIED,
    WON,
    Ints,
    Rows,
    ShowdownTable,
    Strategy,
    highest,
    name_of,
    number,
    number_of,
    rounds_by_row,
)
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

DECK, OWN, DEUCE, JOKER = 52, 5, 0, 52
(
    HIGH_CARD, PAIR, TWO_PAIRS, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, FIVE_ALIKE, ROYAL, FIVE_WILDS,
) = range(12)  # fmt: skip
CLASSES: Final = (
    showdown.HIGH_CARD, showdown.PAIR, showdown.TWO_PAIRS, showdown.THREE, showdown.STRAIGHT, showdown.FLUSH,
    showdown.FULL_HOUSE, showdown.FOUR, showdown.STRAIGHT_FLUSH, showdown.FIVE_OF_A_KIND, showdown.ROYAL_FLUSH,
    showdown.FIVE_WILDS,
)  # fmt: skip
"""With wild cards, lowest first."""
NATURAL_CLASSES: Final = (*CLASSES[: STRAIGHT_FLUSH + 1], CLASSES[ROYAL])
"""Those of `hands.class_of_five`."""
NATURAL, DEUCES, WITH_JOKER = KINDS = range(3)
"""Wild cards of a hand: none, deuces only, the joker."""
LOSING = "", ""  # in place of a cell


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveCardTable(ShowdownTable):
    """The table of one game."""

    by_own: Mapping[str, Rows] = field(default_factory=dict)  # wagers on the player's hand
    wild: bool = False  # 53 cards, deuces and joker wild
    by_column: str = ""  # the wager with a column for natural hands and one for hands with wild cards
    by_lower: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """On the lower hand of a raised round that is won or lost: row by class."""
    by_natural: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """On natural cards, the eleventh card in the joker's place: row by class of natural cards."""
    folded_qualify: str = ""  # the line that asks whether a folded hand qualifies for the wagers on natural cards

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds."""
        steps = self.steps(strategy, self.by_own, CLASSES, OWN)
        met = np.zeros((len(steps.firsts), max(self.raises) + 1, len(RESULTS)), np.int64)
        lower, natural = np.zeros(len(CLASSES), np.int64), np.zeros((2, len(NATURAL_CLASSES)), np.int64)
        kinds = np.zeros((len(KINDS), len(CLASSES), len(NATURAL_CLASSES)), np.int64)
        deck, least = np.arange(DECK + self.wild), number_of(self.least, CLASSES, OWN) if self.least else 0
        by_step = (steps.firsts, steps.decisions)
        _deal(*stream, deck, least, by_step, strategy[1:], met, lower, kinds, natural)
        settled: dict[str, Sequence[Ending]] = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if not name:
                settled[wager] = self.required(chapter, answers, steps, met)
                continue
            table = chapter.paytable(wager, name)
            if wager == self.by_column:
                settled[wager] = _better_column(table, kinds)
                continue
            rows: Sequence[str | None]
            if wager in self.by_own:
                rows, counts = steps.taken(self.by_own[wager]), met.sum(axis=(1, 2))
            elif wager in self.by_lower:
                rows, counts = self.by_lower[wager], lower
            else:
                qualify = answers.get(self.folded_qualify) is not False
                rows, counts = self.by_natural[wager], natural.sum(axis=0) if qualify else natural[1]
            paid = rounds_by_row(table, rows, counts, self.instead)
            settled[wager] = endings(table, paid, stream[2], reset_meters(table, answers))
        return Dealt(settled, tuple(deck[: 2 * OWN + self.wild].tolist()))


def _better_column(table: Paytable, kinds: Ints) -> list[Ending]:
    """Return an ending for each cell that is not "n/a": a hand with deuces takes the better of both columns."""
    nets = {(row, column): net(pay.printed, table, {}) for row, column, pay in table.lines() if pay.printed != "n/a"}
    rounds: Counter[tuple[str, str]] = Counter()
    for kind, with_wild, natural in np.argwhere(kinds).tolist():
        cells = []
        if kind != WITH_JOKER:
            cells.append((NATURAL_CLASSES[natural], "Natural"))
        if kind != NATURAL:
            cells.append((CLASSES[with_wild], "With Wild"))
        better = max(cells, key=lambda cell: nets.get(cell, NOTHING))
        rounds[better if better in nets else LOSING] += int(kinds[kind, with_wild, natural])
    paid = (
        Ending(f"{row}, {column.lower()}", Fraction(1), won, rounds[row, column]) for (row, column), won in nets.items()
    )
    return [*paid, Ending("Lost", Fraction(1), NOTHING, rounds[LOSING])]


@helper
def start_with_wilds(ranks: int) -> int:
    """Return where the highest straight begins that wild cards make of one to five different ranks; 0 = none.

    The lowest bit is that of an ace before the deuce.
    """
    high = ranks << 1
    lowest = high & -high
    if high < lowest << OWN:
        return min(lowest, 1 << (ACE - 3))
    return 1 if high >> (ACE + 1) and high - (1 << (ACE + 1)) < 1 << OWN else 0


@helper
def with_highest(ranks: int, more: int) -> int:
    """Return the ranks with some more, each the highest that is missing."""
    for _ in range(more):
        rank = 1 << ACE
        while ranks & rank:
            rank >>= 1
        ranks |= rank
    return ranks


@helper
def with_wilds(once: int, twice: int, three: int, four: int, one_suit: bool, wilds: int) -> int:
    """Return the number of five cards, from the ranks of the natural ones and whether these are of one suit."""
    alike = wilds + 1 + (twice > 0) + (three > 0) + (four > 0)
    begin = 0 if twice else start_with_wilds(once)
    if one_suit or begin:
        if wilds == OWN:
            return number(FIVE_WILDS, 0, 0)
        if one_suit and begin == 1 << (ACE - 3):
            return number(ROYAL, 1 << ACE, 0)
        if one_suit and begin and alike < OWN:
            return number(STRAIGHT_FLUSH, begin, 0)
        if alike < OWN - 1:
            return number(FLUSH, with_highest(once, wilds), 0) if one_suit else number(STRAIGHT, begin, 0)
    if alike == 1:
        return number(HIGH_CARD, once, 0)
    most = highest(four or three or twice or once)  # the rank to which wild cards are added
    beside, two_pairs = once & ~most, twice & (twice - 1)
    if alike == 2:
        return number(TWO_PAIRS, twice, once & ~twice) if two_pairs else number(PAIR, most, beside)
    if alike == 3:  # a full house too of two pairs and a wild card
        return number(FULL_HOUSE if two_pairs else THREE, most, beside)
    return number(FIVE_ALIKE if alike == OWN else FOUR, most, beside)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    least: int,
    by_step: tuple[Ints, NDArray[np.int8]],
    by_name: tuple[Ints, NDArray[np.int8]],
    met: Ints,
    lower: Ints,
    kinds: Ints,
    natural: Ints,
) -> None:
    firsts, decisions = by_step
    names, decisions_by_name = by_name
    wild = len(deck) > DECK
    natural_ranks = IN_RANKS & ~(1 << DEUCE) if wild else IN_RANKS
    state, hands = start(seed, block), np.zeros(2, np.int64)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(2 * OWN + wild):  # the shuffle, as far as cards are dealt; the last may replace the joker
            state = advance(state)
            pick = place + below(state, len(deck) - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        wilds = 0
        for side in range(2):  # the dealer, the player
            once, twice, three, four, suits, wilds = 0, 0, 0, 0, 0b1111, 0
            for place in range(OWN - side * OWN, 2 * OWN - side * OWN):
                card = deck[place]
                rank = 1 << (card >> 2) & natural_ranks  # 0 = wild: nothing follows but its count
                four, three, twice, once = four | three & rank, three | twice & rank, twice | once & rank, once | rank
                suits &= 1 << (card & 3) if rank else 0b1111
                wilds += rank == 0
            hands[side] = with_wilds(once, twice, three, four, suits > 0, wilds)
        dealer, own = hands

        step = np.searchsorted(firsts, own, side="right") - 1
        raised = decisions[step]
        if raised < 0:
            by_suits = 0
            for card in deck[:OWN]:
                by_suits += suited(card) if 1 << (card >> 2) & natural_ranks else 0
            raised = decisions_by_name[np.searchsorted(names, name_of(by_suits))]
        result = UNQUALIFIED if dealer < least else WON if own > dealer else TIED if own == dealer else LOST
        met[step, raised, result] += 1
        if raised and result in (WON, LOST):
            lower[min(own, dealer) >> 2 * RANKS] += 1

        a, b, c, d, e, new = deck[0], deck[1], deck[2], deck[3], deck[4], deck[2 * OWN]
        kind = DEUCES if wilds else NATURAL
        if wilds and (a == JOKER or b == JOKER or c == JOKER or d == JOKER or e == JOKER):
            kind = WITH_JOKER
            a, b, c = new if a == JOKER else a, new if b == JOKER else b, new if c == JOKER else c
            d, e = new if d == JOKER else d, new if e == JOKER else e
        plain = class_of_five(a, b, c, d, e)
        kinds[kind, own >> 2 * RANKS, plain] += 1
        natural[1 if raised else 0, plain] += 1
