"""Lines of CSV: no cell is taken for a formula, whatever sign it begins with."""

from __future__ import annotations

import pytest

from submissions.core.csv_export import BYTE_ORDER_MARK, csv_lines


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_cell_that_begins_like_a_formula_gets_an_apostrophe(sign: str) -> None:
    cell = "".join(csv_lines(["a"], [[f"{sign}1+1"]])).split("\r\n", 1)[1].strip('\r\n"')
    assert cell == f"'{sign}1+1"


def test_other_cells_stay_as_they_are() -> None:
    assert list(csv_lines(["a", "b"], [["2=2", 'say "x"']])) == [f"{BYTE_ORDER_MARK}a,b\r\n", '2=2,"say ""x"""\r\n']
