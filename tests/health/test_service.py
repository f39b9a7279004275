"""Marks of the tests that run on PostgreSQL and Redis too: known reasons, and no package with SQL left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from tests.service import TOUCHES

ENGINE = re.compile(
    r"select_for_update|connection\.(vendor|ops)|\.cursor\(\)|IntegrityError|OperationalError|conflicts="
)
TESTS = Path(settings.BASE_DIR, "tests")


def marked() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The test modules with a `service` mark, and the reasons that each mark gives."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.service":
                yield path, tuple(ast.literal_eval(reason) for reason in node.args)
            elif isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.service":
                yield path, ()


def test_each_mark_says_what_the_tests_touch() -> None:
    calls = {path for path, reasons in marked() if reasons}
    assert {path for path, _ in marked()} == calls
    assert {reason for _, reasons in marked() for reason in reasons} == set(TOUCHES)


def test_each_package_with_sql_of_its_own_has_a_module_that_runs_on_postgresql() -> None:
    tested = {path.parent.relative_to(TESTS) for path, _ in marked()}
    packages = {
        path.parent.relative_to(settings.BASE_DIR)
        for root in ("portal", "submissions")
        for path in Path(settings.BASE_DIR, root).rglob("*.py")
        if "migrations" not in path.parts and ENGINE.search(path.read_text())
    }
    homes = {next(home for home in (package, *package.parents) if (TESTS / home).is_dir()) for package in packages}
    assert homes - tested == set()
