"""Names follow the glossary: `docs/glossary.md` lists the words, this module compares the identifiers with them."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.health.files import ROOT, dotted, modules, text_of

GLOSSARY = ROOT / "docs" / "glossary.md"
pytestmark = pytest.mark.xdist_group("words")  # the modules are parsed once
PROGRAM = ("games", "submissions", "portal")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# A package of pages or of the API has the module names of the domain that it shows.
PUBLISHED = {  # rule 6 of the glossary
    "standing",  # a member and a parameter of the API
    ("submissions/bulk/api.py", "waiting"),  # a member
    ("submissions/filings/api/judgment.py", "asked"),  # a member
    ("submissions/filings/review/api.py", "asked"),  # a member
    ("submissions/public/submission_search.py", "waiting"),  # a parameter of the search's address
}
INTERFACES = {"web", "api", "pages", "models"}
DOOR = re.compile(r"submissions\.(?:\w+\.)+(?:pages|api)\b")  # a room's pages, or its API


def glossary_words(heading: str) -> set[str]:
    """The first column of the table under this heading of the glossary."""
    section = GLOSSARY.read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    words = set(re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE))
    assert words, f"docs/glossary.md has no table under “{heading}”"
    return words


@cache
def names(path: Path) -> tuple[tuple[int, str], ...]:
    """Every name that the module defines, and its line."""
    return tuple(_names(ast.parse(text_of(path))))


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id


def test_no_identifier_uses_a_word_that_the_glossary_rules_out() -> None:
    refused = glossary_words("Words that identifiers do not use")
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(*PROGRAM)
        for line, name in names(path)
        if name not in PUBLISHED and refused & {word.lower() for word in WORD.findall(name)}
    ]
    wrong += [dotted(path) for path in modules(*PROGRAM) if refused & set(path.stem.split("_"))]
    assert wrong == []


def test_no_bare_word_is_a_name_by_itself() -> None:
    bare = glossary_words("Words that are not a name by themselves")
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(*PROGRAM)
        for line, name in names(path)
        if (path.relative_to(ROOT).as_posix(), name) not in PUBLISHED and name.lower().strip("_") in bare
    ]
    wrong += [dotted(path) for path in modules(*PROGRAM) if path.stem in bare]
    assert wrong == []


def test_no_two_classes_of_submissions_share_a_name() -> None:
    places = defaultdict(list)
    for path in modules("submissions"):
        for name in re.findall(r"^class (\w+)", text_of(path), re.MULTILINE):
            places[name].append(dotted(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_two_modules_of_submissions_share_a_name() -> None:
    places = defaultdict(list)
    for path in modules("submissions"):
        if path.stem != "__init__" and not INTERFACES & set(dotted(path).split(".")) and not DOOR.match(dotted(path)):
            places[path.stem].append(dotted(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
