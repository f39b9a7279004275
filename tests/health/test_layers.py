"""The layers of the packages: what the contracts of import-linter, which `make check` runs, cannot say."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.health.files import ROOT, dotted, modules, text_of

PACKAGES = ("games", "submissions", "portal")
ENTRANCE = re.compile(r"submissions\.(?:web|api|(?:\w+\.)+(?:pages|api))\b")  # only these meet a request
START_UP = "# Start-up cost:"  # followed by who would wait for what
INNER_IMPORT = re.compile(r"^[ \t]+(?:from|import)\b|[:;][ \t]*(?:from|import)\b", re.MULTILINE)
CLOCK = {"random", "time", "secrets", "datetime.datetime"}
NAMES_CLOCK = re.compile(r"\b(?:random|time|secrets|datetime)\b")  # only these modules are parsed


def test_picture_of_the_architecture_has_every_package_in_its_order() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["name"] == "the layers of submissions")
    depth = {name: number for number, layer in enumerate(layers) for name in layer.split(" | ")}
    picture = (ROOT / "docs" / "architecture.svg").read_text("utf-8")
    bold = re.findall(r'font-size="14" font-weight="700"[^>]*>([^<]+)<', picture)
    drawn = [name for names in bold for name in names.split(", ") if name != "apps.py"]
    assert sorted([*drawn, "apps"]) == sorted(depth)
    assert [depth[name] for name in drawn] == sorted(depth[name] for name in drawn)


def test_imports_stand_at_the_top() -> None:
    """Or say on their line what start-up they spare. `AppConfig.ready` is where Django wants the imports of `apps`."""
    offenders = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {line}"
        for path in modules(*PACKAGES)
        if path.name != "apps.py"
        for node in inner_imports(path)
        if START_UP not in (line := text_of(path).splitlines()[node.lineno - 1].strip())
    ]
    assert offenders == []


def test_no_request_below_web_and_api() -> None:
    offenders = [
        f"{dotted(path)} imports {name}"
        for path in modules("games", "submissions")
        if "http" in text_of(path) and not ENTRANCE.match(dotted(path))
        for name in sorted(imports(path))
        if begins(name, "django.http")
    ]
    assert offenders == []


def test_chapters_are_resolved_by_day() -> None:
    """The portal asks `submissions.rules` for the chapter of a day; the registry knows none of the Board's changes."""
    dated = {"games.registry.chapter", "games.registry.chapter_or_none", "games.registry.chapters"}
    offenders = [
        f"{dotted(path)} uses {name}"
        for path in modules("submissions")
        if "registry" in text_of(path) and not begins(dotted(path), "submissions.rules")
        for name in sorted((imports(path) | calls_of_registry(path)) & dated)
    ]
    assert offenders == []


def calls_of_registry(path: Path) -> set[str]:
    """`registry.chapter(…)` as the name that it is."""
    return {
        f"games.registry.{node.attr}"
        for node in ast.walk(ast.parse(text_of(path)))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "registry"
    }


def test_games_knows_neither_clock_nor_global_chance() -> None:
    """A command may say how long a run will take; nothing that computes may know the time."""
    offenders = [
        f"{dotted(path)} imports {name}"
        for path in modules("games")
        if dotted(path) != "games.commands.configurations" and NAMES_CLOCK.search(text_of(path))
        for name in sorted(imports(path) & CLOCK)
    ]
    assert offenders == []


@cache
def imports(path: Path) -> set[str]:
    """Every module that `path` imports, anywhere in it; `from a import b` counts as `a.b`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return found


def inner_imports(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports inside functions."""
    text = text_of(path)
    functions = [
        node
        for node in ast.walk(ast.parse(text if INNER_IMPORT.search(text) else ""))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    nodes = {node for function in functions for node in ast.walk(function)}
    yield from sorted(
        (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)), key=lambda node: node.lineno
    )


def begins(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
