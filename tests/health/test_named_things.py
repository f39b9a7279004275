"""Files, modules and names that docstrings, comments and documents mention exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from games.__main__ import COMMANDS
from tests.health.files import ROOT, dotted, modules, text_of, tracked

CODE = ("games", "submissions", "portal", "tests", "bench")
DATA = (".toml", ".html", ".js", ".txt")
WORD, QUOTED = re.compile(r"[A-Za-z_]\w*"), re.compile(r"`([^`\n]+)`")
DOTTED = re.compile(r"[a-z_]\w*(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(r"(?<![\w./<>{}-])(?:(?:bench|docs|games|portal|setup|templates|tests)/[\w./-]*\w|[\w-]+\.md)\b")
PATTERNS = {"games/chapters/chNNN_name/play.py", "tests/fixtures/openapi-N.yaml.xz"}  # each stands for several files
MADE_LATER = {"games/__pycache__"}
FOREIGN = {
    "ConditionalGetMiddleware",
    "NoReverseMatch",
    "tcpi_unacked",
    "_xHHHH_",
    "ST_Xstring",
}  # of Django, Linux, Office Open XML
PYTHON_TEXT = re.compile(  # comments, docstrings (a line begins with one), and strings, which may contain a "#"
    r'''(?P<comment>\#[^\n]*)|(?P<docstring>^[ \t]*"""(?:[^"\\]|\\.|"(?!""))*""")'''
    r'''|"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"'''
    r"|'(?:[^'\\\n]|\\.)*'",
    re.MULTILINE | re.DOTALL,
)
LINK, HEADING = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)"), re.compile(r"^#+ (.+)$", re.MULTILINE)
QUOTES_ADDRESSES = ("CHANGELOG.md", "wrong-calls.md", "text.md")  # what was, what is sent, and the law
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("named things")]  # all read the same modules


class Source(NamedTuple):
    """A module's docstrings and comments, and the words of its code."""

    explanations: list[str]
    words: set[str]


@cache
def source(path: Path) -> Source:
    found = Source([], set(dotted(path).split(".")))

    def take(match: re.Match[str]) -> str:
        if not match.lastgroup:
            return match[0]
        found.explanations.append(match[0].strip())
        return ""

    found.words.update(WORD.findall(PYTHON_TEXT.sub(take, text_of(path))))
    return found


def documents() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        if path.suffix == ".md" and path.name not in QUOTES_ADDRESSES:
            yield path, re.sub(r"(?ms)^ *```.*?^ *```", "", text_of(path))


def module_explanations() -> Iterator[tuple[Path, str]]:
    yield from ((path, text) for path in modules(*CODE) for text in source(path).explanations)


@cache
def all_words() -> set[str]:
    data = {word for path in tracked() if path.suffix in DATA for word in WORD.findall(text_of(path))}
    return data.union(*(source(path).words for path in modules(*CODE)), FOREIGN)


@cache
def file_names() -> set[str]:
    """Each file and folder of the repository, from the top and from any folder: `tests/cases.toml`."""
    paths = {part for path in tracked() for part in (path, *path.parents) if ROOT in part.parents}
    names = {path.relative_to(ROOT).parts for path in paths}
    return {"/".join(parts[start:]) for parts in names for start in range(len(parts))} | PATTERNS | MADE_LATER


@cache
def modules_called() -> dict[str, list[Path]]:
    """Each dotted name of a module, with and without the packages around it."""
    called: dict[str, list[Path]] = {}
    for path in modules(*CODE):
        parts = dotted(path).split(".")
        for start in range(len(parts)):
            called.setdefault(".".join(parts[start:]), []).append(path)
    return called


def exists(name: str) -> bool:
    """Return whether a name is a module, a name in a module, or a file. A dotted name that does not begin with a
    package of the portal is another program's."""
    parts = name.split(".")
    if len(parts) == 1:
        return name in all_words()
    heads = [(".".join(parts[:end]), parts[end]) for end in range(1, len(parts))]
    is_foreign = not any(path.name == "__init__.py" for path in modules_called().get(parts[0], ()))
    return (
        is_foreign
        or name in modules_called()
        or name in file_names()
        or any(inner in source(path).words for head, inner in heads for path in modules_called().get(head, ()))
    )


def test_files_that_are_named_exist() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path, text in (*module_explanations(), *documents())
        for name in FILE.findall(text)
        if name not in file_names()
    }
    assert sorted(named) == []


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them: lower case, hyphens for spaces, no other signs."""
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


def test_links_of_documents_lead_to_files_and_headings() -> None:
    texts = dict(documents())
    broken = {
        (path.relative_to(ROOT).as_posix(), f"{file}#{anchor}")
        for path, text in texts.items()
        for file, anchor in LINK.findall(text)
        for target in [(path.parent / file).resolve() if file else path]
        if not target.exists() or (anchor and anchor not in anchors(texts[target]))
    }
    assert sorted(broken) == []


def test_table_of_commands_names_each_command() -> None:
    table = (ROOT / "docs" / "operations.md").read_text("utf-8").partition("\n## Commands\n")[2]
    files = (ROOT / "portal" / "management" / "commands").glob("[a-z]*.py")
    assert set(re.findall(r"^\| `manage\.py (\w+)", table, re.MULTILINE)) == {file.stem for file in files}
    (of_games,) = re.findall(r"^\| `python -m games (.+?) \|", table, re.MULTILINE)
    assert set(re.findall(r"[\w-]+", of_games)) == set(COMMANDS)


def test_names_in_docstrings_and_comments_exist() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path, text in module_explanations()
        for name in QUOTED.findall(text)
        if (WORD.fullmatch(name) or DOTTED.fullmatch(name)) and not exists(name)
    }
    assert sorted(named) == []
