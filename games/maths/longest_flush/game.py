"""One game of seven cards a side by the longest flush, as the rest of the portal meets it.

Not here: the decisions (`exact`), what is said of them (`words`, `advice`), how rounds are dealt (`rounds`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from games.maths.longest_flush.advice import simplified_plays, strategy_tables
from games.maths.longest_flush.bonuses import bonus_counts, bonus_wager
from games.maths.longest_flush.endings import INITIAL, counts_by_outcome, outcome_rows
from games.maths.longest_flush.exact import CYCLE, best_play
from games.maths.longest_flush.holdings import FLUSH
from games.maths.longest_flush.largest import check_beaten, largest
from games.maths.longest_flush.replay import round_steps
from games.maths.longest_flush.rounds import DealtRounds, deal_rounds
from games.maths.longest_flush.rules import BonusWager, Rules, Sections
from games.maths.longest_flush.words import choices
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, required
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play

NONE_EQUAL = "No decision is worth the same both ways, so none had to be settled."
EQUAL = "Both ways are worth the same with {:,} hands: there the larger wager is made."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one of a kind: what is computed of it is kept
class LongestFlushGame:
    """What differs: the raises and the dealer's qualifier, the optional wagers, the sections.

    `ante` is the required wager, without a paytable; every other one is in `bonuses`.
    """

    rules: Rules
    bonuses: Mapping[str, BonusWager]  # wager → what decides it
    beaten: str  # the dealer's seven cards of the largest round: "9h 7h 4h …", qualifying, without spades
    sections: Sections

    def __post_init__(self) -> None:
        check_beaten(self.beaten, self.rules)

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the play is the one that is best for Ante and Raise Wager."""
        analyses = (
            bonus_wager(chapter.paytable(wager, name), self.bonuses[wager], answers or {}) if name else _required(self)
            for wager, name in in_play(chapter, answers)
        )
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        dealt = self._deal(seed, block, rounds)
        tally: Tally = {"ante": counts_by_outcome(self.rules, dealt.required)}
        for wager, name in paytables_in_play(chapter, answers).items():
            if name:
                bonus = self.bonuses[wager]
                numbers = dealt.flushes if bonus.by == FLUSH else dealt.straights
                tally[wager] = bonus_counts(chapter.paytable(wager, name), bonus, numbers.tolist())
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Both hands and the decision between them."""
        dealt = self._deal(seed, block, index + 1)
        return round_steps(self.sections, answers, dealt.own, dealt.dealer, dealt.raised)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """The best of the candidate deals (`largest`) under the paytables in use."""
        names = paytables_in_play(chapter, answers)
        tables = [(chapter.paytable(wager, names[wager]), self.bonuses[wager]) for wager in stakes if names[wager]]
        beaten = check_beaten(self.beaten, self.rules)
        return largest(self.rules, self.sections, beaten, tables, stakes, leaves_out)

    def _deal(self, seed: int, block: int, rounds: int) -> DealtRounds:
        return deal_rounds(best_play(self.rules), self.rules.qualifier, seed, block, rounds)


@cache
def _required(game: LongestFlushGame) -> WagerAnalysis:
    rules, best = game.rules, best_play(game.rules)
    rows = outcome_rows(rules, best.ends.sum(axis=(0, 1)), game.sections)
    equal = int(best.equal[0])
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(best),
        strategy_tables=strategy_tables(rules, best),
        simplified_plays=simplified_plays(rules, best, game.sections),
        notes=(EQUAL.format(equal) if equal else NONE_EQUAL,),
    )
