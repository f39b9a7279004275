"""What grows: changes a second with one history, bytes of a filing in the database, memory of each process.

Filings of one chapter are simulated, approved and signed by `manage.py serve`. Beside SQLite, or on the PostgreSQL that
DATABASE_URL names. Memory is the proportional set size (pages that processes share are divided among them), idle after
the work. Ten years are 17 licensees × 21 games × 20 submissions.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bench import jobs
from bench.restore import DrillPortal, new_portal
from bench.visitors import family

TITLE = "Capacity (wall clock; wants an idle machine; DATABASE_URL for PostgreSQL)"
FILINGS, ROUNDS, SAVES = 20, 1_000_000, 400
DECADE = 17 * 21 * 20
PROGRAMS = ("processes.web", "sweep", "valkey", "redis", "serve")


def rows() -> Iterator[tuple[str, str]]:
    yield from _changes()
    with tempfile.TemporaryDirectory(prefix="capacity-") as folder:
        server = os.environ.get("DATABASE_URL", "")
        with new_portal(Path(folder) / "one", server, ROUNDS) as portal:
            portal.manage("prepare")
            yield from _filings(portal)


def _changes() -> Iterator[tuple[str, str]]:
    with jobs.database() as environment:
        for count in (1, 2, 4, 8):
            doing = jobs.together(environment, count, "save", str(SAVES // count))
            label = f"{jobs.engine()}, answers saved, an event each: {count} process{'es' if count > 1 else ''}"
            yield label, f"{SAVES / doing.seconds:.0f}/s"


def _filings(portal: DrillPortal) -> Iterator[tuple[str, str]]:
    with portal.serving() as supervisor:
        before = json.loads(portal.run_part("sizes"))
        portal.run_part("file", str(FILINGS))
        after = json.loads(portal.run_part("sizes"))
        yield from _memory(supervisor)
    grown = {table: (size - before.get(table, 0)) / FILINGS for table, size in after.items()}
    each = sum(grown.values())
    yield f"a filing with its signed document, of {FILINGS}", f"{each / 1000:.0f} kB"
    for table, size in sorted(grown.items(), key=lambda item: -item[1])[:6]:
        yield f"  {table}", f"{size / 1000:.1f} kB"
    yield f"ten years: {DECADE:,} filings", f"{each * DECADE / 1e9:.1f} GB"


def _memory(supervisor: int) -> Iterator[tuple[str, str]]:
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for process in family(supervisor):
        with suppress(OSError):
            words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
            rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
            name = _service(words)
            counts[name] += 1
            sizes[name] += int(re.search(r"^Pss: +(\d+) kB", rollup, re.MULTILINE)[1]) * 1024  # type: ignore[index]
    for name, size in sizes.most_common():
        yield f"memory of {counts[name]} × {name}", f"{size >> 20} MiB"
    yield "memory of the whole portal", f"{sum(sizes.values()) >> 20} MiB"


def _service(words: list[str]) -> str:
    """Return the program; of a Celery worker, the name that its supervisor gave it."""
    if "--hostname" in words:
        return words[words.index("--hostname") + 1].partition("@")[0]
    return next((name for name in PROGRAMS if any(name in word for word in words)), Path(words[0]).name)
