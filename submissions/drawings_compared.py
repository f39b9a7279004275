"""Two drawings of a layout compared by what their inspections found: the elements and differences that are not alike.

Pure. Not here: the inspection (`layouts.inspection`), the pictures beside each other (`web.layout_compare`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from submissions.laid_out import Standing

Report = Mapping[str, Any]
MOVED = 0.03  # of the page: what lies further off than this was moved; less is another program's way of drawing it
NOT_CALLED_FOR = "Not called for"
ELSEWHERE = "elsewhere on the drawing"


@dataclass(frozen=True, slots=True)
class Change:
    """An element, or something that a drawing shows otherwise than its answers say, before and after, in words."""

    citation: str
    what: str
    before: str
    after: str


def elements(before: Report, after: Report) -> list[Change]:
    """The elements that stand otherwise or elsewhere, or are called for by one only, in the later's order."""
    was, now = ({one["key"]: one for one in report.get("elements", ())} for report in (before, after))
    return list(_elements(was, now))


def differences(before: Report, after: Report) -> list[Change]:
    """What one of the two shows otherwise than its answers say, and the other does not: odds above all."""
    was, now = ({one["message"]: one for one in report.get("differences", ())} for report in (before, after))
    found = {message: one for message, one in {**was, **now}.items() if (message in was) != (message in now)}
    return [
        Change(one["citation"], message, _shown(message in was), _shown(message in now))
        for message, one in found.items()
    ]


def _elements(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for key, one in {**now, **{key: one for key, one in was.items() if key not in now}}.items():
        before, after = _standing(was.get(key)), _standing(now.get(key))
        if before != after:
            yield Change(one["citation"], one["element"], before, after)
        elif _moved(was[key], now[key]):
            yield Change(one["citation"], one["element"], before, f"{after}, {ELSEWHERE}")


def _standing(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return NOT_CALLED_FOR
    label = str(Standing(one["state"]).label)
    return f"{label}, {one['times']} of {one['needed']}" if one["needed"] > 1 else label


def _moved(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether some place of the one has none of the other near it, as far as both have places."""
    return bool(was["where"] and now["where"]) and not (
        all(any(_near(place, other) for other in was["where"]) for place in now["where"])
        and all(any(_near(place, other) for other in now["where"]) for place in was["where"])
    )


def _near(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Of the same page, their middles less than `MOVED` apart in each direction."""
    across = (one["left"] + one["width"] / 2) - (other["left"] + other["width"] / 2)
    down = (one["top"] + one["height"] / 2) - (other["top"] + other["height"] / 2)
    return one["page"] == other["page"] and abs(across) < MOVED and abs(down) < MOVED


def _shown(is_there: bool) -> str:
    return "On the drawing" if is_there else "No longer, or not yet"
