"""One street game as the rest of the portal meets it: what a chapter's `play.py` hands on.

Two own cards, three community cards, a raise or a fold before each of these; a paytable pays, the dealer has no hand.

Not here: how the required wagers are analyzed (`wagers`), the optional ones (`bonus_wagers`), how rounds are
dealt (`rounds`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.staged_raises.bonus_wagers import with_lost
from games.maths.staged_raises.ladder import pays_of
from games.maths.staged_raises.streets.bonus_wagers import BonusWager, analyze_bonus
from games.maths.staged_raises.streets.replay import largest_street_round, round_steps
from games.maths.staged_raises.streets.rounds import EXTRA_CARDS, deal_rounds, new_deck
from games.maths.staged_raises.streets.sections import Sections, Stages
from games.maths.staged_raises.streets.wagers import ante, best, best_played, outcome_counts
from games.maths.staged_raises.streets.words import words_of
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, part_paytable, paytables_in_play


@dataclass(frozen=True, slots=True)
class StreetGame:
    """What differs: what the raises are called, the optional wagers, the sections."""

    raises: Stages  # "a 3rd Street Wager"
    bonuses: Mapping[str, BonusWager]
    sections: Sections
    play_file: str = ""  # of a chapter whose `strategy.toml` says the best play in words of its own

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly. The best play for each paytable is found at once: a change waits for nothing.

        `NoPaytable` for a paytable that the chapter does not have, here and below.
        """
        for table in chapter.tables_of("ante"):
            best_played(pays_of(table))
        tables = (chapter.paytable(wager, name) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, self._analyze(table, answers or {})) for table in tables)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        tables = {wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items()}
        required = tables.pop("ante")
        dealt = deal_rounds(best(pays_of(required)), self._extra(), (seed, block, rounds))
        tally = {"ante": outcome_counts(dealt.ended, dealt.folded, required)}
        for wager, table in tables.items():
            bonus = self.bonuses[wager]
            tally[wager] = with_lost(bonus.paid(table, bonus.counts.dealt(dealt)), rounds)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The cards and decisions of round `index` of the block."""
        strategy, deck, extra = best(pays_of(_required(chapter, answers))), new_deck(), self._extra()
        deal_rounds(strategy, extra, (seed, block, index + 1), deck)
        cards = tuple(map(int, deck[: extra + 5]))
        dealing = self.sections.dealing(answers)
        steps = round_steps(self.sections, dealing, self.raises, strategy, cards[extra:])
        for wager, bonus in self.bonuses.items():
            if bonus.extra_cards and answers.get(chapter.wager(wager).offered_by) is True:
                place = 0 if dealing.extra_first else 1
                steps.insert(place, Step("Dealer", bonus.extra_cards, dealing.extra, cards[:extra]))
        return tuple(steps)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """The highest row that the limit covers, on the Ante and its raises."""
        table = _required(chapter, answers)
        return largest_street_round(chapter, table, self.sections, self.raises, stakes, leaves_out)

    def _analyze(self, table: Paytable, answers: Answers) -> WagerAnalysis:
        if table.wager == "ante":
            return ante(table, words_of(self.play_file, table, best(pays_of(table))), self.sections)
        return analyze_bonus(table, self.bonuses[table.wager], answers)

    def _extra(self) -> int:
        return EXTRA_CARDS if any(bonus.extra_cards for bonus in self.bonuses.values()) else 0


def _required(chapter: Chapter, answers: Answers) -> Paytable:
    """The Ante's paytable, even if those of other wagers are not answered yet."""
    return chapter.paytable("ante", part_paytable(chapter, answers, "ante"))
