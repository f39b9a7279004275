"""Simulated rounds per second and core, every wager of the chapter offered and settled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.timing import per_second, seconds
from games.registry import chapter as chapter_of
from games.registry import folders, play
from games.rules.model import Chapter
from games.rules.wagers_in_play import covering

TITLE = "Simulated rounds per second, all wagers settled"
ROUNDS = 2_000_000


def rows() -> Iterator[tuple[str, str]]:
    for chapter in map(chapter_of, folders()):
        yield f"{chapter.number} {chapter.title}", _rounds_per_second(chapter)


def _rounds_per_second(chapter: Chapter) -> str:
    if not play(chapter.number).deals_rounds:
        return "nothing is dealt"
    deal = partial(play(chapter.number).simulate_block, chapter, covering(chapter)[0], 1)
    deal(0, 1_000)  # from here on it is compiled, and the best play is known
    return per_second(ROUNDS, seconds(partial(deal, 1, ROUNDS)))
