"""Holding a drawing against what is needed: every element found, missing or to be judged, and what differs."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.model import Answers, Chapter
from submissions.layouts.drawing import Drawing
from submissions.layouts.inspection.letters import phrase
from submissions.layouts.inspection.odds import Comparison, Result
from submissions.layouts.inspection.phrases import Trail, alone, anywhere, place_of
from submissions.layouts.inspection.results import Difference, Found, Inspection, Kind, State
from submissions.layouts.inspection.sheet import Sheet
from submissions.layouts.inspection.surplus import not_offered
from submissions.layouts.required import NAME_OR_LOGO, Required
from submissions.layouts.words import AREAS

_NAMED = (*AREAS, "box", "device")  # known by a label that stands alone
_SENTENCE = 3  # words
_MUST = (*AREAS, "inscription")  # stand on the layout itself; the others may be at the table and not on its drawing


def inspect(drawing: Drawing, needed: Sequence[Required], chapter: Chapter, answers: Answers) -> Inspection:
    """The drawing beside what is needed; one without text is not readable, and everything is to be judged."""
    if not drawing.words:
        return Inspection(tuple(Found(one, State.TO_BE_JUDGED) for one in needed), (), readable=False)
    return _Inspector(Sheet(drawing), needed, chapter, answers).inspection()


class _Inspector:
    """One drawing being inspected. `taken`: lines whose meaning is known, that show nothing else."""

    def __init__(self, sheet: Sheet, needed: Sequence[Required], chapter: Chapter, answers: Answers) -> None:
        self.sheet, self.needed, self.chapter, self.answers = sheet, needed, chapter, answers
        self.posting = next((one for one in needed if one.odds), None)
        self.odds = Comparison(sheet, chapter, self.posting.odds if self.posting else ())
        self.taken = set(self.odds.pieces)
        self.trails = self._search()

    def inspection(self) -> Inspection:
        result = self.odds.result(sign=not self.posting or self.posting.kind == "sign")
        elements = [self._element(one, result) for one in self.needed]
        surplus = not_offered(self.sheet, self.chapter, self.answers, self.needed, frozenset(self.taken))
        differences = (*result.differences, *self._too_many(elements), *surplus)
        return Inspection(tuple(self._counted(elements)), differences)

    def _search(self) -> dict[tuple[str, ...], list[Trail]]:
        """Every phrase and where it stands; inscriptions first, whose lines are no labels."""
        texts = {(phrase(text), _label(one, text)) for one in self.needed for text in _texts(one)}
        found = {words: anywhere(self.sheet, words, self.taken) for words, label in texts if not label}
        self.taken |= {span.piece for trails in found.values() for trail in trails if len(trail) > 1 for span in trail}
        labels = alone(self.sheet, sorted(words for words, label in texts if label), self.taken)
        self.taken |= {span.piece for trails in labels.values() for trail in trails for span in trail}
        return {words: [*dict.fromkeys((*found.get(words, ()), *labels.get(words, ())))] for words in {*found, *labels}}

    def _element(self, one: Required, result: Result) -> Found:
        if one.odds:
            return Found(one, result.state, result.places, len(result.places))
        trails = [trail for words in dict.fromkeys(map(phrase, _texts(one))) for trail in self.trails[words]]
        places = tuple(place_of(self.sheet, trail) for trail in trails)
        framed = tuple(place for place in places if self.sheet.framed(place))
        if one.kind in AREAS and 2 * len(framed) >= len(places):  # what stands besides is a heading or a legend
            places = framed
        return Found(one, _state(one, len(places)), places, len(places))

    def _counted(self, elements: Sequence[Found]) -> list[Found]:
        """The betting positions, as many as there are of the area of which there are fewest."""
        areas = [one.times for one in elements if one.required.kind in AREAS and one.required.times > 1]
        return [
            Found(one.required, one.state, one.places, min(areas)) if one.required.kind == "position" and areas else one
            for one in elements
        ]

    def _too_many(self, elements: Sequence[Found]) -> list[Difference]:
        most = self.chapter.max_positions
        return [
            Difference(
                Kind.TOO_MANY,
                f"{one.times} areas “{one.required.phrases[0]}” are printed; the chapter allows {most} positions",
                one.required.citation,
                one.required.wager,
                one.places[-1],
            )
            for one in elements
            if one.required.kind in AREAS and one.required.times > 1 and one.times > max(most, one.required.times)
        ]


def _texts(one: Required) -> tuple[str, ...]:
    return one.phrases or ((one.suggested,) if one.suggested else ())


def _label(one: Required, text: str) -> bool:
    """Whether the text must stand alone: a name, or words so short that any sentence may have them (“Six”)."""
    short = len(phrase(text)) < _SENTENCE and "$" not in text and one.key != NAME_OR_LOGO
    return one.kind in _NAMED or (one.kind == "inscription" and short)


def _state(one: Required, times: int) -> State:
    if times >= one.times and _texts(one):
        return State.FOUND
    if one.kind not in _MUST or not one.phrases:
        return State.TO_BE_JUDGED
    return State.TOO_FEW if times else State.MISSING
