"""The files of the repository, as the health tests see them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that belongs to the repository; in an unpacked archive without git, every file that would."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        return tuple(path for path in ROOT.rglob("*") if path.is_file() and not _left_out(path))
    return tuple(path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file())


@cache
def text_of(path: Path) -> str:
    """Return the content of a file."""
    return path.read_text(encoding="utf-8")


def modules(*packages: str) -> list[Path]:
    """The Python modules of these packages, migrations left out."""
    return [
        path
        for path in tracked()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in packages and "migrations" not in path.parts
    ]


def dotted(path: Path) -> str:
    """`submissions/filings/review/worklist.py` → `submissions.filings.review.worklist`."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _left_out(path: Path) -> bool:
    return bool({".venv", "node_modules", "var", "__pycache__", ".git"} & set(path.parts))
