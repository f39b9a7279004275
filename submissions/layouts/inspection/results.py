"""What an inspection yields, and its form as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from submissions.layouts.drawing import Box
from submissions.layouts.required import Required


class State(StrEnum):
    FOUND = "found"
    MISSING = "missing"
    TOO_FEW = "too_few"
    DIFFERENT = "different"  # of odds: all there, but not as chosen
    TO_BE_JUDGED = "to_be_judged"


class Kind(StrEnum):
    """What kind of difference."""

    DIFFERENT = "different"  # a row of odds pays otherwise than chosen
    MISSING = "missing"  # a row of odds is not there
    NOT_IN_TABLE = "not_in_table"  # a row of another paytable of the wager
    NOT_OFFERED = "not_offered"
    TOO_MANY = "too_many"  # areas for more positions than the chapter allows


@dataclass(frozen=True, slots=True)
class Place:
    page: int  # from 0
    box: Box


@dataclass(frozen=True, slots=True)
class Found:
    """A required element, and where the drawing shows it; `times` is how often it was found."""

    required: Required
    state: State
    places: tuple[Place, ...] = ()
    times: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """What the drawing shows otherwise than the answers say: “Flush 7 to 1 printed, 6 to 1 chosen”."""

    kind: Kind
    message: str
    citation: str
    wager: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """`readable`: whether there was text to be read; without it nothing is said to be missing or complete."""

    elements: tuple[Found, ...]
    differences: tuple[Difference, ...]
    readable: bool = True

    @property
    def complete(self) -> bool:
        """Nothing is missing or different; what is to be judged by a person does not count."""
        settled = (State.FOUND, State.TO_BE_JUDGED)
        return self.readable and not self.differences and all(one.state in settled for one in self.elements)

    def of(self, *states: State) -> tuple[Found, ...]:
        return tuple(one for one in self.elements if one.state in states)


def to_json(inspection: Inspection) -> dict[str, Any]:
    """Pages from 1, places as shares of the page from its upper left."""
    return {
        "complete": inspection.complete,
        "readable": inspection.readable,
        "elements": [_element(one) for one in inspection.elements],
        "differences": [_difference(one) for one in inspection.differences],
    }


def _element(one: Found) -> dict[str, Any]:
    return {
        "key": one.required.key,
        "citation": one.required.citation,
        "element": one.required.element,
        "kind": one.required.kind,
        "found": one.state == State.FOUND,
        "state": str(one.state),
        "times": one.times,
        "needed": one.required.times,
        "where": [_place(place) for place in one.places],
    }


def _difference(one: Difference) -> dict[str, Any]:
    return {
        "kind": str(one.kind),
        "message": one.message,
        "citation": one.citation,
        "wager": one.wager,
        "where": _place(one.place) if one.place else None,
    }


def _place(place: Place) -> dict[str, float]:
    box = place.box
    shares = {"left": box.left, "top": box.top, "width": box.width, "height": box.height}
    return {"page": place.page + 1, **{name: round(share, 4) for name, share in shares.items()}}
