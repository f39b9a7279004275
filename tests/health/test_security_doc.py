"""docs/security.md is right: its tests and files exist, no requirement is left out."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache

from tests.health.files import ROOT

PAGE = ROOT / "docs" / "security.md"
# Of each section of ASVS 5.0.0: its requirements of level 1, then those of level 2.
REQUIREMENTS = {
    "1.1": ((), (1, 2)), "1.2": ((1, 2, 3, 4, 5), (6, 7, 8, 9)), "1.3": ((1, 2), (3, 4, 5, 6, 7, 8, 9, 10, 11)),
    "1.4": ((), (1, 2, 3)), "1.5": ((1,), (2,)),
    "2.1": ((1,), (2, 3)), "2.2": ((1, 2), (3,)), "2.3": ((1,), (2, 3, 4)), "2.4": ((), (1,)),
    "3.2": ((1, 2), ()), "3.3": ((1,), (2, 3, 4)), "3.4": ((1, 2), (3, 4, 5, 6)), "3.5": ((1, 2, 3), (4, 5)),
    "3.7": ((), (1, 2)),
    "4.1": ((1,), (2, 3)), "4.2": ((), (1,)), "4.3": ((), (1, 2)), "4.4": ((1,), (2, 3, 4)),
    "5.1": ((), (1,)), "5.2": ((1, 2), (3,)), "5.3": ((1, 2), ()), "5.4": ((), (1, 2, 3)),
    "6.1": ((1,), (2, 3)), "6.2": ((1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12)), "6.3": ((1, 2), (3, 4)),
    "6.4": ((1, 2), (3, 4)), "6.5": ((), (1, 2, 3, 4, 5)), "6.6": ((), (1, 2, 3)), "6.8": ((), (1, 2, 3, 4)),
    "7.1": ((), (1, 2, 3)), "7.2": ((1, 2, 3, 4), ()), "7.3": ((), (1, 2)), "7.4": ((1, 2), (3, 4, 5)),
    "7.5": ((), (1, 2)), "7.6": ((), (1, 2)),
    "8.1": ((1,), (2,)), "8.2": ((1, 2), (3,)), "8.3": ((1,), ()), "8.4": ((), (1,)),
    "9.1": ((1, 2, 3), ()), "9.2": ((1,), (2, 3, 4)),
    "10.1": ((), (1, 2)), "10.2": ((), (1, 2)), "10.3": ((), (1, 2, 3, 4)),
    "10.4": ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11)), "10.5": ((), (1, 2, 3, 4, 5)), "10.6": ((), (1, 2)),
    "10.7": ((), (1, 2, 3)),
    "11.1": ((), (1, 2)), "11.2": ((), (1, 2, 3)), "11.3": ((1, 2), (3,)), "11.4": ((1,), (2, 3, 4)),
    "11.5": ((), (1,)), "11.6": ((), (1,)),
    "12.1": ((1,), (2, 3)), "12.2": ((1, 2), ()), "12.3": ((), (1, 2, 3, 4)),
    "13.1": ((), (1,)), "13.2": ((), (1, 2, 3, 4, 5)), "13.3": ((), (1, 2)), "13.4": ((1,), (2, 3, 4, 5)),
    "14.1": ((), (1, 2)), "14.2": ((1,), (2, 3, 4)), "14.3": ((1,), (2, 3)),
    "15.1": ((1,), (2, 3)), "15.2": ((1,), (2, 3)), "15.3": ((1,), (2, 3, 4, 5, 6, 7)),
    "16.1": ((), (1,)), "16.2": ((), (1, 2, 3, 4, 5)), "16.3": ((), (1, 2, 3, 4)), "16.4": ((), (1, 2, 3)),
    "16.5": ((), (1, 2, 3)),
    "17.1": ((), (1,)), "17.2": ((), (1, 2, 3, 4)), "17.3": ((), (1, 2)),
}  # fmt: skip
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE)
FILE = re.compile(r"`((?:games|submissions|portal|tests|templates|docs)/[\w/.-]+)(?:::(\w+))?")


@cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@cache
def functions_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_file_and_test_that_is_named_exists() -> None:
    named = FILE.findall(page())
    assert len(named) > 100
    missing = [path for path, _ in named if not (ROOT / path).exists()]
    assert missing == []
    assert [(path, test) for path, test in named if test and test not in functions_of(path)] == []


def test_every_requirement_has_one_line() -> None:
    wanted = [
        (f"{section}.{number}", str(level))
        for section, levels in REQUIREMENTS.items()
        for level, numbers in enumerate(levels, 1)
        for number in numbers
    ]
    rows = ROW.findall(page())
    assert [row[:2] for row in rows] == sorted(wanted, key=lambda row: [int(part) for part in row[0].split(".")])
    assert len(rows) == 253
    assert {status for *_, status, _ in rows} == {"met", "n/a", "not met"}
    assert [number for number, *_, where in rows if len(where) < 2] == []


def test_counts_are_those_of_the_table() -> None:
    counts = Counter(status for *_, status, _ in ROW.findall(page()))
    said = f"**{counts['met']} met, {counts['n/a']} not applicable, {counts['not met']} not met.**"
    assert said in page()
