"""The restore drill: a backup while filings are simulated and signed, restored elsewhere, compared and continued.

Two portals of their own with a folder and a database each: beside SQLite, or on the PostgreSQL that DATABASE_URL names.
Every part is the command that an operator uses. `python -m bench restore`, or `make drill`.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.restore.portals import DrillPortal, new_portal

TITLE = "The restore drill: a backup under load (wall clock)"
FILINGS, ROUNDS = 10, 3_000_000
DEADLINE = 900.0  # seconds for one part


@dataclass(slots=True)
class Drill:
    """What was measured. `lost`: what was there before the backup began and is not in the restored portal."""

    figures: list[tuple[str, str]] = field(default_factory=list)
    lost: int = 0

    def add(self, label: str, figure: str) -> None:
        self.figures.append((label, figure))


def rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        drill = run_drill(Path(folder), FILINGS, ROUNDS, os.environ.get("DATABASE_URL", ""))
    yield from drill.figures
    if drill.lost:
        raise SystemExit(f"lost {drill.lost}")


def run_drill(folder: Path, filings: int, rounds: int, server: str) -> Drill:
    """`server`: the address of a PostgreSQL database beside which two others may be created; "" = SQLite."""
    drill = Drill()
    key, public = folder / "key.txt", folder / "public.txt"
    with new_portal(folder / "first", server, rounds) as first, new_portal(folder / "second", server, rounds) as second:
        first.manage("prepare")
        public.write_text(first.manage("backup", "--make-key", str(key)))
        with first.serving():
            before, backup, writer = _back_up_under_load(drill, first, folder / "drill.age", public, filings)
            second.manage("backup", "--check", str(backup), "--identity", str(key))
            began = time.monotonic()
            said = second.manage("restore", str(backup), "--identity", str(key), "--deep")
            drill.add("restored and verified, with every signature", f"{time.monotonic() - began:.1f} s")
            drill.add("  the command's last line", said.strip().splitlines()[-1])
            writer.communicate(timeout=DEADLINE)
            if writer.returncode:
                raise SystemExit("The filings did not end.")
        _compare(drill, before, first.facts(), second.facts())
        began = time.monotonic()
        with second.serving():
            after = json.loads(second.run_part("finish"))
        drill.add("filings in the restored portal, each with its PDF", f"{after['documents']} of {after['filings']}")
        drill.add("  until the last of them was signed", f"{time.monotonic() - began:.1f} s")
        drill.lost += after["filings"] - after["documents"]
        second.manage("verify_history")
    drill.add("lost", str(drill.lost))
    return drill


def _back_up_under_load(
    drill: Drill, portal: DrillPortal, target: Path, public: Path, filings: int
) -> tuple[dict[str, Any], Path, subprocess.Popen[str]]:
    """Facts from right before the backup, the backup, and the process that still files and decides."""
    writer = portal.start_part("file", str(filings))
    before = portal.facts("facts_under_load")
    began = time.monotonic()
    portal.manage("backup", str(target), "--recipients", str(public))
    seconds, after = time.monotonic() - began, portal.facts()
    drill.add("backup while the portal works", f"{seconds:.1f} s")
    drill.add("  size of the file", f"{target.stat().st_size / (1 << 20):.2f} MiB")
    added = len(after["events"]) - len(before["events"])
    drill.add("  events written before, and during it", f"{len(before['events'])} + {added}")
    drill.add("  jobs running when it began", str(before["running"]))
    return before, target, writer


def _compare(drill: Drill, before: dict[str, Any], first: dict[str, Any], second: dict[str, Any]) -> None:
    """Everything of before the backup is in the restored portal, and nothing there differs from the first portal."""
    for kind, label in (("events", "events"), ("documents", "signed PDFs"), ("files", "stored files")):
        there = second[kind]
        lost = [name for name in before[kind] if name not in there]
        other = [name for name, digest in there.items() if first[kind].get(name) != digest]
        drill.add(f"{label}: before the backup, restored", f"{len(before[kind])}, {len(there)}")
        drill.add("  lost", str(len(lost)))
        drill.add("  differ from the first portal", str(len(other)))
        drill.lost += len(lost) + len(other)
