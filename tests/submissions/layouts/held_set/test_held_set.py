"""The held set: no violation is accepted, complete drawings of every style are recognized; all with `make soak`."""

from __future__ import annotations

import shutil

import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from tests.soak import SOAK
from tests.submissions.layouts.held_set.judging import (
    CUSTOMARY,
    RECOGNIZED,
    STYLES,
    VECTOR,
    HeldDrawing,
    drawings,
    judge_drawing,
)
from tests.submissions.layouts.held_set.sheets import complete, filing, numbers
from tests.submissions.layouts.held_set.violations import VIOLATIONS

recognizes = pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")
FEWEST_DRAWINGS, FEWEST_CHAPTERS, FEWEST_KINDS = 300, 12, 20
BLACKJACK = "591"  # the smallest layout


def test_set_is_as_large_as_it_must_be() -> None:
    every = list(drawings(whole=False))
    assert len(every) >= FEWEST_DRAWINGS
    assert len(numbers()) >= FEWEST_CHAPTERS
    assert len({drawing.violation for drawing in every if drawing.style in RECOGNIZED} - {""}) == len(VIOLATIONS)
    assert len(VIOLATIONS) >= FEWEST_KINDS


@pytest.mark.parametrize("number", numbers())
def test_filing_is_legal_and_violations_change_the_layout(number: str) -> None:
    assert not judge(chapter(number), filing(number)).blocking
    sheet = complete(number)
    changed = [violation(sheet) for violation in VIOLATIONS.values()]
    assert sheet not in changed
    assert len([each for each in changed if each]) >= len(VIOLATIONS) / 2


@pytest.mark.proof
@pytest.mark.parametrize("style", VECTOR)
def test_complete_drawing_of_each_style_is_recognized_and_a_wrong_one_is_not_accepted(style: str) -> None:
    """Not found here: other violations than this one, and other chapters than the smallest layout."""
    whole = judge_drawing(HeldDrawing(style, BLACKJACK, ""))
    assert whole.complete, whole
    wrong = judge_drawing(HeldDrawing(style, BLACKJACK, "inscription_contradicted"))
    assert not wrong.complete
    assert wrong.all_findings != whole.all_findings


@pytest.mark.proof
@pytest.mark.parametrize("style", CUSTOMARY)
@pytest.mark.parametrize("number", [BLACKJACK, "583", "688a"])
def test_complete_drawing_in_customary_words_is_not_accused(style: str, number: str) -> None:
    """Not found here: a complete drawing that is left to a person; other words than those of `law.toml`."""
    assert not judge_drawing(HeldDrawing(style, number, "")).accuses


@pytest.mark.proof
@recognizes
@pytest.mark.parametrize("number", ["581", "591"])
def test_one_to_one_is_not_read_upside_down(number: str) -> None:
    """Upside down it is “T OT”, and surer than either reading the right way up.

    Not found here: other fonts, and other odds that can be read upside down.
    """
    assert judge_drawing(HeldDrawing("JPEG 60, bold", number, "")).complete


@pytest.mark.proof
@recognizes
def test_complete_picture_is_not_accused_and_a_wrong_one_is_not_accepted() -> None:
    """Not found here: a complete picture that is left to a person; other pictures and violations than these."""
    style = "PNG 1.5 px/mm, sans"
    assert not judge_drawing(HeldDrawing(style, BLACKJACK, "")).accuses
    assert not judge_drawing(HeldDrawing(style, BLACKJACK, "inscription_wrong")).complete


@pytest.mark.skipif(not SOAK, reason="some minutes of processor time for each style")
@recognizes
@pytest.mark.parametrize("style", STYLES)
def test_no_violation_is_accepted(style: str) -> None:
    judgments = [judge_drawing(drawing) for drawing in drawings((style,))]
    assert [each.drawing for each in judgments if each.drawing.violation and each.complete] == []
    assert [each.drawing for each in judgments if not each.drawing.violation and each.accuses] == []
