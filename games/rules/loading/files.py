"""The data files of a chapter's folder as they are written, and the digest of what they say.

Here: the names of the files, reading TOML and the regulation's text. Not here: what the keys mean (`records`,
`paytables`, `labels`, `guides`).
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.rules.errors import RuleError
from games.rules.sections import read_sections

RULES, PAYTABLES, LAYOUT, HOUSE_WAYS = "rules.toml", "paytables.toml", "layout.toml", "house_ways.toml"
LABELS, GUIDE, TEXT, ERRATA = "labels.toml", "guide.toml", "text.md", "errata.toml"
DRAWING = "drawing.toml"  # in some folders, and beside them
MISSING_TEXT = "missing_text.toml"  # where the text at hand lacks something
CHANGES = "changes"  # folder of later rulemakings, a file each
CHAPTERS = Path(__file__).parents[2] / "chapters"
COMMON, GENERAL, GENERAL_NOTES, GENERAL_ERRATA = (
    "common.toml", "general.md", "general.toml", "general_errata.toml",
)  # beside the folders  # fmt: skip
COMMON_WORDS = ("names", "progressive", "at_this_table")
"""What `common.toml` says of papers, not of rules: `loading/words` reads it."""


def read_toml(path: Path) -> dict[str, Any]:
    """What the file says; `RuleError` if it is missing or is not TOML."""
    try:
        return _parsed(read_file(path))
    except tomllib.TOMLDecodeError as error:
        raise RuleError(label(path), "syntax", str(error)) from None


def read_text(path: Path) -> Mapping[str, str]:
    """Citation → the text of its section."""
    return _sections(read_file(path), label(path))


def shared_file(folder: Path, name: str) -> Path:
    """The file beside the folder; for a chapter from elsewhere, that of the portal's own chapters."""
    beside = folder.parent / name
    return beside if beside.exists() else CHAPTERS / name


def label(path: Path) -> str:
    """A file's name in messages: `ch687a_dj_wild_stud_poker/rules.toml`."""
    return f"{path.parent.name}/{path.name}"


def data_digest(data: Mapping[str, Mapping[str, Any]]) -> str:
    """SHA-256 over what the files say, independent of their layout and comments."""
    canonical = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_file(path: Path) -> str:
    """The file as text; `RuleError` if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuleError(label(path), "file", "is missing") from None


# What the chapters share is read in full once, not once per chapter; no code changes what is kept here.
_parsed = lru_cache(maxsize=8)(tomllib.loads)
_sections = lru_cache(maxsize=2)(read_sections)
