"""A chapter's data files as they are on one day, with every rulemaking in them, and the chapter read back from them.

Signed PDFs carry them, so that their figures can be computed again wherever the chapter's folder has another edition.
They are the files that the loader reads; words of layouts, signs and guides decide no figure. Not here: the day and its
rulemakings (`registry.chapter_data`), the attachment of a PDF (`runs.filed_record`).
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from games.rules.changes import ChapterData, toml_text
from games.rules.errors import RuleError
from games.rules.files import (
    GENERAL,
    HOUSE_WAYS,
    LAYOUT,
    MISSING_TEXT,
    PAYTABLES,
    RULES,
    TEXT,
    TOP,
    read_file,
    shared_file,
)
from games.rules.loader import load
from games.rules.model import Chapter

DATA = (RULES, PAYTABLES, LAYOUT, HOUSE_WAYS, MISSING_TEXT)
FOLDER = "chapter"  # names the files in messages
ATTACHED_END = "-chapter.json"  # of the name of a PDF's attachment with the files; its record is another .json


def write_files(data: ChapterData, folder: Path) -> dict[str, str]:
    """Return file → its text, with the general provisions, which the chapter cites; `folder`: of the chapter."""
    tables = {name: toml_text(data.files[name]) for name in DATA}
    return {**tables, TEXT: data.text, GENERAL: read_file(shared_file(folder, GENERAL))}


def load_files(files: Mapping[str, str]) -> Chapter:
    """Return the chapter that the files state; `RuleError` where one is missing, unknown or not right."""
    if unknown := files.keys() - {*DATA, TEXT, GENERAL}:
        raise RuleError(f"{FOLDER}/{min(unknown)}", TOP, f"is unknown; allowed are {', '.join((*DATA, TEXT, GENERAL))}")
    with TemporaryDirectory() as parent:
        folder = Path(parent) / FOLDER
        folder.mkdir()
        for name, text in files.items():
            place = folder.parent if name == GENERAL else folder
            (place / name).write_text(text, encoding="utf-8", newline="")
        return load(folder)
