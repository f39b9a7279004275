"""Where tests run: known reasons for PostgreSQL and Redis, no package with SQL left out, portals in two folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.health.files import ROOT, modules, text_of
from tests.service import TOUCHES

ENGINE = re.compile(
    r"select_for_update|connection\.(vendor|ops)|\.cursor\(\)|IntegrityError|OperationalError|conflicts="
)
TESTS = ROOT / "tests"
MARK = "pytest.mark.service"
pytestmark = pytest.mark.xdist_group("service marks")  # both tests read the same modules


@cache
def marked() -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """The test modules with a `service` mark, and the reasons that each mark gives."""
    return tuple(
        (path, reasons)
        for path in modules("tests")
        if path.name.startswith("test_") and MARK in text_of(path)
        for reasons in reasons_of_marks(ast.parse(text_of(path)))
    )


def reasons_of_marks(tree: ast.Module) -> Iterator[tuple[str, ...]]:
    """Yield the reasons of each mark: none for the mark itself, which a call contains."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == MARK:
            yield tuple(ast.literal_eval(reason) for reason in node.args)
        elif isinstance(node, ast.Attribute) and node.attr == "service" and ast.unparse(node) == MARK:
            yield ()


def test_each_mark_says_what_the_tests_touch() -> None:
    calls = {path for path, reasons in marked() if reasons}
    assert {path for path, _ in marked()} == calls
    assert {reason for _, reasons in marked() for reason in reasons} == set(TOUCHES)


def test_each_package_with_sql_of_its_own_has_a_module_that_runs_on_postgresql() -> None:
    tested = {path.parent.relative_to(TESTS) for path, _ in marked()}
    packages = {
        path.parent.relative_to(ROOT) for path in modules("portal", "submissions") if ENGINE.search(text_of(path))
    }
    homes = {next(home for home in (package, *package.parents) if (TESTS / home).is_dir()) for package in packages}
    assert homes - tested == set()


def test_tests_of_the_whole_portal_are_where_make_looks_for_them() -> None:
    homes = (TESTS / "browser", TESTS / "portal")
    elsewhere = {
        path.relative_to(TESTS)
        for path in modules("tests")
        if re.search(r"pytest\.mark\.(browser|processes)\b", text_of(path)) and MARK not in text_of(path)
        if not any(path.is_relative_to(home) for home in homes)
    }
    assert elsewhere == set()
