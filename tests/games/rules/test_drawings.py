"""Shapes of wagers and card spots: those of every chapter, and what does not fit is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.checking.chapter_check import check_chapter
from games.registry import chapter, folders
from games.rules.drawings import SHAPES, load_drawing_style
from games.rules.errors import RuleError
from games.rules.loader import load
from tests.games.rules.folder import copied, spoil

DRAWING = "drawing.toml"


@pytest.mark.parametrize("number", folders())
def test_every_wager_has_a_shape_and_bonus_wagers_another_than_the_main_wager(number: str) -> None:
    rules, style = chapter(number), load_drawing_style(chapter(number))
    assert {wager.key for wager in rules.wagers} == set(style.shapes)
    assert set(style.shapes.values()) <= set(SHAPES)
    main = {style.shapes[wager.key] for wager in rules.wagers if not wager.offered_by and not wager.part_of}
    assert not {style.shapes[wager.key] for wager in rules.wagers if wager.offered_by} & (main & {"circle"})


@pytest.mark.parametrize("number", [number for number in folders() if (folders()[number] / DRAWING).exists()])
def test_cards_of_a_spot_are_dealt_in_the_section_that_it_cites(number: str) -> None:
    """As a reader would look for it: the section is on dealing, and deals that many cards to that person."""
    rules = chapter(number)
    for spot in load_drawing_style(rules).spots:
        assert re.search(r"\.(8|9|10)\(", spot.citation)
        text = rules.sections[spot.citation]
        assert re.search(r"(?i)\bdeal", text)
        assert spot.place in text
        assert spot.element == f"The {spot.place}'s {' '.join(spot.element.split()[-2:])}"


def test_chapter_without_text_on_dealing_has_no_spots() -> None:
    """What stands in brackets in the text is not the regulation's."""
    assert [load_drawing_style(chapter(number)).spots for number in ("655a", "657a")] == [(), ()]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("five cards", "six cards", "does not have “six cards”"),
        ('citation = ".8(d)"', 'citation = ".8(z)"', "there is no § 687a.8(z)"),
        ('place = "player"', 'place = "cashier"', "allowed are player, dealer"),
        ("[[spot]]", '[shapes]\nante = "star"\n\n[[spot]]', "allowed are circle, square, diamond, hexagon, oval"),
        ("[[spot]]", '[shapes]\nfold = "circle"\n\n[[spot]]', "the wager `fold` is unknown; known are ante, blind"),
        ('label = "', 'color = "red"\nlabel = "', "unknown key `color`"),
        ('label = "', 'condition = { folds = true }\nlabel = "', "the option `folds` is unknown"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    folder = copied(tmp_path)
    spoil(folder, DRAWING, old, new)
    with pytest.raises(RuleError, match=re.escape(problem)):
        load_drawing_style(load(folder))


def test_shape_of_the_chapter_replaces_the_customary_one(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    spoil(folder, DRAWING, "[[spot]]", '[shapes]\ntrips = "oval"\n\n[[spot]]')
    customary = load_drawing_style(chapter("687a")).shapes
    assert load_drawing_style(load(folder)).shapes == {**customary, "trips": "oval"}


def test_check_of_a_chapter_reads_its_drawing() -> None:
    assert check_chapter("687a") == ()
