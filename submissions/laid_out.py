"""How each required element of a layout stands: found by the machine, marked by the licensee, accepted by the Board.

Made from an inspection's report, the marks and the judgements. Pure. Not here: the inspection itself
(`layouts.inspection`), who may mark and judge (`actions.layouts`, `actions.layout_review`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

Place = Mapping[str, float]  # page (from 1), left, top, width, height: shares of the page


class Standing(models.TextChoices):
    FOUND = "found", "Found"
    ACCEPTED = "accepted", "Accepted by the Board"
    REFUSED = "refused", "Not accepted by the Board"
    MARKED = "marked", "Marked by the licensee"
    TO_BE_JUDGED = "to_be_judged", "To be judged"
    DIFFERENT = "different", "Differs"
    TOO_FEW = "too_few", "Too few"
    MISSING = "missing", "Not found"


@dataclass(frozen=True, slots=True)
class Element:
    """One required element. `places` are the machine's, `marks` the licensee's."""

    key: str
    citation: str
    name: str
    kind: str
    standing: Standing
    places: tuple[Place, ...] = ()
    marks: tuple[Place, ...] = ()
    times: int = 0
    needed: int = 1
    reason: str = ""  # of a judgement

    @property
    def settled(self) -> bool:
        """Nobody has to say anything more about it."""
        return self.standing in (Standing.FOUND, Standing.ACCEPTED)

    @property
    def deficient(self) -> bool:
        """The machine or the Board finds it wanting, and nobody has shown where it is."""
        return self.standing in (Standing.MISSING, Standing.TOO_FEW, Standing.DIFFERENT, Standing.REFUSED)

    @property
    def label(self) -> str:
        return str(self.standing.label)


def elements(
    report: Mapping[str, Any], marks: Iterable[Mapping[str, Any]], judgements: Iterable[tuple[str, bool, str]] = ()
) -> list[Element]:
    """In the order of the chapter; `judgements` are (key, accepted, reason), the latest of an element counts."""
    marked: dict[str, list[Place]] = {}
    for mark in marks:
        marked.setdefault(mark["element"], []).append({name: mark[name] for name in PLACE})
    judged = {key: (accepted, reason) for key, accepted, reason in judgements}
    return [_element(one, marked.get(one["key"], ()), judged.get(one["key"])) for one in report.get("elements", ())]


PLACE = ("page", "left", "top", "width", "height")


def _element(one: Mapping[str, Any], marks: Sequence[Place], judged: tuple[bool, str] | None) -> Element:
    return Element(
        key=one["key"],
        citation=one["citation"],
        name=one["element"],
        kind=one["kind"],
        standing=_standing(Standing(one["state"]), bool(marks), judged),
        places=tuple(one["where"]),
        marks=tuple(marks),
        times=one["times"],
        needed=one["needed"],
        reason=judged[1] if judged else "",
    )


def _standing(machine: Standing, marked: bool, judged: tuple[bool, str] | None) -> Standing:
    if judged:
        return Standing.ACCEPTED if judged[0] else Standing.REFUSED
    if machine is not Standing.FOUND and marked:
        return Standing.MARKED
    return machine
