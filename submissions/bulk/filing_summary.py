"""The changes that a filing of a batch contains, for the person who confirms it.

They are taken from the filing that the check makes and rolls back, so they include the changes of earlier items. Not
here: the filing that it is compared with (`filings.diff_base`), the comparison (`filings.diff`).
"""

from typing import Any

from submissions.filings.diff_base import base_revision, compare_revisions
from submissions.models import Revision


def filing_summary(revision: Revision) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The base filing ("" for a first one), the numbers of answers and open findings; and the differences, as text."""
    base, configurations = base_revision(revision), revision.content["configurations"]
    summary = {
        "base": base.receipt if base else "",
        "answers": sum(bool(line["answer"]) for one in configurations for line in one["lines"]),
        "findings": sum(len(one["findings"]) for one in configurations),
    }
    return summary, _changes(base, revision) if base else []


def _changes(base: Revision, revision: Revision) -> list[dict[str, str]]:
    diff = compare_revisions(base, revision)
    several = any(len(one.content["configurations"]) > 1 for one in (base, revision))
    groups = [
        {"option": "", "citation": "", "question": f"Group of tables: {name}", "before": before, "after": after}
        for name, before, after in diff.groups
    ]
    lines = [
        {
            "option": line.key,
            "citation": line.citation,
            "question": f"{part.tables}: {line.question}" if several else line.question,
            "before": line.before,
            "after": line.after,
        }
        for part in diff.parts
        for line in part.lines
    ]
    return [*groups, *lines]
