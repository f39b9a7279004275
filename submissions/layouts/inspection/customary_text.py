"""Customary words of layouts: names, courtesy and notes, which state nothing about play; labels of areas and devices.

They are data (`customary_text.toml`, `customary_labels.toml`); text that is not among them is for a person to judge.
The chapters require an area or a device and prescribe no words for it: customary words in a figure of their own name
the place, and other words there are for a person to judge. Without any, the place is missing.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import LABEL_SUFFIXES, DrawingText, TokenPlace, Trail, holds
from submissions.layouts.inspection.tokens import flat_text, phrase
from submissions.layouts.required_elements import RequiredElement

_TEXT_FILE = Path(__file__).with_name("customary_text.toml")
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
        """Return whether the text consists of customary phrases, and of nothing else."""
        printed = [word for word in _SPLIT.split(text) if _bare(word)]
        words = [_bare(word) for word in printed]
        if not words or len(words) > _MOST_WORDS:
            return not words
        alone = any(len(words) in self._ends(printed, words, 0, phrase) for phrase in _texts("alone"))
        return alone or self._consists(printed, words)

    def _consists(self, printed: Sequence[str], words: Sequence[str]) -> bool:
        reached = {0}
        for begin in range(len(words)):
            if begin in reached:
                for phrase in _texts("phrases"):
                    reached |= self._ends(printed, words, begin, phrase)
        return len(words) in reached

    def _ends(self, printed: Sequence[str], words: Sequence[str], begin: int, phrase: Phrase) -> set[int]:
        """Return the places where the phrase ends if it begins there; none if it does not."""
        ends = {begin}
        for part in phrase:
            ends = {end for start in ends for end in self._after(printed, words, start, part)}
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
        return {start + 1} if re.fullmatch(_data()["classes"][kind], words[start]) else set()

    @cached_property
    def _names_by_class(self) -> dict[str, set[Phrase]]:
        return {
            kind: {tuple(filter(None, map(_bare, _SPLIT.split(name)))) for name in names if name}
            for kind, names in self.names.items()
        }


def _bare(word: str) -> str:
    """Return the word in small letters, without marks; “” if it is only punctuation."""
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
def _data() -> dict[str, Any]:
    return tomllib.loads(_TEXT_FILE.read_text(encoding="utf-8"))


_LABELS_FILE = Path(__file__).with_name("customary_labels.toml")
_SAYS_NOTHING = frozenset((*LABEL_SUFFIXES, "cards", "card", "line", "hand", "s"))  # in every second label
NAMED = (*AREAS, "box", "device")  # kinds of elements that are known by a label alone in its lines


def customary_trails(
    sheet: DrawingText,
    lacking: Sequence[RequiredElement],
    needed: Sequence[RequiredElement],
    taken: Collection[int],
) -> dict[str, list[Trail]]:
    """Return the places of each element's customary words by its key, outside the segments in `taken`.

    Words that are the label of another element needed are that one's. Those of an area are in a figure or between
    lines.
    """
    own = {phrase(text) for element in needed if element.kind in NAMED for text in element.texts}
    wanted = {element.key: [words for words in _customary(element) if words not in own] for element in lacking}
    labels = sheet.find_labels(sorted({words for each in wanted.values() for words in each}), taken)
    trails: dict[str, list[Trail]] = {}
    used: set[Trail] = set()
    for element in sorted(lacking, key=lambda each: -each.times):  # those of every seat first
        places = [trail for words in wanted[element.key] for trail in labels[words] if trail not in used]
        if element.kind in AREAS:
            at = [(trail, sheet.place_of(trail)) for trail in places]
            places = [
                trail
                for trail, place in at
                if sheet.figure_of(place) or any(holds(line, place) for line in sheet.lines)
            ]
        if places:
            trails[element.key] = places
            used |= set(places)
    return trails


def similar_words(
    sheet: DrawingText, element: RequiredElement, accounted: Collection[TokenPlace]
) -> tuple[str, PagePlace] | None:
    """Return words in figures that may name a missing area, and their first place; None without such words.

    Such words are accounted for by nothing and share one with the area's label, in as many figures as there are to be
    areas; or they are on the matter, between the lines: “Insurance pays 2 to 1”.
    """
    customary = _customary(element)
    texts = (*map(phrase, element.texts), *customary)
    words = {word for text in texts for word in text if not word.isdigit()} - _SAYS_NOTHING
    for text, places in _strange_words(sheet, accounted).items():
        if len(places) == element.times and words & set(phrase(text)):
            return text, places[0]
    if element.times > 1:
        return None
    for number, segment in enumerate(sheet.segments):
        line = tuple(token.text for token in segment.tokens)
        begins = any(line[: len(each)] == each for each in customary)
        if begins and sheet.between_lines(sheet.place(number)):
            return sheet.text(number), sheet.place(number)
    return None


def _strange_words(sheet: DrawingText, accounted: Collection[TokenPlace]) -> Mapping[str, list[PagePlace]]:
    """Return the words in a figure of the size of a betting area, if nothing accounts for all of them → the figures."""
    inside: dict[PagePlace, list[int]] = defaultdict(list)
    for number in range(len(sheet.segments)):
        if figure := sheet.figure_of(sheet.place(number)):
            inside[figure].append(number)
    strange: dict[str, list[PagePlace]] = defaultdict(list)
    for figure, segments in inside.items():
        places = {place for number in segments for place in sheet.places_in(number)}
        if not places <= set(accounted):
            strange[" ".join(map(sheet.text, segments))].append(figure)
    return strange


def _customary(element: RequiredElement) -> list[Phrase]:
    """Return the customary labels of the element, each once."""
    texts = (label for text in element.texts for label in _labels().get(text, ()) if element.kind in NAMED)
    return list(dict.fromkeys(map(phrase, texts)))


@cache
def _labels() -> Mapping[str, Sequence[str]]:
    labels: Mapping[str, Sequence[str]] = tomllib.loads(_LABELS_FILE.read_text(encoding="utf-8"))["labels"]
    return labels
