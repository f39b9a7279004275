"""`manage.py inspect_layout`: what it prints and how it ends."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.registry import chapter
from submissions.layouts.reference_drawing import Caption, layout_svg
from submissions.layouts.required_elements import NO_LICENSEE, required_elements
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import LEFT_TO_A_PERSON


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("inspect_layout", *arguments, stdout=out, stderr=err)
    return int(str(ended.value.code)), out.getvalue(), err.getvalue()


@pytest.mark.slow
def test_a_drawing_is_complete_for_its_answers(tmp_path: Path) -> None:
    drawing, config = tmp_path / "layout.svg", tmp_path / "answers.json"
    config.write_text(json.dumps(example("682a")), "utf-8")
    caption = Caption("Draft", "November 22, 2026")
    drawing.write_text(layout_svg(chapter("682a"), example("682a"), licensee="Casino East", caption=caption), "utf-8")
    licensee = ("--config", str(config), "--licensee", "Casino East")
    assert verdict(drawing, "682a", *licensee) == (0, True, [], set())
    code, out, _ = run(str(drawing), "682a", "--config", str(config))
    assert (code, out.splitlines()[0]) == (1, "layout.svg: NOT complete, 1 to be judged by a person.")
    assert "to be judged  § 682a.2(b)(1)  The name or logo of the certificate holder" in out
    assert "not compared: licensee's name" in out


def verdict(drawing: Path, number: str, *options: str) -> tuple[int, bool, list[str], set[str]]:
    """Of a drawing: the exit status, `complete`, `not_compared`, and the elements that a person has to judge."""
    code, out, _ = run(str(drawing), number, *options, "--json")
    report = json.loads(out)
    judged = {each["key"] for each in report["elements"] if each["state"] == "to_be_judged" and each["kind"] != "sign"}
    return code, report["complete"] and not report["differences"], report["not_compared"], judged


@pytest.mark.slow
def test_layout_drawn_without_licensee_leaves_open_what_no_machine_can_see(tmp_path: Path) -> None:
    """`test_reference_drawing` proves it for every chapter, without the commands."""
    drawing = tmp_path / "layout.svg"
    call_command("draw_layout", "637a", str(drawing), stdout=StringIO())
    assert verdict(drawing, "637a") == (1, False, ["licensee's name"], LEFT_TO_A_PERSON["637a"])


@pytest.mark.slow
def test_words_in_the_place_of_a_licensee_are_no_name(tmp_path: Path) -> None:
    unnamed = tmp_path / "unnamed.svg"
    call_command("draw_layout", "590", str(unnamed), stdout=StringIO())
    code, out, _ = run(str(unnamed), "590", "--licensee", "Casino East")
    assert (code, out.splitlines()[0]) == (1, "unnamed.svg: NOT complete.")
    assert "MISSING       § 590.2(b)(1)       The name or logo of the certificate holder" in out
    assert f"“{NO_LICENSEE}” is printed" in out
    code, out, _ = run(str(unnamed), "590")
    assert (code, out.splitlines()[0]) == (0, "unnamed.svg: complete.")
    assert out.splitlines()[-1] == "  not compared: licensee's name. Give it with --licensee NAME."


@pytest.mark.slow
@pytest.mark.parametrize("number", ["593"])
def test_a_drawing_without_the_words_that_the_portal_suggests_is_not_complete(tmp_path: Path, number: str) -> None:
    """Its chapter demands an inscription without giving its words: a person must judge whether others are there."""
    drawing, config = tmp_path / "layout.svg", tmp_path / "answers.json"
    config.write_text(json.dumps(example(number)), "utf-8")
    whole = layout_svg(chapter(number), example(number), licensee="Casino East", caption=Caption("Draft", ""))
    needed = required_elements(chapter(number), example(number))
    wordless = [one for one in needed if one.kind == "inscription" and one.suggested and not one.phrases]
    assert wordless
    keys = "|".join(one.key for one in wordless)
    drawing.write_text(re.sub(rf'<g [^>]*data-element="({keys})".*?</g>', "", whole, flags=re.DOTALL), "utf-8")
    code, out, _ = run(str(drawing), number, "--config", str(config), "--licensee", "Casino East")
    assert code == 1
    for one in wordless:
        assert re.search(rf"to be judged +{re.escape(one.citation)} +{re.escape(one.element)}", out)


def test_bad_use_is_told_in_a_line(tmp_path: Path) -> None:
    assert run("nowhere.svg", "682a")[2].startswith("nowhere.svg is not a file.")
    assert run("nowhere.svg", "1a")[0] == 2
    other = tmp_path / "layout.txt"
    other.write_text("no drawing", "utf-8")
    code, _, problem = run(str(other), "682a")
    assert (code, "(layout-kind)" in problem) == (2, True)
