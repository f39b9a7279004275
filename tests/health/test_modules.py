"""Modules say what lives in them, no file names a machine, and each dependency has its reason and its hash."""

from __future__ import annotations

import ast
import re

from tests.health.files import ROOT, modules, text_of, tracked

PROGRAM = ("games", "submissions", "portal", "setup")
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")  # of a document, to a file of the repository
OPENING = re.compile(r'"""[^"\s]')  # a docstring; what begins otherwise is parsed
TEXT = {".py", ".toml", ".html", ".css", ".js", ".md", ".txt", ".in", ".json", ".sh", ".svg", ""}
# Homes and temporary folders, the hosts that packages come from, and where work is done in containers.
MACHINE = re.compile(r"(?<![\w.])/(home|root|Users|work|workspace|builds)/\w|registry\.npmjs|files\.pythonhosted")


def test_every_module_opens_with_what_is_in_it() -> None:
    texts = {path: text_of(path) for path in modules(*PROGRAM, "tests")}
    offenders = [
        str(path.relative_to(ROOT))
        for path, text in texts.items()
        if text.strip() and not OPENING.match(text) and not ast.get_docstring(ast.parse(text))
    ]
    assert offenders == []


def test_no_file_names_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        if path.suffix in TEXT and path.name != "test_modules.py"
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if MACHINE.search(line)
    ]
    assert found == []


def test_no_document_links_a_file_that_is_not_there() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {link}"
        for path in tracked()
        if path.suffix == ".md" and path.name != "text.md"
        for link in LINK.findall(text_of(path))
        if not (path.parent / link).exists()
    ]
    assert missing == []


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
