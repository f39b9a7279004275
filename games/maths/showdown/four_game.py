"""One game on the best four of five cards against a hidden five or six as the rest of the portal meets it.

Its optional wagers are data: the cards that each looks at, and the row of its paytables that pays.

A chapter's `play.py` states the records and hands the game's methods on. Not here: what decisions win (`parts`), their
analysis (`required`), the counts (`four_hidden`, `six_cards`), dealing (`four_rounds`).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.published import compare_published
from games.maths.results import (
    LOST_NET,
    LOST_OUTCOME,
    LargestRound,
    PartWon,
    Step,
    Tally,
    WagerAnalysis,
    counted,
    net_of,
    paid_counts,
    paid_rows,
)
from games.maths.showdown import six_cards as six
from games.maths.showdown.deck import OWN, Against, Groups, Hand, Rows, groups_of, row_of
from games.maths.showdown.four_cards import four_card_order
from games.maths.showdown.four_hidden import HANDS, against_four, value_counts
from games.maths.showdown.four_rounds import FourSettled, deal_four
from games.maths.showdown.parts import RequiredWagers, Sections, outcome_counts
from games.maths.showdown.required import Played, analyze_required, played
from games.maths.showdown.six_cards import six_card_deals
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

COLOR = FULL_DECK // 2  # cards of each
Ints = NDArray[np.int64]


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


def part_won(table: Paytable, stake: Fraction, outcome: str) -> PartWon:
    """Return the part that the wager wins by this outcome of its paytable."""
    pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), None)
    if pay is None:
        return PartWon(table.wager, stake, LOST_NET, LOST_OUTCOME.lower())
    return PartWon(table.wager, stake, net_of(pay, table), pay.printed)


NUMBERS = {5: "five", 6: "six"}
TOGETHER: tuple[FourLook, ...] = (BEST_FOUR, ALL_SIX)  # as `six_cards.six_card_deals` has them


@dataclass(frozen=True, slots=True, eq=False)
class FourCardShowdown:
    """The terms in which the games differ: the dealer's cards, the dealer's least hand to play, the wagers."""

    required: RequiredWagers
    sections: Sections
    dealer_cards: int = 5
    least: Hand | None = None  # the dealer's; None = every hand plays
    shared: str = ""  # the name of a card that is dealt first and added to every player's five, if there is one
    bonuses: Mapping[str, FourBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """Raise `ParameterError` for terms that no game has."""
        if self.dealer_cards not in NUMBERS:
            raise ParameterError("dealer_cards", f"{self.dealer_cards}; allowed are 5 and 6")
        if self.least is not None:
            four_card_order().check("least", (self.least,))
        self.required.check(four_card_order(), self.least is not None)
        for wager, bonus in self.bonuses.items():
            bonus.check(f"bonuses[{wager!r}]", bool(self.shared))

    @property
    def against(self) -> Against:
        """Every hand of the player's against the dealer's."""
        return against_four(self.dealer_cards, self._least)

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the play is the one that is best for the wagers that are decided.

        `NoPaytable` for a paytable that the chapter does not have, here and below.
        """
        analyses: list[WagerAnalysis] = []
        for wager, name in in_play(chapter, answers):
            if wager == self.required.wager:
                in_use = self.required.tables_in_play(chapter, answers)
                analyses += [analyze_required(self.played(tables), chosen) for chosen, tables in in_use]
            else:
                analyses.append(self.bonuses[wager].analyze(chapter.paytable(wager, name)))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        best = self.played(self.required.tables_for(chapter, answers))
        settled = self._deal(best, (seed, block, rounds))
        tally: Tally = {self.required.wager: outcome_counts(settled.met, best.ends)}
        for wager, name in paytables_in_play(chapter, answers).items():
            if wager in self.bonuses:
                tally[wager] = self.bonuses[wager].tally(chapter.paytable(wager, name), settled)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the shared card where a wager looks at it, both hands, the decision."""
        best, at = self.played(self.required.tables_for(chapter, answers)), self.sections.dealing(answers)
        settled = self._deal(best, (seed, block, index + 1))
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
            LargestRound(
                self._six_dealt(cards, answers),
                tuple(part_won(table, stakes[table.wager], won) for table, won in zip(tables, outcomes, strict=True)),
            )
            for outcomes, cards in dealt.items()
            if not set(outcomes) & set(leaves_out)
        )
        return max(candidates, key=lambda candidate: candidate.amount)

    def played(self, tables: tuple[Paytable, ...]) -> Played:
        """Return the best play under these paytables of the wagers that are decided."""
        return played(self.required, self.against, _groups(self), tables)

    @property
    def _least(self) -> int:
        return 0 if self.least is None else four_card_order().least_value(four_card_order().strength(self.least))

    def _deal(self, best: Played, stream: tuple[int, int, int]) -> FourSettled:
        shared, raises = int(bool(self.shared)), len(self.required.raises)
        return deal_four(self.dealer_cards, shared, self._least, best.groups, best.best.table, raises, stream)

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
