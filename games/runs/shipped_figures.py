"""The exact figures of the chapters, shipped with the program: computing them first compiles for up to half a minute.

`python -m games.runs.write_figures` writes a file for each chapter, with the figures of a checklist without answers and
of the chapter's example. A digest says of which rules and of which program they are; of any others they are not used,
and the figures are computed. Not here: the computation (`play.py` of the chapter), runs and whole analyses (`engine`).
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import games
from games.maths.export import exact_reader
from games.maths.results import WagerAnalysis
from games.registry import PLAY, folders
from games.rules.files import STRATEGY
from games.rules.model import Answers, Chapter

SHIPPED: Final = Path(__file__).with_name("figures")
_ROOT: Final = Path(games.__file__).parent.parent
_IMPORT: Final = re.compile(r"^\s*from (games[\w.]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)
_COMMENT: Final = re.compile(r"#.*")

_read_wagers = exact_reader(tuple[WagerAnalysis, ...])


def shipped_wagers(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...] | None:
    """Return the figures under these answers; None if none are shipped, or only those of other rules or programs."""
    content = shipped_content(chapter.number)
    if content is None or content["made_from"] != digest_of(chapter):
        return None
    return next((_read_wagers(row["wagers"]) for row in content["figures"] if row["answers"] == answers), None)


@cache
def shipped_content(number: str) -> dict[str, Any] | None:
    """Return the figures shipped for the chapter; None if there are none."""
    file = shipped_file(number)
    content: dict[str, Any] | None = json.loads(file.read_text("utf-8")) if file.exists() else None
    return content


def shipped_file(number: str) -> Path:
    return SHIPPED / f"{number}.json"


def digest_of(chapter: Chapter) -> str:
    """Return the digest of all that the figures depend on but the answers: the chapter's rules and the program."""
    return hashlib.sha256((repr(chapter) + program_digest(chapter.number)).encode()).hexdigest()


@cache
def program_digest(number: str) -> str:
    """Return the digest of the chapter's play and of every file of this package that it is made from."""
    digest = hashlib.sha256()
    if number in folders():
        for path in sorted(files_of(folders()[number] / PLAY)):
            digest.update(f"{path.parent.name}/{path.name}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def files_of(play: Path) -> set[Path]:
    """Return the file, all that it imports of this package, and the data beside them."""
    sources, unread = set[Path](), {play}
    while unread:
        sources |= unread
        unread = {imported for path in unread for imported in _imported(path)} - sources
    beside = {path.with_suffix(".json") for path in sources} | {play.with_name(STRATEGY)}
    return sources | {path for path in beside if path.exists()}


def _imported(path: Path) -> Iterator[Path]:
    for module, several, single in _IMPORT.findall(path.read_text("utf-8")):
        names = _COMMENT.sub("", several or single).replace(",", " ").split()
        parts = module.split(".")
        packages = (".".join(parts[:length]) for length in range(1, len(parts)))
        for name in (*packages, module, *(f"{module}.{name}" for name in names)):
            yield from filter(Path.exists, _places(name))


def _places(module: str) -> tuple[Path, Path]:
    place = _ROOT.joinpath(*module.split("."))
    return place.with_suffix(".py"), place / "__init__.py"


def shipped_answers(chapter: Chapter) -> Iterator[dict[str, Any] | None]:
    """Yield the answers of which figures are shipped: none, and those of the example."""
    yield None
    yield json.loads((folders()[chapter.number] / "tests" / "example.json").read_text("utf-8"))
