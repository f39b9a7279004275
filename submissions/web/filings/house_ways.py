"""The house ways to choose from: each written out, with its theoretical hold.

The hold is an estimate, so it is shown with its standard error. Not here: its computation (`games.maths.pai_gow`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.rules.model import Chapter, HouseWay, Option
from submissions.evidence.analysis_cache import FigureTable
from submissions.web.formatting import percent

LINE = "house_way"  # the line of the checklist that chooses one


@dataclass(frozen=True, slots=True)
class HouseWayChoice:
    """One house way as the page shows it; `hold` is empty where nobody can compute it."""

    key: str
    name: str
    rules: tuple[tuple[str, str], ...]
    hold: str
    computing: bool


def house_way_choices(chapter: Chapter, option: Option, figures: FigureTable | None) -> Mapping[str, HouseWayChoice]:
    """The ways that this line chooses among, by key; none for any other line."""
    if option.key != LINE:
        return {}
    return {
        way.key: HouseWayChoice(way.key, way.name, way.rules, _hold(way, figures or {}), figures is None)
        for way in chapter.house_ways
    }


def _hold(way: HouseWay, figures: FigureTable) -> str:
    found = next((one for (_, table), one in figures.items() if table == way.key), None)
    if found is None:
        return ""
    error = f" ± {percent(found.standard_error, 2)} (estimate ± standard error)" if found.standard_error else ""
    return f"The house keeps {percent(found.hold, 2)}{error} of all money wagered."
