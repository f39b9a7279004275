"""Pages and API of a portal with ten years in it, asked by 1, 10 and 50 people at once, beside a trivial view.

17 licensees × 21 games × 20 submissions, each filed twice. `manage.py serve` as in service, warm; each person asks
again as soon as they are answered, from another process over loopback. The trivial view reads one row by its primary
key behind the portal's own middleware, in the same run. The database is that of the environment: SQLite, or
PostgreSQL under `setup/services.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

from bench.load import callers_of
from bench.visitors import load_of, served

TITLE = "A decade of filings: p50 · p95 · p99 in ms; requests a second; times the trivial view"
PEOPLE = (1, 10, 50)
SECONDS = float(os.environ.get("BENCH_SECONDS", "8"))
TRIVIAL = "trivial view"
# The longest list of a casino, a page far back in a list, words that are searched for.
PAGES = {
    TRIVIAL: "/trivial/{key}/",
    "register": "/register/?page={page}",
    "queue": "/",
    "submission": "/submissions/{number}/",
    "search": "/search/?words=casino+04+cajun&page=1",
    "search for a paytable": "/search/?chapter=687a&paytable=trips%2FDJWT-05",
    "rule changes": "/rules/changes/",
    "API: a page of 50": "/api/v1/submissions/",
}


def rows() -> Iterator[tuple[str, str]]:
    with served("decade", "bench.decade_settings") as (port, _, world):
        for people in PEOPLE:
            trivial = 0.0
            for name, address in PAGES.items():
                times = asked(port, world, address, people)
                trivial = trivial or len(times)
                cuts = [1000 * cut for cut in quantiles(times, n=100)]
                figures = f"{cuts[49]:.0f} · {cuts[94]:.0f} · {cuts[98]:.0f}"
                yield (
                    f"{people:>2} at once: {name}",
                    f"{figures}; {len(times) / SECONDS:.1f}; {trivial / len(times):.1f}",
                )


def asked(port: int, world: dict[str, Any], address: str, people: int) -> list[float]:
    """Return the seconds of each answer; every answer must be 200."""
    path = address.format(number=world["number"], key=world["key"], page="{n}")
    request = {"label": "page", "method": "GET", "path": path}
    callers = list(callers_of([[request]], people))
    for caller, session in zip(callers, world["sessions"], strict=False):
        caller["cookies"] = f"sessionid={session}"
        caller["authorization"] = f"Bearer {world['token']}" if address.startswith("/api/") else ""
    load_of(port, callers[:1], 1)  # warm
    answers = load_of(port, callers, SECONDS)["seconds"]
    if not answers:
        raise RuntimeError(f"{address}: no answer in {SECONDS:g} s; BENCH_SECONDS can be more")
    if answers.keys() != {"page 200"}:
        raise RuntimeError(f"{address}: {', '.join(answers)}")
    return answers["page 200"]
