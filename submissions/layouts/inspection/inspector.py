"""A drawing compared with the required elements: each found, missing or to be judged, and the differences.

Recognized letters may be wrong, so on a picture a person judges what rests on unsure ones. An element is never missing
there, but not recognized. A difference remains only if all its letters were recognized with certainty; else it is named
as unclear, with its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from games.rules.drawings import load_drawing_style
from games.rules.model import Answers, Chapter
from games.rules.words import AREAS
from submissions.layouts.drawing_model import Drawing, DrawingSource, PagePlace, Word
from submissions.layouts.inspection.betting_areas import (
    doubled_areas,
    lacks_figure,
    shared_figures,
    too_many_areas,
    unlabeled_figures,
    with_positions,
    with_shared_labels,
)
from submissions.layouts.inspection.drawing_text import (
    OFF_TABLE,
    DrawingText,
    TableOutline,
    TokenPlace,
    Trail,
    holds,
    token_places,
)
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, Inspection, drawing_says
from submissions.layouts.inspection.inscriptions import Inscriptions, compare_house_rules
from submissions.layouts.inspection.odds_comparison import OddsComparison, OddsResult, odds_finding, similar_rows
from submissions.layouts.inspection.surplus_text import (
    NAMED,
    UnknownOdds,
    customary_texts,
    customary_trails,
    drawn_letters,
    not_offered,
    numbers_with_label,
    offered_wagers,
    sign_texts,
    similar_words,
    unexplained,
    unknown_odds,
)
from submissions.layouts.inspection.tokens import matches, matches_name, phrase
from submissions.layouts.required_elements import MUST_BE_ON_LAYOUT, NAME_OR_LOGO, ElementStatus, RequiredElement

CERTAIN = 0.9  # each word of a difference
LEGIBLE = 0.5  # each word of an element that is called found
NOT_RECOGNIZED = "It was not recognized on the picture."
_FEW = "{} of {} were recognized on the picture."
_DOUBTFUL = "Its letters “{}” are hard to recognize on the picture."
_MAY_SAY = "The picture is not clear enough to be sure: {}"


def inspect(
    drawing: Drawing, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers, *, licensee: str = ""
) -> Inspection:
    """Return the findings; on a picture, those that its letters bear out.

    A drawing without text is not readable, and every element is to be judged.

    `licensee`: the name that a layout may show, also where the chapter does not ask for it.
    """
    if not drawing.words:
        elements = [ElementFinding(element, ElementStatus.TO_BE_JUDGED) for element in needed]
        return Inspection(tuple(elements), (), readable=False)
    inspection = _Inspector(DrawingText(drawing), needed, chapter, answers, licensee).inspection()
    inspection = replace(inspection, differences=(*inspection.differences, *_unclear(drawing, needed)))
    if drawing.source is not DrawingSource.PICTURE:
        return inspection
    rows = [each.message for each in inspection.differences if each.kind == DifferenceKind.MISSING]
    differences = tuple(_differences(drawing, inspection.differences))
    sure = {difference.kind for difference in differences} - {DifferenceKind.UNCLEAR}
    elements = [_element(drawing, finding, rows, differs=bool(sure)) for finding in inspection.elements]
    return replace(inspection, elements=tuple(elements), differences=differences)


def _differences(drawing: Drawing, differences: Sequence[Difference]) -> Iterator[Difference]:
    """Yield certain differences, and the rest as unclear, without unrecognized rows, which their element names."""
    for difference in differences:
        if difference.kind == DifferenceKind.MISSING:
            continue
        certainty = min((word.certainty for word in _words(drawing, difference.place)), default=0.0)
        # Of recognized words, a heading may be among the areas.
        is_certain = difference.kind != DifferenceKind.DOUBLED and certainty >= CERTAIN
        if difference.kind == DifferenceKind.UNCLEAR or is_certain:
            yield difference
        else:
            yield replace(difference, kind=DifferenceKind.UNCLEAR, message=_MAY_SAY.format(difference.message))


def _element(drawing: Drawing, finding: ElementFinding, rows: Sequence[str], *, differs: bool) -> ElementFinding:
    if finding.status == ElementStatus.PRESENT:
        doubtful = [
            word.text for place in finding.places for word in _words(drawing, place) if word.certainty < LEGIBLE
        ]
        return _to_judge(finding, _DOUBTFUL.format(doubtful[0])) if doubtful else finding
    if finding.required.odds and (finding.status != ElementStatus.DIFFERENT or not differs):
        return _to_judge(finding, _unrecognized(rows) or finding.explanation)
    if finding.status == ElementStatus.TOO_FEW:
        return _to_judge(finding, _FEW.format(finding.times, finding.required.times))
    return _to_judge(finding, NOT_RECOGNIZED) if finding.status == ElementStatus.MISSING else finding


def _unrecognized(rows: Sequence[str]) -> str:
    if not rows:
        return ""
    first = rows[0].replace(" chosen, not printed", "")
    if len(rows) == 1:
        return f"A row was not recognized on the picture: {first}."
    return f"{len(rows)} rows were not recognized on the picture, the first one: {first}."


def _to_judge(finding: ElementFinding, explanation: str) -> ElementFinding:
    return replace(finding, status=ElementStatus.TO_BE_JUDGED, explanation=explanation)


def _words(drawing: Drawing, place: PagePlace | None) -> list[Word]:
    """Return the words whose middle is in the place."""
    return [word for word in drawing.words if place and holds(place, PagePlace(word.page, word.box))]


_SENTENCE = 3  # words
_UNCLEAR = (
    "It is partly hidden, faint, blurred, squeezed, mirrored, very small, struck through, or crossed by other text. "
    "Print it clearly, or remove it."
)


def _unclear(drawing: Drawing, needed: Sequence[RequiredElement]) -> Iterator[Difference]:
    """Yield a difference for each line of words that people may not be able to see."""
    for _, line in groupby(drawing.unclear, key=lambda word: (word.page, word.line)):
        words = list(line)
        text = " ".join(word.text for word in words)
        message = f"People may not be able to read “{text.strip(' .,;')}”. {_UNCLEAR}"
        yield Difference(DifferenceKind.UNCLEAR, message, needed[0].citation, "", PagePlace.of(words))


class _Inspector:
    """The inspection of one drawing as if all letters were certain.

    `taken`: segments whose meaning is known, which show nothing else.
    """

    def __init__(
        self,
        sheet: DrawingText,
        needed: Sequence[RequiredElement],
        chapter: Chapter,
        answers: Answers,
        licensee: str,
    ) -> None:
        self.sheet, self.needed, self.chapter, self.answers = sheet, needed, chapter, answers
        wagers = [wager.name for wager in offered_wagers(chapter, answers)]
        self.customary = customary_texts(chapter, needed, wagers, licensee)
        self.posting = next((element for element in needed if element.odds), None)
        self.odds = OddsComparison(sheet, chapter, self.posting.odds if self.posting else ())
        self.taken = set(self.odds.segments)
        self.sentences: set[Trail] = set()
        self.trails = self._search()
        lacking = [each for each in needed if each.kind in NAMED and len(self._trails_of(each)) < each.times]
        self.customary_labels = customary_trails(sheet, lacking, needed, self.taken - self.odds.segments_of_areas)
        self.taken |= {span.segment for trails in self.customary_labels.values() for trail in trails for span in trail}
        areas = (trail for element in needed if element.kind in AREAS for trail in self._trails_of(element))
        self.outline = TableOutline(sheet, [sheet.place_of(trail) for trail in areas])
        in_sentences = {span.segment for trail in self.sentences for span in trail}
        separate = (self.taken | _names(sheet, chapter)) - in_sentences
        self.house_rules = compare_house_rules(sheet, chapter, answers)
        self.inscriptions = Inscriptions(sheet, needed, self.sentences, separate, self.customary)

    def inspection(self) -> Inspection:
        strange = self._unknown_odds()
        similar = similar_rows(self.sheet, [odds.segment for odds in strange], self.odds.chosen)
        rows = {row: text for candidates, text in similar.values() for row in candidates}
        result = self.odds.result(self.inscriptions.stated, rows, sign=not self._posted_on_layout)
        surplus = list(not_offered(self.sheet, self.chapter, self.answers, self.needed, frozenset(self.taken)))
        strange = [odds for odds in strange if odds.segment not in similar]
        unsure = [odds.printed for odds in strange if self._posted_on_layout and not odds.certain]
        citation = self.posting.citation if self.posting else f"§ {self.chapter.number}"
        unknown = [odds.difference(citation) for odds in strange if odds.printed not in unsure]
        elements = [self._similar(self._element(element, result, unsure)) for element in self.needed]
        elements = with_shared_labels(elements)
        differences = (*self.inscriptions.contradictions(), *self.house_rules.differences, *result.differences)
        areas = (*too_many_areas(elements, self.chapter.max_positions), *doubled_areas(self.sheet, elements))
        areas += (*shared_figures(self.sheet, elements), *unlabeled_figures(self.sheet, elements, self._section))
        areas += (*drawn_letters(self.sheet, self._section),)
        named = (*differences, *areas, *(each.difference for each in surplus), *unknown)
        reported = (
            self.odds.segments_without_odds
            | self.house_rules.segments
            | {odds.segment for odds in strange}
            | {segment for each in surplus for segment in each.segments}
        )
        rest = unexplained(self.sheet, self.customary, self._section, self._accounted(), reported)
        return Inspection(tuple(with_positions(elements)), (*named, *rest))

    def _unknown_odds(self) -> list[UnknownOdds]:
        known = {place for trail in self._all_trails() for place in token_places(trail)}
        customary = {number for number in range(len(self.sheet.segments)) if self.sheet.text(number) in self.customary}
        segments = self.odds.segments | self.odds.segments_without_odds | customary
        return unknown_odds(self.sheet, segments, known | self.inscriptions.stating)

    def _accounted(self) -> set[TokenPlace]:
        """Return the words that belong to an element, to its odds, or to a sentence that is compared with the law."""
        trails = self._all_trails()
        words = {place for trail in trails for place in token_places(trail)}
        labels = trails - self.sentences
        suffixes = {place for trail in labels for place in self.sheet.label_suffix(trail)}
        short = (trail for words, trails in self.trails.items() if len(words) <= _SENTENCE for trail in trails)
        labels_at = [self.sheet.place_of(trail) for trail in short]
        words |= {*numbers_with_label(self.sheet, labels_at), *sign_texts(self.sheet, self.needed)}
        words |= self.house_rules.agreeing
        return words | suffixes | self.odds.tokens | self.inscriptions.stating | self.inscriptions.judged

    def _all_trails(self) -> set[Trail]:
        found_at = (*self.trails.values(), *self.customary_labels.values())
        return {trail for trails in found_at for trail in trails}

    @property
    def _posted_on_layout(self) -> bool:
        return self.posting is not None and self.posting.kind == "inscription"

    @property
    def _section(self) -> str:
        """The section on the layout."""
        return self.needed[0].citation.partition("(")[0]

    def _search(self) -> dict[tuple[str, ...], list[Trail]]:
        """Return every phrase with its places; inscriptions first, whose lines are not labels."""
        texts = {(phrase(text), _label(element, text)) for element in self.needed for text in element.texts}
        names = {phrase(text) for element in self.needed if element.key == NAME_OR_LOGO for text in element.texts}
        matching = {words: matches_name if words in names else matches for words, label in texts if not label}
        inscriptions = {words: self.sheet.find_phrase(words, self.taken, how) for words, how in matching.items()}
        self.sentences = {trail for trails in inscriptions.values() for trail in trails}
        self.taken |= {
            span.segment for trails in inscriptions.values() for trail in trails if len(trail) > 1 for span in trail
        }
        labels = self.sheet.find_labels(sorted(words for words, label in texts if label), self.taken)
        self.taken |= {span.segment for trails in labels.values() for trail in trails for span in trail}
        return {
            words: [*dict.fromkeys((*inscriptions.get(words, ()), *labels.get(words, ())))]
            for words in {*inscriptions, *labels}
        }

    def _trails_of(self, element: RequiredElement) -> list[Trail]:
        return [trail for words in dict.fromkeys(map(phrase, element.texts)) for trail in self.trails[words]]

    def _similar(self, finding: ElementFinding) -> ElementFinding:
        """Return a missing area as one to be judged, if the drawing may name it in other words."""
        if finding.required.kind not in AREAS or finding.status not in (ElementStatus.MISSING, ElementStatus.TOO_FEW):
            return finding
        if not (similar := similar_words(self.sheet, finding.required, self._accounted())):
            return finding
        text, place = similar
        return _to_judge(replace(finding, places=(place,)), drawing_says(text))

    def _element(self, element: RequiredElement, result: OddsResult, unsure: Sequence[str]) -> ElementFinding:
        """Return the finding of an element; `unsure`: odds in recognized letters that belong to no row chosen."""
        if element.odds:
            return odds_finding(element, result, self.odds, self.outline, unsure)
        trails = self._trails_of(element) + self.customary_labels.get(element.key, [])
        places = tuple(self.sheet.place_of(trail) for trail in trails)
        framed = tuple(place for place in places if self.sheet.figure_of(place))
        if element.kind in AREAS and 2 * len(framed) >= len(places):  # the other places are a heading or a legend
            places = framed
        finding = ElementFinding(element, _state(element, len(places)), places, len(places))
        explanation = lacks_figure(self.sheet, element, places, framed) if element.kind in AREAS else ""
        if element.kind == "inscription" and self.outline.excludes([places]):
            explanation = OFF_TABLE
        if explanation and finding.status == ElementStatus.PRESENT:
            return _to_judge(finding, explanation)
        if all(_label(element, text) for text in element.phrases):  # suggested words may be others
            return finding
        return self.inscriptions.judge_finding(finding, [trail for trail in trails if trail in self.sentences])


def _names(sheet: DrawingText, chapter: Chapter) -> set[int]:
    """Return the segments that are the name of the game or of a place for cards, and nothing else."""
    names = {phrase(name) for name in (chapter.title, *(spot.label for spot in load_drawing_style(chapter).spots))}
    return {place for place, line in enumerate(sheet.segments) if tuple(token.text for token in line.tokens) in names}


def _label(element: RequiredElement, text: str) -> bool:
    """Return whether the text must be alone in its lines: a name, or words that any sentence may have (“Six”)."""
    short = len(phrase(text)) < _SENTENCE and "$" not in text and element.key != NAME_OR_LOGO
    return element.kind in NAMED or (element.kind == "inscription" and short)


def _state(element: RequiredElement, times: int) -> ElementStatus:
    if times >= element.times and element.texts:
        return ElementStatus.PRESENT
    if element.kind not in MUST_BE_ON_LAYOUT or not element.phrases:
        return ElementStatus.TO_BE_JUDGED
    return ElementStatus.TOO_FEW if times else ElementStatus.MISSING
