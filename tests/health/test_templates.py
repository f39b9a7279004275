"""The templates can be read and edited: one formatter, short lines, no file that nothing uses."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.health.files import ROOT, modules, text_of

TEMPLATES = ROOT / "templates"
LONGEST_LINE = 160
OWN = ("components", "documents", "mail", "pages", "parts", "public")  # the other folders are named by allauth
NAMED = re.compile(rf"""["']((?:{"|".join(OWN)})/\w+\.(?:html|txt))["']""")


def test_templates_are_formatted() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("djlint"), "--check", "--quiet", TEMPLATES],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (checked.returncode, checked.stdout) == (0, ""), "Format them: .venv/bin/djlint --reformat templates"


def test_lines_are_short() -> None:
    """Not those of mails, where every line break is sent."""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES.rglob("*.*")
        if path.suffix != ".txt"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_times_of_day_have_one_form() -> None:
    """As signed documents print them: 2:05 p.m."""
    other = {form for text in _sources() for form in re.findall(r"g:i(?::s)? ?[^a: ]", text)}
    assert other == set()


def test_every_named_template_exists() -> None:
    named = {name for text in _sources() for name in NAMED.findall(text)}
    assert {name for name in named if not (TEMPLATES / name).is_file()} == set()


def test_every_template_is_used() -> None:
    """By its name, or by its stem where a folder and a suffix are put around that."""
    used = {name for text in _sources() for name in re.findall(r"""(?<=["'/])[\w.-]+(?=["'])""", text)}
    own = [path for folder in OWN for path in (TEMPLATES / folder).iterdir()]
    unused = [path.name for path in own if not {path.name, path.stem} & used]
    assert unused == []


def _sources() -> list[str]:
    python = modules("submissions", "portal")
    return [text_of(path) for path in (*python, *TEMPLATES.rglob("*.html"))]
