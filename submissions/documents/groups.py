"""The configurations of a filing side by side: what all tables have in common, said once, and what differs by group.

Of one configuration everything is common. Not here: the words of each configuration (`present`), its evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

Shown = dict[str, Any]
PARTS = ("tables_in_use", "layout", "house_ways", "findings", "blocking")
MOST_COLUMNS = 4  # groups side by side; more stand below each other


def side_by_side(configurations: Sequence[Shown]) -> Shown:
    """What is said once: `groups` of lines and each of `PARTS`; the lines that `differ`; and `apart`, by part, what
    only some have: [{heading, names, items}], once for all that have the same."""
    lines = [_by_key(configuration) for configuration in configurations]
    rows = [
        _row([{"of": one, "line": has.get(key)} for one, has in zip(configurations, lines, strict=True)])
        for key in _in_order(lines)
    ]
    shared = {part: _shared(configurations, part) for part in PARTS}
    return {
        "groups": _grouped([row for row in rows if row["alike"]]),
        "differ": [row for row in rows if not row["alike"]],
        "stacked": len(configurations) > MOST_COLUMNS,
        "several": len(configurations) > 1,
        **shared,
        "apart": {part: _apart(configurations, part, shared[part]) for part in PARTS},
    }


def _by_key(configuration: Shown) -> dict[str, Shown]:
    return {line["key"]: line for group in configuration["groups"] for line in group["lines"]}


def _in_order(lines: Sequence[Shown]) -> list[str]:
    """Every line that some configuration has, in the form's order: each after the one before it, wherever it stands."""
    order: list[str] = []
    for keys in lines:
        place = 0
        for key in keys:
            if key in order:
                place = order.index(key) + 1
            else:
                order.insert(place, key)
                place += 1
    return order


def _row(cells: list[Shown]) -> Shown:
    """One line with its answer `of` each configuration; None where it is not asked."""
    line = next(cell["line"] for cell in cells if cell["line"])
    alike = all(cell["line"] and cell["line"]["answer"] == line["answer"] for cell in cells)
    return {"line": line, "cells": cells, "alike": alike}


def _grouped(rows: list[Shown]) -> list[Shown]:
    return [{"name": name, "rows": list(found)} for name, found in groupby(rows, key=lambda row: row["line"]["group"])]


def _shared(configurations: Sequence[Shown], part: str) -> list[Shown]:
    """What every configuration has of this part."""
    first, *others = configurations
    return [item for item in first[part] if all(item in other[part] for other in others)]


def _apart(configurations: Sequence[Shown], part: str, shared: list[Shown]) -> list[Shown]:
    """What configurations have of this part besides; those that have the same stand together."""
    found: list[Shown] = []
    for one in configurations:
        items = [item for item in one[part] if item not in shared]
        same = next((other for other in found if other["items"] == items), None)
        if same:
            same["heading"] += f"; {one['heading']}"
            same["names"] += f", {one['name']}"
        elif items:
            found.append({"heading": one["heading"], "names": one["name"], "items": items})
    return found
