"""A game of turned cards as the rest of the portal meets it: what a chapter's `play.py` hands on.

Own cards and community cards that turn up one by one; before each of these the player raises, checks or folds. The best
five of all cards are paid. Not here: the form (`form`), the required wagers (`required`), the others (`optional`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.staged_raises.turns.largest import largest_turned_round
from games.maths.staged_raises.turns.optional import ForfeitedProgressive, OptionalWager
from games.maths.staged_raises.turns.replay import round_steps
from games.maths.staged_raises.turns.required import RequiredWagers
from games.maths.staged_raises.turns.rounds import DealtRounds, deal_rounds
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, part_paytable, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedCardsGame:
    """What differs: the required wagers and the optional ones."""

    required: RequiredWagers
    optional: Mapping[str, OptionalWager] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """`ParameterError` for optional wagers that the form of the game does not have."""
        for wager in self.optional.values():
            wager.check(self.required.form)

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the play is the one that is best for the required wagers."""
        analyses = (self._analyze(chapter, wager, name, answers or {}) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        tables = {
            wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items() if name
        }
        pays = self.required.pays(chapter, _paytable(chapter, answers))
        dealt = self._deal(chapter, answers, (seed, block, rounds))
        tally: Tally = {"ante": self.required.outcome_counts(dealt.ended, dealt.folded, pays.raised)}
        for wager, optional in self.optional.items():
            if wager in tables:
                tally[wager] = optional.counts(tables[wager], self.required.form, dealt)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The round as dealt, one player at the table."""
        dealt = self._deal(chapter, answers, (seed, block, index + 1)).last
        decisions = self.required.best(chapter, _paytable(chapter, answers)).decisions
        return round_steps(self.required, decisions, answers, dealt)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """The highest row that the limit covers, on the required wagers."""
        pays = self.required.pays(chapter, _paytable(chapter, answers))
        return largest_turned_round(chapter, self.required, pays, stakes, leaves_out)

    def _deal(self, chapter: Chapter, answers: Answers, stream: tuple[int, int, int]) -> DealtRounds:
        best = self.required.best(chapter, _paytable(chapter, answers))
        return deal_rounds(self.required.form, best.decisions, stream)

    def _analyze(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> WagerAnalysis:
        if wager not in self.optional:
            return self.required.analysis(chapter, name)
        optional, table, form = self.optional[wager], chapter.paytable(wager, name), self.required.form
        if isinstance(optional, ForfeitedProgressive):
            decisions = self.required.best(chapter, _paytable(chapter, answers)).decisions
            return optional.analysis(table, form, decisions, chapter, answers)
        return optional.analysis(table, form)


def _paytable(chapter: Chapter, answers: Answers) -> str:
    """The Ante's, "" if it has none of its own; `NoPaytable` where the answers leave several."""
    return part_paytable(chapter, answers, "ante") if chapter.tables_of("ante") else ""
