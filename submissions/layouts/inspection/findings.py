"""The result of an inspection, and its form as JSON."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.element_status import DEFICIENT, ElementStatus
from submissions.layouts.required_elements import RequiredElement


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
    """`readable`: whether the drawing has text; without it nothing is missing or complete."""

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
    """The explanation of an element whose words say more, or say it in other words."""
    return f"The drawing says “{words.strip(' .,;')}”."


def to_json(inspection: Inspection) -> dict[str, Any]:
    """Pages from 1, places as shares of the page from its upper left."""
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
                "where": [_place(place) for place in finding.places],
            }
            for finding in inspection.elements
        ],
        "differences": [
            {
                "kind": str(difference.kind),
                **{name: getattr(difference, name) for name in ("message", "citation", "wager")},
                "where": _place(difference.place) if difference.place else None,
            }
            for difference in inspection.differences
        ],
    }


def _place(place: PagePlace) -> dict[str, float]:
    shares = {name: round(share, 4) for name, share in asdict(place.box).items()}
    return {"page": place.page + 1, **shares}
