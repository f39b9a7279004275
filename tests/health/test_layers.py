"""The arrows between the parts: who may import whom.

games ← submissions ← portal; inside `submissions`: models ← workflow, access ← actions, documents ← tasks, web, api.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.health.files import dotted, modules

# A module whose name begins so … must not import what begins so.
ARROWS = {
    "games": ("django", "submissions", "portal", "celery"),
    "games.rules": ("games.maths", "games.chapters", "games.commands"),
    "games.maths": ("games.chapters", "games.commands"),
    "submissions": ("portal",),
    "submissions.models": (
        "submissions.workflow", "submissions.access", "submissions.actions", "submissions.documents",
        "submissions.tasks", "submissions.web", "submissions.api", "submissions.errors",
    ),
    "submissions.workflow": (
        "submissions.access", "submissions.actions", "submissions.documents", "submissions.tasks",
        "submissions.web", "submissions.api",
    ),
    "submissions.access": (
        "submissions.actions", "submissions.documents", "submissions.tasks", "submissions.web", "submissions.api",
    ),
    "submissions.actions": ("submissions.documents", "submissions.tasks", "submissions.web", "submissions.api"),
    "submissions.documents": ("submissions.tasks", "submissions.web", "submissions.api"),
    "submissions.tasks": ("submissions.web", "submissions.api"),
    "submissions.web": ("submissions.tasks", "submissions.api"),
    "submissions.api": ("submissions.tasks", "submissions.web"),
}  # fmt: skip
DOORS = ("submissions.web", "submissions.templatetags", "submissions.api")
REQUEST_FREE = ("submissions.models", "submissions.workflow", "submissions.access", "submissions.actions")


def imports(path: Path) -> set[str]:
    """Every module that `path` imports, anywhere in it; `from a import b` counts as `a.b`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.update(f"{node.module}.{name.name}" for name in node.names)
    return found


def begins(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("package", ARROWS)
def test_imports_follow_the_arrows(package: str) -> None:
    wrong = [
        f"{dotted(path)} imports {name}"
        for path in modules("games", "submissions")
        if begins(dotted(path), package)
        for name in sorted(imports(path))
        if any(begins(name, forbidden) for forbidden in ARROWS[package])
    ]
    assert wrong == []


def test_nothing_below_imports_a_door() -> None:
    """What both doors need lies below both: words (`story`, `talks`, `progress`), lists (`search`)."""
    wrong = [
        f"{dotted(path)} imports {name}"
        for path in modules("submissions")
        if not any(begins(dotted(path), door) for door in DOORS)
        for name in sorted(imports(path))
        if any(begins(name, door) for door in DOORS)
    ]
    assert wrong == []


def test_no_request_below_the_doors() -> None:
    wrong = [
        dotted(path)
        for path in modules("submissions")
        if any(begins(dotted(path), package) for package in REQUEST_FREE)
        and any(begins(name, "django.http") for name in imports(path))
    ]
    assert wrong == []


def test_games_knows_neither_clock_nor_global_chance() -> None:
    """A command may tell how long a run will take; nothing that computes may know the time."""
    wrong = [
        f"{dotted(path)} imports {name}"
        for path in modules("games")
        if dotted(path) != "games.commands.simulate"
        for name in sorted(imports(path) & {"random", "time", "secrets", "datetime.datetime"})
    ]
    assert wrong == []
