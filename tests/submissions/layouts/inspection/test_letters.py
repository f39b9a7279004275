"""Words of drawings made comparable."""

from __future__ import annotations

import pytest

from submissions.layouts.drawing_model import Box, Word
from submissions.layouts.inspection.tokens import matches, odds_cell, odds_cells, phrase, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Four-of-a-Kind", "FOUR OF A KIND"),
        ("Pair of 2s—kings", "pair of 2s - Kings"),
        ("3:2", "3 to 2"),
        ("3-2", "3 to 2"),
        ("3to2", "3 to 2"),
        ("1½ to 1", "3 to 2"),
        ("1 ½ : 1", "3 to 2"),
        ("1 1/2 to 1", "3 to 2"),
        ("2.5:1", "5 to 2"),
        ("House wins on 18 - 23.", "house wins on 18–23"),
        ("$50,000", "$50,000.00"),
        ("1,000 to 1", "1000 TO 1"),
        ("4 00 to 1", "400 to 1"),
        ("ﬂush", "Flush"),
        ("dealer’s", "dealer's"),
        ("Hold ’Em", "hold 'em"),
        ("8, 8, 8 of the same suit", "8 8 8 of the same suit"),
        ("n/a", "N/A"),
        ("Royal Flush + Royal Match", "royal flush, royal match"),
    ],
)
def test_the_same_said_otherwise(one: str, other: str) -> None:
    assert phrase(one) == phrase(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("6 to 1", "7 to 1"), ("$5,000", "$500"), ("100 for 1", "100 to 1"), ("18", "81"), ("7.50", "750")],
)
def test_what_differs_stays_different(one: str, other: str) -> None:
    assert phrase(one) != phrase(other)


def test_a_dash_that_leads_to_the_odds_is_not_part_of_them() -> None:
    assert phrase("Third card drawn is a: 6 - 15 to 1") == phrase("Third card drawn is a: 6 15 to 1")


def read(text: str, certainty: float) -> bool:
    (token,) = tokens([Word(text, 0, Box(0, 0, 0.1, 0.1), 0, certainty)])
    return matches(token, "straight")


def test_one_letter_is_forgiven_where_letters_were_recognized() -> None:
    assert [read(text, 0.8) for text in ("stra1ght", "straght", "straighht", "strught", "straight")] == [
        *(False, True, True, False, True),
    ]
    assert not read("straght", 1)


def test_a_short_word_and_a_digit_are_never_forgiven() -> None:
    found = tokens([Word(text, 0, Box(0, 0, 0.1, 0.1), 0, 0.5) for text in ("pain", "50000", "7")])
    assert [matches(token, text) for token, text in zip(found, ("pair", "60000", "6"), strict=True)] == [False] * 3


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        ("6 to 1", ("6 to 1",)),
        ("Even money", ("1 to 1",)),
        ("Push", ("push",)),
        ("1000 to 1 90 to 1", ("1000 to 1", "90 to 1")),
        ("n/a 2000 to 1", ("2000 to 1",)),
        ("100% of the meter", ("100% meter",)),
        ("$5,000/100% of meter", ("$5000 100% meter",)),
        ("100% mega jackpot", ("100% mega jackpot",)),
        ("100% of meter Envy Bonus $5,000", ("100% meter", "$5000")),
        ("of a kind 6 to 1", ()),
    ],
)
def test_cells_of_odds(words: str, cells: tuple[str, ...]) -> None:
    assert odds_cells(phrase(words))[0] == cells
    assert len(cells) != 1 or odds_cell(words) == cells[0]
