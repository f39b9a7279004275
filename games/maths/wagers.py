"""All wagers of a game, analyzed: the loop that is the same for every family; and the least terms of a wager.

Not here: a wager's figures from its counted outcomes (`results`), the Board's figures beside ours (`published`).
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import Protocol

from games.maths.published import compare_published
from games.maths.results import WagerAnalysis
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play


class AnalyzedGame(Protocol):
    """A game as its family in `games.maths` has it."""

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterable[WagerAnalysis]:
        """Return the wager under one paytable ("" without any), exactly where possible; most are one analysis.

        `NoPaytable` for a paytable that the chapter does not have.
        """


def analyze_wagers(game: AnalyzedGame, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Return every wager offered by the answers with its paytable; without answers all paytables of all wagers."""
    return tuple(
        compare_published(chapter, analysis)
        for wager, name in in_play(chapter, answers)
        for analysis in game.analyze_wager(chapter, wager, name, answers or {})
    )


def least_allowed(chapter: Chapter, option: str) -> Decimal | None:
    """Return the least answer to the option that the chapter's requirements allow; None if they name none."""
    conditions = (demand.must for demand in chapter.requirements if demand.must)
    tests = (
        test for must in conditions for alternative in must.alternatives for key, test in alternative if key == option
    )
    return max((test.at_least for test in tests if test.at_least is not None), default=None)
