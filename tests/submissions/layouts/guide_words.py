"""What the tests of true guides share: the words of a guide and of a sign, and the paytable as it is printed."""

from __future__ import annotations

from typing import Any

from games.registry import chapter
from submissions.layouts.paper_content import PrintedTable, guide_content, payout_sign_content
from tests.games.chapters.examples import example


def steps(number: str, **answers: Any) -> list[str]:
    """The sentences of a round, for the chapter's example with these answers."""
    return [words for words, _ in guide_content(chapter(number), example(number, **answers))["steps"]]


def step(number: str, part: str, **answers: Any) -> str:
    """The one step that contains the part."""
    (found,) = [words for words in steps(number, **answers) if part in words]
    return found


def table(number: str, wager: str, **answers: Any) -> PrintedTable:
    """The paytable of the wager on the sign."""
    columns = payout_sign_content(chapter(number), example(number, **answers))["columns"]
    (found,) = [board.table for column in columns for board in column if board.wager == wager]
    return found


def size(number: str, wager: str, **answers: Any) -> str:
    wagers = guide_content(chapter(number), example(number, **answers))["wagers"]
    return next(str(shown.size) for shown in wagers if shown.wager == wager)
