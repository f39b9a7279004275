"""The sections of the measurement, printed as tables: each has a `…_TITLE` and `…_rows` in its module."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import import_module

SECTIONS = {  # the module of each
    "hands": "mathematics",
    "rounds": "mathematics",
    "claims": "jobs",
    "spread": "jobs",
    "documents": "records",
    "bulk": "bulk",
    "history": "records",
    "api": "latency",
    "slow": "slow_clients",
    "decade": "latency",
    "restore": "restore",
    "capacity": "restore",
}


def main(wanted: Sequence[str]) -> int:
    """Measure the sections named, or all."""
    if unknown := [name for name in wanted if name not in SECTIONS]:
        print(f"bench: no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}, one core")
    for name in wanted or SECTIONS:
        module = import_module(f"bench.{SECTIONS[name]}")
        print(f"\n{getattr(module, f'{name.upper()}_TITLE')}")
        for label, figure in getattr(module, f"{name}_rows")():
            print(f"  {label:<56} {figure:>16}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
