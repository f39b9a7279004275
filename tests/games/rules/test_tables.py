"""Lists of tables: read, refused and written in one form."""

from __future__ import annotations

import re

import pytest

from games.rules.lists import format_tables, parse_table, parse_tables, tables_with_noun


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("12", "12"), ("007", "7"), ("3, 7-9; 12\n13", "3, 7-9, 12-13"), ("7 – 9", "7-9"), ("7-7", "7"),
        ("1,,2", "1-2"),
        ("1-2, 4-5, 7", "1-2, 4-5, 7"), (" bj-4 , BJ-12, b2,a-1", "A-1, B2, BJ-4, BJ-12"),
        ("abcdefghijkl", "ABCDEFGHIJKL"),
        ("1-1000", "1-1000"), ("99999", "99999"), ("", ""), (" , ", ""), ("A2, A01, AB", "A01, A2, AB"),
        ("P2-A, P10-A, P2-1A", "P2-1A, P2-A, P10-A"),
    ],
)  # fmt: skip
def test_list_in_its_one_form(text: str, form: str) -> None:
    assert format_tables(parse_tables(text)) == form
    assert parse_tables(form) == parse_tables(text)


NONE = "is not a table's number or name"
RANGE = "looks like a range, and ranges are of plain numbers"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("14-12", "the range “14-12” runs backwards"), ("1-1001", "the range “1-1001” has more than 1,000 tables"),
        ("1-999, 1001-1002", "more than 1,000 tables are named"), ("BJ-4-BJ-6", f"“BJ-4-BJ-6” {RANGE}"),
        ("A1-5", f"“A1-5” {RANGE}"), ("A1-A5", f"“A1-A5” {RANGE}"), ("all", f"“all” {NONE}"),
        ("rest", f"“rest” {NONE}"),
        ("abcdefghijklm", f"“abcdefghijklm” {NONE}"), ("123456", f"“123456” {NONE}"), ("12-", f"“12-” {NONE}"),
        ("1.5", f"“1.5” {NONE}"), ("1-2-3", f"“1-2-3” {NONE}"),
    ],
)  # fmt: skip
def test_list_that_cannot_be_read(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parse_tables(text)


def test_thousand_tables_may_be_named() -> None:
    assert len(parse_tables("1-999, 1001")) == 1000


def test_one_table() -> None:
    assert (parse_table(" 012 "), parse_table(" bj-4 "), parse_table("a" * 12)) == ("12", "BJ-4", "A" * 12)


def test_list_after_its_noun() -> None:
    lists = ("12", "3, 7-9", "BJ-4", "")
    assert [tables_with_noun(parse_tables(text)) for text in lists] == [
        "table 12", "tables 3, 7-9", "table BJ-4", "tables ",
    ]  # fmt: skip
