"""Errors of letter recognition that are corrected, and two readings of one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from submissions.layouts.recognition.line_recognition import better_reading, corrected_words, is_unsure_line
from submissions.layouts.recognition.word_grouping import PlacedWord


def words(text: str, certainty: float = 0.95) -> list[PlacedWord]:
    return [
        PlacedWord(
            word,
            (40.0 * place, 20, 0),
            (40.0 * place + 30, 20, 0),
            20,
            (40 * place, 5, 40 * place + 30, 20),
            0,
            certainty,
        )
        for place, word in enumerate(text.split())
    ]


def read(text: str, marks: int = 99) -> str:
    return " ".join(word.text for word in corrected_words(words(text), marks))


@pytest.mark.parametrize(
    ("recognized", "printed"),
    [
        ("4tol", "4 to 1"),
        ("500to 1", "500 to 1"),
        ("ltol", "1 to 1"),
        ("Third card drawn ts a 9", "Third card drawn is a 9"),
        ("1 ooo to i", "1,000 to 1"),
        ("2 pairs, l or 2", "2 pairs, l or 2"),
        ("lf the dealer s hand", "If the dealer's hand"),
        ("Push 22", "Push 22"),
        ("Three 7 s", "Three 7 s"),
    ],
)
def test_what_can_be_nothing_else_is_corrected(recognized: str, printed: str) -> None:
    assert read(recognized) == printed


def test_one_that_is_read_twice_is_corrected_only_if_it_is_one_mark() -> None:
    assert read("2 to il", marks=4) == "2 to 1"
    assert read("2 to 11", marks=5) == "2 to 11"


def test_second_reading_confirms_replaces_or_completes_the_first() -> None:
    same = better_reading(words("1 to 1", 0.6), words("1 to 1", 0.7))
    assert [word.certainty for word in same] == pytest.approx([0.88] * 3)
    assert better_reading(words("8 T OT", 0.4), words("8 to 1", 0.8))[1].text == "to"
    assert len(better_reading(words("2 to", 0.93), words("2 to 1", 0.75))) == 3
    assert len(better_reading(words("2 to", 0.93), words("2 to 1", 0.5))) == 2


def test_word_ends_where_the_next_one_begins() -> None:
    one, to, last = words("1 to 1")
    reaching = replace(to, end=(last.begin[0] + 12, 20, 0))
    assert [word.end for word in corrected_words([one, reaching, last], 4)] == [one.end, last.begin, last.end]


@pytest.mark.parametrize(
    ("text", "unsure"), [("2 to", True), ("15", True), ("", True), ("20 to 1", False), ("Ante", False)]
)
def test_part_of_odds_is_read_again(text: str, unsure: bool) -> None:
    assert is_unsure_line(words(text)) is unsure
