"""`labels.toml`: the words by which areas, devices and odds are known on a drawing, if `layout.toml` has none.

    labels  of an area, several if one element is several areas; an empty list if nothing is to be read on it. An area
            that is not named has the name of its wager, without “Wager”. A label differs from what is inscribed
            elsewhere on the layout wherever the regulation's own names allow it
    odds    what the chapter says in a sentence and not in a table: the outcome, what it pays, the section
    says    words that say what the chapter demands without giving its words; the reviewer may accept others. Also the
            name of a box or device, if the `[names]` of `common.toml` do not have it
    progressive
            how the answer to an option is called beneath a progressive paytable

Read strictly: an unknown element or wager is refused. Not here: the elements that a configuration calls for.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from games.rules.citations import cite
from games.rules.loading.fields import Fields
from games.rules.model import Chapter
from games.rules.words import AREAS, CommonWords, Labels, OddsSentence

_Entry = TypeVar("_Entry")


def read_labels(chapter: Chapter, data: Mapping[str, Any], file: str, shared: CommonWords) -> Labels:
    """The words of the file, and those that many chapters share."""
    top = Fields(file, "top of the file", data)
    labels, odds, says, progressive = (
        Fields(file, key, top.take(key, dict, {}), chapter.number, chapter.sections)
        for key in ("labels", "odds", "says", "progressive")
    )
    top.refuse_unknown()
    areas = _wager_names(chapter)
    unworded = {element.key for element in chapter.layout if element.kind not in AREAS and not element.wording}
    return Labels(
        areas=areas | read_entries(labels, areas, labels.texts),
        odds=read_entries(odds, {wager.key for wager in chapter.wagers}, lambda key: _odds_sentence(odds, key)),
        suggested={**shared.names, **read_entries(says, unworded, says.text)},
        progressive={**shared.progressive, **read_entries(progressive, amount_keys(chapter), progressive.text)},
    )


def amount_keys(chapter: Chapter) -> list[str]:
    """The options that are answered by an amount or a rate."""
    return [option.key for option in chapter.options if option.kind in ("money", "percent")]


def read_entries(table: Fields, known: Collection[str], read: Callable[[str], _Entry]) -> dict[str, _Entry]:
    """The table's entries; none may have another key, or a text that is empty or has space around it."""
    entries = {key: read(key) for key in known if table.has(key)}
    table.read_keys |= set(known)
    table.refuse_unknown()
    for key, value in table.table.items():
        if any(text.strip() != text or not text for text in ([value] if isinstance(value, str) else value)):
            table.refuse(f"`{key}` is {value!r}: a text is empty or has space around it")
    return entries


def _wager_names(chapter: Chapter) -> dict[str, tuple[str, ...]]:
    areas = (element for element in chapter.layout if element.kind in AREAS)
    return {area.key: (chapter.wager(area.wager).name.removesuffix(" Wager"),) if area.wager else () for area in areas}


def _odds_sentence(table: Fields, key: str) -> OddsSentence:
    row = table.texts(key)
    if len(row) != 3 or row[1] not in table.sections.get(cite(row[2], table.number), ""):
        table.refuse(f"`{key}` is {row!r}: outcome, odds and a section that states them are expected")
    return OddsSentence(row[0], row[1], cite(row[2], table.number))
