"""`manage.py inspect_layout`: what it prints and how it ends."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.registry import chapter
from submissions.layouts.recognition import drawing_files
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.layouts.required_elements import NO_LICENSEE
from tests.games.chapters.examples import example
from tests.submissions.called_here import called_here

GAME = "590"  # one of those that are read quickly
OF_THE_NAME = "§ 590.2(b)(1)       The name or logo of the certificate holder"


@pytest.fixture(autouse=True)
def _reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_files, "run_isolated", called_here(drawing_files.run_isolated))


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("inspect_layout", *arguments, stdout=out, stderr=err)
    return int(str(ended.value.code)), out.getvalue(), err.getvalue()


@pytest.mark.slow
def test_a_drawing_is_complete_for_its_answers(tmp_path: Path) -> None:
    drawing, config = tmp_path / "layout.svg", tmp_path / "answers.json"
    config.write_text(json.dumps(example(GAME)), "utf-8")
    caption = Caption("Draft", "November 22, 2026")
    drawing.write_text(layout_svg(chapter(GAME), example(GAME), licensee="Casino East", caption=caption), "utf-8")
    code, out, _ = run(str(drawing), GAME, "--config", str(config), "--licensee", "Casino East", "--json")
    report = json.loads(out)
    assert (code, report["complete"], report["differences"], report["not_compared"]) == (0, True, [], [])
    code, out, _ = run(str(drawing), GAME, "--config", str(config))
    assert (code, out.splitlines()[0]) == (1, "layout.svg: NOT complete, 1 to be judged by a person.")
    assert f"to be judged  {OF_THE_NAME}" in out
    assert "not compared: licensee's name" in out


@pytest.mark.slow
def test_words_in_the_place_of_a_licensee_are_no_name(tmp_path: Path) -> None:
    unnamed = tmp_path / "unnamed.svg"
    call_command("draw_layout", GAME, str(unnamed), stdout=StringIO())
    code, out, _ = run(str(unnamed), GAME, "--licensee", "Casino East")
    assert (code, out.splitlines()[0]) == (1, "unnamed.svg: NOT complete.")
    assert f"MISSING       {OF_THE_NAME}" in out
    assert f"“{NO_LICENSEE}” is printed" in out
    code, out, _ = run(str(unnamed), GAME)
    assert (code, out.splitlines()[0]) == (0, "unnamed.svg: complete.")
    assert out.splitlines()[-1] == "  not compared: licensee's name. Give it with --licensee NAME."


def test_bad_use_is_told_in_a_line(tmp_path: Path) -> None:
    assert run("nowhere.svg", "682a")[2].startswith("nowhere.svg is not a file.")
    assert run("nowhere.svg", "1a")[0] == 2
    other = tmp_path / "layout.txt"
    other.write_text("no drawing", "utf-8")
    code, _, problem = run(str(other), "682a")
    assert (code, "(layout-kind)" in problem) == (2, True)
