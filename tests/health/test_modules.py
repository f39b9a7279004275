"""Modules are short, say what lives in them, and name no machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.health.files import ROOT, modules, tracked

PROGRAM = ("games", "submissions", "portal", "setup")
LONGEST = 400  # lines; above ARGUED, the reason stands in LONG
ARGUED = 250
LONG: dict[str, str] = {
    "games/rules/model.py": "the whole vocabulary of the rule model, a record each",
    "portal/settings.py": "the settings of Django and its apps, where everybody looks for them",
}
TEXT = {".py", ".toml", ".html", ".css", ".js", ".md", ".txt", ".in", ".json", ".sh", ".svg", ""}
# Homes and temporary folders, the hosts that packages come from, and where work is done in containers.
MACHINE = re.compile(r"(?<![\w.])/(home|root|Users|work|workspace|builds)/\w|registry\.npmjs|files\.pythonhosted")


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_module_is_too_long() -> None:
    long = {str(path.relative_to(ROOT)): lines(path) for path in modules(*PROGRAM, "tests") if lines(path) > LONGEST}
    assert long == {}


def test_long_modules_are_argued() -> None:
    long = {str(path.relative_to(ROOT)) for path in modules(*PROGRAM) if lines(path) > ARGUED}
    assert long == set(LONG)


def test_every_module_opens_with_what_is_in_it() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in modules(*PROGRAM, "tests")}
    offenders = [
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if text.strip() and not ast.get_docstring(ast.parse(text))
    ]
    assert offenders == []


def test_no_file_names_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        if path.suffix in TEXT and path.name != "test_modules.py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if MACHINE.search(line)
    ]
    assert found == []


def test_every_dependency_is_argued() -> None:
    bare = [
        line
        for name in ("requirements.in", "requirements-dev.in")
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
        if line and not line.startswith(("#", "-")) and "#" not in line
    ]
    assert bare == []


def test_every_pinned_package_has_its_hash() -> None:
    for name in ("requirements.txt", "requirements-dev.txt", "setup/node.txt"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        pinned = [line for line in text.splitlines() if "==" in line and not line.strip().startswith("#")]
        assert pinned
        assert [line.split()[0] for line in pinned if "--hash=sha256:" not in line] == []
