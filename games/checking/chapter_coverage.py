"""The accounts of each sentence of a chapter's text, and the records that no sentence asks for.

Here the chapter's parts come together: its text, its records, its guide, the source of its play. Not here: which
sentence has what, and the entries (`rules.coverage`).
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games import registry
from games.registry import PLAY
from games.rules.coverage import AccountedSentence, account_for, load_coverage, sentences_of
from games.rules.errors import RuleError
from games.rules.files import label
from games.rules.implementations import Implementations, implementations
from games.rules.model import Chapter
from games.rules.sections import PrintedSentence, chapter_sentences, cited_places
from games.rules.words import GuideText


@dataclass(frozen=True, slots=True)
class ChapterCoverage:
    """A chapter's sentences with their accounts, and all that can implement one."""

    chapter: Chapter
    accounted: tuple[AccountedSentence, ...]
    known: Implementations

    @property
    def sentences_of(self) -> Mapping[str, list[PrintedSentence]]:
        """Name of an implementation → the sentences that it implements."""
        return sentences_of(self.accounted)

    @property
    def without_sentence(self) -> tuple[str, ...]:
        """The records and steps of a round that implement no sentence. Notes and the guide explain: they need none."""
        used = self.sentences_of
        return tuple(name for name in self.known.citations if name not in used and not name.startswith(_EXPLAINING))


_EXPLAINING = ("reading:", "guide:", "play")


@cache
def coverage(number: str) -> ChapterCoverage:
    """Return the chapter with this number; `RuleError` if a file is not right."""
    chapter = registry.chapter(number)
    return coverage_of(chapter, registry.folder_of(number), registry.words(chapter).guide)


def coverage_of(chapter: Chapter, folder: Path, guide: GuideText | None) -> ChapterCoverage:
    """Return the coverage of a chapter that is loaded from the folder."""
    sentences = chapter_sentences(chapter)
    known = implementations(chapter, guide, played_sections(folder, chapter.number))
    entered = load_coverage(chapter, folder, sentences, known)
    return ChapterCoverage(chapter, account_for(chapter, sentences, known, entered), known)


def played_sections(folder: Path, number: str) -> tuple[str, ...]:
    """Return the chapter's sections that its play cites, as the steps and settlements of a replay do.

    From the source of the play, whose import would compile for seconds. A test compares them with replays.
    """
    path = folder / PLAY
    try:
        source = ast.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RuleError(label(path), "file", "is missing") from None
    texts = (node.value for node in ast.walk(source) if isinstance(node, ast.Constant))
    places = [place for text in texts if isinstance(text, str) for place in cited_places(text, number)]
    return tuple(dict.fromkeys(places))
