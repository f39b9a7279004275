"""The sections of the measurement, one module each with `TITLE` and `rows()`, printed as tables."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import import_module

SECTIONS = (
    "hands", "analyses", "rounds", "workers", "claims", "spread", "documents", "bulk", "history", "rulemaking", "api",
    "pages", "visitors", "decade", "restore", "capacity",
)  # fmt: skip


def main(wanted: Sequence[str]) -> int:
    """Measure the sections named, or all."""
    if unknown := [name for name in wanted if name not in SECTIONS]:
        print(f"bench: no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}, one core")
    for name in wanted or SECTIONS:
        section = import_module(f"bench.{name}")
        print(f"\n{section.TITLE}")
        for label, figure in section.rows():
            print(f"  {label:<56} {figure:>16}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
