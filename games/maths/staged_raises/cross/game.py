"""A game of a cross as the rest of the portal meets it: what a chapter's `play.py` hands on.

Two Antes and three bets are one wager, `ante`; its unit is one Ante. An optional wager is paid on the five community
cards. Not here: the odds and rows (`wagers`), dealing (`rounds`).
"""

from dataclasses import dataclass

from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.bonus_wagers import CLASS_OF, rows_of, with_lost
from games.maths.staged_raises.cross.replay import Sections, round_steps
from games.maths.staged_raises.cross.rounds import DealtRounds, deal_rounds, new_deck
from games.maths.staged_raises.cross.wagers import Bets, Odds, analysis, best, outcome_counts
from games.maths.staged_raises.ladder import HIGH_PAIR, PUSHING, RESULTS
from games.maths.wagers import counted
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossGame:
    """What differs: the bets' names and their paytable, the optional wager, the sections."""

    bets: Bets
    paid_by: str  # the wager whose only paytable pays the bets; that of `ante` pays the Antes
    community_cards: str  # the optional wager on the five community cards; its last row pays the pairs that do not lose
    sections: Sections

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly."""
        analyses = (self._analyze(chapter, wager) for wager, _ in in_play(chapter, answers))
        return tuple(compare_published(chapter, analyzed) for analyzed in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        odds = self._odds(chapter)
        dealt = deal_rounds(best(odds), *odds.arrays(), (seed, block, rounds))
        tally: Tally = {"ante": outcome_counts(odds, dealt)}
        if self.community_cards in paytables_in_play(chapter, answers):
            tally[self.community_cards] = with_lost(_paid_in_rounds(self._table(chapter), dealt), rounds)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The cards and bets of one round."""
        odds, deck = self._odds(chapter), new_deck()
        dealt = deal_rounds(best(odds), *odds.arrays(), (seed, block, index + 1), deck)
        return round_steps(self.sections, self.bets, answers, deck.tolist(), dealt.bets.tolist())

    def _analyze(self, chapter: Chapter, wager: str) -> WagerAnalysis:
        if wager == "ante":
            sections = (*self.sections.bets, self.sections.settled)
            return analysis(self._odds(chapter), chapter.tables_of("ante")[0].name, self.bets, sections)
        table = self._table(chapter)
        return counted(table.wager, table.name, rows_of(table, _paid(table), bonuses.FIVES), bonuses.FIVES)

    def _odds(self, chapter: Chapter) -> Odds:
        return Odds.of(chapter.tables_of("ante")[0], chapter.tables_of(self.paid_by)[0])

    def _table(self, chapter: Chapter) -> Paytable:
        return chapter.tables_of(self.community_cards)[0]


def _paid(table: Paytable) -> dict[str, int]:
    """Outcome → sets of five cards."""
    by_class = bonuses.fives()
    *higher, pairs = (line.outcome for line in table.rows)
    return {outcome: by_class[CLASS_OF[outcome]] for outcome in higher} | {pairs: bonuses.pairs_from_six()}


def _paid_in_rounds(table: Paytable, dealt: DealtRounds) -> dict[str, int]:
    *higher, pairs = (line.outcome for line in table.rows)
    paid = {outcome: int(dealt.five[RESULTS.index(outcome)]) for outcome in higher}
    return paid | {pairs: int(dealt.five[PUSHING] + dealt.five[HIGH_PAIR])}
