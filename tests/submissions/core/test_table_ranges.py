"""Lists of tables: what is read, the one form that is stored, and which list a table is on."""

from __future__ import annotations

from string import ascii_uppercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.lists import format_tables, parse_tables
from submissions.core import configurations

LETTERS, DIGITS = (st.text(signs, min_size=1, max_size=3) for signs in (ascii_uppercase, digits))
NAMED = st.tuples(LETTERS, st.sampled_from(("", "-")), DIGITS).map("".join)
NAMES = st.one_of(st.integers(0, 99_999).map(str), NAMED)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("3, 7-9, 12", "3, 7-9, 12"),
        ("12;7 – 9\n3", "3, 7-9, 12"),
        ("9, 8, 7, 8", "7-9"),
        ("012", "12"),
        ("bj-12, BJ-4, 2", "2, BJ-4, BJ-12"),
        ("HL1", "HL1"),
        (" , ;", ""),
        ("", ""),
    ],
)
def test_list_is_stored_in_one_form(typed: str, stored: str) -> None:
    assert format_tables(parse_tables(typed)) == stored


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("9-7", "runs backwards"),
        ("1-99999", "more than 1,000 tables"),
        ("1-600, 1001-1600", "more than 1,000 tables"),
        ("BJ1-BJ4", "looks like a range"),
        ("BJ-1-4", "looks like a range"),
        ("BJ-1, 7 to 9", "“7 to 9” is not a table's number or name"),
        ("1-2-3", "“1-2-3” is not a table"),
        ("12\x00", "is not a table's number or name"),
        ("A-VERY-LONG-NAME", "is not"),
        ("-4", "is not"),
        ("١٢", "is not"),
        ("Tisch\u202e4", "is not"),
        ("x" * 10_000, "…” is not"),
    ],
)
def test_list_that_cannot_be_read_says_why(typed: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as error:
        parse_tables(typed)
    assert len(str(error.value)) < 130


@given(st.frozensets(NAMES, max_size=20))
def test_what_is_written_is_read_again(named: frozenset[str]) -> None:
    assert parse_tables(format_tables(named)) == named


def test_table_is_on_the_list_that_names_it() -> None:
    assert configurations.covers_table("3, 7-9, BJ-4", "8")
    assert configurations.covers_table("3, 7-9, BJ-4", " bj-4")
    assert not configurations.covers_table("3, 7-9, BJ-4", "78")
    assert not configurations.covers_table("", "8")


@pytest.mark.parametrize(("table", "place"), [("12", 2), ("8", 1), ("5", 0)])
def test_table_belongs_to_the_group_that_names_it_else_to_all_others(table: str, place: int) -> None:
    assert configurations.configuration_of_table(["", "7-9", "12"], table) == place


@pytest.mark.parametrize(
    ("stored", "pit", "words"),
    [
        ("3, 7-9", "2", "tables 3, 7-9, pit 2"),
        ("12", "", "table 12"),
        ("BJ-4", "Pit Main", "table BJ-4, Pit Main"),
        ("BJ-4, BJ-5", "", "tables BJ-4, BJ-5"),
        ("7-9", "", "tables 7-9"),
    ],
)
def test_list_in_words_counts_its_tables(stored: str, pit: str, words: str) -> None:
    assert configurations.tables_as_text(stored, pit) == words
