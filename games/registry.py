"""The chapters, and where each one's data and mathematics come from.

Loaded once per process. Not here: reading a folder's data (`rules.loader`, `rules.words`), what a play
consists of (`play`).
"""

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import date
from fractions import Fraction
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path

import games.chapters
from games.play import Play
from games.rules.changes import ChapterData, RuleChange, change_days, data_on
from games.rules.errata import ChapterErrata, load_errata, load_general_errata
from games.rules.errors import ParameterError, RuleError
from games.rules.files import LABELS, RULES
from games.rules.loader import ChapterFolder, load, load_from, read_folder
from games.rules.model import Answers, Chapter, Reading, RoundWin
from games.rules.records import load_general_notes
from games.rules.words import ChapterWords, WordFiles, load_words, word_files_on
from games.second.table import Table

PLAY = "play.py"
SECOND = "second.py"
_FOLDER = re.compile(r"ch(\d+[a-z]?)_[a-z0-9_]+")


class UnknownChapter(LookupError):
    """The chapter does not exist here or is not finished; the message names the others, or the problem."""


@cache
def folders() -> dict[str, Path]:
    """Return chapter number → its folder, in the Code's order; also those that `GAMES_CHAPTERS` adds."""
    paths: dict[str, Path] = {}
    for parent in map(Path, games.chapters.__path__):
        if not parent.is_dir():
            raise RuleError("GAMES_CHAPTERS", str(parent), "is not a folder")
    for path in (path for parent in games.chapters.__path__ for path in Path(parent).iterdir()):
        if path.is_dir() and (match := _FOLDER.fullmatch(path.name)):
            if match[1] in paths:
                raise RuleError(path.name, "folder", f"{paths[match[1]].name} is chapter {match[1]} already")
            paths[match[1]] = path
    return dict(sorted(paths.items(), key=lambda item: (int(item[0].rstrip("abcdefgh")), item[0])))


def folder_of(number: str) -> Path:
    """Return the chapter's folder; `UnknownChapter` if there is none."""
    if number not in folders():
        raise UnknownChapter(f"there is no chapter {number!r}; known are {', '.join(folders())}")
    return folders()[number]


def chapter(number: str, on: date | None = None, changes: tuple[RuleChange, ...] = ()) -> Chapter:
    """Return the chapter with this number, "687a", on that day; `UnknownChapter` if there is none that can be used.

    The changes of rulemakings come beside those in its folder; without a day, all of them are in effect.
    """
    try:
        begins = max((day for day in days_of_change(number, changes) if on and day <= on), default=date.min)
        return _chapter_from(number, begins if on else None, changes)
    except RuleError as error:
        raise UnknownChapter(f"chapter {number} is not finished: {error}") from error


@lru_cache(maxsize=512)
def days_of_change(number: str, changes: tuple[RuleChange, ...] = ()) -> tuple[date, ...]:
    """Return the days on which something of the chapter changes, in order."""
    source = _files(number)
    return change_days(source.data, (*source.changes, *changes))


@lru_cache(maxsize=512)  # some days of each chapter; what was filed under rules of long ago is read again
def _chapter_from(number: str, begins: date | None, changes: tuple[RuleChange, ...]) -> Chapter:
    """Return the chapter on a day on which something of it changes: it is the same until the next."""
    return _with_play(load_from(_files(number), begins, changes), folder_of(number))


@cache
def _files(number: str) -> ChapterFolder:
    return read_folder(folder_of(number))


def chapter_data(number: str, on: date, changes: tuple[RuleChange, ...] = ()) -> ChapterData:
    """Return the chapter's files in effect on that day as they are written, with further changes: a form edits them."""
    source = _files(number)
    data = data_on(source.data, (*source.changes, *changes), on)
    labels, _ = word_files_on(WordFiles(folder_of(number), on, (*source.changes, *changes)))
    return replace(data, files={**data.files, LABELS: labels})


def chapter_or_none(number: str, on: date | None = None, changes: tuple[RuleChange, ...] = ()) -> Chapter | None:
    """Return the chapter, or None if the portal no longer has it: what was filed under it can still be read."""
    try:
        return chapter(number, on, changes)
    except UnknownChapter:
        return None


@lru_cache(maxsize=512)
def title_of(number: str) -> str:
    """Return the game; "" for a chapter that the portal no longer has."""
    loaded = chapter_or_none(number)
    return loaded.title if loaded else ""


@cache
def general_notes() -> Mapping[str, Reading]:
    """Return id → interpretation note on the general provisions; `RuleError` if their file is not right."""
    return load_general_notes()


def chapters() -> tuple[Chapter, ...]:
    """Return every chapter that is finished, in the Code's order: a draft of a new game stops no other."""
    return tuple(loaded for number in folders() if (loaded := chapter_or_none(number)))


def unfinished() -> dict[str, str]:
    """Return chapter number → the problem that keeps its data from being loaded."""
    return {number: problem for number, folder in folders().items() if (problem := _problem(number, folder))}


def _problem(number: str, folder: Path) -> str:
    if chapter_or_none(number):
        return ""
    try:
        load_chapter(folder)
    except RuleError as error:
        return str(error)
    return ""


def forget() -> None:
    """Load everything again when it is next asked for: the folders have changed."""
    for loaded in (folders, days_of_change, _files, _chapter_from, title_of, _words, errata, table):
        loaded.cache_clear()


def words(loaded: Chapter) -> ChapterWords:
    """Return the chapter's words for layout, sign and guide; `RuleError` if a file is missing or does not fit it."""
    return _words(_WordKey(loaded.words_from, loaded.digest, loaded))


@dataclass(frozen=True, slots=True)
class _WordKey:
    """A chapter by what its words depend on."""

    words_from: object
    digest: str
    chapter: Chapter = field(compare=False)


@lru_cache(maxsize=512)
def _words(key: _WordKey) -> ChapterWords:
    return load_words(key.chapter)


@cache
def errata(number: str) -> ChapterErrata:
    """Return the errata of the chapter, "" = the general provisions; `RuleError` if the file is missing or unfit."""
    if not number:
        return load_general_errata(general_notes().values())
    return load_errata(chapter(number), folder_of(number))


def play(number: str) -> Play:
    """Return the chapter's mathematics, imported only when it is asked for."""
    folder = folder_of(number).name
    return import_play(f"games.chapters.{folder}.play", f"{folder}/{PLAY}")


@cache
def table(number: str) -> Table:
    """Return the chapter's table of the second laboratory."""
    chapter_table: Table = import_module(f"games.chapters.{folder_of(number).name}.second").TABLE
    return chapter_table


def load_chapter(folder: Path, on: date | None = None, changes: tuple[RuleChange, ...] = ()) -> Chapter:
    """Return the chapter in the folder, its data and its play in agreement; `RuleError` where they are not right."""
    return _with_play(load(folder, on, changes), folder)


def _with_play(loaded: Chapter, folder: Path) -> Chapter:
    if not folder.name.startswith(f"ch{loaded.number}_"):
        raise RuleError(f"{folder.name}/{RULES}", "`number`", f"{loaded.number}, but the folder has another")
    parts = _play_parts(folder)
    if "largest_round" in parts:
        return replace(loaded, largest_round=_largest_round)
    for requirement in loaded.requirements:
        if requirement.covers:
            where = f"requirement `{requirement.id}`, `check`"
            needed = f"`{requirement.check}` needs `largest_round`, which PLAY of {folder.name}/{PLAY} does not have"
            raise RuleError(f"{folder.name}/rules.toml", where, needed)
    return loaded


def import_play(module: str, file: str) -> Play:
    """Return the `PLAY` of the module in `file`; `RuleError` if it is something else or has unfit parameters."""
    try:
        candidate = vars(import_module(module)).get("PLAY")
    except ParameterError as error:
        raise RuleError(file, error.key, error.problem) from error
    except Exception as error:
        raise RuleError(file, "import", f"{type(error).__name__}: {error}") from error
    if not isinstance(candidate, Play):
        raise RuleError(file, "PLAY", "must be a `Play` (games/play.py)")
    return candidate


def _play_parts(folder: Path) -> frozenset[str]:
    """Return the parts that the folder's `PLAY = Play(…)` names.

    Its source is read, not imported: that would compile for seconds what most commands and pages do not need.
    """
    file = f"{folder.name}/{PLAY}"
    try:
        source = ast.parse((folder / PLAY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RuleError(file, "file", "is missing") from None
    except SyntaxError as error:
        raise RuleError(file, "syntax", f"line {error.lineno}: {error.msg}") from error
    for statement in source.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="PLAY")], value=ast.Call(func=ast.Name(id="Play"), keywords=given)):
                return _checked(file, frozenset(keyword.arg or "**" for keyword in given))
    raise RuleError(file, "PLAY", "is missing: the file ends with `PLAY = Play(…)` (games/play.py)")


def _checked(file: str, parts: frozenset[str]) -> frozenset[str]:
    known = {part.name: part.default is MISSING for part in fields(Play)}
    if missing := [name for name, required in known.items() if required and name not in parts]:
        raise RuleError(file, "PLAY", f"lacks `{'`, `'.join(missing)}`")
    if unknown := sorted(parts - known.keys()):
        raise RuleError(file, "PLAY", f"unknown part `{unknown[0]}`; allowed are {', '.join(known)}")
    return parts


def _largest_round(
    loaded: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> RoundWin:
    """Return the largest round by the chapter's play, imported only when a bound has to be computed."""
    largest = play(loaded.number).largest_round
    if largest is None:
        raise RuleError(f"{folder_of(loaded.number).name}/{PLAY}", "PLAY", "lacks `largest_round`")
    return largest(loaded, answers, stakes, leaves_out)
