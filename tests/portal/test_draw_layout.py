"""`draw_layout`: a layout is drawn offline, and bad use is told in one line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.games.chapters.examples import example, example_file


def test_the_layout_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "layout.svg"
    call_command("draw_layout", "683a", str(out), "--config", str(example_file("683a")), "--licensee", "Keystone")
    assert capsys.readouterr().out == f"{out}: the layout of Cajun Stud, chapter 683a\n"
    words = "".join(ET.parse(out).getroot().itertext())  # noqa: S314
    assert "Keystone" in words
    assert 'data-element="pocket_bonus_area"' in out.read_text("utf-8")


def test_options_as_the_other_commands_take_them_are_drawn(tmp_path: Path) -> None:
    """`{"answers": {…}}`, as `inspect_layout` and `python -m games check` read it."""
    drawn = []
    for content in (example("683a"), {"answers": example("683a")}):
        file, out = tmp_path / "config.json", tmp_path / "layout.svg"
        file.write_text(json.dumps(content), "utf-8")
        call_command("draw_layout", "683a", str(out), "--config", str(file))
        drawn.append(out.read_text("utf-8"))
    assert drawn[0] == drawn[1]


def test_without_options_no_optional_wager_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "layout.svg"
    call_command("draw_layout", "683a", str(out))
    assert "pocket_bonus" not in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("chapter", "config", "said"),
    [
        ("999", "{}", "there is no chapter '999'"),
        ("683a", "[]", "must hold an object"),
        ("683a", "{", "is not JSON"),
        ("683a", "[" * 100_000, "is nested too deeply"),
        ("683a", "{}" + " " * 1_000_000, "is too large"),
        ("683a", json.dumps({"no_such": True}), "chapter 683a has no option no_such"),
    ],
)
def test_bad_use_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], chapter: str, config: str, said: str
) -> None:
    file, out = tmp_path / "config.json", tmp_path / "layout.svg"
    file.write_text(config, "utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("draw_layout", chapter, str(out), "--config", str(file))
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("odd", [7, None, [1], {"a": [2]}, "\N{WHITE SMILING FACE}", -1, 1e300])
def test_odd_answers_are_drawn_as_none(tmp_path: Path, odd: object) -> None:
    file, out = tmp_path / "config.json", tmp_path / "layout.svg"
    given = example("682a")
    file.write_text(json.dumps(dict.fromkeys(given, odd)), "utf-8")
    call_command(
        "draw_layout", "682a", str(out), "--config", str(file), "--licensee", "<b>&\N{WHITE SMILING FACE}" * 40
    )
    ET.parse(out)  # noqa: S314


def test_files_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out, config in ((tmp_path / "no" / "out.svg", []), (tmp_path / "out.svg", ["--config", str(tmp_path)])):
        with pytest.raises(SystemExit) as ended:
            call_command("draw_layout", "683a", str(out), *config)
        assert ended.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
