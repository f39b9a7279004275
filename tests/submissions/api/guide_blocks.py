"""The blocks of the guide and its pages, run as a reader would: in their order, in a folder, against a portal.

`sh` and `python` are run, `ts` is saved under the name in its first line; what a block prints is in the `text` or
`json` block after it. Not here: the portals that they are run against (`test_guide`, `test_generated_clients`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE

from tests.health.files import ROOT

DOCS = ROOT / "docs"
GUIDE = DOCS / "api.md"
PARTS = re.compile(r"^```(\w+)\n(.*?)^```$|^(<!-- a person confirms -->)$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"(?:#|//) ([\w-]+\.(?:py|ts))\n")
RUNS = ("sh", "python", "ts", "person")
SESSION = Path(__file__).with_name("python_session.py")
LONGEST = 600  # seconds for a block, on a machine with much other work


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page: `sh`, `python` or `ts`, or a person's confirmation; and what it prints, if that is said."""

    kind: str
    text: str
    prints: str

    @property
    def name(self) -> str:
        """The file that it is saved as; "" if it is only run."""
        named = NAME.match(self.text)
        return named[1] if named else ""


def blocks(page: Path = GUIDE) -> Iterator[Block]:
    parts = [(part[1] or "person", part[2] or "") for part in PARTS.finditer(page.read_text(encoding="utf-8"))]
    for (kind, text), after in zip(parts, [*parts[1:], ("", "")], strict=True):
        if kind in RUNS:
            yield Block(kind, text, after[1] if after[0] in ("text", "json") else "")


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the blocks are run: a folder of their own, and what they export."""

    folder: Path
    environment: dict[str, str]

    def check(self, block: Block) -> None:
        """Run it: it ends well, and prints what the page says."""
        check_printed(block, self.run(block))

    def run(self, block: Block) -> str:
        """What it prints. A module that says its name is there for the blocks after it; `receiver` waits to be run."""
        if block.name:
            self.save(block)
        command = self._command(block)
        if not command:
            return ""
        ran = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=LONGEST
        )
        assert ran.returncode == 0, f"{block.text}\n{ran.stdout}{ran.stderr}"
        return ran.stdout.removeprefix("\ufeff")  # a table begins with a mark, so that spreadsheets know its encoding

    def save(self, block: Block) -> None:
        (self.folder / block.name).write_text(block.text, encoding="utf-8")

    def _command(self, block: Block) -> list[str]:
        """TypeScript is run once something has compiled it."""
        stem = block.name.partition(".")[0]
        if block.kind == "python":
            return [sys.executable, "-c", f"import {stem}" if stem else block.text]
        if block.kind == "ts":
            return ["node", f"{stem}.js"] if (self.folder / f"{stem}.js").exists() else []
        return ["bash", "-euc", f"[ ! -f exported ] || . ./exported\n{block.text}\nexport -p > exported"]


@dataclass(frozen=True, slots=True)
class Session:
    """A Python process that runs the blocks of a desk that are not saved as files."""

    process: subprocess.Popen[str]

    def check(self, block: Block) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(block.text) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"{block.text}\nThe program ended; its words are above."
        check_printed(block, json.loads(answer))


@contextmanager
def python_session(desk: Desk) -> Iterator[Session]:
    """Start it in the desk's folder, where it finds what was generated; what it writes to stderr is the test's."""
    environment = {**desk.environment, "PYTHONPATH": str(desk.folder)}
    with subprocess.Popen(
        [sys.executable, SESSION], cwd=desk.folder, env=environment, stdin=PIPE, stdout=PIPE, text=True
    ) as process:
        yield Session(process)


def check_printed(block: Block, printed: str) -> None:
    assert re.fullmatch(pattern(block.prints), numbered(printed).strip()), f"{block.text}\n{printed}"


def pattern(prints: str) -> str:
    """What is said to be printed: “…” stands for any text, numbers are those of another portal."""
    return re.escape(numbered(prints).strip()).replace("\\\n", "\n").replace("\n…", "(?:\n.*)*").replace("…", ".*")


def numbered(text: str) -> str:
    return re.sub(r"(after|RS-\d{4}|B-\d{4})-\d+", r"\1-N", re.sub(r"(RS|B)-\d{4}-", r"\1-2026-", text))
