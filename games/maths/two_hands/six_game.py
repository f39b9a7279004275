"""One game of six cards a side as the rest of the portal meets it: what a chapter's `play.py` hands on.

Not here: the wagers against the dealer (`six_against_dealer`), the others (`six_wagers`), dealing (`six_rounds`).
"""

from dataclasses import dataclass

import numpy as np

from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.two_hands import six_counting, six_doubling, six_rounds
from games.maths.two_hands.six_against_dealer import (
    DOUBLE_ENDS,
    ENDS,
    counts_by_outcome,
    double_down_wager,
    required_wager,
)
from games.maths.two_hands.six_replay import round_steps
from games.maths.two_hands.six_wagers import counts_by_row, hand_wager, metered, progressive_wager
from games.maths.two_hands.six_ways import BEST
from games.maths.two_hands.wording import SixCardWording
from games.rules.dealing import way_dealt
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardGame:
    """What differs: the required wager, the chapter's wording. The dealer sets by the chapter's only house way.

    `double_down` doubles the required wager; every other wager is one on the player's own cards.
    """

    wager: str  # the required one
    wording: SixCardWording

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the player sets in the best way and doubles where that wins."""
        analyses = (self._analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        offered = paytables_in_play(chapter, answers)
        dealt = _deal(seed, block, rounds)
        tally: Tally = {self.wager: counts_by_outcome(ENDS, dealt.ends.tolist())}
        if "double_down" in offered:
            tally["double_down"] = counts_by_outcome(DOUBLE_ENDS, dealt.doubled.tolist())
        for wager, name in offered.items():
            if name:
                tally[wager] = counts_by_row(chapter.paytable(wager, name), dealt.best.tolist())
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The cards and decisions of one round."""
        deck, dealt = _deal(seed, block, index + 1).deck, way_dealt(self.wording.dealt, answers)
        doubles = six_doubling.best_thresholds(BEST) if "double_down" in paytables_in_play(chapter, answers) else None
        return round_steps(deck[:6], deck[6:12], dealt, doubles, chapter.house_ways[0], self.wording)

    def _analyze(self, chapter: Chapter, wager: str, name: str, answers: Answers | None) -> WagerAnalysis:
        if wager == self.wager:
            return required_wager(wager, chapter.house_ways[0], self.wording)
        if wager == "double_down":
            return double_down_wager(wager, chapter.wager(self.wager).name, self.wording)
        table = chapter.paytable(wager, name)
        if wager == "progressive":
            return progressive_wager(metered(chapter, table, answers), self.wording)
        return hand_wager(table, self.wording)


def _deal(seed: int, block: int, rounds: int) -> six_rounds.Counts:
    doubles = np.array(six_doubling.best_thresholds(BEST), dtype=np.int64)
    return six_rounds.play(seed, block, rounds, doubles, six_counting.least_qualified())
