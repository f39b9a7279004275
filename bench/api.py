"""How long reads and judgments of the API take at 200 a second, beside a plain DRF view of one row in the same run.

`manage.py serve` as in service, and warm; the load comes from another process over loopback, at a steady rate. The
processor time of a read, in all web processes together, says how many a core could answer. `BENCH_SECONDS` makes it
shorter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import quantiles

from bench.load import callers_of
from bench.visitors import family, load_of, served

RATE, WARMING, CONNECTIONS = 200, 2, 8
SECONDS = int(os.environ.get("BENCH_SECONDS", "10"))
TITLE = f"The API, {RATE} calls a second for {SECONDS} s: processor time of one · what a core could answer; latency"
PLAIN = "a plain DRF view of one row"
ADDRESSES = {
    PLAIN: "/peer/5/",
    "one submission": "/api/v1/submissions/RS-2026-00005/",
    "submissions, a page of 50": "/api/v1/submissions/",
    "the register, a page of 50": "/api/v1/register/",
    "a game in force, with every answer": "/api/v1/in-force/casino-1/687a/",
    "events, a page of 50": "/api/v1/events/",
    "judging three answers": "/api/v1/chapters/687a/judge/",
}


ANSWERS = {"trips_bonus_wager": True, "trips_paytable": "DJWT-05", "adjacent_boxes_allowed": False}
BODIES = {"judging three answers": json.dumps({"answers": ANSWERS})}  # the call of these is a POST


def rows() -> Iterator[tuple[str, str]]:
    with served("games", "bench.api_settings") as (port, pid, world):
        master = next(process for process in family(pid) if b"portal.processes.web" in _command(process))
        plain = 0.0
        for label, address in ADDRESSES.items():
            body = BODIES.get(label, "")
            _ask(port, address, world["token"], body, seconds=WARMING)
            begun = _spent(family(master))
            taken = _ask(port, address, world["token"], body, seconds=SECONDS)
            each = (_spent(family(master)) - begun) / len(taken)
            plain = plain or each
            yield label, f"{each * 1000:.2f} ms · {1 / each:,.0f}/s · {each / plain:.1f} of the plain view"
            cuts = quantiles(taken, n=100)
            yield "  p50 · p95 · p99", f"{cuts[49]:.0f} · {cuts[94]:.0f} · {cuts[98]:.0f} ms"


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _spent(processes: Iterable[int]) -> float:
    """Return the seconds that the processes have had of the processor."""
    stats = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats) / os.sysconf("SC_CLK_TCK")


def _ask(port: int, address: str, token: str, body: str, *, seconds: int) -> list[float]:
    """Milliseconds of each request; with a body it is a POST. Every answer must be 200."""
    request = {"label": "read", "method": "POST" if body else "GET", "path": address, "json": body}
    callers = list(callers_of([[request]], CONNECTIONS))
    for caller in callers:
        caller["authorization"] = "" if address.startswith("/peer/") else f"Bearer {token}"
    answers = load_of(port, callers, seconds, RATE)["seconds"]
    if answers.keys() != {"read 200"}:
        raise RuntimeError(f"{address}: {', '.join(answers)}")
    return [1000 * taken for taken in answers["read 200"]]
