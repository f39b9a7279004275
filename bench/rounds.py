"""Simulated rounds per second and core, every wager of the chapter offered and settled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.timing import per_second, seconds
from games.rules.model import Answers, Chapter
from games.rules.registry import chapter as chapter_of
from games.rules.registry import computed, folders, play

TITLE = "Simulated rounds per second, all wagers settled"
ROUNDS = 2_000_000


def rows() -> Iterator[tuple[str, str]]:
    for chapter in map(chapter_of, filter(computed, folders())):
        deal = partial(play(chapter.number).simulate_block, chapter, everything(chapter), 1)
        deal(0, 1_000)  # from here on it is compiled, and the best play is known
        taken = seconds(partial(deal, 1, ROUNDS))
        yield f"{chapter.number} {chapter.title}", per_second(ROUNDS, taken)


def everything(chapter: Chapter) -> Answers:
    """Every wager offered, each under its first paytable, and the first house way."""
    answers: dict[str, bool | str] = {}
    for wager in chapter.wagers:
        if wager.offered_by:
            answers[wager.offered_by] = True
        if wager.paytable_option:
            answers[wager.paytable_option] = chapter.tables_of(wager.key)[0].name
    if chapter.house_ways:
        answers["house_way"] = chapter.house_ways[0].key
    return answers
