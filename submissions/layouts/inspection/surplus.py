"""Names of wagers, labels and inscriptions that a drawing shows although the answers do not call for them."""

from collections.abc import Iterator, Sequence

from games.rules.evaluate import effective, judge
from games.rules.model import Answers, Chapter, LayoutElement
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.headings import name_of
from submissions.layouts.inspection.phrases import find_labels, find_phrase, place_of
from submissions.layouts.inspection.tokens import phrase
from submissions.layouts.label_text import AREAS, labels
from submissions.layouts.required_elements import RequiredElement

_INSCRIBED = "inscription"
Unwanted = tuple[tuple[str, ...], str, str, str]  # words, message, citation, wager


def not_offered(
    sheet: DrawingText, chapter: Chapter, answers: Answers, needed: Sequence[RequiredElement], taken: frozenset[int]
) -> Iterator[Difference]:
    """One difference for each name, label or inscription, at its first place; segments in `taken` are skipped."""
    judged = judge(chapter, effective(chapter, answers))
    offered = {wager.key for wager in chapter.wagers if {wager.key, wager.part_of} & set(judged.offered)}
    known = _known(chapter, offered, needed)
    used = set(taken)
    unwanted = [*_wagers(chapter, offered), *_elements(chapter, {one.key for one in judged.layout})]
    for words, what, citation, wager in sorted(unwanted, key=lambda row: -len(row[0])):  # longest words first
        if any(_within(words, one) for one in known):
            continue
        inscription = what.startswith("Inscription")
        found = find_phrase(sheet, words, used) if inscription else find_labels(sheet, (words,), used)[words]
        if found:
            used |= {span.segment for trail in found for span in trail}
            yield Difference(DifferenceKind.NOT_OFFERED, what, citation, wager, place_of(sheet, found[0]))


def _wagers(chapter: Chapter, offered: set[str]) -> Iterator[Unwanted]:
    for wager in chapter.wagers:
        if wager.key not in offered:
            message = f"“{wager.name.removesuffix(' Wager')}” is printed; the {wager.name} is not offered"
            yield name_of(wager.name), message, wager.citation, wager.key


def _elements(chapter: Chapter, wanted: set[str]) -> Iterator[Unwanted]:
    for element in chapter.layout:
        if element.key in wanted:
            continue
        for words in _words(chapter, element):
            kind = "Inscription" if element.kind == _INSCRIBED else "Area"
            message = f"{kind} “{words}” is printed; the answers do not call for it"
            yield phrase(words), message, element.citation, element.wager


def _words(chapter: Chapter, element: LayoutElement) -> tuple[str, ...]:
    if element.kind in AREAS:
        return labels(chapter, element)
    return (element.wording,) if element.kind == _INSCRIBED and element.wording else ()


def _known(chapter: Chapter, offered: set[str], needed: Sequence[RequiredElement]) -> list[tuple[str, ...]]:
    """Words that the drawing must or may show."""
    said = [text for one in needed for text in (*one.phrases, one.suggested) if text]
    rows = [row[0] for one in needed for odds in one.odds for row in odds.rows]
    names = [wager.name for wager in chapter.wagers if wager.key in offered]
    return [phrase(text) for text in (*said, *rows, *names)]


def _within(words: Sequence[str], text: Sequence[str]) -> bool:
    return any(tuple(text[place : place + len(words)]) == tuple(words) for place in range(len(text)))
