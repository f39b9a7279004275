"""Rounds of three own cards and three community cards turned up one by one: a decision before each of these.

The wagers made before the deal and the raises are paid by the best five of the six cards, which may have a wild joker
among them; the dealer has no hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.second.card_sums import (
    CLASSES,
    EACH_RANK,
    FIVE_OF_A_KIND,
    HIGH_ACES,
    MINI_ROYAL,
    TENS,
    by_rank,
    by_suit,
    class_of_flush,
    class_of_pair,
    class_of_ranks,
    class_of_three,
    has_flush,
    mark,
    pairs_of,
    place_of_five,
    place_of_four,
    place_of_three,
)
from games.second.cashier import LOST, endings, net
from games.second.hands import FLUSH, FOUR, FULL_HOUSE, PAIR, ROYAL_FLUSH, STRAIGHT, STRAIGHT_FLUSH, THREE
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

OWN, CARDS, JOKER, SPADES = 3, 6, 52, 3
ROYAL_OF_SPADES = MINI_ROYAL + 1
"""A class of the three own cards, with those of `card_sums`; the other three royals are of the class `MINI_ROYAL`."""
FOUR_OF_A_SUIT, FOUR_EACH = 0x8888, 0x4444
LOWEST_OF_FIVE = 0x03FF03FF03FF03FF  # the places where a straight may begin, from an ace below the deuce up to a 10
FORFEITED = "Forfeited: a winning hand is folded"
Ints = NDArray[np.int64]
Decisions = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision before a community card: a raise of so many Antes, or a check, or else a fold."""

    raises: tuple[int, ...]
    folded: str = ""  # the words for a fold; a player may check where there are none


@dataclass(frozen=True, slots=True)
class Bonus:
    """An optional wager: the classes that each row pays; all others lose."""

    on: str  # "own" cards, or the best hand of "all" six
    rows: Mapping[str, Sequence[int]]
    forfeited: bool = False  # by a fold
    least_reset: int = 0  # dollars: of the meter where no amount is answered


@dataclass(frozen=True, slots=True)
class TurnedCardsTable:
    """The table of one game."""

    decisions: Sequence[Decision]  # three; the last with one raise
    raises_once: bool  # a player who has raised is not asked again; else a raise is due before every card
    before_deal: Sequence[str]  # the wager whose paytable pays each, "" = even money
    raise_name: str
    raised_by: str  # the wager whose paytable pays the raises
    rows: Mapping[str, int]  # printed row of these paytables → class of the best five cards
    middle_pair: int  # the lowest rank of the lower row of pairs; where there is one row, that of the other
    high_pair: int
    bonuses: Mapping[str, Bonus] = field(default_factory=dict)
    joker: bool = False

    def deal(self, chapter: Chapter, answers: Answers, strategy: Sequence[Decisions], stream: Stream) -> Dealt:
        """Deal and settle the rounds; `last`: the player's cards, then the community cards.

        `strategy`: by decision the Antes raised, 0 = none, as `[place of the cards seen, 0]`.
        """
        for decision, taken in zip(self.decisions, strategy, strict=True):
            if not np.isin(taken, (0, *decision.raises)).all():
                raise ValueError(f"{chapter.number}: the strategy has a raise that is not one of {decision.raises}")
        most = sum(max(decision.raises) for decision in self.decisions)
        ended, folded = np.zeros((most + 1, CLASSES), np.int64), np.zeros((len(self.decisions), most + 1), np.int64)
        own, made = np.zeros((2, ROYAL_OF_SPADES + 1), np.int64), np.zeros(CLASSES, np.int64)
        deck = np.arange(JOKER + 1 if self.joker else JOKER)
        may_check = np.array([not decision.folded for decision in self.decisions])
        pairs = (by_rank(4 * self.middle_pair), by_rank(4 * self.high_pair))
        first, second, third = (taken.reshape(len(taken)) for taken in strategy)
        (last_raise,) = self.decisions[-1].raises
        last = np.packbits(third > 0, bitorder="little")  # 2.6 million bytes would not fit into a core's own cache
        plays = (first, second, last, last_raise)
        _deal(*stream, deck, plays, may_check, self.raises_once, pairs, ended, folded, own, made)
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager == "ante":
                settled[wager] = [*self._ended(chapter, name, ended), *self._folded(folded)]
            else:
                table = chapter.paytable(wager, name)
                settled[wager] = _settled(self.bonuses[wager], table, answers, own, made)
        return Dealt(settled, tuple(deck[:CARDS].tolist()))

    def _ended(self, chapter: Chapter, ante_paytable: str, ended: Ints) -> list[Ending]:
        """Return the endings of the rounds that were played to the end, by Antes raised and hand."""

        def won(wager: str, outcome: str) -> Fraction:
            name = ante_paytable if wager == "ante" else chapter.tables_of(wager)[0].name
            (pay,) = (row.pays[0] for row in chapter.paytable(wager, name).rows if row.outcome == outcome)
            return net(pay.printed, chapter.paytable(wager, name), {})

        before = len(self.before_deal)
        listed = []
        for raised in self._totals():
            antes, called = Fraction(before + raised), f"{self.raise_name} {raised}×"
            for outcome, kind in self.rows.items():
                initial = sum(
                    (won(wager, outcome) if wager else Fraction(1) for wager in self.before_deal), Fraction(0)
                )
                total = initial + raised * won(self.raised_by, outcome)
                listed.append(Ending(f"{called}: {outcome}", antes, total, int(ended[raised, kind])))
            losing = [kind for kind in range(CLASSES) if kind not in self.rows.values()]
            listed.append(Ending(f"{called}: lost", antes, antes * LOST, int(ended[raised, losing].sum())))
        return listed

    def _totals(self) -> list[int]:
        """Return the Antes that a player who stays may have raised."""
        if self.raises_once:
            return sorted({size for decision in self.decisions for size in decision.raises})
        least, most = (sum(choice(decision.raises) for decision in self.decisions) for choice in (min, max))
        return list(range(least, most + 1))

    def _folded(self, folded: Ints) -> list[Ending]:
        """Return the ending of each decision where a player may fold; what was raised before does not vary."""
        listed = []
        for stage, decision in enumerate(self.decisions):
            if decision.folded:
                raised = 0 if self.raises_once else sum(earlier.raises[0] for earlier in self.decisions[:stage])
                antes = Fraction(len(self.before_deal) + raised)
                listed.append(Ending(decision.folded, antes, antes * LOST, int(folded[stage, raised])))
        return listed


def _settled(bonus: Bonus, table: Paytable, answers: Answers, own: Ints, made: Ints) -> list[Ending]:
    """Return the endings of an optional wager; `own[folded, class]`, `made[class]`: rounds."""
    counts = made if bonus.on == "all" else own[0] if bonus.forfeited else own.sum(axis=0)
    paid = {row: int(counts[list(kinds)].sum()) for row, kinds in bonus.rows.items()}
    reset = answers.get("progressive_reset")
    meters = {"meter": Decimal(bonus.least_reset if reset is None else str(reset))}
    if not bonus.forfeited:
        return endings(table, paid, int(counts.sum()), meters)
    forfeited = int(own[1, [kind for kinds in bonus.rows.values() for kind in kinds]].sum())
    listed = endings(table, paid, int(own.sum()) - forfeited, meters)
    return [*listed, Ending(FORFEITED, Fraction(1), LOST, forfeited)]


@helper
def with_one_missing(line: int, step: int) -> int:
    """Return where four of five places in a row are present, `step` bits apart: the lowest of the five."""
    a, b, c, d, e = line, line >> step, line >> 2 * step, line >> 3 * step, line >> 4 * step
    return a & b & c & (d | e) | (a & b | (a | b) & c) & d & e


@helper
def class_with_joker(ranks: int, suits: int, marks: int) -> int:
    """Return the best class of five cards and a joker that represents any card; the sums are those of the five."""
    runs = with_one_missing(marks | (marks & HIGH_ACES) >> 13, 1) & LOWEST_OF_FIVE
    if runs & TENS:
        return ROYAL_FLUSH
    if ranks >> 2 & EACH_RANK:
        return FIVE_OF_A_KIND
    if runs:
        return STRAIGHT_FLUSH
    if ranks >> 1 & ranks & EACH_RANK:
        return FOUR
    pairs = pairs_of(ranks)
    if pairs & (pairs - 1):
        return FULL_HOUSE
    if (suits + FOUR_EACH) & FOUR_OF_A_SUIT:
        return FLUSH
    present = (ranks | ranks >> 1) & EACH_RANK
    if with_one_missing(present << 3 | present >> 36, 3) & (1 << 30) - 1:  # begins with an ace, a 2 … or a 10
        return STRAIGHT
    return THREE if pairs else PAIR


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    strategy: tuple[Decisions, Decisions, NDArray[np.uint8], int],
    may_check: NDArray[np.bool_],
    raises_once: bool,
    pairs: tuple[int, int],
    ended: Ints,
    folded: Ints,
    own: Ints,
    made: Ints,
) -> None:
    middle_pair, high_pair = pairs
    first, second, last, last_raise = strategy
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        ranks = suits = marks = 0
        wild = False
        for place in range(CARDS):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, len(deck) - place)
            deck[place], deck[pick] = deck[pick], deck[place]
            if deck[place] == JOKER:
                wild = True
            else:
                ranks += by_rank(deck[place])
                suits += by_suit(deck[place])
                marks |= mark(deck[place])
        a, b, c, x, y = deck[0], deck[1], deck[2], deck[3], deck[4]

        # the best five of all cards
        if wild:
            kind = class_with_joker(ranks, suits, marks)
        else:
            kind = class_of_flush(marks) if has_flush(suits) else class_of_ranks(ranks)
        if kind == PAIR:  # a joker makes one with the highest card
            kind = class_of_pair(ranks if wild else pairs_of(ranks), middle_pair, high_pair)
        made[kind] += 1

        # the decisions, each on the cards seen by then
        raised, folds = 0, 0
        for stage in range(3):
            if stage == 0:
                more = int(first[place_of_three(a, b, c)])
            elif stage == 1:
                more = int(second[place_of_four(a, b, c, x)])
            else:
                place = place_of_five(a, b, c, x, y)
                more = last_raise * (last[place >> 3] >> (place & 7) & 1)
            if more == 0 and not may_check[stage]:
                folded[stage, raised] += 1
                folds = 1
                break
            raised += more
            if more > 0 and raises_once:
                break
        if folds == 0:
            ended[raised, kind] += 1

        royal = class_of_three(a, b, c)
        own[folds, ROYAL_OF_SPADES if royal == MINI_ROYAL and a & 3 == SPADES else royal] += 1
