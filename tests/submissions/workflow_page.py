"""The printed tables of `docs/workflow.md`, read back: what tests hold the portal to."""

from __future__ import annotations

import re
from pathlib import Path

from submissions.models import Role, Status

PAGE = Path(__file__).parents[2] / "docs" / "workflow.md"
STATUS = {status.label: status.value for status in Status}
ROLE = {role.label: role.value for role in Role}


def rows(heading: str) -> list[dict[str, str]]:
    """The table under this heading, a dictionary per row."""
    section = PAGE.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    head, _, *body = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*$", section, re.M)
    )
    return [dict(zip(head, cells, strict=True)) for cells in body]


def steps() -> set[tuple[str, str, str]]:
    """(state before, step, state after)."""
    return {
        (STATUS[source], row["step"], STATUS[row["to"]]) for row in rows("Steps") for source in row["from"].split(", ")
    }


def grid() -> dict[tuple[str, str], list[str]]:
    """What a role does in a state, by (state, role)."""
    return {
        (STATUS[row["while"]], value): [verb for verb in row[label].split(", ") if verb != "–"]
        for row in rows("Who does what when")
        for label, value in ROLE.items()
    }
