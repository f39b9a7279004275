"""A drawing compared with the required elements: each found, missing or to be judged, and the differences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.registry import words as words_of
from games.rules.evaluate import effective, judge
from games.rules.loading.drawings import load_drawing_style
from games.rules.model import Answers, Chapter
from games.rules.words import AREAS
from submissions.layouts.drawing_model import Drawing
from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import (
    Difference,
    DifferenceKind,
    ElementFinding,
    Inspection,
    drawing_says,
)
from submissions.layouts.inspection.inscriptions import Inscriptions
from submissions.layouts.inspection.odds_comparison import OddsComparison, OddsResult
from submissions.layouts.inspection.phrases import Trail, find_labels, find_phrase, place_of
from submissions.layouts.inspection.tokens import name_of, phrase
from submissions.layouts.inspection.unknown_odds import UnknownOdds, unknown_odds
from submissions.layouts.required_elements import NAME_OR_LOGO, RequiredElement

_NAMED = (*AREAS, "box", "device")  # known by a label alone in its lines
_SENTENCE = 3  # words
_MUST = (*AREAS, "inscription")  # on the layout itself; other elements may be at the table and not on its drawing
Unwanted = tuple[tuple[str, ...], str, str, str]  # words, message, citation, wager


def inspect(drawing: Drawing, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers) -> Inspection:
    """The findings; a drawing without text is not readable, and every element is to be judged."""
    if not drawing.words:
        return Inspection(
            tuple(ElementFinding(element, ElementStatus.TO_BE_JUDGED) for element in needed), (), readable=False
        )
    return _Inspector(DrawingText(drawing), needed, chapter, answers).inspection()


class _Inspector:
    """The inspection of one drawing. `taken`: segments whose meaning is known, which show nothing else."""

    def __init__(
        self, sheet: DrawingText, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers
    ) -> None:
        self.sheet, self.needed, self.chapter, self.answers = sheet, needed, chapter, answers
        self.posting = next((element for element in needed if element.odds), None)
        self.odds = OddsComparison(sheet, chapter, self.posting.odds if self.posting else ())
        self.taken = set(self.odds.segments)
        self.sentences: set[Trail] = set()
        self.trails = self._search()
        in_sentences = {span.segment for trail in self.sentences for span in trail}
        separate = (self.taken | _names(sheet, chapter)) - in_sentences
        self.inscriptions = Inscriptions(sheet, needed, self.sentences, separate)

    def inspection(self) -> Inspection:
        result = self.odds.result(sign=not self._posted_on_layout)
        surplus = _not_offered(self.sheet, self.chapter, self.answers, self.needed, frozenset(self.taken))
        strange = self._unknown_odds()
        unsure = [odds.printed for odds in strange if self._posted_on_layout and not odds.certain]
        unknown = [odds.difference(self._odds_citation) for odds in strange if odds.printed not in unsure]
        elements = [self._element(element, result, unsure) for element in self.needed]
        differences = (*self.inscriptions.contradictions(), *result.differences)
        return Inspection(tuple(self._counted(elements)), (*differences, *self._too_many(elements), *surplus, *unknown))

    def _unknown_odds(self) -> list[UnknownOdds]:
        """Rows under the name of a wager without chosen odds are not named again: the name is."""
        chosen = {row.wager for row in self.odds.chosen}
        rows = {
            segment
            for row in self.odds.printed
            if row.heading and row.heading.wager not in chosen
            for segment in row.segments
        }
        trails = (trail for trails in self.trails.values() for trail in trails)
        known = {(span.segment, place) for trail in trails for span in trail for place in range(span.begin, span.end)}
        return unknown_odds(self.sheet, self.odds.segments | rows, known | self.inscriptions.stating)

    @property
    def _posted_on_layout(self) -> bool:
        return self.posting is not None and self.posting.kind == "inscription"

    @property
    def _odds_citation(self) -> str:
        return self.posting.citation if self.posting else f"§ {self.chapter.number}"

    def _search(self) -> dict[tuple[str, ...], list[Trail]]:
        """Every phrase with its places; inscriptions first, whose lines are not labels."""
        texts = {(phrase(text), _label(element, text)) for element in self.needed for text in element.texts}
        inscriptions = {words: find_phrase(self.sheet, words, self.taken) for words, label in texts if not label}
        self.sentences = {trail for trails in inscriptions.values() for trail in trails}
        self.taken |= {
            span.segment for trails in inscriptions.values() for trail in trails if len(trail) > 1 for span in trail
        }
        labels = find_labels(self.sheet, sorted(words for words, label in texts if label), self.taken)
        self.taken |= {span.segment for trails in labels.values() for trail in trails for span in trail}
        return {
            words: [*dict.fromkeys((*inscriptions.get(words, ()), *labels.get(words, ())))]
            for words in {*inscriptions, *labels}
        }

    def _element(self, element: RequiredElement, result: OddsResult, unsure: Sequence[str]) -> ElementFinding:
        """`unsure`: odds in recognized letters that belong to no row chosen."""
        if element.odds:
            finding = ElementFinding(element, result.status, result.places, len(result.places))
            if unsure and finding.status == ElementStatus.PRESENT:
                return replace(finding, status=ElementStatus.TO_BE_JUDGED, remark=drawing_says(unsure[0]))
            return finding
        trails = [trail for words in dict.fromkeys(map(phrase, element.texts)) for trail in self.trails[words]]
        places = tuple(place_of(self.sheet, trail) for trail in trails)
        framed = tuple(place for place in places if self.sheet.framed(place))
        if element.kind in AREAS and 2 * len(framed) >= len(places):  # the other places are a heading or a legend
            places = framed
        finding = ElementFinding(element, _state(element, len(places)), places, len(places))
        written = [trail for trail in trails if trail in self.sentences]
        return self.inscriptions.judged(finding, written) if _is_sentence(element) else finding

    def _counted(self, elements: Sequence[ElementFinding]) -> list[ElementFinding]:
        """With the betting positions counted: the smallest number of areas of one kind."""
        areas = [element.times for element in elements if element.required.kind in AREAS and element.required.times > 1]
        return [
            _positions(element, min(areas)) if areas and element.required.kind == "position" else element
            for element in elements
        ]

    def _too_many(self, elements: Sequence[ElementFinding]) -> list[Difference]:
        most = self.chapter.max_positions
        return [
            Difference(
                DifferenceKind.TOO_MANY,
                f"{area.times} areas “{area.required.phrases[0]}” are printed; the chapter allows {most} positions",
                area.required.citation,
                area.required.wager,
                area.places[-1],
            )
            for area in elements
            if area.required.kind in AREAS and area.required.times > 1 and area.times > max(most, area.required.times)
        ]


def _is_sentence(element: RequiredElement) -> bool:
    """Whether the element is words of the law, or an amount, in a sentence; suggested words may be others."""
    return any(not _label(element, text) for text in element.phrases)


def _names(sheet: DrawingText, chapter: Chapter) -> set[int]:
    """The segments that are the name of the game or of a place for cards, and nothing else."""
    names = {phrase(name) for name in (chapter.title, *(spot.label for spot in load_drawing_style(chapter).spots))}
    return {place for place, line in enumerate(sheet.segments) if tuple(token.text for token in line.tokens) in names}


def _label(element: RequiredElement, text: str) -> bool:
    """Whether the text must be alone in its lines: a name, or words that any sentence may have (“Six”)."""
    short = len(phrase(text)) < _SENTENCE and "$" not in text and element.key != NAME_OR_LOGO
    return element.kind in _NAMED or (element.kind == "inscription" and short)


def _state(element: RequiredElement, times: int) -> ElementStatus:
    if times >= element.times and element.texts:
        return ElementStatus.PRESENT
    if element.kind not in _MUST or not element.phrases:
        return ElementStatus.TO_BE_JUDGED
    return ElementStatus.TOO_FEW if times else ElementStatus.MISSING


def _positions(element: ElementFinding, times: int) -> ElementFinding:
    """Where there are fewer areas than positions, the areas say so."""
    return replace(
        element, times=times, status=ElementStatus.PRESENT if times >= element.required.times else element.status
    )


def _not_offered(
    sheet: DrawingText, chapter: Chapter, answers: Answers, needed: Sequence[RequiredElement], taken: frozenset[int]
) -> Iterator[Difference]:
    """One difference for each name, label or inscription, at its first place; segments in `taken` are skipped."""
    judged = judge(chapter, effective(chapter, answers))
    offered = {wager.key for wager in chapter.wagers if {wager.key, wager.part_of} & set(judged.offered)}
    known = _known(chapter, offered, needed)
    used = set(taken)
    unwanted = [*_wagers(chapter, offered), *_elements(chapter, {element.key for element in judged.layout})]
    for words, what, citation, wager in sorted(unwanted, key=lambda row: -len(row[0])):  # longest words first
        if any(_within(words, text) for text in known):
            continue
        inscription = what.startswith("Inscription")
        trails = find_phrase(sheet, words, used) if inscription else find_labels(sheet, (words,), used)[words]
        if trails:
            used |= {span.segment for trail in trails for span in trail}
            yield Difference(DifferenceKind.NOT_OFFERED, what, citation, wager, place_of(sheet, trails[0]))


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
        labels = words_of(chapter).labels.areas[element.key] if is_area else (element.wording,)
        for words in filter(None, labels):
            message = f"{'Area' if is_area else 'Inscription'} “{words}” is printed; the answers do not require it"
            yield phrase(words), message, element.citation, element.wager


def _known(chapter: Chapter, offered: set[str], needed: Sequence[RequiredElement]) -> list[tuple[str, ...]]:
    """Words that the drawing must or may show."""
    said = [text for element in needed for text in (*element.phrases, element.suggested) if text]
    rows = [row[0] for element in needed for odds in element.odds for row in odds.rows]
    names = [wager.name for wager in chapter.wagers if wager.key in offered]
    return [phrase(text) for text in (*said, *rows, *names)]


def _within(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[place : place + len(words)] == words for place in range(len(text)))
