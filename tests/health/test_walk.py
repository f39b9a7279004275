"""The walk of `docs/walk.md` is the code's: functions exist, callers import them, no call goes up a layer."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from typing import NamedTuple

from tests.health.files import ROOT

PAGE = ROOT / "docs" / "walk.md"
LINE = re.compile(r"^(?P<indent> *)- `(?P<module>(?:games|submissions)[\w.]*)\.(?P<function>\w+)`", re.MULTILINE)
MOST_MODULES = 30


class Call(NamedTuple):
    """One line of the walk, and the line it is indented under."""

    module: str
    function: str
    caller: str  # its module; "" where a request or a worker begins


def walk() -> list[Call]:
    found: list[Call] = []
    callers: list[str] = []
    for match in LINE.finditer(PAGE.read_text(encoding="utf-8")):
        depth = len(match["indent"]) // 2
        callers[depth:] = [match["module"]]
        found.append(Call(match["module"], match["function"], callers[depth - 1] if depth else ""))
    return found


@cache
def tree(module: str) -> ast.Module:
    path = ROOT / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(module: str) -> set[str]:
    """Every module and every name that this module imports."""
    return {
        name
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        for name in (str(node.module), f"{node.module}.{alias.name}")
    }


def layer(module: str) -> tuple[int, str]:
    """Its layer, 0 at the bottom, and the package itself."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    root, package = module.split(".")[:2]
    layers = next(contract["layers"] for contract in settings["contracts"] if contract.get("containers") == [root])
    place = next(index for index, names in enumerate(reversed(layers)) if package in re.split(r"\W+", names))
    return (100 if root == "submissions" else 0) + place, f"{root}.{package}"


def test_walk_names_functions_that_exist() -> None:
    defined = {
        call: {node.name for node in tree(call.module).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        for call in walk()
    }
    assert len(defined) > 20
    assert [f"{call.module}.{call.function}" for call in defined if call.function not in defined[call]] == []


def imports_what_it_calls(call: Call) -> bool:
    """From its module; or from its package, where that hands it on: `permissions.require` is `permissions.may`'s."""
    names, package = imported(call.caller), call.module.rpartition(".")[0]
    handed_on = package in names and f"{call.module}.{call.function}" in imported(package)
    return call.module in names or handed_on


def test_every_caller_of_the_walk_imports_what_it_calls() -> None:
    calls = [call for call in walk() if call.caller not in ("", call.module)]
    assert [f"{call.caller} → {call.module}" for call in calls if not imports_what_it_calls(call)] == []


def test_no_call_of_the_walk_goes_up_a_layer() -> None:
    up = []
    for call in walk():
        if call.caller:
            (above, caller), (below, called) = layer(call.caller), layer(call.module)
            if not (below < above or caller == called):
                up.append(f"{call.caller} → {call.module}")
    assert up == []


def test_walk_has_at_most_thirty_modules() -> None:
    modules = {call.module for call in walk()}
    assert len(modules) <= MOST_MODULES, sorted(modules)
