"""A new chapter is complete at once but for its text; all that is taken away or spoiled is named with file and key."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.checks import run_checks

from games.__main__ import main
from games.checking.chapter_check import TO_BE_ENTERED, check_chapter
from games.checking.chapter_files import FILES
from games.registry import SECOND, chapter_or_none, chapters, folders, unfinished
from tests.games.checking.chapter_copy import forget, new_chapter
from tests.games.rules.folder import spoil

pytestmark = pytest.mark.xdist_group("new-chapter")
NAME = "ch699a_try"
# What `spoiled.toml` replaces. Alone: what others name too, as a case's name; JSON that ends the check; the play.
SPOILED, ALONE = 18, (7, 10, 12, 13, 14, 15, 16, 17)
TOGETHER = tuple(count for count in range(SPOILED) if count not in ALONE)


@pytest.fixture(scope="module")
def skeleton(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Chapter 699a like 683a, made once; a test that changes a file changes it back."""
    with new_chapter(tmp_path_factory.mktemp("chapters"), "699a", "Try", "683a") as folder:
        yield folder


@pytest.fixture
def folder(skeleton: Path) -> Iterator[Path]:
    """The same with its text entered."""
    before = {file: file.read_bytes() for file in skeleton.rglob("*") if file.is_file() and file.suffix != ".pyc"}
    text = skeleton / "text.md"
    text.write_text(text.read_text("utf-8").replace(f"{TO_BE_ENTERED}\n\n", ""), "utf-8")
    spoil(skeleton, "errata.toml", TO_BE_ENTERED, "49 Pa.B.")
    yield skeleton
    for file, content in before.items():
        file.write_bytes(content)
    forget()


def problems() -> list[str]:
    forget()
    return [str(problem) for problem in check_chapter("699a")]


def test_new_chapter_is_complete_but_for_each_section_of_its_text_and_its_document(skeleton: Path) -> None:
    rest = [f"{NAME}/text.md: § 699a.{section}: is still to be entered" for section in range(1, 14)]
    rest.append(f"{NAME}/errata.toml: `document`: is still to be entered: the official document that the text is from")
    assert [problem.partition("; take out")[0] for problem in problems()] == rest


@pytest.mark.slow
def test_chapter_whose_text_is_entered_could_be_filed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forget()
    assert main(["check-chapter", "699a"]) == 0
    assert capsys.readouterr().out == "A filing under this chapter can be made.\n"


@pytest.mark.parametrize("name", ["rules.toml", "paytables.toml", "layout.toml", "text.md", "play.py"])
def test_unfinished_chapter_is_left_out_and_stops_no_other(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).unlink()
    forget()
    assert [known.number for known in chapters()] == [number for number in folders() if number != "699a"]
    assert unfinished() == {"699a": f"{NAME}/{name}: file: is missing"}
    warning, *others = run_checks(tags=["portal"])
    assert not others
    assert warning.msg == f"Chapter 699a is left out: {NAME}/{name}: file: is missing."
    assert chapter_or_none("699a") is None
    assert main(["list"]) == 0
    assert f"699a  is not finished: {NAME}/{name}: file: is missing" in capsys.readouterr().err
    assert main(["show", "699a"]) == 2
    assert f"chapter 699a is not finished: {NAME}/{name}: file: is missing" in capsys.readouterr().err


def test_missing_text_that_would_refuse_nothing_is_named(folder: Path) -> None:
    row = '[[missing_text]]\nwhat = "Try"\nlacks = "its odds"\nsections = [".12(a)"]\nwhen = { no_such_line = true }\n'
    file = folder / "missing_text.toml"
    file.write_text(row, encoding="utf-8")
    found = problems()
    file.unlink()
    assert found == [
        f"{NAME}/missing_text.toml: `Try`: § 699a.12(a) has no paragraph in square brackets in text.md: nothing of it "
        "is missing",
        f"{NAME}/missing_text.toml: `Try`: `when` names the option `no_such_line`, which does not exist",
    ]


@pytest.mark.parametrize("name", [*FILES, SECOND])
def test_each_file_taken_away_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert problems() == [f"{NAME}/{name}: file: is missing"]


def test_all_files_taken_away_are_named_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in FILES:
        (folder / name).unlink()
    forget()
    assert main(["check-chapter", "699a"]) == 1
    assert capsys.readouterr().out.count("file: is missing") == len(FILES)


@pytest.mark.slow
@pytest.mark.parametrize("counts", [TOGETHER, *((count,) for count in ALONE)], ids=str)
def test_what_is_spoiled_is_named(folder: Path, counts: tuple[int, ...]) -> None:
    spoiled = tomllib.loads((Path(__file__).parent / "spoiled.toml").read_text("utf-8"))["spoiled"]
    assert len(spoiled) == SPOILED
    for count in counts:
        spoil(folder, spoiled[count]["file"], spoiled[count]["old"], spoiled[count]["new"])
    named = "\n".join(problems())
    assert [spoiled[count]["problem"] for count in counts if spoiled[count]["problem"] not in named] == [], named


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["699A", "--title", "Try", "--like", "683a"], "699A: is not the number of a chapter"),
        (["683a", "--title", "Try", "--like", "683a"], "683a: there is a chapter of this number, ch683a_cajun_stud"),
        (["698a", "--title", "…", "--like", "683a"], "has no letter and no digit"),
        (["698a", "--title", 'Say "try"', "--like", "683a"], "quotation marks, backslashes and line breaks"),
        (["698a", "--title", "Try\\", "--like", "683a"], "quotation marks, backslashes and line breaks"),
        (["698a", "--title", "Try\nit", "--like", "683a"], "quotation marks, backslashes and line breaks"),
        (["698a", "--title", "Try", "--like", "600a"], "--like: there is no chapter '600a'"),
        (["698a", "--title", "Try", "--like", "683a", "--in", "/nowhere"], "--in /nowhere: is not a folder"),
    ],
)  # fmt: skip
def test_new_is_refused_in_one_line(given: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", *given]) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert error.count("\n") == 1


def test_check_of_a_chapter_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-chapter", "600a"]) == 2
    assert "there is no chapter '600a'; known are 581" in capsys.readouterr().err


def test_new_does_not_write_into_a_folder_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ch698a_try").mkdir()
    assert main(["new", "698a", "--title", "Try", "--like", "683a", "--in", str(tmp_path)]) == 2
    assert "ch698a_try: is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        ("nowhere", "GAMES_CHAPTERS: {}/nowhere: is not a folder"),
        ("twice", "ch683a_again: folder: ch683a_cajun_stud is"),
    ],
)
def test_folder_of_further_chapters_that_cannot_be_used_is_named(tmp_path: Path, added: str, expected: str) -> None:
    (tmp_path / "twice" / "ch683a_again").mkdir(parents=True)
    environment = {**os.environ, "GAMES_CHAPTERS": str(tmp_path / added)}
    command = [sys.executable, "-m", "games", "list"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert expected.format(tmp_path) in ended.stderr


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("GAME = StreetGame(", "GAME = StreetGame((", "play.py: syntax: line "),
        ("GAME = StreetGame(", "GAME = NoSuchGame(", "play.py: import: NameError: name 'NoSuchGame' is not defined"),
    ],
)
def test_play_that_cannot_be_imported_is_named_beside_what_is_wrong_in_the_words(
    folder: Path, old: str, new: str, expected: str
) -> None:
    spoil(folder, "play.py", old, new)
    spoil(folder, "guide.toml", "[object]", "[aim]")
    refused = problems()
    assert any(expected in problem for problem in refused), refused
    assert "syntax" in expected or any("guide.toml" in problem for problem in refused), refused
