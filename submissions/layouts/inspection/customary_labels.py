"""Areas and devices that a drawing names in other words than the portal looks for (`customary_labels.toml`).

The chapters require a place and prescribe no words for it: customary words in a figure of their own name the place, and
other words there are for a person to judge. Without any, the place is missing.
"""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText, holds
from submissions.layouts.inspection.phrases import LABEL_SUFFIXES, TokenPlace, Trail, find_labels, place_of
from submissions.layouts.inspection.tokens import phrase
from submissions.layouts.required_elements import RequiredElement

_FILE = Path(__file__).with_name("customary_labels.toml")
_SAYS_NOTHING = frozenset((*LABEL_SUFFIXES, "cards", "card", "line", "hand", "s"))  # in every second label
NAMED = (*AREAS, "box", "device")  # kinds of elements that are known by a label alone in its lines


def customary_trails(
    sheet: DrawingText,
    lacking: Sequence[RequiredElement],
    needed: Sequence[RequiredElement],
    taken: Collection[int],
) -> dict[str, list[Trail]]:
    """Element → the places of its customary words, outside the segments in `taken`.

    Words that are the label of another element needed are that one's. Those of an area are in a figure or between
    lines.
    """
    own = {phrase(text) for element in needed if element.kind in NAMED for text in element.texts}
    wanted = {element.key: [words for words in _words_of(element) if words not in own] for element in lacking}
    labels = find_labels(sheet, sorted({words for each in wanted.values() for words in each}), taken)
    trails: dict[str, list[Trail]] = {}
    used: set[Trail] = set()
    for element in sorted(lacking, key=lambda each: -each.times):  # those of every seat first
        found_at = [trail for words in wanted[element.key] for trail in labels[words] if trail not in used]
        places = [trail for trail in found_at if element.kind not in AREAS or _is_drawn(sheet, place_of(sheet, trail))]
        if places:
            trails[element.key] = places
            used |= set(places)
    return trails


def similar_words(
    sheet: DrawingText, element: RequiredElement, accounted: Collection[TokenPlace]
) -> tuple[str, PagePlace] | None:
    """Words in figures that may name an area that is missing, and their first place; None if there are none.

    Such words are accounted for by nothing and share one with the area's label, in as many figures as there are to be
    areas; or they are on the matter, between the lines: “Insurance pays 2 to 1”.
    """
    texts = (*element.texts, *_customary(element))
    words = {word for text in texts for word in phrase(text) if not word.isdigit()} - _SAYS_NOTHING
    for text, places in _strange_words(sheet, accounted).items():
        if len(places) == element.times and words & set(phrase(text)):
            return text, places[0]
    if element.times > 1:
        return None
    for number, segment in enumerate(sheet.segments):
        customary = [list(phrase(text)) for text in _customary(element)]
        begins = any([token.text for token in segment.tokens[: len(each)]] == each for each in customary)
        if begins and sheet.between_lines(sheet.place(number)):
            return sheet.text(number), sheet.place(number)
    return None


def _strange_words(sheet: DrawingText, accounted: Collection[TokenPlace]) -> Mapping[str, list[PagePlace]]:
    """The words in a figure of the size of a betting area, if nothing accounts for all of them → the figures."""
    inside: dict[PagePlace, list[int]] = defaultdict(list)
    for number in range(len(sheet.segments)):
        if figure := sheet.figure_of(sheet.place(number)):
            inside[figure].append(number)
    strange: dict[str, list[PagePlace]] = defaultdict(list)
    for figure, segments in inside.items():
        places = [(number, place) for number in segments for place in range(len(sheet.segments[number].tokens))]
        if not set(places) <= set(accounted):
            strange[" ".join(map(sheet.text, segments))].append(figure)
    return strange


def _is_drawn(sheet: DrawingText, place: PagePlace) -> bool:
    return sheet.framed(place) or any(holds(line, place) for line in sheet.lines)


def _words_of(element: RequiredElement) -> Iterator[tuple[str, ...]]:
    yield from dict.fromkeys(phrase(text) for text in _customary(element))


def _customary(element: RequiredElement) -> tuple[str, ...]:
    return tuple(words for text in element.texts for words in _labels().get(text, ())) if element.kind in NAMED else ()


@cache
def _labels() -> Mapping[str, Sequence[str]]:
    labels: Mapping[str, Sequence[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["labels"]
    return labels
