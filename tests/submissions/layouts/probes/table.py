"""`python -m tests.submissions.layouts.probes.table`: writes `docs/drawings.md`, what becomes of each probe."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

from submissions.layouts.element_status import DEFICIENT
from submissions.layouts.inspection import DifferenceKind, Inspection
from tests.submissions.layouts.inspection.test_round_trip import inspected
from tests.submissions.layouts.probes.variants import variants

PAGE = Path(__file__).parents[4] / "docs" / "drawings.md"
FILE = Path(__file__).with_name("probes.toml")
OPENING = """# Drawings that break a rule, or may break one

A drawing of a layout is complete when everything that the law and the answers call for is on it, and nothing else that
could change what it says. The inspection lists what is missing, what contradicts the law, and what it cannot decide. A
drawing with any of these is not complete: the licensee corrects it, or a named person at the Board decides.

Each probe below changes one thing on the reference drawing of a chapter, so that it breaks a rule or may break one.
*Contradicted* and *Missing* are findings; *Needs review* is for a person. Of {count} probes, **{complete} are
complete**.

The probes are part of a larger set in `tests/submissions/layouts/probes`: {breaking} variants that break a rule, of
which none may be complete, and {harmless} harmless ones, of which {review} need review and all others must be complete.
The tests run a part of them, and `make soak` runs all. This page is written by
`python -m tests.submissions.layouts.probes.table`.
"""
HEADER = """| | Chapter | What is changed | Outcome | What the inspection says |
| --: | :-- | :-- | :-- | :-- |"""
FOR_REVIEW = (DifferenceKind.UNEXPLAINED, DifferenceKind.UNCLEAR)
LONGEST = 160  # letters of what it says


def page() -> str:
    """The whole page, as it must be in `docs/`."""
    rows = list(_rows())
    every = variants()
    harmless = [variant for variant in every if not variant.breaks_rule]
    opening = OPENING.format(
        count=len(rows),
        complete=sum(outcome == "Complete" for *_, outcome, _ in rows),
        breaking=len(every) - len(harmless),
        harmless=len(harmless),
        review=sum(variant.needs_review for variant in harmless),
    )
    lines = (f"| {number} | {' | '.join(row)} |" for number, row in enumerate(rows, start=1))
    return "\n".join([opening, HEADER, *lines]) + "\n"


def _rows() -> Iterator[tuple[str, str, str, str]]:
    """(chapter, what is changed, outcome, what the inspection says) of each probe."""
    by_name = {(variant.chapter, variant.name): variant for variant in variants()}
    for chapter, name, changed in tomllib.loads(FILE.read_text(encoding="utf-8"))["probes"]:
        variant = by_name[chapter, name]
        yield chapter, changed or f"“{name}” is printed", *_outcome(inspected(chapter, variant.content))


def _outcome(result: Inspection) -> tuple[str, str]:
    """In a word, and the first thing that the inspection says."""
    review = [each.message for each in result.differences if each.kind in FOR_REVIEW]
    wrong = [each.message for each in result.differences if each.kind not in FOR_REVIEW]
    judged = [f"{each.required.element}: {each.explanation}" for each in result.to_be_judged if each.explanation]
    missing = [f"{each.required.element}: {each.status.label}" for each in result.of(*DEFICIENT)]
    if wrong:
        return "Contradicted", _short(wrong[0])
    if missing:
        return "Missing", _short((review + missing)[0])
    return ("Complete", "") if result.complete else ("Needs review", _short((review + judged)[0]))


def _short(text: str) -> str:
    text = text.replace("|", "/")
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] + " …"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")  # where the drawing's typeface is
    PAGE.write_text(page(), encoding="utf-8")
