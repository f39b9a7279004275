"""Text that a layout or its drawing may show and that says nothing of how the game is played: names, courtesy, notes.

The texts are data (`customary_text.toml`). Everything that is not among them is for a person to judge.
"""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from submissions.layouts.inspection.tokens import flat_text

_FILE = Path(__file__).with_name("customary_text.toml")
_LONGEST_NAME = 5  # words
_MOST_WORDS = 40  # of a text; a longer one is never customary
_SPLIT = re.compile(r"\s+")
_AROUND = " .,;:!?()[]|/•·★☆+=×±-–—\"'“”‘’…<>_"
_DOTS = re.compile(r"\b([a-z])\.(?=[a-z]\b)")  # “u.s.”
_INCHES = re.compile(r"(?<=\d)[\"″”]")
Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Customary:
    """The customary texts of one drawing. `names`: by class (“wager”, “game”), the names that stand for it."""

    names: Mapping[str, Collection[str]]

    def __contains__(self, text: str) -> bool:
        """Whether the text consists of customary phrases, and of nothing else."""
        printed = [word for word in _SPLIT.split(text) if _bare(word)]
        words = [_bare(word) for word in printed]
        if not words or len(words) > _MOST_WORDS:
            return not words
        return self._consists(printed, words, self._alone, once=True) or self._consists(printed, words, self._phrases)

    def _consists(
        self, printed: Sequence[str], words: Sequence[str], phrases: Sequence[Phrase], *, once: bool = False
    ) -> bool:
        reached = {0}
        for begin in range(len(words)):
            if begin in reached and not (once and begin):
                for phrase in phrases:
                    reached |= self._ends(printed, words, begin, phrase)
        return len(words) in reached

    def _ends(self, printed: Sequence[str], words: Sequence[str], begin: int, phrase: Phrase) -> set[int]:
        """Where the phrase ends if it begins there; none if it does not."""
        ends = {begin}
        for part in phrase:
            ends = {end for start in ends for end in self._after(printed, words, start, part)}
            if not ends:
                break
        return ends

    def _after(self, printed: Sequence[str], words: Sequence[str], start: int, part: str) -> set[int]:
        if start >= len(words):
            return set()
        if not part.startswith("<"):
            return {start + 1} if words[start] == part else set()
        kind = part[1:-1]
        if kind == "name":
            return set(_name_ends(printed, words, start))
        if kind in self.names:
            own = self._names_by_class[kind]
            return {start + len(name) for name in own if tuple(words[start : start + len(name)]) == name}
        return {start + 1} if _pattern(kind).fullmatch(words[start]) else set()

    @cached_property
    def _names_by_class(self) -> dict[str, set[Phrase]]:
        return {
            kind: {tuple(filter(None, map(_bare, _SPLIT.split(name)))) for name in names if name}
            for kind, names in self.names.items()
        }

    @cached_property
    def _phrases(self) -> tuple[Phrase, ...]:
        return _texts("phrases")

    @cached_property
    def _alone(self) -> tuple[Phrase, ...]:
        return _texts("alone")


def _bare(word: str) -> str:
    """The word in small letters, without marks; “” if it is only punctuation."""
    return _DOTS.sub(r"\1", flat_text(_INCHES.sub("in", word)).strip()).strip(_AROUND)


def _name_ends(printed: Sequence[str], words: Sequence[str], start: int) -> list[int]:
    ends = []
    for place in range(start, min(start + _LONGEST_NAME, len(words))):
        first = printed[place].lstrip("“\"'(&")[:1]
        if words[place] in _data()["not_names"] or not (first.isupper() or words[place] == "and") or first.isdigit():
            break
        ends.append(place + 1)
    return ends


@cache
def _texts(group: str) -> tuple[Phrase, ...]:
    return tuple(tuple(text.split()) for texts in _data()[group].values() for text in texts)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile(_data()["classes"][kind])


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
