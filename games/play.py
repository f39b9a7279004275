"""A chapter's mathematics as the rest of the portal meets it: the record that its `play.py` ends with, `PLAY`.

Not here: which chapters there are and where their plays come from (`registry`), whole analyses and runs (`runs`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from games.maths.rake import Rake
from games.maths.results import Step, WagerAnalysis
from games.maths.wagers import AnalyzedGame, analyze_wagers
from games.rules.model import Answers, Chapter, LargestRoundOf


class TabledGame(AnalyzedGame, Protocol):
    """A game whose rounds are dealt and settled by the second laboratory (`second.py` of the chapter)."""

    def strategy(self, chapter: Chapter, answers: Answers) -> Any:
        """Return the decisions of the player, and of a dealer who has any, as the chapter's table reads them."""

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the round in which these cards (faces of dice, events) were dealt, step by step, up to its settlement.

        What each wager then wins follows from the table's endings (`runs.dealing`).
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The content of `games/chapters/chNNN_name/play.py`; the optional parts are those with a default."""

    game: AnalyzedGame
    block_rounds: int  # rounds of one block: some seconds of work, at most a minute
    filing_rounds: int = 100_000_000  # rounds that a filed configuration is tested with

    largest_round: LargestRoundOf | None = None
    """The most that one patron can win in a round; required where a payout limit is bounded by it."""

    rake: Callable[[Chapter, Answers], Rake | None] | None = None
    """The rake where players bet against each other; None as long as the schedule is not answered."""

    deals_rounds: bool = True  # False where no wager is made against the house: there is nothing to deal

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered by the answers with its paytable; without answers all paytables of all wagers."""
        return analyze_wagers(self.game, chapter, answers)
