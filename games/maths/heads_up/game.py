"""One game of two own cards against the dealer's, with three chances to raise, as the rest of the portal meets it.

Not here: the decisions (`solved`), what is said of them (`words`, `advice`), how rounds are dealt (`rounds`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from games.maths.heads_up.advice import simplified_plays, strategy_tables
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.bonuses import bonus_counts, bonus_wager
from games.maths.heads_up.endings import INITIAL, counts_by_ending, outcome_rows
from games.maths.heads_up.largest import largest
from games.maths.heads_up.odds import OddsTables
from games.maths.heads_up.replay import round_steps
from games.maths.heads_up.rounds import DealtRounds, deal_rounds, strategy_table
from games.maths.heads_up.rules import OWN_CARDS, BonusWager, Rules, Sections
from games.maths.heads_up.solved import decisions, settled
from games.maths.heads_up.words import choices
from games.maths.parameters import ParameterError
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, required
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one of a kind: what is computed of it is kept
class HeadsUpGame:
    """What differs: the raises and the dealer's qualifier, the wagers, the sections.

    `ante` is the required wager, decided with two others that have one paytable each: `odds`, what the Odds Wager of a
    winning hand pays, and `bad_beat`, what that of a losing one pays. Every optional wager is in `bonuses`.
    """

    rules: Rules
    odds: str  # wager
    bad_beat: str  # wager
    bonuses: Mapping[str, BonusWager]  # wager → what decides it
    notes: tuple[str, ...]  # on the required wager
    sections: Sections

    def __post_init__(self) -> None:
        if self.bad_beat == self.odds:
            raise ParameterError("bad_beat", f"is {self.bad_beat!r}, which is `odds`: each has a paytable of its own")
        if decided := {"ante", self.odds, self.bad_beat} & self.bonuses.keys():
            raise ParameterError("bonuses", f"has {min(decided)}, which is decided with the Ante Wager")

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the play is the one that is best for Ante, Odds and Raise Wager."""
        odds = self.odds_tables(chapter)
        analyses = (
            bonus_wager(chapter.paytable(wager, name), self.bonuses[wager]) if name else _required(self, odds)
            for wager, name in in_play(chapter, answers)
        )
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        odds, dealt = self.odds_tables(chapter), self._deal(chapter, seed, block, rounds)
        ends = counts_by_ending(odds, self.sections, dealt.required)
        tally: Tally = {"ante": {round_end.outcome: number for round_end, number in ends.items()}}
        for wager, name in paytables_in_play(chapter, answers).items():
            if name:
                bonus = self.bonuses[wager]
                counts = dealt.own if bonus.by == OWN_CARDS else dealt.made
                tally[wager] = bonus_counts(chapter.paytable(wager, name), bonus, counts.tolist(), rounds)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Both hands, the community cards and the decisions between them."""
        dealt = self._deal(chapter, seed, block, index + 1)
        return round_steps(self.rules, self.sections, answers, dealt.deck.tolist(), dealt.when)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """The best of the candidate deals (`largest`) under the paytables in use."""
        names = paytables_in_play(chapter, answers)
        tables = [(chapter.paytable(wager, names[wager]), self.bonuses[wager]) for wager in stakes if names[wager]]
        return largest(self.odds_tables(chapter), self.sections, tables, stakes, leaves_out)

    def odds_tables(self, chapter: Chapter) -> OddsTables:
        """The rules with the chapter's two paytables of the Odds Wager."""
        (won,), (lost,) = chapter.tables_of(self.odds), chapter.tables_of(self.bad_beat)
        return OddsTables(self.rules, won, lost)

    def _deal(self, chapter: Chapter, seed: int, block: int, rounds: int) -> DealtRounds:
        pays = self.odds_tables(chapter).pays()
        return deal_rounds(strategy_table(decisions(pays)), pays.lowest, seed, block, rounds)


@cache
def _required(game: HeadsUpGame, odds: OddsTables) -> WagerAnalysis:
    rows = outcome_rows(odds, game.sections, settled(odds.pays()).best)
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(odds),
        strategy_tables=strategy_tables(odds),
        simplified_plays=simplified_plays(odds, game.sections),
        notes=(*game.notes, _equal_decisions(odds)),
    )


def _equal_decisions(odds: OddsTables) -> str:
    before, after, last = (int(number) for number in decisions(odds.pays()).equal)
    return (
        f"Raising and not raising are worth the same in {before} cases before the Flop, {after} after it and {last:,} "
        "after the River card (suits that are alike counted once): there the larger wager is made."
    )
