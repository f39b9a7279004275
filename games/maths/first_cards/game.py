"""One game of a shoe's first three cards as the rest of the portal meets it: what a chapter's play hands on.

Not here: the required wager (`required`), how rounds are dealt (`rounds`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

import numpy as np

from games.maths.cards import SUITS
from games.maths.first_cards.exact import ways_to_total
from games.maths.first_cards.required import Rules, composition, decisions, ends, required_wager
from games.maths.first_cards.rounds import SURRENDER, Ints, deal_rounds
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

CARDS = 3


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter's procedure, with its number."""

    first_card: str
    decision: str
    last_cards: str
    count: str


@dataclass(frozen=True, slots=True)
class Game:
    """What differs: the rules of the required wager, which has no paytable, and where the chapter has a round."""

    rules: Rules
    lost_totals: str  # the outcome of a wager with a paytable that has no row for the total
    sections: Sections

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager, exactly, from the composition of a full shoe."""
        analyses = (
            self._optional(chapter.paytable(wager, name)) if name else required_wager(self.rules, wager)
            for wager, name in in_play(chapter, answers)
        )
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        settled, totals = self._deal(self._shoe(), seed, block, rounds)
        required = {outcome: int(settled[end.decision, end.result]) for outcome, end in ends(self.rules).items()}
        by_total = dict(enumerate(totals.tolist()))
        return {
            wager: self._counts(chapter.paytable(wager, name), by_total) if name else required
            for wager, name in paytables_in_play(chapter, answers).items()
        }

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The round's three cards, and the decision after the first."""
        shoe = self._shoe()
        self._deal(shoe, seed, block, index + 1)
        first, *last_two = (int(card) for card in shoe[1 : 1 + CARDS])
        points, *more = (self.rules.points[card // 4] for card in (first, *last_two))
        return (
            Step("Player", f"is dealt the first card, which counts {points}", self.sections.first_card, (first,)),
            Step("Player", f"decides: {decisions(self.rules)[points]}", self.sections.decision),
            Step("Player", "is dealt two more cards", self.sections.last_cards, tuple(last_two)),
            Step("Dealer", f"counts {points + sum(more)}", self.sections.count),
        )

    def _shoe(self) -> Ints:
        return np.array(self.rules.shoe)

    def _deal(self, shoe: Ints, seed: int, block: int, rounds: int) -> tuple[Ints, Ints]:
        rules = self.rules
        points = np.repeat(rules.points, len(SUITS))
        best = decisions(rules)
        codes = np.array([rules.decisions.get(best.get(first, ""), SURRENDER) for first in range(max(best) + 1)])
        return deal_rounds(shoe, points, codes, (rules.over_from, rules.under_to), (seed, block, rounds))

    def _counts(self, table: Paytable, totals: Mapping[int, int]) -> dict[str, int]:
        """Outcome → count, from counts by total points; a row names one total, or one "or" another."""
        by_total = {total: line.outcome for line in table.rows for total in line.outcome.split(" or ")}
        counts = {line.outcome: 0 for line in table.rows} | {self.lost_totals: 0}
        for total, ways in totals.items():
            counts[by_total.get(str(total), self.lost_totals)] += ways
        return counts

    def _optional(self, table: Paytable) -> WagerAnalysis:
        cycle = comb(len(self.rules.shoe), CARDS)
        counts = self._counts(table, ways_to_total(composition(self.rules), CARDS))
        rows = [
            row(outcome, counts[outcome], cycle, net_of(pay, table), pays=pay.printed)
            for outcome, _, pay in table.lines()
        ]
        rows.append(row(self.lost_totals, counts[self.lost_totals], cycle, LOST_NET))
        return counted(table.wager, table.name, rows, cycle)
