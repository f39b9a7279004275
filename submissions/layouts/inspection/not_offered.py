"""What a drawing prints for wagers that are not offered, elements that are not required, or another game."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.registry import folders, title_of
from games.registry import words as words_of
from games.rules.evaluate import effective, judge
from games.rules.model import Answers, Chapter, Wager
from games.rules.words import AREAS
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.phrases import find_labels, find_phrase, place_of
from submissions.layouts.inspection.tokens import name_of, phrase, places_of
from submissions.layouts.required_elements import MUST_BE_ON_LAYOUT, RequiredElement

_SECTION = re.compile(r"§ \w+\.\d+")


class Surplus(NamedTuple):
    """What is printed too much, and all segments that show it."""

    difference: Difference
    segments: frozenset[int]


Unwanted = tuple[tuple[str, ...], str, str, str]  # words, message, citation, wager


def offered_wagers(chapter: Chapter, answers: Answers) -> list[Wager]:
    """The wagers that the answers offer, with those that belong to them."""
    offered = set(judge(chapter, effective(chapter, answers)).offered)
    return [wager for wager in chapter.wagers if {wager.key, wager.part_of} & offered]


def not_offered(
    sheet: DrawingText, chapter: Chapter, answers: Answers, needed: Sequence[RequiredElement], taken: frozenset[int]
) -> Iterator[Surplus]:
    """One for each name, label or inscription, at its first place; segments in `taken` are skipped."""
    judged = judge(chapter, effective(chapter, answers))
    offered = {wager.key for wager in offered_wagers(chapter, answers)}
    known = _known(chapter, offered, needed)
    used = set(taken)
    unwanted = [
        *_wagers(chapter, offered),
        *_elements(chapter, {element.key for element in judged.layout}),
        *_other_games(chapter, needed),
    ]
    for words, what, citation, wager in sorted(unwanted, key=lambda row: -len(row[0])):  # longest words first
        if any(places_of(words, text) for text in known):
            continue
        inscription = what.startswith("Inscription")
        trails = find_phrase(sheet, words, used) if inscription else find_labels(sheet, (words,), used)[words]
        if trails:
            segments = frozenset(span.segment for trail in trails for span in trail)
            used |= segments
            difference = Difference(DifferenceKind.NOT_OFFERED, what, citation, wager, place_of(sheet, trails[0]))
            yield Surplus(difference, segments)


def _wagers(chapter: Chapter, offered: set[str]) -> Iterator[Unwanted]:
    for wager in chapter.wagers:
        if wager.key not in offered:
            message = f"“{wager.name.removesuffix(' Wager')}” is printed; the {wager.name} is not offered"
            yield name_of(wager.name), message, wager.citation, wager.key


def _elements(chapter: Chapter, wanted: set[str]) -> Iterator[Unwanted]:
    for element in chapter.layout:
        if element.key in wanted or element.kind not in MUST_BE_ON_LAYOUT:
            continue
        is_area = element.kind in AREAS
        labels = words_of(chapter).labels.areas[element.key] if is_area else (element.wording,)
        for words in filter(None, labels):
            message = f"{'Area' if is_area else 'Inscription'} “{words}” is printed; the answers do not require it"
            yield phrase(words), message, element.citation, element.wager


def _other_games(chapter: Chapter, needed: Sequence[RequiredElement]) -> Iterator[Unwanted]:
    section = next((match[0] for element in needed if (match := _SECTION.match(element.citation))), chapter.number)
    for title in sorted({title_of(number) for number in folders()} - {chapter.title}):
        yield phrase(title), f"“{title}” is printed; this is a layout of {chapter.title}", section, ""


def _known(chapter: Chapter, offered: set[str], needed: Sequence[RequiredElement]) -> list[tuple[str, ...]]:
    """Words that the drawing must or may show."""
    said = [text for element in needed for text in (*element.phrases, element.suggested) if text]
    rows = [row[0] for element in needed for odds in element.odds for row in odds.rows]
    names = [wager.name for wager in chapter.wagers if wager.key in offered]
    return [phrase(text) for text in (*said, *rows, *names, chapter.title)]
