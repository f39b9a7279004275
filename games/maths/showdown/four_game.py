"""One game on the best four of five cards against a hidden five or six as the rest of the portal meets it.

A chapter's `play.py` states the record and hands its methods on. Not here: what decisions win (`parts`), how they are
analyzed (`required`), the optional wagers (`four_bonuses`), how rounds are dealt (`four_rounds`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from games.maths.parameters import ParameterError
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.showdown.against import Against
from games.maths.showdown.deck import OWN
from games.maths.showdown.endings import outcome_counts
from games.maths.showdown.four_bonuses import ALL_SIX, BEST_FOUR, FourBonus, FourLook, part_won
from games.maths.showdown.four_cards import four_card_order
from games.maths.showdown.four_hidden import against_four
from games.maths.showdown.four_rounds import FourSettled, deal_four
from games.maths.showdown.order import Groups, Hand, groups_of
from games.maths.showdown.parts import RequiredWagers
from games.maths.showdown.required import Played, analyze_required, played
from games.maths.showdown.sections import Sections
from games.maths.showdown.sixth_card import deals
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

NUMBERS = {5: "five", 6: "six"}
TOGETHER: tuple[FourLook, ...] = (BEST_FOUR, ALL_SIX)  # as `sixth_card.deals` has them


@dataclass(frozen=True, slots=True, eq=False)
class FourCardShowdown:
    """What differs between the games: the dealer's cards, the least hand with which the dealer plays, the wagers."""

    required: RequiredWagers
    sections: Sections
    dealer_cards: int = 5
    least: Hand | None = None  # the dealer's; None = every hand plays
    shared: str = ""  # the name of a card that is dealt first and added to every player's five, if there is one
    bonuses: Mapping[str, FourBonus] = field(default_factory=dict)  # wager → what it pays by

    def __post_init__(self) -> None:
        """`ParameterError` for what no game has."""
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
        """Every wager offered, exactly; the play is the one that is best for the wagers that are decided.

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
        """The shared card where a wager looks at it, both hands, the decision."""
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
        """The most that wagers on the best four and on all six win by the same cards; no decision changes it."""
        in_use = paytables_in_play(chapter, answers)
        tables = [chapter.paytable(wager, in_use[wager]) for wager in stakes if wager in in_use]
        places = [TOGETHER.index(self.bonuses[table.wager].look) for table in tables]
        dealt = {
            tuple(
                self.bonuses[table.wager].outcome(table, numbers[place])
                for table, place in zip(tables, places, strict=True)
            ): cards
            for numbers, cards in deals().items()
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
        """The best play under these paytables of the wagers that are decided."""
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
    """Hands that no required wager pays apart."""
    return groups_of(four_card_order(), game.required.rows)
