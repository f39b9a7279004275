"""Rounds of the best four of five cards against the best four of the dealer's five or six.

Cards are met one by one as masks of the ranks that a hand has once, twice, three times and four times. Still shared
with the exact side: the player's decisions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play
from games.second import showdown
from games.second.cashier import endings
from games.second.hands import ACE, IN_RANKS, IN_SUIT, RANKS, longest_flush, suited
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
from games.second.table import Dealt, Stream
from games.streams import advance, below, start

DECK, OWN, PLAY = 52, 5, 4
HIGH_CARD, PAIR, TWO_PAIRS, STRAIGHT, FLUSH, THREE, STRAIGHT_FLUSH, FOUR = range(8)
CLASSES: Final = (
    showdown.HIGH_CARD, showdown.PAIR, showdown.TWO_PAIRS, showdown.STRAIGHT, showdown.FLUSH, showdown.THREE,
    showdown.STRAIGHT_FLUSH, showdown.FOUR,
)  # fmt: skip
"""Lowest first."""
(
    LESS, THREE_OF_SIX, STRAIGHT_OF_SIX, FLUSH_OF_SIX, FULL_HOUSE, FOUR_OF_SIX, STRAIGHT_FLUSH_OF_SIX, ROYAL_FLUSH,
    ALL_ROYAL, DIAMOND_ROYAL,
) = range(10)  # fmt: skip
DIAMONDS = 1
SIX_HIGHEST = 0b111111 << (ACE - 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class FourCardTable(ShowdownTable):
    """The table of one game."""

    by_four: Mapping[str, Rows] = field(default_factory=dict)  # wagers on the player's best four
    dealer_cards: int = OWN
    by_reds: Mapping[str, Sequence[str]] = field(default_factory=dict)  # on the red cards of five, none to all
    by_six: Mapping[str, Sequence[str]] = field(default_factory=dict)  # on six cards, rows of `LESS` to `DIAMOND_ROYAL`

    def deal(self, chapter: Chapter, answers: Answers, strategy: Strategy, stream: Stream) -> Dealt:
        """Deal and settle the rounds; with wagers on six cards, the first card is the sixth of every player's."""
        steps = self.steps(strategy, self.by_four, CLASSES, PLAY)
        met = np.zeros((len(steps.firsts), max(self.raises) + 1, len(RESULTS)), np.int64)
        reds, sixes, deck = np.zeros(OWN + 1, np.int64), np.zeros(DIAMOND_ROYAL + 1, np.int64), np.arange(DECK)
        shared, least = int(bool(self.by_six)), number_of(self.least, CLASSES, PLAY) if self.least else 0
        by_step = (steps.firsts, steps.decisions)
        _deal(*stream, deck, shared, self.dealer_cards, least, by_step, strategy[1:], met, reds, sixes)
        settled = {}
        for wager, name in paytables_in_play(chapter, answers).items():
            if not name:
                settled[wager] = self.required(chapter, answers, steps, met)
                continue
            if wager in self.by_four:
                rows, counts = steps.taken(self.by_four[wager]), met.sum(axis=(1, 2))
            elif wager in self.by_reds:
                rows, counts = [*self.by_reds[wager]], reds
            else:
                rows, counts = [*self.by_six[wager]], sixes
            table = chapter.paytable(wager, name)
            settled[wager] = endings(table, rounds_by_row(table, rows, counts, self.instead), stream[2], {})
        last = deck[: shared + OWN + self.dealer_cards].tolist()
        player, dealer = last[shared : shared + 2 * OWN : 2], last[shared + 1 : shared + 2 * OWN : 2]
        return Dealt(settled, (*player, *dealer, *last[shared + 2 * OWN :], *last[:shared]))


@helper
def start_of(ranks: int, cards: int) -> int:
    """Return where the highest straight of four or five cards begins, among up to six ranks, as a bit; 0 = none.

    The lowest bit is that of an ace before the deuce.
    """
    both = ranks << 1 | ranks >> ACE
    starts = both & both >> 1 & both >> 2 & both >> 3
    if cards > PLAY:
        starts &= both >> 4
    return starts & ~(starts >> 1)


@helper
def best_four(once: int, twice: int, three: int, four: int, suits: int, spare: int) -> int:
    """Return the number of the best four cards, from the ranks of all, and from what the cards add to by suits.

    `spare`: cards that do not play.
    """
    if four:
        return number(FOUR, four, 0)
    flush = longest_flush(suits)
    flush = flush if flush >> RANKS >= PLAY else 0
    if flush:
        begin = start_of(flush & IN_RANKS, PLAY)
        if begin:
            return number(STRAIGHT_FLUSH, begin, 0)
    if three:
        three = highest(three)
        return number(THREE, three, highest(once & ~three))
    if flush:
        ranks = flush & IN_RANKS
        for _ in range((flush >> RANKS) - PLAY):
            ranks &= ranks - 1
        return number(FLUSH, ranks, 0)
    begin = start_of(once, PLAY)
    if begin:
        return number(STRAIGHT, begin, 0)
    if twice & (twice - 1):
        lowest = twice & -twice
        return number(TWO_PAIRS, twice if twice == lowest | highest(twice) else twice - lowest, 0)
    beside = once & ~twice
    for _ in range(spare):
        beside &= beside - 1
    return number(PAIR, twice, beside) if twice else number(HIGH_CARD, beside, 0)


@helper
def class_of_six(once: int, twice: int, three: int, four: int, suits: int) -> int:
    """Return the class of six cards, of which any five make it; all six in the highest royal flush."""
    flush = longest_flush(suits)
    flush = flush if flush >> RANKS > PLAY else 0
    begin = start_of(flush & IN_RANKS, OWN)
    if flush & IN_RANKS == SIX_HIGHEST:
        return DIAMOND_ROYAL if suits >> 16 * DIAMONDS & IN_SUIT == flush else ALL_ROYAL
    if begin:
        return ROYAL_FLUSH if begin << 4 == 1 << (ACE + 1) else STRAIGHT_FLUSH_OF_SIX
    if four:
        return FOUR_OF_SIX
    if three and twice & (twice - 1):
        return FULL_HOUSE
    if flush:
        return FLUSH_OF_SIX
    if start_of(once, OWN):
        return STRAIGHT_OF_SIX
    return THREE_OF_SIX if three else LESS


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    shared: int,
    dealer_cards: int,
    least: int,
    by_step: tuple[Ints, NDArray[np.int8]],
    by_name: tuple[Ints, NDArray[np.int8]],
    met: Ints,
    reds: Ints,
    sixes: Ints,
) -> None:
    firsts, decisions = by_step
    names, decisions_by_name = by_name
    dealt, state = shared + OWN + dealer_cards, start(seed, block)
    fresh = deck.copy()
    for _ in range(rounds):
        deck[:] = fresh  # no round depends on the one before
        for place in range(dealt):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        once, twice, three, four, suits, red = 0, 0, 0, 0, 0, 0
        for place in range(shared, shared + 2 * OWN, 2):
            card = deck[place]
            rank = 1 << (card >> 2)
            four, three, twice, once = four | three & rank, three | twice & rank, twice | once & rank, once | rank
            suits += suited(card)
            red += (card + 1) >> 1 & 1  # diamonds and hearts
        own, own_suits = best_four(once, twice, three, four, suits, OWN - PLAY), suits
        reds[red] += 1
        if shared:
            card = deck[0]
            rank = 1 << (card >> 2)
            four, three, twice, once = four | three & rank, three | twice & rank, twice | once & rank, once | rank
            sixes[class_of_six(once, twice, three, four, suits + suited(card))] += 1

        once, twice, three, four, suits = 0, 0, 0, 0, 0
        for turn in range(dealer_cards):
            card = deck[shared + 2 * turn + (1 if turn < OWN else 0)]
            rank = 1 << (card >> 2)
            four, three, twice, once = four | three & rank, three | twice & rank, twice | once & rank, once | rank
            suits += suited(card)
        dealer = best_four(once, twice, three, four, suits, dealer_cards - PLAY)

        step = np.searchsorted(firsts, own, side="right") - 1
        raised = decisions[step]
        if raised < 0:
            raised = decisions_by_name[np.searchsorted(names, name_of(own_suits))]
        result = UNQUALIFIED if dealer < least else WON if own > dealer else TIED if own == dealer else LOST
        met[step, raised, result] += 1
