"""What a filing of a batch comes to, for whoever confirms it: what differs from the filing that it is held to.

Read off the filing itself, made to check the item and taken back: with what earlier items of the batch change. Not
here: which filing that is (`submissions.comparing`), and what differing means (`submissions.differences`).
"""

from __future__ import annotations

from typing import Any

from submissions.comparing import base_of, compare
from submissions.models import Revision


def summary(revision: Revision) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Against which filing ("" = it is the first), how many answers and open findings; and what differs, in words."""
    base, configurations = base_of(revision), revision.content["configurations"]
    told = {
        "base": base.receipt if base else "",
        "answers": sum(bool(line["answer"]) for one in configurations for line in one["lines"]),
        "findings": sum(len(one["findings"]) for one in configurations),
    }
    return told, _changes(base, revision) if base else []


def _changes(base: Revision, revision: Revision) -> list[dict[str, str]]:
    found = compare(base, revision)
    several = any(len(one.content["configurations"]) > 1 for one in (base, revision))
    groups = [
        {"option": "", "citation": "", "question": f"Group of tables: {name}", "before": before, "after": after}
        for name, before, after in found.groups
    ]
    lines = [
        {
            "option": line.key,
            "citation": line.citation,
            "question": f"{part.tables}: {line.question}" if several else line.question,
            "before": line.before,
            "after": line.after,
        }
        for part in found.parts
        for line in part.lines
    ]
    return [*groups, *lines]
