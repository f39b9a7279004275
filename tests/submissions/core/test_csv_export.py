"""Lines of CSV: no cell is taken for a formula, with each sign that it may begin with."""

from __future__ import annotations

import pytest

from submissions.core.csv_export import BYTE_ORDER_MARK, csv_lines


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_cell_that_begins_like_a_formula_gets_an_apostrophe(sign: str) -> None:
    cell = "".join(csv_lines(["a"], [[f"{sign}1+1"]])).split("\r\n", 1)[1].strip('\r\n"')
    assert cell == f"'{sign}1+1"


@pytest.mark.parametrize("before", [" ", "\xa0", "\ufeff", "\x0b", "\u200b", "\0", "\u2003 \u2060", "\u202e"])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d"])
def test_sign_of_a_formula_behind_what_cannot_be_seen_is_found(before: str, sign: str) -> None:
    [line] = list(csv_lines(["a"], [[f"{before}{sign}1+1"]]))[1:]
    assert line == f"'{before}{sign}1+1\r\n"


@pytest.mark.parametrize(
    ("cell", "line"), [("-0.031858", "-0.031858"), ("-2", "-2"), ("-2-1", "'-2-1"), ("-.5", "'-.5")]
)
def test_negative_number_is_no_formula(cell: str, line: str) -> None:
    assert list(csv_lines(["a"], [[cell]]))[1:] == [f"{line}\r\n"]


def test_other_cells_stay_as_they_are() -> None:
    assert list(csv_lines(["a", "b"], [["2=2", 'say "x"'], [" 2", ""]])) == [
        f"{BYTE_ORDER_MARK}a,b\r\n",
        '2=2,"say ""x"""\r\n',
        " 2,\r\n",
    ]
