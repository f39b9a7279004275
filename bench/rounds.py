"""Simulated rounds per second and core, every wager of the chapter offered and settled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench.timing import per_second, seconds
from games.play import covering
from games.rules.registry import chapter as chapter_of
from games.rules.registry import folders, play

TITLE = "Simulated rounds per second, all wagers settled"
ROUNDS = 2_000_000


def rows() -> Iterator[tuple[str, str]]:
    for chapter in map(chapter_of, folders()):
        deal = partial(play(chapter.number).simulate_block, chapter, covering(chapter)[0], 1)
        deal(0, 1_000)  # from here on it is compiled, and the best play is known
        taken = seconds(partial(deal, 1, ROUNDS))
        yield f"{chapter.number} {chapter.title}", per_second(ROUNDS, taken)
