"""`docs/settings.md` and the code name the same settings, with the same defaults and minimums.

Not here: what the readers of `portal.env` do with a value (`test_env`).
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.health.files import ROOT, modules

PAGE = ROOT / "docs" / "settings.md"
SETTINGS = ROOT / "portal" / "settings.py"
READERS = ROOT / "portal" / "env.py"
NOT_SETTINGS = (READERS, ROOT / "tests" / "portal" / "test_env.py")  # the readers, and names invented to test them
CODE = ("manage.py", "games", "submissions", "portal", "setup", "bench", "tests")
ROW = re.compile(r"^\| `([A-Z0-9_]+)` \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
IN_MAKEFILE = re.compile(r"^([A-Z]+) \?= ", re.MULTILINE)
ENVIRONMENT = ("os.environ", "environ")
COMPUTED = "(a computed name)"


class Row(NamedTuple):
    """One setting as the page documents it."""

    default: str
    allowed: str
    meaning: str


def documented_settings() -> dict[str, Row]:
    return {match[1]: Row(*match.group(2, 3, 4)) for match in ROW.finditer(PAGE.read_text(encoding="utf-8"))}


@cache
def reader_names() -> frozenset[str]:
    """The functions of `portal.env` that read a variable: those whose first parameter is its name."""
    functions = [node for node in syntax_tree(READERS).body if isinstance(node, ast.FunctionDef)]
    return frozenset(each.name for each in functions if each.args.args[:1] and each.args.args[0].arg == "name")


@cache
def syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls_of_readers(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(syntax_tree(path)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="env"), attr=name)) if name in reader_names():
                yield node


def variables_read_by(path: Path) -> Iterator[str]:
    """Every variable that the module reads from the environment, directly or through `portal.env`."""
    yield from (literal(call.args[0]) for call in calls_of_readers(path))
    for node in ast.walk(syntax_tree(path)):
        match node:
            case (
                ast.Call(func=ast.Attribute(value=source, attr="get" | "setdefault" | "pop"), args=[name, *_])
                | ast.Subscript(value=source, slice=name, ctx=ast.Load())
                | ast.Compare(left=name, ops=[ast.In() | ast.NotIn()], comparators=[source])
            ) if ast.unparse(source) in ENVIRONMENT:
                yield literal(name)
            case ast.Call(func=ast.Attribute(attr="getenv"), args=[name, *_]):
                yield literal(name)


def literal(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else COMPUTED


@cache
def files_by_variable() -> dict[str, list[str]]:
    """Variable → the files that read it."""
    files = defaultdict(list)
    for path in modules(*CODE):
        if path not in NOT_SETTINGS and "env" in path.read_text(encoding="utf-8"):
            for name in variables_read_by(path):
                files[name].append(str(path.relative_to(ROOT)))
    for name in IN_MAKEFILE.findall((ROOT / "Makefile").read_text(encoding="utf-8")):
        files[name].append("Makefile")
    return dict(files)


def argument(call: ast.Call, keyword: str, position: int | None = None) -> ast.expr | None:
    """An argument given by keyword or, where that is possible, by position."""
    if position is not None and len(call.args) > position:
        return call.args[position]
    return next((each.value for each in call.keywords if each.arg == keyword), None)


def test_setting_that_is_read_is_documented() -> None:
    known = documented_settings()
    assert {name: files for name, files in files_by_variable().items() if name not in known} == {}


def test_setting_has_one_row() -> None:
    names = [row[0] for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_setting_that_is_documented_is_read() -> None:
    assert sorted(documented_settings().keys() - files_by_variable().keys()) == []


def test_literal_default_is_documented() -> None:
    rows, literal_defaults = documented_settings(), {}
    for call in calls_of_readers(SETTINGS):
        default = argument(call, "default", 1)
        if isinstance(default, ast.Constant):
            value = int(default.value) if isinstance(default.value, bool) else default.value
            literal_defaults[literal(call.args[0])] = f"`{value}`"
    assert literal_defaults
    assert {name: rows[name].default for name in literal_defaults} == literal_defaults


def test_smallest_number_is_documented() -> None:
    rows, allowed = documented_settings(), {}
    for call in calls_of_readers(SETTINGS):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "number":
            smallest = argument(call, "at_least")
            allowed[literal(call.args[0])] = f"a whole number, {literal(smallest) if smallest else 0} or more"
    assert allowed
    assert {name: rows[name].allowed for name in allowed} == allowed
