"""Every chapter's folder is complete and agrees with itself, its text and a second reading of the printed source."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from games.checking.chapter_check import check_chapter
from games.registry import chapter, folders
from games.rules.loading.files import CHAPTERS, COMMON_WORDS

COMPUTED_IN = {
    "581": "test_blackjack_games.py", "583": "test_flop_poker.py", "587": "test_raise_it_up.py",
    "588": "two_hands/test_six_cards.py", "589": "test_lunar_poker.py", "590": "test_blackjack_games.py",
    "591": "test_blackjack_games.py", "592": "test_criss_cross.py", "635a": "test_blackjack_games.py",
    "655a": "test_mississippi_stud.py", "657a": "test_crazy_4.py", "677a": "test_heads_up_hold_em.py",
    "678a": "test_high_card_flush.py", "682a": "test_four_card_prime.py", "683a": "test_cajun_stud.py",
    "687a": "test_dj_wild.py", "688a": "two_hands/test_exact.py",
}  # fmt: skip
"""Where the chapter's exact figures are computed too: once for both, in the same process."""


def grouped() -> list[Any]:
    return [
        pytest.param(number, marks=pytest.mark.xdist_group(COMPUTED_IN.get(number, "chapters"))) for number in folders()
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", grouped())
def test_filing_under_the_chapter_can_be_made(number: str) -> None:
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
