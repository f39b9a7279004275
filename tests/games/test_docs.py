"""README and the two recorded pages of figures: complete, of this engine, true of the data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.maths.published import Verdict
from games.registry import chapters
from games.rules.wagers_in_play import in_play
from games.runs.agreement import REJECTION
from games.runs.engine import ENGINE

LARGEST_Z = 5
RECORDED = Path(__file__).parents[1] / "recorded"


def rows_of(page: str) -> dict[str, list[list[str]]]:
    """Chapter → the cells of each line of its table."""
    found: dict[str, list[list[str]]] = {}
    for part in (RECORDED / page).read_text(encoding="utf-8").split("\n## ")[1:]:
        lines = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
        found[part.split()[0]] = lines[2:]
    return found


@pytest.mark.parametrize("page", ["crosscheck.md", "published.md"])
def test_page_is_of_this_engine_and_has_every_chapter(page: str) -> None:
    assert f", {ENGINE}" in (RECORDED / page).read_text(encoding="utf-8")
    assert list(rows_of(page)) == [one.number for one in chapters()]


def test_every_wager_and_paytable_was_dealt_and_agrees() -> None:
    pages = rows_of("crosscheck.md")
    for one in chapters():
        dealt = {(row[0].partition(":")[0], row[1]) for row in pages[one.number]}
        expected = {(wager.replace("_", " "), name) for wager, name in in_play(one, None) if name}
        assert expected <= dealt, one.number
        for row in pages[one.number]:
            rounds, z, p_value, finds = row[4], row[7], row[8], row[9]
            assert int(rounds.replace(",", "")) >= 10_000_000
            assert z == "–" or abs(float(z)) < LARGEST_Z
            assert float(p_value) >= REJECTION
            assert finds == "–" or float(finds) > 0


def test_every_printed_figure_stands_there_with_one_of_three_words() -> None:
    pages = rows_of("published.md")
    for one in chapters():
        assert len(pages[one.number]) >= len(one.published)
        for figure in one.published:
            assert any(row[2].startswith(f"{figure.value}%") for row in pages[one.number]), figure.id
        assert {row[4].strip("*") for row in pages[one.number]} <= set(Verdict)


def test_readme_names_every_chapter_with_its_status_and_its_gaps() -> None:
    text = (RECORDED.parents[1] / "README.md").read_text(encoding="utf-8").partition("## What it rests on")[2]
    rows = [line.strip("| ").split(" | ") for line in text.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    for status in ("final", "temporary", "proposed"):
        expected = [
            f"{one.number} {one.title}" + ("" if one.complete else "\\*") for one in chapters() if one.status == status
        ]
        assert [status, ", ".join(expected)] in rows
    gaps = [row[0] for row in rows if re.fullmatch(r"\d{3}a?", row[0])]
    assert gaps == [one.number for one in chapters() if not one.complete]
