"""The words of `label_text.toml`: labels of areas, odds stated in sentences, suggested words for other elements.

Read once and as strictly as the chapters themselves: an unknown chapter, element or wager is refused. Not here: which
elements a configuration calls for (`required_elements`).
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from games.registry import chapter as chapter_of
from games.registry import folders
from games.rules.citations import cite
from games.rules.loading.fields import Fields
from games.rules.model import Chapter, LayoutElement

_FILE = Path(__file__).parent / "label_text.toml"
AREAS = ("area", "card_area")
_Entry = TypeVar("_Entry")


@dataclass(frozen=True, slots=True)
class OddsSentence:
    """Odds that the chapter states in a sentence."""

    outcome: str
    pays: str
    citation: str


@dataclass(frozen=True, slots=True)
class LabelText:
    """The words for one chapter, by the key of the element or wager."""

    labels: Mapping[str, tuple[str, ...]]
    odds: Mapping[str, OddsSentence]
    suggested: Mapping[str, str]


def labels(chapter: Chapter, element: LayoutElement) -> tuple[str, ...]:
    """The label of each of the element's areas; by default the name of its wager."""
    default = (chapter.wager(element.wager).name.removesuffix(" Wager"),) if element.wager else ()
    return _label_texts()[chapter.number].labels.get(element.key, default)


def odds_sentence(chapter: Chapter, wager: str) -> OddsSentence | None:
    """The odds of the wager that a sentence states, if any."""
    return _label_texts()[chapter.number].odds.get(wager)


def suggested_words(chapter: Chapter, element: LayoutElement) -> str:
    """Words that the element may show, or its name; "" if there are none."""
    return _label_texts()[chapter.number].suggested.get(element.key, "")


@cache
def _label_texts() -> Mapping[str, LabelText]:
    return parse_label_texts(tomllib.loads(_FILE.read_text("utf-8")))


def parse_label_texts(data: Mapping[str, Any]) -> dict[str, LabelText]:
    """Chapter number → its words; `RuleError` if the words do not fit the chapters."""
    chapters = [chapter_of(number) for number in folders()]
    top = Fields(_FILE.name, "top of the file", data)
    named = Fields(_FILE.name, "names", top.take("names", dict))
    names = _entries(named, {key for chapter in chapters for key in _keys(chapter, "box", "device")}, named.text)
    texts = {chapter.number: _chapter(chapter, top.take(chapter.number, dict, {}), names) for chapter in chapters}
    top.refuse_unknown()
    return texts


def _chapter(chapter: Chapter, data: Mapping[str, Any], names: Mapping[str, str]) -> LabelText:
    top = Fields(_FILE.name, chapter.number, data)
    labels, odds, says = (
        Fields(_FILE.name, f"{chapter.number}.{key}", top.take(key, dict, {}), chapter.number, chapter.sections)
        for key in ("labels", "odds", "says")
    )
    top.refuse_unknown()
    unworded = {element.key for element in chapter.layout if element.kind not in AREAS and not element.wording}
    return LabelText(
        labels=_entries(labels, _keys(chapter, *AREAS), labels.texts),
        odds=_entries(odds, {wager.key for wager in chapter.wagers}, lambda key: _odds_sentence(odds, key)),
        suggested={key: names[key] for key in _keys(chapter, "box", "device") & names.keys()}
        | _entries(says, unworded, says.text),
    )


def _keys(chapter: Chapter, *kinds: str) -> set[str]:
    return {element.key for element in chapter.layout if element.kind in kinds}


def _odds_sentence(table: Fields, key: str) -> OddsSentence:
    row = table.texts(key)
    if len(row) != 3 or row[1] not in table.sections.get(cite(row[2], table.number), ""):
        table.refuse(f"`{key}` is {row!r}: outcome, odds and a section that states them are expected")
    return OddsSentence(row[0], row[1], cite(row[2], table.number))


def _entries(table: Fields, known: Iterable[str], read: Callable[[str], _Entry]) -> dict[str, _Entry]:
    """The table's entries; none may have another key, or a text that is empty or has space around it."""
    entries = {key: read(key) for key in known if table.has(key)}
    table.refuse_unknown()
    for key, value in table.table.items():
        if any(text.strip() != text or not text for text in ([value] if isinstance(value, str) else value)):
            table.refuse(f"`{key}` is {value!r}: a text is empty or has space around it")
    return entries
