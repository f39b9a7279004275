"""`python3.11 setup run | test | service`: everything the portal needs on this machine, and nothing twice.

Needs only Python itself. What is there already is stamped and skipped, so that a second run takes no time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import node
import python
import system

HERE = Path(__file__).resolve().parent.parent
PARTS = {
    "run": "what the portal needs to run",
    "test": "that, and what its tests need",
    "service": "that, and PostgreSQL and Redis",
}


def main(arguments: list[str]) -> None:
    if len(arguments) != 1 or arguments[0] not in PARTS:
        sys.exit("use: python3 setup PART\n" + "\n".join(f"  {part:<8} {what}" for part, what in PARTS.items()))
    if sys.version_info < (3, 11):  # noqa: UP036  asked of any Python that is there
        sys.exit(f"The portal needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    part = arguments[0]
    system.demand_pango()
    system.offer_tesseract()
    python.install(HERE, tests=part != "run")
    node.install(HERE, tests=part != "run")
    if part != "run":
        system.demand_chromium()
    if part == "service":
        system.demand_services()


if __name__ == "__main__":
    main(sys.argv[1:])
