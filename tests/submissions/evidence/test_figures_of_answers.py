"""No page shows the figures of other answers: what the portal keeps is what the mathematics say of these answers."""

from __future__ import annotations

from typing import Any

import pytest

from games.registry import chapter, folders
from games.rules.evaluate import judge
from games.runs.engine import analyze
from games.runs.used_figures import in_use, relevant_answers
from submissions.filings.evidence import computations
from submissions.models import Computation
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import drawn

pytestmark = pytest.mark.django_db

CHANGED = (
    ("635a", {"number_of_decks": "6", "additional_splits": 1}),
    ("635a", {"number_of_decks": "8", "additional_splits": 3}),
    ("590", {"number_of_decks": 2}),
    ("591", {"number_of_decks": 8}),
    ("687a", {"folded_hands_qualify": False}),
    ("678a", {"progressive_rate": "25", "progressive_reset": "50000.00"}),
    ("587", {"progressive_rate": "20", "progressive_reset": "5000.00"}),
    ("682a", {"bad_beat_paytable": "Paytable B"}),
    ("688a", {"house_way": "simplified"}),
)


def offered(number: str, answers: dict[str, Any]) -> dict[tuple[str, str, str], Any]:
    """Wager, paytable and spot → the hold that the portal shows for these answers."""
    found = chapter(number)
    figures = computations.compute_figures(found, answers)
    rows = in_use(found, judge(found, answers), answers, figures)
    return {(row.wager, row.paytable, row.spot): row.hold for row in rows}


def computed(number: str, answers: dict[str, Any]) -> dict[tuple[str, str, str], Any]:
    return {(row.wager, row.paytable, row.spot): row.hold for row in analyze(chapter(number), answers).wagers}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "changes"), CHANGED)
def test_holds_are_those_of_these_answers(number: str, changes: dict[str, Any]) -> None:
    answers = {**example(number), **changes}
    assert offered(number, answers) == computed(number, answers)


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number in folders() if number != "637a"])
@pytest.mark.parametrize("seed", range(2))
def test_holds_are_those_of_any_sound_answers(number: str, seed: int) -> None:
    answers = {key: answer for key, answer in drawn(number, seed).items() if answer is not None}
    found = judge(chapter(number), answers)
    if not found.blocking:
        assert offered(number, answers) == computed(number, answers)


def test_figures_of_other_answers_are_other_rows_and_equal_ones_the_same() -> None:
    found = chapter("635a")
    six, eight = ({**example("635a"), "number_of_decks": decks} for decks in ("6", "8"))
    assert computations.figures_of(found, six) is None
    assert computations.figures_of(found, eight) is None
    assert computations.figures_of(found, {**six, "rescue": True}) is None
    assert Computation.objects.count() == 2


def test_answers_that_are_not_sound_or_not_asked_change_no_figure() -> None:
    relevant = relevant_answers(chapter("635a"), {"number_of_decks": "seven", "additional_splits": 2})
    assert relevant == {"additional_splits": 2}
    without = {"progressive_bonus_wager": False, "folded_hands_qualify": True}
    assert relevant_answers(chapter("687a"), without) == {}
