"""Two drawings of a layout compared by their inspections: the elements and differences that are not the same.

Pure. Not here: the inspection (`layouts.inspection`), the pictures side by side (`web.layouts.drawing_comparison`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from submissions.layouts.element_status import ElementStatus

Report = Mapping[str, Any]
MOVED = 0.03  # of the page: an element farther away was moved; less is due to another drawing program
NOT_CALLED_FOR = "Not required"
ELSEWHERE = "elsewhere on the drawing"
SHOWN = {True: "On the drawing", False: "No longer, or not yet"}


@dataclass(frozen=True, slots=True)
class DrawingChange:
    """An element, or a difference from the answers, before and after, in words."""

    citation: str
    what: str
    before: str
    after: str


def changed_elements(before: Report, after: Report) -> list[DrawingChange]:
    """The elements with another status or place, or called for by one only, in the order of `after`."""
    was, now = ({element["key"]: element for element in report.get("elements", ())} for report in (before, after))
    changes = []
    for key, element in {**now, **{key: element for key, element in was.items() if key not in now}}.items():
        status, changed = _status(was.get(key)), _status(now.get(key))
        if status == changed and _moved(was[key], now[key]):
            changed = f"{changed}, {ELSEWHERE}"
        if status != changed:
            changes.append(DrawingChange(element["citation"], element["element"], status, changed))
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
        DrawingChange(difference["citation"], message, SHOWN[message in was], SHOWN[message in now])
        for message, difference in differences.items()
    ]


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
