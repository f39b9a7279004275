"""A game of a cross as the rest of the portal meets it, and a round as its steps.

Two Antes and three bets are one wager, `ante`; its unit is one Ante. An optional wager is paid on the five community
cards. Not here: the odds and rows (`wagers`), dealing (`games.second.cross`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.maths.results import Step, WagerAnalysis, counted_by_table, with_lost
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.bonuses import CLASS_OF
from games.maths.staged_raises.cross.best_play import FOLD, ONCE, THRICE, Bytes
from games.maths.staged_raises.cross.wagers import Bets, Odds, analysis, best
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, Paytable

TOP, LEFT, RIGHT, BOTTOM, OWN, _, MIDDLE, CARDS = range(8)
"""Where a round's cards are among those dealt."""
TURNED = (
    ("the row's outer two are turned up", (LEFT, RIGHT)),
    ("the column's outer two are turned up", (TOP, BOTTOM)),
    ("the middle one is turned up", (MIDDLE,)),
)
"""The cards that turn up after each bet."""
SIZES = {ONCE: "equal to one Ante", THRICE: "of 3 times an Ante"}


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter by their content; `bets` (a fold too) and `turned` by stage."""

    bets: tuple[str, str, str]
    turned: tuple[str, str, str]
    settled: str
    dealt: Mapping[str, str]  # by the line that asks whether cards are so dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossGame:
    """The terms of one game: the bets' names and their paytable, the sections.

    The optional wager is on the five community cards; the last row of its paytables pays the pairs that do not lose.
    """

    bets: Bets
    paid_by: str  # the wager whose only paytable pays the bets; that of `ante` pays the Antes
    sections: Sections

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures."""
        if wager == "ante":
            sections = (*self.sections.bets, self.sections.settled)
            yield analysis(self._odds(chapter), chapter.tables_of("ante")[0].name, self.bets, sections)
        else:
            table = chapter.paytable(wager, name)
            yield counted_by_table(table, with_lost(_paid(table), bonuses.FIVES), bonuses.FIVES)

    def strategy(self, chapter: Chapter, answers: Answers) -> tuple[Bytes, Bytes]:
        """Return the first and the second bet of the best play, as `best_play` has them."""
        play = best(self._odds(chapter))
        return play.first, play.second

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the deal, then bet and cards in turn; after a fold the cards turn up all the same.

        Dealt are the cross and the player's two cards, then the bets; −1 = none was asked.
        """
        sections, way, bets = self.sections, way_dealt(self.sections.dealt, answers), dealt[CARDS:]
        steps = [
            Step("Community cards", "five are dealt face down, in a cross", way),
            Step("Player", "is dealt two cards", way, (dealt[OWN], dealt[OWN + 1])),
        ]
        for stage, (bet, (words, places)) in enumerate(zip(bets, TURNED, strict=True)):
            if bet >= FOLD:
                made = f"the {self.bets[stage]}, {SIZES[bet]}" if bet else f"no {self.bets[stage]}"
                steps.append(Step("Player", f"makes {made}", sections.bets[stage]))
            turned = tuple(dealt[place] for place in places)
            steps.append(Step("Community cards", words, sections.turned[stage], turned))
        return tuple(steps)

    def _odds(self, chapter: Chapter) -> Odds:
        return Odds.of(chapter.tables_of("ante")[0], chapter.tables_of(self.paid_by)[0])


def _paid(table: Paytable) -> dict[str, int]:
    """Return outcome → sets of five cards."""
    by_class = bonuses.fives()
    *higher, pairs = (line.outcome for line in table.rows)
    return {outcome: by_class[CLASS_OF[outcome]] for outcome in higher} | {pairs: bonuses.pairs_from_six()}
