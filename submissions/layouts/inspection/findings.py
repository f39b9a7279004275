"""The findings of an inspection, its report as JSON, and two drawings compared by their reports.

The report has each word with the way it was read: as text, from outlines, or from a picture. Two drawings differ in
elements, in differences from the answers, and in lines of text. Pure. Not here: reading (`recognition`), the pictures
side by side (`pages.drawing_comparison`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby
from math import hypot
from typing import Any

from submissions.layouts.drawing_model import Box, Drawing, DrawingSource, PagePlace, Word
from submissions.layouts.required_elements import DEFICIENT, ElementStatus, ReportPlace, RequiredElement


class DifferenceKind(StrEnum):
    DIFFERENT = "different"  # a row of odds pays otherwise than chosen
    MISSING = "missing"  # a row of odds is not printed
    NOT_IN_TABLE = "not_in_table"  # a row of another paytable of the wager
    NOT_OFFERED = "not_offered"
    TOO_MANY = "too_many"  # areas for more positions than the chapter allows
    DOUBLED = "doubled"  # one seat has two areas of one kind, and another has none
    CONTRADICTS = "contradicts"  # a sentence says something else on the matter of an inscription
    UNCLEAR = "unclear"  # words that people may or may not see
    UNKNOWN_ODDS = "unknown_odds"  # odds that belong to nothing chosen
    UNEXPLAINED = "unexplained"  # words or a figure that nothing calls for: a person decides


@dataclass(frozen=True, slots=True)
class ElementFinding:
    """A required element and its places on the drawing; `times`: how often it was found.

    `explanation`: why the element is to be judged, as a sentence; empty if no reason is stated.
    """

    required: RequiredElement
    status: ElementStatus
    places: tuple[PagePlace, ...] = ()
    times: int = 0
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between drawing and answers: “Flush 7 to 1 printed, 6 to 1 chosen”."""

    kind: DifferenceKind
    message: str
    citation: str
    wager: str = ""
    place: PagePlace | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of an inspection; `readable`: the drawing has text, without which nothing is missing or complete."""

    elements: tuple[ElementFinding, ...]
    differences: tuple[Difference, ...]
    readable: bool = True

    @property
    def complete(self) -> bool:
        """Every element is found and nothing is different. What a person has still to judge is not complete."""
        deficient = [element for element in self.elements if element.status in DEFICIENT]
        return self.readable and not (self.differences or deficient or self.to_be_judged)

    @property
    def to_be_judged(self) -> tuple[ElementFinding, ...]:
        """By a person. A sign stands at the table and is a paper of its own: no drawing of a layout shows it."""
        return tuple(finding for finding in self.of(ElementStatus.TO_BE_JUDGED) if finding.required.kind != "sign")

    def of(self, *statuses: ElementStatus) -> tuple[ElementFinding, ...]:
        return tuple(element for element in self.elements if element.status in statuses)


def drawing_says(words: str) -> str:
    """Return the explanation of an element whose words say more, or say it in other words."""
    return f"The drawing says “{words.strip(' .,;')}”."


def to_json(inspection: Inspection) -> dict[str, Any]:
    """Return the report as JSON: pages from 1, places as shares of the page from its upper left."""
    return {
        "complete": inspection.complete,
        "readable": inspection.readable,
        "elements": [
            {
                **{name: getattr(finding.required, name) for name in ("key", "citation", "element", "kind")},
                "found": finding.status == ElementStatus.PRESENT,
                "state": str(finding.status),
                "times": finding.times,
                "needed": finding.required.times,
                "explanation": finding.explanation,
                "where": [_report_place(place) for place in finding.places],
            }
            for finding in inspection.elements
        ],
        "differences": [
            {
                "kind": str(difference.kind),
                **{name: getattr(difference, name) for name in ("message", "citation", "wager")},
                "where": _report_place(difference.place) if difference.place else None,
            }
            for difference in inspection.differences
        ],
    }


def _report_place(place: PagePlace) -> dict[str, float]:
    shares = {name: round(share, 4) for name, share in asdict(place.box).items()}
    return {"page": place.page + 1, **shares}


LINE_GAP = 1.5  # a wider gap, in the height of the letters, divides a line: columns are separate texts


class Reading(StrEnum):
    TEXT = "text"  # letters of the file: exact
    OUTLINED = "outlined"  # recognized from outlines, or from a picture in a file that has text or outlines
    RECOGNIZED = "recognized"  # from a picture


READING_LABELS = {
    Reading.TEXT: "Text of the file",
    Reading.OUTLINED: "Recognized from outlines or from a picture in the file",
    Reading.RECOGNIZED: "Recognized from a picture",
}


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """Words that are together in a line, on a page from 1."""

    text: str
    page: int
    box: Box

    @property
    def place(self) -> dict[str, float]:
        return {"page": self.page, **asdict(self.box)}


def words_of_report(drawing: Drawing) -> list[dict[str, Any]]:
    """Return every word with its place (page from 1, shares of the page), reading and confidence (0 to 1)."""
    return [
        {
            "text": word.text,
            "page": word.page + 1,
            "line": word.line,
            **{side: round(share, 4) for side, share in asdict(word.box).items()},
            "read": str(_reading(drawing, word)),
            "confidence": round(word.certainty, 3),
        }
        for word in drawing.words
    ]


def _reading(drawing: Drawing, word: Word) -> Reading:
    if drawing.source is not DrawingSource.PICTURE and word.certainty >= 1:
        return Reading.TEXT
    return Reading.OUTLINED if drawing.outlined or drawing.source is not DrawingSource.PICTURE else Reading.RECOGNIZED


def words_in(words: Iterable[Mapping[str, Any]], places: Sequence[ReportPlace]) -> list[Mapping[str, Any]]:
    """Return the words of a report whose middle is in one of the places."""

    def is_inside(word: Mapping[str, Any], place: ReportPlace) -> bool:
        across = word["left"] + word["width"] / 2 - place["left"]
        down = word["top"] + word["height"] / 2 - place["top"]
        return bool(word["page"] == place["page"] and 0 <= across <= place["width"] and 0 <= down <= place["height"])

    return [word for word in words if any(is_inside(word, place) for place in places)]


def reading_counts(words: Sequence[Mapping[str, Any]]) -> list[tuple[str, int, float]]:
    """Return each way in which words were read, in words, with the number of words and their least confidence."""
    ways = dict.fromkeys(word["read"] for word in words)
    confidences = {way: [word["confidence"] for word in words if word["read"] == way] for way in ways}
    return [(READING_LABELS[Reading(way)], len(each), min(each)) for way, each in confidences.items()]


def _text_lines(words: Iterable[Mapping[str, Any]]) -> list[PrintedLine]:
    """Return the lines of text that the words of a report make.

    Divided at gaps, compared with letters in shares of the page: near enough unless it is a strip.
    """
    lines: list[PrintedLine] = []
    for _, line in groupby(words, key=lambda word: (word["page"], word["line"])):
        before = None
        for word in line:
            box = Box(*(word[side] for side in ("left", "top", "width", "height")))
            if before and box.left - before.left - before.width <= LINE_GAP * min(before.height, box.height):
                joined = lines.pop()
                lines.append(PrintedLine(f"{joined.text} {word['text']}", joined.page, joined.box.joined(box)))
            else:
                lines.append(PrintedLine(word["text"], word["page"], box))
            before = box
    return lines


Report = Mapping[str, Any]
MOVED = 0.03  # of the page: an element farther away was moved; less is due to another drawing program
NOT_CALLED_FOR = "Not required"
ELSEWHERE = "elsewhere on the drawing"
SHOWN = {True: "On the drawing", False: "No longer, or not yet"}
ALIKE = 0.6  # share of the letters of two texts in one neighborhood that are the same: one was made of the other
NEARBY = 0.1  # of the page: how far apart such texts may be


@dataclass(frozen=True, slots=True)
class DrawingChange:
    """An element, or a difference from the answers, before and after, in words."""

    citation: str
    what: str
    before: str
    after: str
    was: tuple[ReportPlace, ...] = ()
    now: tuple[ReportPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class WordChange:
    """A line of text that was added, removed, moved, or changed into another one; "" and () where it is not."""

    what: str  # Added, Removed, Moved, Changed
    before: str
    after: str
    was: tuple[ReportPlace, ...]
    now: tuple[ReportPlace, ...]


def changed_elements(before: Report, after: Report) -> list[DrawingChange]:
    """Return the elements with another status or place, or called for by one only, in the order of `after`."""
    was, now = ({element["key"]: element for element in report.get("elements", ())} for report in (before, after))
    changes = []
    for key, element in (now | {key: was[key] for key in was if key not in now}).items():
        status, changed = _status_text(was.get(key)), _status_text(now.get(key))
        if status == changed and _moved(was[key], now[key]):
            changed = f"{changed}, {ELSEWHERE}"
        if status != changed:
            places = (tuple(report[key]["where"]) if key in report else () for report in (was, now))
            changes.append(DrawingChange(element["citation"], element["element"], status, changed, *places))
    return changes


def changed_differences(before: Report, after: Report) -> list[DrawingChange]:
    """Return the differences from the answers that only one of the two drawings has, mainly odds."""
    was, now = (
        {difference["message"]: difference for difference in report.get("differences", ())}
        for report in (before, after)
    )
    changes = []
    for message, difference in (was | now).items():
        if (message in was) != (message in now):
            where = (difference["where"],) if difference["where"] else ()
            places = (where if message in report else () for report in (was, now))
            shown, changed = SHOWN[message in was], SHOWN[message in now]
            changes.append(DrawingChange(difference["citation"], message, shown, changed, *places))
    return changes


def changed_words(before: Report, after: Report) -> list[WordChange]:
    """Return the lines of text that differ, in page order; equal lines are matched at the nearest place."""
    was, now = (_text_lines(report.get("words", ())) for report in (before, after))
    pairs = _paired(was, now, lambda old, new: old.text.casefold() == new.text.casefold())
    changes = [_word_change("Moved", old, new) for old, new in pairs if not _near(old.place, new.place)]
    altered = _paired(was, now, _made_of)
    changes += [_word_change("Changed", old, new) for old, new in altered]
    changes += [_word_change("Removed", old, None) for old in was]
    changes += [_word_change("Added", None, new) for new in now]
    places = {id(change): (*change.now, *change.was)[0] for change in changes}
    return sorted(changes, key=lambda change: [places[id(change)][side] for side in ("page", "top", "left")])


def _paired(
    was: list[PrintedLine], now: list[PrintedLine], fits: Callable[[PrintedLine, PrintedLine], bool]
) -> list[tuple[PrintedLine, PrintedLine]]:
    """Take lines that fit out of both lists in pairs, the nearest first."""
    fitting = [
        (_distance(old, new), at, to) for at, old in enumerate(was) for to, new in enumerate(now) if fits(old, new)
    ]
    pairs: dict[int, int] = {}
    for _, at, to in sorted(fitting):
        if at not in pairs and to not in pairs.values():
            pairs[at] = to
    paired = [(was[at], now[to]) for at, to in pairs.items()]
    was[:] = [line for at, line in enumerate(was) if at not in pairs]
    now[:] = [line for to, line in enumerate(now) if to not in pairs.values()]
    return paired


def _made_of(old: PrintedLine, new: PrintedLine) -> bool:
    """Return whether the texts are alike and near each other, or at one place."""
    if _near(old.place, new.place):
        return True
    alike = SequenceMatcher(None, old.text.casefold(), new.text.casefold())
    return _distance(old, new) < NEARBY and alike.ratio() >= ALIKE


def _distance(old: PrintedLine, new: PrintedLine) -> float:
    """Return the distance of the middles, in shares of the page; pages are far apart."""
    across, down = (old.box.center[axis] - new.box.center[axis] for axis in (0, 1))
    return hypot(across, down) + abs(old.page - new.page)


def _word_change(what: str, old: PrintedLine | None, new: PrintedLine | None) -> WordChange:
    before, after = (line.text if line else "" for line in (old, new))
    return WordChange(what, before, after, *((line.place,) if line else () for line in (old, new)))


def _status_text(element: Mapping[str, Any] | None) -> str:
    if element is None:
        return NOT_CALLED_FOR
    label = str(ElementStatus(element["state"]).label)
    return f"{label}, {element['times']} of {element['needed']}" if element["needed"] > 1 else label


def _moved(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether some place has no place of the other drawing near it, if both have places."""
    before, after = was["where"], now["where"]
    return bool(before and after) and any(
        not any(_near(place, other_place) for other_place in other_places)
        for places, other_places in ((before, after), (after, before))
        for place in places
    )


def _near(place: Mapping[str, float], other_place: Mapping[str, float]) -> bool:
    """Return True if on one page, with centers less than `MOVED` apart in each direction."""
    across = (place["left"] + place["width"] / 2) - (other_place["left"] + other_place["width"] / 2)
    down = (place["top"] + place["height"] / 2) - (other_place["top"] + other_place["height"] / 2)
    return place["page"] == other_place["page"] and abs(across) < MOVED and abs(down) < MOVED
