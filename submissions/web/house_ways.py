"""The house ways to choose from: each written out, with what the house keeps under it.

Its hold is an estimate, so it stands with its standard error. Not here: how it comes about (`games.maths.pai_gow`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.model import Chapter, HouseWay, Option
from submissions.analysis import Figures
from submissions.web.present import percent

LINE = "house_way"  # the line of the checklist that chooses one


@dataclass(frozen=True, slots=True)
class Way:
    """One house way as the page shows it; `hold` is empty where nobody can compute it."""

    key: str
    name: str
    rules: tuple[tuple[str, str], ...]
    hold: str
    computing: bool


def ways_of(chapter: Chapter, option: Option, figures: Figures | None) -> Mapping[str, Way]:
    """The ways that this line chooses among, by key; none for any other line."""
    if option.key != LINE:
        return {}
    return {
        way.key: Way(way.key, way.name, way.rules, _hold(way, figures or {}), figures is None)
        for way in chapter.house_ways
    }


def _hold(way: HouseWay, figures: Figures) -> str:
    found = next((one for (_, table), one in figures.items() if table == way.key), None)
    if found is None:
        return ""
    error = f" ± {percent(found.standard_error, 2)} (estimate ± standard error)" if found.standard_error else ""
    return f"The house keeps {percent(found.hold, 2)}{error} of all money wagered."
