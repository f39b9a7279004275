"""How long pages and the API take, beside a plain view of one row in the same run.

`manage.py serve` as in service, and warm; the load comes from another process over loopback. The portal has ten years
in it (17 licensees × 21 games × 20 submissions, each filed twice). Its database is that of the environment: SQLite, or
PostgreSQL under `setup/services.py`. `BENCH_SECONDS` makes both sections shorter.

`api`: reads and judgments at a steady rate. The processor time of a read, in all web processes together, says how many
a core could answer. `decade`: 1, 10 and 50 people at once, each of whom asks again as soon as they are answered.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

from bench.load import callers_of, load_of
from bench.parts import served
from tests.portal.running import descendants, processor_seconds

RATE, WARMING, CONNECTIONS = 200, 2, 8
SECONDS = float(os.environ.get("BENCH_SECONDS", "10"))
API_TITLE = f"The API, {RATE} calls a second for {SECONDS:g} s: processor time · what a core could answer; latency"
READS = {
    "a plain DRF view of one row": "/peer/{key}/",
    "one submission": "/api/v1/submissions/{number}/",
    "submissions, a page of 50": "/api/v1/submissions/",
    "the register, a page of 50": "/api/v1/register/",
    "a game in force, with every answer": "/api/v1/in-force/casino-01/687a/",
    "events, a page of 50": "/api/v1/events/",
    "judging three answers": "/api/v1/chapters/687a/judge/",
}
ANSWERS = {"trips_bonus_wager": True, "trips_paytable": "DJWT-05", "adjacent_boxes_allowed": False}
BODIES = {"judging three answers": json.dumps({"answers": ANSWERS})}  # the call of these is a POST


def api_rows() -> Iterator[tuple[str, str]]:
    with served("decade", "bench.settings") as (port, pid, world):
        master = next(each.pid for each in descendants(pid) if "portal.processes.web" in each.command)
        plain = 0.0
        for label, address in READS.items():
            body = BODIES.get(label, "")
            callers = _callers(address, CONNECTIONS, world, body)
            _seconds_of_answers(port, callers, WARMING, RATE)
            begun = _spent(master)
            taken = _seconds_of_answers(port, callers, SECONDS, RATE)
            each = (_spent(master) - begun) / len(taken)
            plain = plain or each
            yield label, f"{each * 1000:.2f} ms · {1 / each:,.0f}/s · {each / plain:.1f} of the plain view"
            yield "  p50 · p95 · p99", f"{_percentiles(taken)} ms"


DECADE_TITLE = "A decade of filings: p50 · p95 · p99 in ms; requests a second; times the trivial view"
PEOPLE = (1, 10, 50)
# The longest list of a casino, a page far back in a list, words that are searched for.
PAGES = {
    "trivial view": "/trivial/{key}/",
    "register": "/register/?page={page}",
    "queue": "/",
    "submission": "/submissions/{number}/",
    "search": "/search/?words=casino+04+cajun&page=1",
    "search for a paytable": "/search/?chapter=687a&paytable=trips%2FDJWT-05",
    "rule changes": "/rules/changes/",
    "API: a page of 50": "/api/v1/submissions/",
}


def decade_rows() -> Iterator[tuple[str, str]]:
    with served("decade", "bench.settings") as (port, _, world):
        for people in PEOPLE:
            trivial = 0
            for name, address in PAGES.items():
                callers = _callers(address, people, world)
                _seconds_of_answers(port, callers[:1], SECONDS)  # warm, after what was given up
                times = _seconds_of_answers(port, callers, SECONDS)
                trivial = trivial or len(times)
                figures = f"{_percentiles(times)}; {len(times) / SECONDS:.1f}; {trivial / len(times):.1f}"
                yield f"{people:>2} at once: {name}", figures


def _callers(address: str, count: int, world: dict[str, Any], body: str = "") -> list[dict[str, Any]]:
    """Return callers who repeat the request: of the API with the token of the world, of pages with its sessions."""
    path = address.format(number=world["number"], key=world["key"], page="{n}")
    request = {"label": "answer", "method": "POST" if body else "GET", "path": path, "json": body}
    callers = list(callers_of([[request]], count))
    for caller, session in zip(callers, world["sessions"], strict=False):
        if path.startswith("/api/"):
            caller["authorization"] = f"Bearer {world['token']}"
        else:
            caller["cookies"] = f"sessionid={session}"
    return callers


def _seconds_of_answers(port: int, callers: list[dict[str, Any]], seconds: float, rate: float = 0) -> list[float]:
    """Return the seconds of each answer; every answer must be 200."""
    answers = load_of(port, callers, seconds, rate)
    if list(answers) != ["answer 200"]:
        met = ", ".join(answers) or f"no answer in {seconds:g} s; BENCH_SECONDS can be more"
        raise RuntimeError(f"{callers[0]['requests'][0]['path']}: {met}")
    return answers["answer 200"]


def _percentiles(seconds: list[float]) -> str:
    cuts = [1000 * cut for cut in quantiles(seconds, n=100)]
    return f"{cuts[49]:.0f} · {cuts[94]:.0f} · {cuts[98]:.0f}"


def _spent(master: int) -> float:
    """Return the seconds that the web processes have had of the processor."""
    return sum(map(processor_seconds, [master, *(each.pid for each in descendants(master))]))
