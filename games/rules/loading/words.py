"""From a chapter's folder to its `ChapterWords`: `labels.toml`, `guide.toml` and what they use of `common.toml`.

    names          of `common.toml`: the short names of boxes and devices
    progressive    the same as in `labels.toml`, of options that many chapters have
    at_this_table  the same as in `guide.toml`, of options that many chapters have

Read only when the words are asked for: the rules of a chapter load without them. Not here: the rules (`loader`),
the two files of the chapter (`labels`, `guides`).
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from games.rules.changes import RuleChange, changed_words
from games.rules.dated import ordered
from games.rules.errors import RuleError
from games.rules.loading.fields import Fields
from games.rules.loading.files import COMMON, GUIDE, LABELS, data_digest, label, read_toml, shared_file
from games.rules.loading.guides import read_guide, read_table_sentence
from games.rules.loading.labels import amount_keys, read_entries, read_labels
from games.rules.model import Chapter
from games.rules.words import ChapterWords, CommonWords, TableSentence


@dataclass(frozen=True, slots=True)
class WordFiles:
    """Where the words of a chapter on one day come from: its folder, and the changes until that day (None: all)."""

    folder: Path
    on: date | None
    changes: tuple[RuleChange, ...]


def load_words(chapter: Chapter) -> ChapterWords:
    """The chapter's words on its day; `RuleError` if a file is missing or does not fit the chapter."""
    source = chapter.words_from
    if not isinstance(source, WordFiles):
        raise RuleError(chapter.number, "words", "this chapter was not read from a folder")
    folder = source.folder
    labels, guide = word_files_on(source)
    shared = _common_words(chapter, read_toml(shared_file(folder, COMMON)))
    return ChapterWords(
        labels=read_labels(chapter, labels, label(folder / LABELS), shared),
        guide=read_guide(chapter, guide, label(folder / GUIDE), shared),
        digest=data_digest({LABELS: labels, GUIDE: guide, COMMON: asdict(shared)}),
    )


def word_files_on(source: WordFiles) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The tables of `labels.toml` and of `guide.toml` on the day."""
    files: dict[str, Mapping[str, Any]] = {name: read_toml(source.folder / name) for name in (LABELS, GUIDE)}
    for change in ordered(source.changes):
        if source.on is None or change.effective <= source.on:
            files = changed_words(files, change)
    return files[LABELS], files[GUIDE]


def _common_words(chapter: Chapter, data: Mapping[str, Any]) -> CommonWords:
    """The entries that concern elements and options of this chapter; every entry must be in order."""
    top = Fields(COMMON, "top of the file", data)
    devices = [element.key for element in chapter.layout if element.kind in ("box", "device")]
    return CommonWords(
        names=_entries(top, "names", devices),
        progressive=_entries(top, "progressive", amount_keys(chapter)),
        at_this_table=_table_sentences(top, {option.key for option in chapter.options}),
    )


def _entries(top: Fields, key: str, used: Collection[str]) -> dict[str, str]:
    table = Fields(COMMON, key, top.take(key, dict, {}))
    return {name: text for name, text in read_entries(table, table.table, table.text).items() if name in used}


def _table_sentences(top: Fields, options: Collection[str]) -> tuple[TableSentence, ...]:
    rows = enumerate(top.take("at_this_table", list, []), start=1)
    sentences = [read_table_sentence(Fields(COMMON, f"at_this_table {count}", row)) for count, row in rows]
    return tuple(sentence for sentence in sentences if sentence.option in options)
