"""The errata in `check-chapter`: a missing file, the document, sections that do not exist, holds that do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.checking.chapter_check import check_errata
from games.checking.chapter_files import ChapterFiles
from games.registry import chapter
from tests.games.rules.folder import copied, spoil


def problems(folder: Path, number: str = "683a") -> list[str]:
    return [
        str(problem).partition("errata.toml: ")[2] for problem in check_errata(ChapterFiles(folder, chapter(number)))
    ]


@pytest.mark.parametrize("number", ["683a", "687a"])
def test_errata_of_the_portal_have_no_problem(number: str, tmp_path: Path) -> None:
    assert problems(copied(tmp_path, number), number) == []


def test_errata_that_are_missing_are_named(tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    (folder / "errata.toml").unlink()
    assert problems(folder) == ["file: is missing"]


def test_note_of_a_new_reading_is_asked_for(tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    spoil(folder, "errata.toml", 'id = "contains"', 'id = "contain"')
    assert problems(folder) == ["note `683a.contain`: there is no reading of this id"]


@pytest.mark.parametrize(
    ("proposed", "expected"),
    [
        ("In § 683a.12(z), for “a” read “b”.", ["note `683a.contains`: names § 683a.12(z), which does not exist"]),
        ("In § 683a.12(c), for “§ 683.12(z)” read “§ 683a.12(c)”.", []),  # the words that are amended
        ("In § 683a.12(c), refer to § 603a.12(a).", []),  # a chapter that the portal does not have
    ],
)
def test_wording_names_sections_that_exist(proposed: str, expected: list[str], tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    spoil(
        folder,
        "errata.toml",
        "In § 683a.7(d)(3), for “contains” read “contain”; in § 683a.11(i)(2)(ii), for “Contains” read “Contain”.",
        proposed,
    )
    assert problems(folder) == expected
