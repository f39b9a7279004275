"""A drawing compared with the required elements: each found, missing or to be judged, and the differences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.rules.evaluate import effective, judge
from games.rules.model import Answers, Chapter
from submissions.layouts.drawing_model import Drawing
from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, Inspection
from submissions.layouts.inspection.odds_comparison import OddsComparison, OddsResult
from submissions.layouts.inspection.phrases import Trail, find_labels, find_phrase, place_of
from submissions.layouts.inspection.tokens import name_of, phrase
from submissions.layouts.label_text import AREAS, labels
from submissions.layouts.required_elements import NAME_OR_LOGO, RequiredElement

_NAMED = (*AREAS, "box", "device")  # known by a label alone in its lines
_SENTENCE = 3  # words
_MUST = (*AREAS, "inscription")  # on the layout itself; other elements may be at the table and not on its drawing
Unwanted = tuple[tuple[str, ...], str, str, str]  # words, message, citation, wager


def inspect(drawing: Drawing, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers) -> Inspection:
    """The findings; a drawing without text is not readable, and every element is to be judged."""
    if not drawing.words:
        return Inspection(tuple(ElementFinding(one, ElementStatus.TO_BE_JUDGED) for one in needed), (), readable=False)
    return _Inspector(DrawingText(drawing), needed, chapter, answers).inspection()


class _Inspector:
    """The inspection of one drawing. `taken`: segments whose meaning is known, which show nothing else."""

    def __init__(
        self, sheet: DrawingText, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers
    ) -> None:
        self.sheet, self.needed, self.chapter, self.answers = sheet, needed, chapter, answers
        self.posting = next((one for one in needed if one.odds), None)
        self.odds = OddsComparison(sheet, chapter, self.posting.odds if self.posting else ())
        self.taken = set(self.odds.segments)
        self.trails = self._search()

    def inspection(self) -> Inspection:
        result = self.odds.result(sign=not self.posting or self.posting.kind == "sign")
        elements = [self._element(one, result) for one in self.needed]
        surplus = _not_offered(self.sheet, self.chapter, self.answers, self.needed, frozenset(self.taken))
        differences = (*result.differences, *self._too_many(elements), *surplus)
        return Inspection(tuple(self._counted(elements)), differences)

    def _search(self) -> dict[tuple[str, ...], list[Trail]]:
        """Every phrase with its places; inscriptions first, whose lines are not labels."""
        texts = {(phrase(text), _label(one, text)) for one in self.needed for text in one.texts}
        found = {words: find_phrase(self.sheet, words, self.taken) for words, label in texts if not label}
        self.taken |= {
            span.segment for trails in found.values() for trail in trails if len(trail) > 1 for span in trail
        }
        labels = find_labels(self.sheet, sorted(words for words, label in texts if label), self.taken)
        self.taken |= {span.segment for trails in labels.values() for trail in trails for span in trail}
        return {words: [*dict.fromkeys((*found.get(words, ()), *labels.get(words, ())))] for words in {*found, *labels}}

    def _element(self, one: RequiredElement, result: OddsResult) -> ElementFinding:
        if one.odds:
            return ElementFinding(one, result.status, result.places, len(result.places))
        trails = [trail for words in dict.fromkeys(map(phrase, one.texts)) for trail in self.trails[words]]
        places = tuple(place_of(self.sheet, trail) for trail in trails)
        framed = tuple(place for place in places if self.sheet.framed(place))
        if one.kind in AREAS and 2 * len(framed) >= len(places):  # the other places are a heading or a legend
            places = framed
        return ElementFinding(one, _state(one, len(places)), places, len(places))

    def _counted(self, elements: Sequence[ElementFinding]) -> list[ElementFinding]:
        """With the betting positions counted: the smallest number of areas of one kind."""
        areas = [one.times for one in elements if one.required.kind in AREAS and one.required.times > 1]
        return [
            replace(one, times=min(areas)) if areas and one.required.kind == "position" else one for one in elements
        ]

    def _too_many(self, elements: Sequence[ElementFinding]) -> list[Difference]:
        most = self.chapter.max_positions
        return [
            Difference(
                DifferenceKind.TOO_MANY,
                f"{one.times} areas “{one.required.phrases[0]}” are printed; the chapter allows {most} positions",
                one.required.citation,
                one.required.wager,
                one.places[-1],
            )
            for one in elements
            if one.required.kind in AREAS and one.required.times > 1 and one.times > max(most, one.required.times)
        ]


def _label(one: RequiredElement, text: str) -> bool:
    """Whether the text must be alone in its lines: a name, or words that any sentence may have (“Six”)."""
    short = len(phrase(text)) < _SENTENCE and "$" not in text and one.key != NAME_OR_LOGO
    return one.kind in _NAMED or (one.kind == "inscription" and short)


def _state(one: RequiredElement, times: int) -> ElementStatus:
    if times >= one.times and one.texts:
        return ElementStatus.FOUND
    if one.kind not in _MUST or not one.phrases:
        return ElementStatus.TO_BE_JUDGED
    return ElementStatus.TOO_FEW if times else ElementStatus.MISSING


def _not_offered(
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
        if element.key in wanted or element.kind not in _MUST:
            continue
        is_area = element.kind in AREAS
        for words in labels(chapter, element) if is_area else filter(None, [element.wording]):
            message = f"{'Area' if is_area else 'Inscription'} “{words}” is printed; the answers do not call for it"
            yield phrase(words), message, element.citation, element.wager


def _known(chapter: Chapter, offered: set[str], needed: Sequence[RequiredElement]) -> list[tuple[str, ...]]:
    """Words that the drawing must or may show."""
    said = [text for one in needed for text in (*one.phrases, one.suggested) if text]
    rows = [row[0] for one in needed for odds in one.odds for row in odds.rows]
    names = [wager.name for wager in chapter.wagers if wager.key in offered]
    return [phrase(text) for text in (*said, *rows, *names)]


def _within(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[place : place + len(words)] == words for place in range(len(text)))
