"""The sections of the measurement, printed as tables.

A module of one section has its `TITLE` and `rows()`. In a module of several, both names begin with the section's.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import import_module

SECTIONS = {  # the module of each
    "hands": "mathematics",
    "rounds": "mathematics",
    "workers": "jobs",
    "claims": "jobs",
    "spread": "jobs",
    "documents": "records",
    "bulk": "bulk",
    "history": "records",
    "rulemaking": "records",
    "api": "latency",
    "pages": "pages",
    "visitors": "visitors",
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
        several = SECTIONS[name] != name
        title = getattr(module, f"{name.upper()}_TITLE" if several else "TITLE")
        rows = getattr(module, f"{name}_rows" if several else "rows")
        print(f"\n{title}")
        for label, figure in rows():
            print(f"  {label:<56} {figure:>16}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
