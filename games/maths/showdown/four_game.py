"""One game (`game`) on the best four of five cards against a hidden five or six, and its rounds, dealt card by card.

Its optional wagers are data: the cards that each looks at, and the row of its paytables that pays. The rounds
are the independent test of `four_cards`, `strategy` and `six_cards`: they share with them the encoding of cards, the
ranking of hands and the decision for each hand only. Not here: the counts (`four_cards`, `six_cards`).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from games.compiled import helper, kernel
from games.maths.cards import FULL_DECK, SUITS
from games.maths.ranking import high_part, low_part
from games.maths.results import (
    LOST_OUTCOME,
    LargestRound,
    Step,
    WagerAnalysis,
    counted,
    paid_counts,
    paid_rows,
    parts_won,
)
from games.maths.showdown import six_cards as six
from games.maths.showdown.deck import (
    LOSE,
    OWN,
    RESULTS,
    SHORT,
    TIE,
    WIN,
    Against,
    Groups,
    Hand,
    HandOrder,
    Rows,
    groups_of,
    orbit_of,
    row_of,
)
from games.maths.showdown.four_cards import (
    HANDS,
    FourTables,
    Ints,
    against_four,
    best_four,
    card_bit,
    four_card_order,
    suited,
    value_counts,
)
from games.maths.showdown.game import Showdown
from games.maths.showdown.required import Played
from games.maths.showdown.six_cards import six_card_deals, six_cards, with_diamonds
from games.maths.showdown.strategy import OTHER_CARDS, DecisionTable
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play
from games.streams import advance, below, start

COLOR = FULL_DECK // 2  # cards of each
DIAMONDS, HEARTS = SUITS.index("d"), SUITS.index("h")


@dataclass(frozen=True, slots=True)
class FourSettled:
    """Numbers of rounds, and the last round's cards.

    `met[decision, result, group]`, `values[value]` of the player's hand, `reds[cards]` among the dealer's five,
    `sixes[class]` with the sixth card that all players share.
    """

    met: Ints
    values: Ints
    reds: Ints
    sixes: Ints
    player: tuple[int, ...]
    dealer: tuple[int, ...]
    shared: tuple[int, ...]


def deal_four(
    dealer_cards: int,
    shared: int,
    least: int,
    groups: Groups,
    decisions: DecisionTable,
    raises: int,
    stream: tuple[int, int, int],
) -> FourSettled:
    """Return the rounds of stream (seed, block, rounds).

    The dealer's hand is short below `least`; `shared` = 1 where the first card dealt is added to every player's five,
    else 0; one decision of `raises` or a fold.
    """
    met = np.zeros((1 + raises, RESULTS, len(groups.strengths)), np.int64)
    values, reds, sixes = (np.zeros(size, np.int64) for size in (len(groups.numbers), OWN + 1, six.CLASSES))
    deck = np.arange(FULL_DECK)
    rankings = best_four(OWN).tables, best_four(dealer_cards).tables, six_cards()
    tallies = (met, values, reds, sixes)
    numbers = groups.numbers.astype(np.int64)  # few enough to stay near, and read without a conversion
    _deal(*stream, deck, dealer_cards, shared, rankings, decisions, numbers, least, tallies)
    places = range(shared, shared + 2 * OWN, 2)
    return FourSettled(
        met,
        values,
        reds,
        sixes,
        player=tuple(int(deck[place]) for place in places),
        dealer=tuple(int(deck[place]) for place in (*(place + 1 for place in places), shared + 2 * OWN))[:dealer_cards],
        shared=tuple(int(card) for card in deck[:shared]),
    )


@helper
def _is_red(card: int) -> int:
    return 1 if card & 3 == DIAMONDS or card & 3 == HEARTS else 0


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    dealer_cards: int,
    shared: int,
    rankings: tuple[FourTables, FourTables, FourTables],
    decisions: DecisionTable,
    groups: Ints,
    least: int,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    own_ranking, dealer_ranking, six_ranking = rankings
    keys, own_low, own_high, own_ranks, own_suit = own_ranking
    _, dealer_low, dealer_high, dealer_ranks, dealer_suit = dealer_ranking
    _, six_low, six_high, six_ranks, six_suit = six_ranking
    decision_of, mixed, decision_of_mixed = decisions
    met, values, reds, sixes = tallies
    dealt = shared + OWN + dealer_cards
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(dealt):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # the shared card first, then one at a time to player and dealer
        key, bits, dealer_key, dealer_bits, red = 0, 0, 0, 0, 0
        for turn in range(OWN):
            card, dealer_card = deck[shared + 2 * turn], deck[shared + 2 * turn + 1]
            key += keys[card]
            bits |= 1 << card_bit(card)
            red += _is_red(card)
            dealer_key += keys[dealer_card]
            dealer_bits |= 1 << card_bit(dealer_card)
        if dealer_cards > OWN:
            dealer_key += keys[deck[dealt - 1]]
            dealer_bits |= 1 << card_bit(deck[dealt - 1])
        own = max(own_ranks[own_low[low_part(key)] + own_high[high_part(key)]], own_suit[suited(key, bits)])
        dealer = max(
            dealer_ranks[dealer_low[low_part(dealer_key)] + dealer_high[high_part(dealer_key)]],
            dealer_suit[suited(dealer_key, dealer_bits)],
        )

        # fold, or raise and compare
        decision = decision_of[own]
        if decision == OTHER_CARDS:
            decision = decision_of_mixed[np.searchsorted(mixed, orbit_of(bits))]
        result = SHORT if dealer < least else WIN if dealer < own else TIE if dealer == own else LOSE
        met[decision, result, groups[own]] += 1

        reds[red] += 1
        values[own] += 1

        if shared:
            key += keys[deck[0]]
            bits |= 1 << card_bit(deck[0])
            hand_class = max(six_ranks[six_low[low_part(key)] + six_high[high_part(key)]], six_suit[suited(key, bits)])
            sixes[with_diamonds(hand_class, bits)] += 1


@dataclass(frozen=True, slots=True, eq=False)
class FourLook:
    """The hands that a wager looks at, as parameters name them, and their numbers: of all `cycle`, of rounds dealt."""

    hands: Callable[[], tuple[Hand, ...]]
    exact: Callable[[], Ints]
    dealt: Callable[[FourSettled], Ints]
    cycle: int


@cache
def _best_four() -> tuple[Hand, ...]:
    order = four_card_order()
    return tuple(order.hand(strength) for strength in order.strengths.values())


def _red_counts() -> Ints:
    return np.array([comb(COLOR, red) * comb(COLOR, OWN - red) for red in range(OWN + 1)])


BEST_FOUR = FourLook(_best_four, value_counts, lambda settled: settled.values, HANDS)
"""The best four of the player's cards, as `deck.Hand`."""
REDS = FourLook(
    lambda: tuple((red,) for red in range(OWN + 1)), _red_counts, lambda settled: settled.reds, HANDS
)  # fmt: skip
"""`(how many,)` of the player's five are red."""
ALL_SIX = FourLook(
    lambda: tuple((name,) for name in six.NAMES), six.six_card_counts, lambda settled: settled.sixes, six.HANDS
)  # fmt: skip
"""`(class,)` of the player's five with the card that all share, as in `six_cards`."""


@dataclass(frozen=True, slots=True, eq=False)
class FourBonus:
    """An optional wager, and the row of its paytables that pays each hand."""

    look: FourLook
    rows: Rows
    lost: str  # the section that collects it
    instead: Mapping[str, str] = field(default_factory=dict)  # a row that not every paytable has → the row that pays
    notes: tuple[str, ...] = ()

    def check(self, key: str, shared: bool) -> None:
        """Raise `ParameterError` for terms that no game has; `shared`: whether it has a sixth card."""
        if self.look is ALL_SIX and not shared:
            raise ParameterError(key, "looks at a sixth card, but the players share no card")
        known = {hand[:length] for hand in self.look.hands() for length in range(len(hand) + 1)}
        if wrong := [hand for hand in self.rows if hand not in known]:
            raise ParameterError(f"{key}.rows", f"there is no {wrong[0]}")

    def analyze(self, table: Paytable) -> WagerAnalysis:
        """Return the exact figures."""
        rows = paid_rows(table, self._counts(table, self.look.exact()), self.look.cycle, self.lost)
        return counted(table.wager, table.name, rows, self.look.cycle, notes=self.notes)

    def tally(self, table: Paytable, settled: FourSettled) -> dict[str, int]:
        """Return outcome → rounds."""
        return self._counts(table, self.look.dealt(settled))

    def outcome(self, table: Paytable, number: int) -> str:
        """Return the outcome by which the hand with this number wins."""
        name = row_of(self.rows, self.look.hands()[number])
        printed = {line.outcome for line in table.rows}
        return name if name in printed else self.instead.get(name, LOST_OUTCOME)

    def _counts(self, table: Paytable, counts: Ints) -> dict[str, int]:
        rows = (row_of(self.rows, hand) for hand in self.look.hands())
        return paid_counts(table, rows, counts, int(counts.sum()), self.instead)


NUMBERS = {5: "five", 6: "six"}
TOGETHER: tuple[FourLook, ...] = (BEST_FOUR, ALL_SIX)  # as `six_cards.six_card_deals` has them


@dataclass(frozen=True, slots=True, eq=False)
class FourCardShowdown(Showdown):
    """The terms in which the games differ: the dealer's cards, the dealer's least hand to play, the wagers."""

    dealer_cards: int = 5
    shared: str = ""  # the name of a card that is dealt first and added to every player's five, if there is one
    bonuses: Mapping[str, FourBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """Raise `ParameterError` for terms that no game has."""
        if self.dealer_cards not in NUMBERS:
            raise ParameterError("dealer_cards", f"{self.dealer_cards}; allowed are 5 and 6")
        self.check()
        for wager, bonus in self.bonuses.items():
            bonus.check(f"bonuses[{wager!r}]", bool(self.shared))

    @property
    def order(self) -> HandOrder:
        return four_card_order()

    @property
    def against(self) -> Against:
        return against_four(self.dealer_cards, self.least_value)

    @property
    def groups(self) -> Groups:
        return _groups(self)

    def analyze_bonus(self, table: Paytable, chapter: Chapter, answers: Answers | None) -> WagerAnalysis:
        return self.bonuses[table.wager].analyze(table)

    def deal(self, best: Played, stream: tuple[int, int, int]) -> FourSettled:
        shared, raises = int(bool(self.shared)), len(self.required.raises)
        return deal_four(self.dealer_cards, shared, self.least_value, best.groups, best.best.table, raises, stream)

    def bonus_counts(self, table: Paytable, best: Played, settled: FourSettled, answers: Answers) -> dict[str, int]:
        return self.bonuses[table.wager].tally(table, settled)

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the shared card where a wager looks at it, both hands, the decision."""
        best, at = self.played(self.required.tables_for(chapter, answers)), self.sections.dealing(answers)
        settled = self.deal(best, (seed, block, index + 1))
        hidden = f"is dealt {NUMBERS[self.dealer_cards]} cards, hidden until the player has decided"
        steps = (
            Step("Player", "is dealt five cards", at.player, settled.player),
            Step("Dealer", hidden, at.dealer, settled.dealer),
            Step("Player", self.required.act(best.best.of(settled.player)), self.sections.decided),
        )
        looks = [self.bonuses[wager].look for wager in paytables_in_play(chapter, answers) if wager in self.bonuses]
        shared = Step(self.shared, "is dealt face down", at.extra, settled.shared)
        return (shared, *steps) if ALL_SIX in looks else steps

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the most that wagers on the best four and on all six win by the same cards; no decision changes it."""
        in_use = paytables_in_play(chapter, answers)
        tables = [chapter.paytable(wager, in_use[wager]) for wager in stakes if wager in in_use]
        places = [TOGETHER.index(self.bonuses[table.wager].look) for table in tables]
        dealt = {
            tuple(
                self.bonuses[table.wager].outcome(table, numbers[place])
                for table, place in zip(tables, places, strict=True)
            ): cards
            for numbers, cards in six_card_deals().items()
        }
        candidates = (
            LargestRound(self._six_dealt(cards, answers), tuple(parts_won(tables, outcomes, stakes)))
            for outcomes, cards in dealt.items()
            if not set(outcomes) & set(leaves_out)
        )
        return max(candidates, key=lambda candidate: candidate.amount)

    def _six_dealt(self, cards: tuple[int, ...], answers: Answers) -> tuple[Step, ...]:
        at = self.sections.dealing(answers)
        return (
            Step(self.shared, "is dealt", at.extra, cards[OWN:]),
            Step("Player", "is dealt five cards", at.player, cards[:OWN]),
        )


@cache
def _groups(game: FourCardShowdown) -> Groups:
    """Return groups of hands that no required wager pays apart."""
    return groups_of(four_card_order(), game.required.rows)
