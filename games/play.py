"""How the rest of the portal meets a chapter's mathematics: analyse, simulate a block, sum up.

A chapter's `play.py` offers the same three things and says only what differs: its family, its deck,
its ranking, its decisions and its settlement.
"""

from __future__ import annotations

from typing import Protocol

from games.maths.results import Tally, WagerAnalysis
from games.rules.model import Answers, Chapter


class Play(Protocol):
    """What `games/chapters/chNNN_name/play.py` must define at module level."""

    BLOCK_ROUNDS: int  # rounds of one block: some seconds of work, at most a minute
    FILING_ROUNDS: int  # rounds that a filed configuration is tested with

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered by the answers with its paytable; without answers every paytable of every wager."""

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle `rounds` rounds of stream (seed, block), all offered wagers at once."""
