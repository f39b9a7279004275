"""One game (`game`) on the best four of five cards against a hidden five or six.

Its optional wagers are data: the cards that each looks at, and the row of its paytables that pays. Not here: the counts
(`four_cards`, `six_cards`).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from games.compiled import Ints
from games.maths.cards import FULL_DECK
from games.maths.results import (
    LOST_OUTCOME,
    LargestRound,
    Step,
    WagerAnalysis,
    counted_by_table,
    number_of,
    paid_counts,
    parts_won,
)
from games.maths.showdown import six_cards as six
from games.maths.showdown.deck import OWN, Against, Groups, Hand, HandOrder, Rows, groups_of, row_of
from games.maths.showdown.four_cards import HANDS, against_four, four_card_order, value_counts
from games.maths.showdown.game import Showdown
from games.maths.showdown.six_cards import six_card_deals
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import paytables_in_play

COLOR = FULL_DECK // 2  # cards of each


@dataclass(frozen=True, slots=True, eq=False)
class FourLook:
    """The hands that a wager looks at, as parameters name them, and how many each is of all `cycle`."""

    hands: Callable[[], tuple[Hand, ...]]
    exact: Callable[[], Ints]
    cycle: int


@cache
def _best_four() -> tuple[Hand, ...]:
    order = four_card_order()
    return tuple(order.hand(strength) for strength in order.strengths.values())


def _red_counts() -> Ints:
    return np.array([comb(COLOR, red) * comb(COLOR, OWN - red) for red in range(OWN + 1)])


BEST_FOUR = FourLook(_best_four, value_counts, HANDS)
"""The best four of the player's cards, as `deck.Hand`."""
REDS = FourLook(lambda: tuple((red,) for red in range(OWN + 1)), _red_counts, HANDS)
"""`(how many,)` of the player's five are red."""
ALL_SIX = FourLook(lambda: tuple((name,) for name in six.NAMES), six.six_card_counts, six.HANDS)
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
        taken = (row_of(self.rows, hand) for hand in self.look.hands())
        counts = paid_counts(table, taken, self.look.exact(), self.look.cycle, self.instead)
        return counted_by_table(table, counts, self.look.cycle, self.lost, notes=self.notes)

    def outcome(self, table: Paytable, number: int) -> str:
        """Return the outcome by which the hand with this number wins."""
        name = row_of(self.rows, self.look.hands()[number])
        printed = {line.outcome for line in table.rows}
        return name if name in printed else self.instead.get(name, LOST_OUTCOME)


TOGETHER: tuple[FourLook, ...] = (BEST_FOUR, ALL_SIX)  # as `six_cards.six_card_deals` has them


@dataclass(frozen=True, slots=True, eq=False)
class FourCardShowdown(Showdown):
    """The terms in which the games differ: the dealer's cards, the dealer's least hand to play, the wagers."""

    dealer_cards: int = 5
    shared: str = ""  # the name of a card that is dealt first and added to every player's five, if there is one
    bonuses: Mapping[str, FourBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """Raise `ParameterError` for terms that no game has."""
        if self.dealer_cards not in (5, 6):
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

    def analyze_bonus(self, table: Paytable, chapter: Chapter, answers: Answers) -> WagerAnalysis:
        return self.bonuses[table.wager].analyze(table)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the shared card where a wager looks at it, both hands, the decision.

        `dealt`: the player's five cards, then the dealer's, then the shared one.
        """
        at, both = way_dealt(self.sections.dealt, answers), OWN + self.dealer_cards
        player, dealer, shared = dealt[:OWN], dealt[OWN:both], dealt[both:]
        hidden = f"is dealt {number_of(self.dealer_cards, 'card')}, hidden until the player has decided"
        steps = (
            Step("Player", "is dealt five cards", at.player, player),
            Step("Dealer", hidden, at.dealer, dealer),
            Step("Player", self.required.act(self._best(chapter, answers).of(player)), self.sections.decided),
        )
        looks = [self.bonuses[wager].look for wager in paytables_in_play(chapter, answers) if wager in self.bonuses]
        return (Step(self.shared, "is dealt face down", at.extra, shared), *steps) if ALL_SIX in looks else steps

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
        at = way_dealt(self.sections.dealt, answers)
        return (
            Step(self.shared, "is dealt", at.extra, cards[OWN:]),
            Step("Player", "is dealt five cards", at.player, cards[:OWN]),
        )


@cache
def _groups(game: FourCardShowdown) -> Groups:
    """Return groups of hands that no required wager pays apart."""
    return groups_of(four_card_order(), game.required.rows)
