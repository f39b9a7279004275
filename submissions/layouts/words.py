"""The words of `words.toml`: labels of areas, odds said in sentences, what says what the chapter gives no words for.

Read once and strictly: a chapter, element or wager that there is not is refused. Not here: what a configuration calls
for (`required`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.rules.citations import cite
from games.rules.model import Chapter, LayoutElement
from games.rules.registry import chapter, folders

_FILE = Path(__file__).parent / "words.toml"
_TABLES = ("labels", "odds", "says")
AREAS = ("area", "card_area")


@dataclass(frozen=True, slots=True)
class Stated:
    """Odds that the chapter states in a sentence."""

    outcome: str
    pays: str
    citation: str


class WordsError(Exception):
    """`words.toml` names what there is not, or says it in another form than it may."""


def labels(chapter: Chapter, element: LayoutElement) -> tuple[str, ...]:
    """What is to be read on the element's areas, one for each; without words of its own, the name of its wager."""
    given: Mapping[str, list[str]] = _of(chapter, "labels")
    if element.key in given:
        return tuple(given[element.key])
    return (chapter.wager(element.wager).name.removesuffix(" Wager"),) if element.wager else ()


def stated(chapter: Chapter, wager: str) -> Stated | None:
    """The odds of the wager that stand in a sentence, if any do."""
    found: list[str] | None = _of(chapter, "odds").get(wager)
    return Stated(found[0], found[1], cite(found[2], chapter.number)) if found else None


def says(chapter: Chapter, element: LayoutElement) -> str:
    """Words that say what the element is to say, or name it; "" where there are none."""
    own: str = _of(chapter, "says").get(element.key, "")
    name: str = _words()["names"].get(element.key, "")
    return own or (name if element.kind in ("box", "device") else "")


def _of(chapter: Chapter, table: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _words().get(chapter.number, {}).get(table, {})
    return found


@cache
def _words() -> Mapping[str, Any]:
    words = tomllib.loads(_FILE.read_text("utf-8"))
    check(words)
    return words


def check(words: Mapping[str, Any]) -> None:
    """`WordsError` where the words do not fit the chapters."""
    _only(words, {*folders(), "names"}, "chapter")
    for number in words.keys() - {"names"}:
        _only(words[number], _TABLES, f"table of {number}")
        _check_chapter(chapter(number), words[number])
    boxes = {one.key for number in folders() for one in chapter(number).layout if one.kind in ("box", "device")}
    _only(words["names"], boxes, "box or device")
    _texts(words["names"].values(), "names")


def _check_chapter(chapter: Chapter, words: Mapping[str, Any]) -> None:
    areas = {one.key for one in chapter.layout if one.kind in AREAS}
    said = {one.key for one in chapter.layout if one.kind not in AREAS and not one.wording}
    _only(words.get("labels", {}), areas, f"area of {chapter.number}")
    _only(words.get("says", {}), said, f"element without words of {chapter.number}")
    _only(words.get("odds", {}), {wager.key for wager in chapter.wagers}, f"wager of {chapter.number}")
    for key, row in words.get("labels", {}).items():
        _texts(row, f"{chapter.number}.labels.{key}")
    for key, row in words.get("odds", {}).items():
        _texts(row, f"{chapter.number}.odds.{key}")
        if len(row) != 3 or row[1] not in chapter.sections.get(cite(row[2], chapter.number), ""):
            raise WordsError(f"{chapter.number}.odds.{key}: {row!r} does not stand where it says")
    _texts(words.get("says", {}).values(), f"{chapter.number}.says")


def _only(given: Iterable[str], known: Iterable[str], what: str) -> None:
    if unknown := sorted(set(given) - set(known)):
        raise WordsError(f"{', '.join(unknown)}: there is no such {what}")


def _texts(given: Iterable[object], where: str) -> None:
    if isinstance(given, str) or not all(isinstance(one, str) and one.strip() == one != "" for one in given):
        raise WordsError(f"{where}: only texts are allowed, without space around them")
