"""From a chapter's folder to its `ChapterWords`: `labels.toml`, `guide.toml` and what they use of `common.toml`.

Read only when the words are asked for: the rules of a chapter load without them. Not here: the rules (`loader`),
what the tables mean (`labels`, `guides`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.rules.loading.fields import Fields
from games.rules.loading.files import COMMON, GUIDE, LABELS, data_digest, label, read_toml
from games.rules.loading.guides import read_guide
from games.rules.loading.labels import read_entries, read_labels
from games.rules.model import Chapter
from games.rules.words import ChapterWords


def load_words(chapter: Chapter, folder: Path) -> ChapterWords:
    """The words of the chapter in the folder; `RuleError` if a file is missing or does not fit the chapter."""
    labels, guide = read_toml(folder / LABELS), read_toml(folder / GUIDE)
    names = _names(chapter, read_toml(folder.parent / COMMON))
    return ChapterWords(
        labels=read_labels(chapter, labels, label(folder / LABELS), names),
        guide=read_guide(chapter, guide, label(folder / GUIDE)),
        digest=data_digest({LABELS: labels, GUIDE: guide, COMMON: {"names": names}}),
    )


def _names(chapter: Chapter, common: Mapping[str, Any]) -> dict[str, str]:
    """The names of the boxes and devices that this chapter has."""
    table = Fields(COMMON, "names", Fields(COMMON, "top of the file", common).take("names", dict, {}))
    names = read_entries(table, table.table, table.text)
    devices = (element.key for element in chapter.layout if element.kind in ("box", "device"))
    return {key: names[key] for key in devices if key in names}
