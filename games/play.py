"""How the rest of the portal meets a chapter's mathematics: analyse a wager, simulate a block.

A chapter's `play.py` offers the same things and says only what differs: its family, its deck, its ranking,
its decisions and its settlement. Not here: whole analyses and runs (`maths.run`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from games.maths.results import Tally, WagerAnalysis
from games.rules.model import Answers, Chapter, Wager


class Play(Protocol):
    """What `games/chapters/chNNN_name/play.py` must define at module level."""

    BLOCK_ROUNDS: int  # rounds of one block: some seconds of work, at most a minute
    FILING_ROUNDS: int  # rounds that a filed configuration is tested with
    MATTERS: Mapping[str, tuple[str, ...]]  # wager → the options, besides its paytable's, that its analysis depends on

    def analyze_wager(self, chapter: Chapter, wager: str, paytable: str, answers: Answers | None) -> WagerAnalysis:
        """One wager under one paytable ("" where the chapter prints none for it); the unit that is cached."""

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle `rounds` rounds of stream (seed, block), all offered wagers at once."""


class NoPaytable(ValueError):
    """A wager is offered without a paytable of its chapter: there is nothing to compute."""


def in_play(chapter: Chapter, answers: Answers | None) -> tuple[tuple[str, str], ...]:
    """(wager, paytable) for all that the answers offer; without answers, every paytable of every wager.

    A wager that is part of another (Blind and Raise: the Ante) is analysed with it and does not appear.
    """
    found: list[tuple[str, str]] = []
    for wager in chapter.wagers:
        tables = [table.name for table in chapter.tables_of(wager.key)] or [""]
        if wager.part_of:
            continue
        if answers is None:
            found += [(wager.key, name) for name in tables]
        elif not wager.offered_by or answers.get(wager.offered_by) is True:
            found.append((wager.key, _chosen(chapter, wager, tables, answers)))
    return tuple(found)


def _chosen(chapter: Chapter, wager: Wager, tables: list[str], answers: Answers) -> str:
    """The paytable that the answers choose; the only one where there is no choice."""
    if not wager.paytable_option:
        return tables[0]
    name = answers.get(wager.paytable_option)
    if name not in tables:
        line = chapter.option(wager.paytable_option)
        raise NoPaytable(
            f"{wager.name}: {line.key} is {name!r}; allowed are {', '.join(tables)} ({line.citation}). "
            f"Choose one of them, or do not offer the wager."
        )
    return str(name)
