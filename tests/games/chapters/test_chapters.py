"""Every chapter's folder is complete and agrees with itself, its text and a second reading of the printed source."""

from __future__ import annotations

import tomllib

import pytest

from games.checking.chapter_check import check_chapter
from games.registry import chapter, folders
from games.rules.files import CHAPTERS, COMMON_WORDS


@pytest.mark.proof
@pytest.mark.parametrize("number", folders())
def test_filing_under_the_chapter_can_be_made(number: str) -> None:
    """Not found here: a misreading that data and second reading share; most wrong words in a section's text."""
    assert [str(problem) for problem in check_chapter(number)] == []


def test_common_data_is_all_in_use() -> None:
    common = tomllib.loads((CHAPTERS / "common.toml").read_text(encoding="utf-8"))
    rows = common.keys() - set(COMMON_WORDS)
    used = set()
    for folder in folders().values():
        for name in ("rules.toml", "layout.toml"):
            data = tomllib.loads((folder / name).read_text(encoding="utf-8"))
            used |= {(kind, row["use"]) for kind in rows for row in data.get(kind, []) if "use" in row}
    assert used == {(kind, name) for kind in rows for name in common[kind]}


def test_the_three_chapters_of_the_first_rulemaking_have_28_paytables() -> None:
    assert sum(len(chapter(number).paytables) for number in ("686a", "687a", "688a")) == 28


def test_general_provisions_stand_beside_every_chapter() -> None:
    assert chapter("688a").sections["§ 601a.10(g)"].startswith("- (g) Known in part (grade A)")


@pytest.mark.parametrize(
    ("number", "citation"), [("686a", "§ 686a.7(g)"), ("687a", "§ 687a.9(e)"), ("688a", "§ 688a.8(f)")]
)
def test_label_printed_twice_leads_to_both(number: str, citation: str) -> None:
    sections = chapter(number).sections
    letter = citation[-3:]
    assert sections[citation].count(f"- {letter} ") == 2
    assert sections[f"{citation}[2]"] in sections[citation]
