"""A chapter's folder that a test may spoil: a copy of 687a with the files beside it."""

import shutil
from pathlib import Path

from games.registry import folders
from games.rules.files import CHAPTERS


def copied(tmp_path: Path, number: str = "687a") -> Path:
    """The chapter's data, with `common.toml` and `general.md`, in a directory of the test's own."""
    for name in ("common.toml", "general.md"):
        shutil.copy(CHAPTERS / name, tmp_path / name)
    source = folders()[number]
    return Path(shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns("*.py", "__pycache__")))


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    """Replace the first `old` in the file, which must be there."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
