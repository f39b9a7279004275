"""Rounds of two own cards and three community cards turned one by one: a raise or a fold before each of these.

The Ante and the raises are paid by the hand of the five cards; the dealer has no hand. Optional wagers are settled on
their cards after any decision.
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
    MINI_ROYAL,
    by_rank,
    by_suit,
    class_of_flush,
    class_of_pair,
    class_of_ranks,
    class_of_three,
    has_flush,
    mark,
    pairs_of,
    place_of_four,
    place_of_three,
    place_of_two,
)
from games.second.cashier import LOST, endings, net
from games.second.hands import ACE, NO_PAIR, PAIR, ROYAL_FLUSH
from games.second.table import Dealt, Ending, Stream
from games.streams import advance, below, start

SIX_ROYAL, SIX_ROYAL_DIAMONDS = ROYAL_FLUSH + 1, ROYAL_FLUSH + 2
"""Classes of six cards, with those of `hands`."""
ACE_PAIR, ACE_SUITED, ACE_UNSUITED, OTHER_PAIR, NO_POCKET = range(5)
JACK, NINE, DIAMONDS = 9, 7, 1
SIX_CARDS = 6
FOLDED_WHEN = ("with two cards", "after the first community card", "after the second community card")
Ints = NDArray[np.int64]
Decisions = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Bonus:
    """An optional wager: the cards that it is paid on, and the class of each row; all others lose."""

    on: str  # "own", "community", "five", "no pair" (five, by the highest rank) or "six"
    rows: Mapping[str, int]
    instead: str = ""  # the row that pays the hands of a row which not every paytable prints
    meters: Mapping[str, str] = field(default_factory=dict)  # jackpot as printed → the line that asks its reset amount


@dataclass(frozen=True, slots=True)
class StreetTable:
    """The table of one game."""

    raises: Sequence[int]  # Antes, at each of the three decisions
    rows: Mapping[str, int]  # printed row of the Ante's paytable → class of the five cards
    lost: str  # all other hands
    middle_pair: int  # the lowest rank of the lower row of pairs
    high_pair: int
    bonuses: Mapping[str, Bonus]
    extra_cards: int = 0  # for the wager on six cards, which the player's two complete

    def deal(self, chapter: Chapter, answers: Answers, strategy: Sequence[Decisions], stream: Stream) -> Dealt:
        """Deal and settle the rounds; `last`: the extra cards, the player's two, the community cards.

        `strategy`: by decision the Antes raised, 0 = a fold, as `[place of the cards seen, column]`; the columns are
        the Antes raised before, in steps of two from the least.
        """
        if not all(np.isin(taken, (0, *self.raises)).all() for taken in strategy):
            raise ValueError(f"{chapter.number}: the strategy has a raise that is not one of {self.raises}")
        most = len(strategy) * max(self.raises)
        ended, folded = np.zeros((most + 1, CLASSES), np.int64), np.zeros((len(strategy), most), np.int64)
        made = {"own": 5, "community": MINI_ROYAL + 1, "five": CLASSES, "no pair": ACE + 1, "six": 12}
        on = {cards: np.zeros(classes, np.int64) for cards, classes in made.items()}
        deck, pairs = np.arange(52), (by_rank(4 * self.middle_pair), by_rank(4 * self.high_pair))
        _deal(*stream, deck, tuple(strategy), self.extra_cards, pairs, ended, folded, tuple(on.values()))
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            table = chapter.paytable(wager, name)
            if wager == "ante":
                settled[wager] = [*self._ended(table, ended), *self._folded(folded)]
                continue
            bonus, printed = self.bonuses[wager], {row.outcome for row in table.rows}
            counts = dict.fromkeys(printed, 0)
            for row, kind in bonus.rows.items():
                counts[row if row in printed else bonus.instead] += int(on[bonus.on][kind])
            meters = {jackpot: Decimal(str(answers.get(line) or 0)) for jackpot, line in bonus.meters.items()}
            settled[wager] = endings(table, counts, stream[2], meters)
        return Dealt(settled, tuple(deck[: self.extra_cards + 5].tolist()))

    def _ended(self, table: Paytable, ended: Ints) -> list[Ending]:
        """Return the endings of the rounds that were played to the end, by hand and Antes wagered."""
        if set(self.rows) != {row.outcome for row in table.rows}:
            raise ValueError(f"{table.citation} {table.name} does not print the rows {list(self.rows)}")
        paid = [(row.outcome, net(row.pays[0].printed, table, {}), [self.rows[row.outcome]]) for row in table.rows]
        losing = [kind for kind in range(CLASSES) if kind not in self.rows.values()]
        return [
            _ending(f"{outcome}, {1 + raised} Antes wagered", 1 + raised, won, int(ended[raised, kinds].sum()))
            for outcome, won, kinds in (*paid, (self.lost, LOST, losing))
            for raised in _sums(self.raises, len(FOLDED_WHEN))
        ]

    def _folded(self, folded: Ints) -> list[Ending]:
        """Return the endings of the rounds that were folded, by decision and Antes wagered."""
        return [
            _ending(
                f"Folded {when}" + (f", {1 + raised} Antes wagered" if stage else ""),
                1 + raised,
                LOST,
                int(folded[stage, raised]),
            )
            for stage, when in enumerate(FOLDED_WHEN)
            for raised in _sums(self.raises, stage)
        ]


def _ending(outcome: str, antes: int, won: Fraction, rounds: int) -> Ending:
    """Return the ending of the Ante and the raises, which are paid alike."""
    return Ending(outcome, Fraction(antes), antes * won, rounds)


def _sums(raises: Sequence[int], number: int) -> list[int]:
    """Return what so many raises may add up to."""
    return list(range(number * min(raises), number * max(raises) + 1))


@helper
def _pocket(a: int, b: int) -> int:
    """Return the class of the player's two cards."""
    high, low = max(a, b) >> 2, min(a, b) >> 2
    if high == low:
        return ACE_PAIR if low == ACE else OTHER_PAIR
    if high < ACE or low < JACK:
        return NO_POCKET
    return ACE_UNSUITED if (a ^ b) & 3 else ACE_SUITED


@helper
def with_six_card_royals(kind: int, lowest: int, suits: int) -> int:
    """Return the class of the best five of six cards, `kind`, or the six-card royal flush that all of them make.

    `lowest`: the lowest card. `suits`: the sum of `by_suit`.
    """
    if kind != ROYAL_FLUSH or lowest >> 2 != NINE or suits != SIX_CARDS * by_suit(lowest):
        return kind
    return SIX_ROYAL_DIAMONDS if lowest & 3 == DIAMONDS else SIX_ROYAL


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    strategy: tuple[Decisions, ...],
    extra: int,
    pairs: tuple[int, int],
    ended: Ints,
    folded: Ints,
    made: tuple[Ints, ...],
) -> None:
    first, second, third = strategy
    middle_pair, high_pair = pairs
    made_own, made_community, made_five, made_high, made_six = made
    state = start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(extra + 5):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, 52 - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        a, b = deck[extra], deck[extra + 1]
        x, y, z = deck[extra + 2], deck[extra + 3], deck[extra + 4]

        # the hand of the five cards
        ranks = by_rank(a) + by_rank(b) + by_rank(x) + by_rank(y) + by_rank(z)
        kind = class_of_ranks(ranks)
        if has_flush(by_suit(a) + by_suit(b) + by_suit(x) + by_suit(y) + by_suit(z)):
            kind = class_of_flush(mark(a) | mark(b) | mark(x) | mark(y) | mark(z))
        if kind == PAIR:
            kind = class_of_pair(pairs_of(ranks), middle_pair, high_pair)

        # three decisions, each on the cards seen by then
        raised = int(first[place_of_two(a, b), 0])
        if raised == 0:
            folded[0, 0] += 1
        else:
            more = second[place_of_three(a, b, x), (raised - 1) >> 1]
            if more == 0:
                folded[1, raised] += 1
            else:
                raised += more
                more = third[place_of_four(a, b, x, y), (raised - 2) >> 1]
                if more == 0:
                    folded[2, raised] += 1
                else:
                    ended[raised + more, kind] += 1

        # the optional wagers
        made_own[_pocket(a, b)] += 1
        made_community[class_of_three(x, y, z)] += 1
        made_five[kind] += 1
        if kind == NO_PAIR:
            made_high[max(a, b, x, y, z) >> 2] += 1
        if extra:
            ranks, suits = by_rank(a) + by_rank(b), by_suit(a) + by_suit(b)
            for place in range(extra):
                ranks += by_rank(deck[place])
                suits += by_suit(deck[place])
            kind = class_of_ranks(ranks)
            if has_flush(suits):
                marks, lowest = mark(a) | mark(b), min(a, b)
                for place in range(extra):
                    marks |= mark(deck[place])
                    lowest = min(lowest, deck[place])
                kind = with_six_card_royals(class_of_flush(marks), lowest, suits)
            made_six[kind] += 1
