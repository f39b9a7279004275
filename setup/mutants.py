"""`python setup/mutants.py`: changes each line of permissions, jobs, workflow and judge; a test must notice.

mutmut makes and runs the mutants as `[tool.mutmut]` in pyproject.toml says; nothing is reused. A mutant that no
test notices must be in `tests/mutants.toml` with the reason. Exit 1 for one that is not, for an entry that is of no
survivor any more, and for a package with a score below 95 %.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
LIST = HERE / "tests" / "mutants.toml"
LEAST = 95  # percent of a package's mutants
PACKAGES = {  # the first that fits
    "workflow": r"submissions\.permissions\.workflow\.",
    "permissions": r"submissions\.permissions\.",
    "jobs": r"submissions\.jobs\.",
    "judge": r"games\.rules\.|submissions\.filings\.judging\.",
}
# By mutmut's exit codes; all others are of a run that was stopped.
ENDS = {None: "not run", 0: "survived", 1: "killed", 3: "killed", 5: "without tests", 33: "without tests"}
COLUMNS = ("killed", "survived", "timed out", "without tests", "not run")


class Survivor(NamedTuple):
    """A mutant that no test notices, or an entry of the list; one without a change is for all of the function."""

    function: str
    was: str = ""
    becomes: str = ""

    def covers(self, other: Survivor) -> bool:
        return other == self or (other.function == self.function and not (self.was or self.becomes))


def main() -> None:
    shutil.rmtree(HERE / "mutants", ignore_errors=True)
    subprocess.run(["mutmut", "run", *sys.argv[1:]], cwd=HERE, check=True)
    ends = dict(_ends())
    listed = [Survivor(row["function"], row.get("was", ""), row.get("becomes", "")) for row in _list()]
    survivors = {name: _survivor(name) for name, end in ends.items() if end != "killed"}
    unlisted = [name for name, row in survivors.items() if not any(entry.covers(row) for entry in listed)]
    over = [entry for entry in listed if not any(entry.covers(row) for row in survivors.values())]
    too_low = [package for package in PACKAGES if _print_score(package, ends) < LEAST]
    for name in unlisted:
        print(f"{ends[name]}, not in {LIST.name}: {name}\n  - {survivors[name].was}\n  + {survivors[name].becomes}")
    for entry in over:
        print(f"in {LIST.name}, of no survivor: {entry.function}: {entry.becomes or 'all'}")
    sys.exit(1 if unlisted or over or too_low else 0)


def _ends() -> Iterator[tuple[str, str]]:
    """Yield each mutant and how its run ended."""
    for path in sorted((HERE / "mutants").rglob("*.meta")):
        for name, code in json.loads(path.read_text())["exit_code_by_key"].items():
            yield name, ENDS.get(code, "timed out")


def _list() -> list[dict[str, str]]:
    rows: list[dict[str, str]] = tomllib.loads(LIST.read_text())["survivor"]
    if without := [row["function"] for row in rows if not row.get("reason")]:
        sys.exit(f"{LIST.name}: no reason for {', '.join(without)}")
    return rows


def _survivor(name: str) -> Survivor:
    """Return the survivor `submissions.jobs.leases.xǁLeaseǁend__mutmut_3` with its change."""
    diff = subprocess.run(["mutmut", "show", name], cwd=HERE, check=True, capture_output=True, text=True).stdout
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    was, becomes = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    module, _, mangled = name.partition("__mutmut_")[0].rpartition(".")
    function = mangled.replace("xǁ", "").replace("ǁ", ".") if "ǁ" in mangled else mangled.removeprefix("x_")
    return Survivor(f"{module}.{function}", was, becomes)


def _print_score(package: str, ends: dict[str, str]) -> float:
    """Return the share that was killed, in percent; every other end counts as survived."""
    counts = Counter(end for name, end in ends.items() if _package(name) == package)
    score = 100 * counts["killed"] / max(1, counts.total())
    print(f"{package}: {counts.total()} mutants, {score:.1f} %:", ", ".join(f"{counts[end]} {end}" for end in COLUMNS))
    return score


def _package(name: str) -> str:
    return next(package for package, names in PACKAGES.items() if re.match(names, name))


if __name__ == "__main__":
    main()
