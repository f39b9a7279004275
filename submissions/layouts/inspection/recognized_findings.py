"""The findings on a picture: recognized letters may be wrong, so what rests on unsure ones is for a person to judge.

A picture never says that something is not there: it says what was not recognized. A difference remains only if all its
letters were recognized with certainty; else it is named as unclear, with its place. Not here: the comparison itself
(`inspector`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.rules.model import Answers, Chapter
from submissions.layouts.drawing_model import Drawing, DrawingSource, PagePlace, Word
from submissions.layouts.element_status import ElementStatus
from submissions.layouts.inspection import inspector
from submissions.layouts.inspection.findings import Difference, DifferenceKind, ElementFinding, Inspection
from submissions.layouts.required_elements import RequiredElement

CERTAIN = 0.9  # each word of a difference
LEGIBLE = 0.5  # each word of an element that is called found
ALWAYS_UNSURE = (DifferenceKind.DOUBLED,)  # a picture may be read with a heading among the areas
NOT_RECOGNIZED = "It was not recognized on the picture."
_FEW = "{} of {} were recognized on the picture."
_UNRECOGNIZED_ROWS = "{} rows were not recognized on the picture, the first one: {}."
_UNRECOGNIZED_ROW = "A row was not recognized on the picture: {}."
_DOUBTFUL = "Its letters “{}” are hard to recognize on the picture."
_MAY_SAY = "The picture is not clear enough to be sure: {}"


def inspect(
    drawing: Drawing, needed: Sequence[RequiredElement], chapter: Chapter, answers: Answers, *, licensee: str = ""
) -> Inspection:
    """The findings of `inspector.inspect`; on a picture, those that its letters bear out."""
    inspection = inspector.inspect(drawing, needed, chapter, answers, licensee=licensee)
    if drawing.source is not DrawingSource.PICTURE or not inspection.readable:
        return inspection
    rows = [each.message for each in inspection.differences if each.kind == DifferenceKind.MISSING]
    differences = tuple(_differences(drawing, inspection.differences))
    sure = {difference.kind for difference in differences} - {DifferenceKind.UNCLEAR}
    elements = [_element(drawing, finding, rows, differs=bool(sure)) for finding in inspection.elements]
    return replace(inspection, elements=tuple(elements), differences=differences)


def _differences(drawing: Drawing, differences: Sequence[Difference]) -> Iterator[Difference]:
    """Those that are certain; the rest as unclear, without rows that were not recognized, which their element names."""
    for difference in differences:
        if difference.kind == DifferenceKind.MISSING:
            continue
        is_certain = difference.kind not in ALWAYS_UNSURE and _certainty(drawing, difference.place) >= CERTAIN
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
    first = rows[0].replace(" chosen, not printed", "") if rows else ""
    pattern = _UNRECOGNIZED_ROWS if len(rows) > 1 else _UNRECOGNIZED_ROW
    return pattern.format(*([len(rows), first] if len(rows) > 1 else [first])) if rows else ""


def _to_judge(finding: ElementFinding, explanation: str) -> ElementFinding:
    return replace(finding, status=ElementStatus.TO_BE_JUDGED, explanation=explanation)


def _certainty(drawing: Drawing, place: PagePlace | None) -> float:
    """Of the least certain word at the place."""
    return min((word.certainty for word in _words(drawing, place)), default=0.0)


def _words(drawing: Drawing, place: PagePlace | None) -> list[Word]:
    """The words whose middle is in the place."""
    if place is None:
        return []
    return [word for word in drawing.words if word.page == place.page and _inside(word, place)]


def _inside(word: Word, place: PagePlace) -> bool:
    (x, y), box = word.box.center, place.box
    return 0 <= x - box.left <= box.width and 0 <= y - box.top <= box.height
