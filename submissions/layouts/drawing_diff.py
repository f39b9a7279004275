"""Two drawings of a layout compared by their inspections: elements, differences and words that are not the same.

Pure. Not here: the inspection (`layouts.inspection`), the pictures side by side (`web.layouts.drawing_comparison`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from math import hypot
from typing import Any

from submissions.layouts.element_status import ElementStatus, ReportPlace
from submissions.layouts.words_read import PrintedLine, text_lines

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
    """The elements with another status or place, or called for by one only, in the order of `after`."""
    was, now = ({element["key"]: element for element in report.get("elements", ())} for report in (before, after))
    changes = []
    for key, element in {**now, **{key: element for key, element in was.items() if key not in now}}.items():
        status, changed = _status(was.get(key)), _status(now.get(key))
        if status == changed and _moved(was[key], now[key]):
            changed = f"{changed}, {ELSEWHERE}"
        if status != changed:
            places = (tuple(report[key]["where"]) if key in report else () for report in (was, now))
            changes.append(DrawingChange(element["citation"], element["element"], status, changed, *places))
    return changes


def changed_differences(before: Report, after: Report) -> list[DrawingChange]:
    """The differences from the answers that only one of the two drawings has, mainly odds."""
    was, now = (
        {difference["message"]: difference for difference in report.get("differences", ())}
        for report in (before, after)
    )
    differences = {
        message: difference for message, difference in {**was, **now}.items() if (message in was) != (message in now)
    }
    return [
        DrawingChange(
            difference["citation"],
            message,
            SHOWN[message in was],
            SHOWN[message in now],
            *((difference["where"],) if difference["where"] and message in report else () for report in (was, now)),
        )
        for message, difference in differences.items()
    ]


def changed_words(before: Report, after: Report) -> list[WordChange]:
    """The lines of text that are not the same, in the order of the page; the same line is at the nearest place."""
    was, now = (text_lines(report.get("words", ())) for report in (before, after))
    pairs = _paired(was, now, lambda old, new: _plain(old) == _plain(new))
    changes = [_word_change("Moved", old, new) for old, new in pairs if not _near(_place(old), _place(new))]
    was, now = _without(was, [old for old, _ in pairs]), _without(now, [new for _, new in pairs])
    altered = _paired(was, now, _made_of)
    changes += [_word_change("Changed", old, new) for old, new in altered]
    changes += [_word_change("Removed", old, None) for old in _without(was, [old for old, _ in altered])]
    changes += [_word_change("Added", None, new) for new in _without(now, [new for _, new in altered])]
    return sorted(changes, key=_page_order)


def _paired(
    was: Sequence[PrintedLine], now: Sequence[PrintedLine], fits: Callable[[PrintedLine, PrintedLine], bool]
) -> list[tuple[PrintedLine, PrintedLine]]:
    """Lines that fit, each once, the nearest first."""
    fitting = [
        (_distance(old, new), at, to) for at, old in enumerate(was) for to, new in enumerate(now) if fits(old, new)
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, at, to in sorted(fitting):
        if at not in pairs and to not in taken:
            pairs[at] = to
            taken.add(to)
    return [(was[at], now[to]) for at, to in pairs.items()]


def _without(lines: Sequence[PrintedLine], paired: Sequence[PrintedLine]) -> list[PrintedLine]:
    known = set(map(id, paired))
    return [line for line in lines if id(line) not in known]


def _plain(line: PrintedLine) -> str:
    return line.text.casefold()


def _made_of(old: PrintedLine, new: PrintedLine) -> bool:
    """Whether the texts are alike and near each other, or at one place."""
    if _near(_place(old), _place(new)):
        return True
    return _distance(old, new) < NEARBY and SequenceMatcher(None, _plain(old), _plain(new)).ratio() >= ALIKE


def _distance(old: PrintedLine, new: PrintedLine) -> float:
    """Between the middles, in shares of the page; pages are far apart."""
    across, down = (old.box.center[axis] - new.box.center[axis] for axis in (0, 1))
    return hypot(across, down) + abs(old.page - new.page)


def _place(line: PrintedLine) -> dict[str, float]:
    return {"page": line.page, **asdict(line.box)}


def _word_change(what: str, old: PrintedLine | None, new: PrintedLine | None) -> WordChange:
    before, after = (line.text if line else "" for line in (old, new))
    places = ((_place(line),) if line else () for line in (old, new))
    return WordChange(what, before, after, *places)


def _page_order(change: WordChange) -> tuple[float, float, float]:
    place = (*change.now, *change.was)[0]
    return place["page"], place["top"], place["left"]


def _status(element: Mapping[str, Any] | None) -> str:
    if element is None:
        return NOT_CALLED_FOR
    label = str(ElementStatus(element["state"]).label)
    return f"{label}, {element['times']} of {element['needed']}" if element["needed"] > 1 else label


def _moved(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether some place has no place of the other drawing near it, if both have places."""
    return bool(was["where"] and now["where"]) and not (
        all(any(_near(place, earlier_place) for earlier_place in was["where"]) for place in now["where"])
        and all(any(_near(place, later_place) for later_place in now["where"]) for place in was["where"])
    )


def _near(place: Mapping[str, float], other_place: Mapping[str, float]) -> bool:
    """On the same page, with centers less than `MOVED` apart in each direction."""
    across = (place["left"] + place["width"] / 2) - (other_place["left"] + other_place["width"] / 2)
    down = (place["top"] + place["height"] / 2) - (other_place["top"] + other_place["height"] / 2)
    return place["page"] == other_place["page"] and abs(across) < MOVED and abs(down) < MOVED
