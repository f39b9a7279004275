"""The fixes of the security review, each with the test that fails without it: a table of docs/security.md, proved.

`python -m tests.health.fixes` prints the table. `python -m tests.health.fixes prove [NUMBER …]` copies the repository
to a temporary folder, takes out one fix at a time, and runs its test there, which must fail. `fixes.toml` has the rows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.health.files import ROOT, tracked

FAILED = 1  # pytest's exit status where tests ran and some failed
LINKED = (".venv", "node_modules")
SHOWN = 160  # characters of the reason


@dataclass(frozen=True, slots=True)
class Fix:
    """A line of the review. `old` is in the code now; `new` is the code without the fix."""

    number: str  # of the review's finding, and a letter
    problem: str
    fixed: str
    file: str
    old: str
    new: str
    test: str  # as pytest names it

    @property
    def test_file(self) -> str:
        return self.test.partition("::")[0]

    @property
    def test_function(self) -> str:
        return self.test.partition("::")[2].partition("[")[0]

    def row(self) -> str:
        """The line of the table."""
        test = f"`{self.test_file}::{self.test_function}`"
        return f"| {self.number} | {self.problem} | {self.fixed} | `{self.file}` | {test} |"


def fixes() -> tuple[Fix, ...]:
    with (ROOT / "tests/health/fixes.toml").open("rb") as file:
        return tuple(Fix(**row) for row in tomllib.load(file)["fix"])


def table() -> str:
    return "\n".join(
        (
            "| Finding | What got through | What was changed | Where | The test that fails without it |",
            "| --- | --- | --- | --- | --- |",
            *(fix.row() for fix in fixes()),
        )
    )


def prove(numbers: list[str]) -> bool:
    """Whether each of these fixes (all, if none is named) is missed by its test; says so line by line."""
    chosen = [fix for fix in fixes() if not numbers or fix.number in numbers]
    with tempfile.TemporaryDirectory(prefix="fixes-") as folder:
        copy = _copied(Path(folder) / "copy")
        results = [_is_missed(copy, fix) for fix in chosen]
    return bool(results) and all(results)


def _copied(copy: Path) -> Path:
    """The repository with the compiled mathematics, which takes minutes to compile."""
    for path in (*tracked(), *ROOT.glob("games/**/__pycache__/*.nb[ic]")):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    for name in LINKED:
        (copy / name).symlink_to((ROOT / name).resolve())
    return copy


def _is_missed(copy: Path, fix: Fix) -> bool:
    path = copy / fix.file
    before = path.read_text(encoding="utf-8")
    assert before.count(fix.old) == 1, f"{fix.number}: not once in {fix.file}: {fix.old}"
    path.write_text(before.replace(fix.old, fix.new), encoding="utf-8")
    try:
        status, reason = _run(copy, fix.test)
    finally:
        path.write_text(before, encoding="utf-8")
    is_missed = status == FAILED and bool(reason)
    print(f"{fix.number}: {'fails' if is_missed else f'DOES NOT FAIL (status {status})'}: {reason}", flush=True)
    return is_missed


def _run(copy: Path, test: str) -> tuple[int, str]:
    """pytest's exit status, and the reason of the first failure; "" if a test did not run to its failure."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PORTAL_VAR", None)
    command = [sys.executable, "-m", "pytest", "-n0", "-q", "--reuse-db", "-p", "no:cacheprovider", "-rf", test]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    reason = re.search(r"^(?:SUB)?FAILED.*$", done.stdout, flags=re.MULTILINE)
    why = re.search(r"^E +(.*)$", done.stdout, flags=re.MULTILINE)
    return done.returncode, f"{why[1] if why else reason[0]}"[:SHOWN] if reason else ""


if __name__ == "__main__":
    if sys.argv[1:2] == ["prove"]:
        sys.exit(0 if prove(sys.argv[2:]) else 1)
    print(table())
