"""Cells of required wagers that would give a printed figure: each is analyzed again, and the search finds no others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from games import registry
from games.maths.results import WagerAnalysis
from games.maths.verdicts import printed_share
from games.rules.model import Chapter, Published
from games.runs.engine import analyze
from games.runs.published_search import hold_with, is_searched, search
from tests.soak import SOAK

SEARCHED = [("655a", "theoretical"), ("657a", "theoretical-low"), ("682a", "ante-d"), ("687a", "ante")]


def published(number: str, name: str) -> Figure:
    chapter = registry.chapter(number)
    return chapter, next(figure for figure in chapter.published if figure.id == f"{number}.{name}")


Figure = tuple[Chapter, Published]


@pytest.mark.parametrize(("number", "name"), SEARCHED)
def test_each_recorded_cell_gives_the_printed_figure_to_all_its_digits(number: str, name: str) -> None:
    chapter, figure = published(number, name)
    printed = printed_share(figure)
    assert figure.changed_cells
    for cell in figure.changed_cells:
        assert printed.is_met_by(1 - hold_with(chapter, figure, cell)), cell


def test_cells_are_recorded_only_where_they_are_searched() -> None:
    recorded = {figure.id for chapter in registry.chapters() for figure in chapter.published if figure.changed_cells}
    assert recorded == {f"{number}.{name}" for number, name in SEARCHED}


@pytest.mark.parametrize(
    ("number", "name", "searched"),
    [("687a", "ante", True), ("683a", "ante-a", False), ("687a", "trips-04", False), ("688a", "pai-gow", True)],
)
def test_only_required_wagers_that_are_not_reproduced_are_searched(number: str, name: str, searched: bool) -> None:
    assert is_searched(*published(number, name)) is searched


def test_nothing_is_found_where_the_required_wager_has_no_paytable() -> None:
    assert search(*published("688a", "pai-gow")) == ()


@pytest.mark.skipif(not SOAK, reason="minutes: `make soak`")
@pytest.mark.parametrize(("number", "name"), SEARCHED)
def test_search_finds_what_is_recorded(number: str, name: str) -> None:
    chapter, figure = published(number, name)
    assert search(chapter, figure) == figure.changed_cells


def test_returning_three_pair_brings_the_fortune_paybacks_as_near_as_the_note_says() -> None:
    """Reading `fortune-threshold`: three pair returned under Paytables 2 to 6, paid 1 to 1 under Paytable 1."""
    chapter = registry.chapter("688a")
    analyses = {row.paytable: row for row in analyze(chapter).wagers if row.wager == "fortune"}
    printed = {figure.paytable: Fraction(figure.value) for figure in chapter.published if figure.wager == "fortune"}
    three_pair = chance(analyses["Paytable 1"], "Three Pair")
    five_aces = chance(analyses["Paytable 5"], "Five Aces") * 200
    gaps = {name: float(printed[name] - 100 * (1 - row.hold)) for name, row in analyses.items()}
    left = {name: gap - float(100 * three_pair) for name, gap in gaps.items()}
    note = next(reading.evidence for reading in chapter.readings if reading.id == "688a.fortune-threshold")
    others = [gap for name, gap in left.items() if name != "Paytable 5"]
    assert f"between {min(gaps.values()):.3f} and {max(gaps.values()):.3f} points" in note
    assert f"between {min(others):.3f} and {max(others):.3f}" in note
    assert f"(Paytable 5: {left['Paytable 5']:.3f}, or {left['Paytable 5'] - float(100 * five_aces):.3f} with" in note


def chance(analysis: WagerAnalysis, outcome: str) -> Fraction:
    found = next(row.probability for row in analysis.outcomes if row.outcome == outcome)
    assert found
    return found
