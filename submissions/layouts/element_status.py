"""The status of each required element of a layout: found by the inspection, marked by the licensee, accepted.

Made from an inspection's report, the marks and the judgments. Pure. Not here: the inspection itself
(`layouts.inspection`), marking (`uploaded_drawings`) and judging (`layout_review`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import models

PLACE = ("page", "left", "top", "width", "height")
ReportPlace = Mapping[str, float]  # the names of `PLACE`: page from 1, shares of the page


class ElementStatus(models.TextChoices):
    PRESENT = "found", "Found"
    ACCEPTED = "accepted", "Accepted by the Board"
    REFUSED = "refused", "Not accepted by the Board"
    MARKED = "marked", "Marked by the licensee"
    TO_BE_JUDGED = "to_be_judged", "Needs review"
    DIFFERENT = "different", "Differs"
    TOO_FEW = "too_few", "Too few"
    MISSING = "missing", "Not found"


DEFICIENT = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT, ElementStatus.REFUSED)
OF_ODDS = ("different", "missing", "not_in_table")  # kinds of differences that the element of the odds includes
UNSURE = ("unclear", "unexplained", "unknown_odds")  # kinds of differences that only a person can call wrong
DIFFERENCE = "difference"  # the kind of an element that stands for a difference


@dataclass(frozen=True, slots=True)
class Element:
    """One required element. `places` are from the inspection, `marks` from the licensee."""

    key: str
    citation: str
    name: str
    kind: str
    status: ElementStatus
    places: tuple[ReportPlace, ...] = ()
    marks: tuple[ReportPlace, ...] = ()
    times: int = 0
    needed: int = 1
    reason: str = ""  # of a judgment
    explanation: str = ""  # why the inspection left it to a person

    @property
    def settled(self) -> bool:
        """No decision is needed."""
        return self.status in (ElementStatus.PRESENT, ElementStatus.ACCEPTED)

    @property
    def deficient(self) -> bool:
        """Missing or wrong by the inspection or the Board, and not marked."""
        return self.status in DEFICIENT

    @property
    def label(self) -> str:
        return str(self.status.label)


def element_statuses(
    report: Mapping[str, Any], marks: Iterable[Mapping[str, Any]], judgments: Iterable[tuple[str, bool, str]] = ()
) -> list[Element]:
    """In the order of the chapter; `judgments` are (key, accepted, reason), the latest of an element counts."""
    marked: dict[str, list[ReportPlace]] = {}
    for mark in marks:
        marked.setdefault(mark["element"], []).append({name: mark[name] for name in PLACE})
    judged = {key: (accepted, reason) for key, accepted, reason in judgments}
    return [
        _element(element, marked.get(element["key"], ()), judged.get(element["key"]))
        for element in report.get("elements", ())
    ]


def difference_statuses(report: Mapping[str, Any], judgments: Iterable[tuple[str, bool, str]]) -> list[Element]:
    """Each difference that is not one of the odds, as an element that the Board decides; its name is the message."""
    judged = {key: (accepted, reason) for key, accepted, reason in judgments}
    return [
        _difference(difference, judged.get(difference_key(difference)))
        for difference in report.get("differences", ())
        if difference["kind"] not in OF_ODDS
    ]


def difference_key(difference: Mapping[str, Any]) -> str:
    """The same for the same difference at the same place."""
    known = [difference["kind"], difference["message"], difference["where"]]
    return f"{DIFFERENCE}.{sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:24]}"


def _difference(difference: Mapping[str, Any], judged: tuple[bool, str] | None) -> Element:
    machine = ElementStatus.TO_BE_JUDGED if difference["kind"] in UNSURE else ElementStatus.DIFFERENT
    return Element(
        key=difference_key(difference),
        citation=difference["citation"],
        name=difference["message"],
        kind=DIFFERENCE,
        status=_status(machine, False, judged),
        places=(difference["where"],) if difference["where"] else (),
        reason=judged[1] if judged else "",
    )


def _element(element: Mapping[str, Any], marks: Sequence[ReportPlace], judged: tuple[bool, str] | None) -> Element:
    return Element(
        key=element["key"],
        citation=element["citation"],
        name=element["element"],
        kind=element["kind"],
        status=_status(ElementStatus(element["state"]), bool(marks), judged),
        places=tuple(element["where"]),
        marks=tuple(marks),
        times=element["times"],
        needed=element["needed"],
        reason=judged[1] if judged else "",
        explanation=element.get("explanation", ""),  # reports before the inspection read sentences have none
    )


def _status(machine: ElementStatus, marked: bool, judged: tuple[bool, str] | None) -> ElementStatus:
    if judged:
        return ElementStatus.ACCEPTED if judged[0] else ElementStatus.REFUSED
    if machine is not ElementStatus.PRESENT and marked:
        return ElementStatus.MARKED
    return machine
