"""How much faster more processes simulate: one long run in parts, and the filings of all games.

`balance` is what is left if the cores had nothing else to do: the processor time of one process, by that of the one of
several that had most. It needs no idle machine; the times of the clock do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from bench import job_processes
from bench.job_processes import Doing
from games.registry import folders, play

TITLE = "Simulations on several processes (wall clock; wants an idle machine)"
GAME, ROUNDS = "687a", 10**9


def rows() -> Iterator[tuple[str, str]]:
    with job_processes.database() as environment:
        yield from _compared(environment, f"{ROUNDS:,} rounds of {GAME}", (1, 2), str(ROUNDS), GAME)
        games = [number for number in folders() if play(number).deals_rounds]
        yield from _compared(environment, f"filings of {len(games)} games", (1, 2, 4), "0", *games)


def _compared(
    environment: dict[str, str], label: str, counts: tuple[int, ...], rounds: str, *chapters: str
) -> Iterator[tuple[str, str]]:
    first: Doing | None = None
    for count in counts:
        job_processes.part(environment, "file", rounds, *chapters)
        load = os.getloadavg()[0]
        doing = job_processes.together(environment, count, "work", "long", *chapters)
        first = first or doing
        yield f"{label}, {count} process{'es' if count > 1 else ''} (load before {load:.1f})", f"{doing.seconds:.1f} s"
        if count > 1:
            yield "  times as fast as one", f"{first.seconds / doing.seconds:.2f}"
            yield "  balance", f"{first.processor[0] / max(doing.processor):.2f}"
