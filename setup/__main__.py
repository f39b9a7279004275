"""`python3.11 setup run | test | service | cluster`: everything the portal needs on this machine, and nothing twice.

Needs only Python itself. What is there already is stamped and skipped, so that a second run takes no time.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import node
import python
import system

HERE = Path(__file__).resolve().parent.parent
OLDEST, NEWEST = (3, 11), (3, 14)  # for which the lock files have every package
PARTS = {
    "run": "what the portal needs to run",
    "test": "that, and what its tests need",
    "service": "that, and PostgreSQL, Redis and nginx",
    "cluster": "that, and a C compiler",
}


def main(arguments: list[str]) -> None:
    if len(arguments) != 1 or arguments[0] not in PARTS:
        sys.exit("use: python3 setup PART\n" + "\n".join(f"  {part:<8} {what}" for part, what in PARTS.items()))
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        sys.exit(_other_python(arguments[0]))
    part = arguments[0]
    system.demand_pango()
    system.offer_tesseract()
    python.install(HERE, tests=part != "run")
    node.install(HERE, tests=part != "run")
    if part != "run":
        system.demand_chromium()
    if part in ("service", "cluster"):
        system.demand_services()
    if part == "cluster":
        system.demand_compiler()


def _other_python(part: str) -> str:
    """Return which Python to take instead, asked of any Python that is there."""
    names = [f"python3.{minor}" for minor in range(OLDEST[1], NEWEST[1] + 1)]
    found = next((name for name in names if shutil.which(name)), "")
    remedy = f"Run: {found} setup {part}" if found else "Install one: sudo apt-get install python3 python3-venv"
    return f"The portal runs on Python 3.{OLDEST[1]} to 3.{NEWEST[1]}; this is {sys.version.split()[0]}. {remedy}"


if __name__ == "__main__":
    main(sys.argv[1:])
