"""The figures that are shipped: those that the program computes; refused for other rules, answers or programs."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from games import registry
from games.runs import shipped_figures
from games.runs.engine import analyze, computed_wagers
from games.runs.shipped_figures import digest_of, shipped_answers, shipped_wagers
from games.runs.write_figures import figures, is_current

QUICK = ("585", "637a", "686a")
SOAK = "PORTAL_SOAK" in os.environ
NUMBERS = tuple(registry.folders())


@pytest.mark.parametrize("number", NUMBERS)
def test_figures_shipped_are_those_of_the_present_rules_and_program(number: str) -> None:
    """Where this fails, `make figures` computes them again."""
    assert is_current(registry.chapter(number))


@pytest.mark.parametrize("number", NUMBERS if SOAK else QUICK)
def test_figures_shipped_are_those_that_the_program_computes(number: str) -> None:
    chapter = registry.chapter(number)
    assert json.loads(json.dumps(figures(chapter))) == json.loads(
        shipped_figures.shipped_file(number).read_text("utf-8")
    )


@pytest.mark.parametrize("number", NUMBERS)
def test_answers_have_the_figures_of_their_wagers(number: str) -> None:
    chapter = registry.chapter(number)
    for answers in shipped_answers(chapter):
        shipped = shipped_wagers(chapter, answers)
        assert shipped is not None
        assert analyze(chapter, answers).wagers == shipped


def test_figures_read_are_exactly_those_computed() -> None:
    chapter = registry.chapter("686a")
    assert shipped_wagers(chapter, None) == computed_wagers(chapter, None)


def test_figures_of_a_day_are_those_of_the_chapter() -> None:
    on = registry.chapter("683a", date(2026, 1, 1))
    assert digest_of(on) == digest_of(registry.chapter("683a"))


def test_figures_of_other_rules_are_computed() -> None:
    """The same digest of rules, but another paytable: what a rulemaking is tried with."""
    chapter = registry.chapter("686a")
    changed = replace(chapter, paytables=tuple(replace(table, rows=table.rows[1:]) for table in chapter.paytables))
    assert changed.digest == chapter.digest
    assert changed.paytables != chapter.paytables
    assert shipped_wagers(changed, None) is None


def test_figures_under_other_answers_are_computed() -> None:
    assert shipped_wagers(registry.chapter("686a"), {"bonus_wager": False}) is None


def test_figures_of_another_program_are_computed(monkeypatch, tmp_path) -> None:
    """One byte more in one file that the play imports."""
    chapter = registry.chapter("686a")
    before = digest_of(chapter)
    play = registry.folder_of("686a") / registry.PLAY
    source = tmp_path / "play.py"
    source.write_text(play.read_text("utf-8") + "\n", "utf-8")
    monkeypatch.setitem(registry.folders(), "686a", tmp_path)
    shipped_figures.program_digest.cache_clear()
    try:
        assert digest_of(chapter) != before
        assert shipped_wagers(chapter, None) is None
    finally:
        monkeypatch.undo()
        shipped_figures.program_digest.cache_clear()
    assert digest_of(chapter) == before


@pytest.mark.parametrize(
    ("number", "file"),
    [
        ("589", "exchange/drawn.json"),  # data beside a module
        ("683a", "ch683a_cajun_stud/strategy.toml"),  # data beside the play
        ("581", "games/compiled.py"),  # imported by what it imports
        ("581", "games/maths/__init__.py"),
    ],
)
def test_a_program_is_all_that_the_play_reads(number: str, file: str) -> None:
    assert any(path.as_posix().endswith(file) for path in files_of(number))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_program_is_all_that_the_play_imports(number: str) -> None:
    files = files_of(number)
    modules = {module for path in files if path.suffix == ".py" for module in imported_by(path)}
    assert len(modules) > 5
    for module in modules:
        file = importlib.util.find_spec(module).origin
        assert Path(str(file)) in files, module


@cache
def imported_by(source: Path) -> set[str]:
    """The modules of `games` that are named in its `from` lines."""
    nodes = ast.walk(ast.parse(source.read_text("utf-8")))
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {module for module in named if module.split(".")[0] == "games"}


def files_of(number: str) -> set[Path]:
    return shipped_figures.files_of(registry.folder_of(number) / registry.PLAY)
