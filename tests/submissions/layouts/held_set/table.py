"""`python -m tests.submissions.layouts.held_set.table [STYLE …]`: judges every drawing, or those of some styles.

Without a style it writes `docs/held-set.md`, with styles it prints the table.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

from tests.submissions.layouts.held_set.judging import (
    CUSTOMARY,
    STYLES,
    VECTOR,
    HeldDrawing,
    Judgment,
    drawings,
    judge_drawing,
)
from tests.submissions.layouts.held_set.sheets import numbers
from tests.submissions.layouts.held_set.violations import VIOLATIONS

PROJECT = Path(__file__).parents[4]
PAGE = PROJECT / "docs" / "held-set.md"
COST = "\n## "  # begins the section that `cost` writes
PROCESSES = 2
OPENING = """# Drawings in the styles of other programs

Drawings that this project made without any code of the portal. No drawing is a manufacturer's.
`tests/submissions/layouts/held_set/law.toml` states what a layout must have, read again from the text of {chapters}
chapters. The package beside it draws each layout in {styles} styles. Each style has every chapter complete, and up to
{kinds} drawings with one violation each: {whole} drawings in all, of which {count} were judged for this page.
`python -m tests.submissions.layouts.held_set.table` writes it.

- *Complete*: drawings without a violation. *Whole*: those of them that the portal calls complete. *Review*: those in
  which it finds nothing wrong, but leaves something to a person.
- *False alarms*: how often, for each complete drawing, the portal wrongly reports that something is missing or differs.
- *Violations*: drawings with one violation. *Shown*: those whose findings differ from those of the same drawing
  without it.
- *Accepted*: drawings with a violation that the portal wrongly calls complete.
- *Seconds*: processor time for each drawing. The largest process took {memory} MB.

In the first and second parts, letters are text. The words of the second part are manufacturers' customary words, which
differ from the list of elements. In the third part, letters are outlines or pixels, and are recognized.
"""
HEADER = """
| Style | Complete | Whole | Review | False alarms | Violations | Shown | Accepted | Seconds |
| :-- | --: | --: | --: | --: | --: | --: | --: | --: |
"""


def page(judgments: Sequence[Judgment]) -> str:
    rest = [style for style in STYLES if style not in (*VECTOR, *CUSTOMARY)]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    facts = {"chapters": len(numbers()), "styles": len(STYLES), "kinds": len(VIOLATIONS), "count": len(judgments)}
    facts["whole"] = len(list(drawings()))
    parts = [table(judgments, styles) for styles in (tuple(VECTOR), tuple(CUSTOMARY), tuple(rest))]
    return OPENING.format(**facts, memory=memory) + "".join(parts) + _unshown(judgments)


def table(judgments: Sequence[Judgment], styles: Sequence[str]) -> str:
    by_style = {style: [each for each in judgments if each.drawing.style == style] for style in styles}
    rows = [_row(style, own) for style, own in by_style.items() if own]
    every = [each for own in by_style.values() for each in own]
    total = [_row("**Total**", every)] if len(rows) > 1 else []
    return HEADER + "\n".join([*rows, *total]) + "\n"


def _row(name: str, judgments: Sequence[Judgment]) -> str:
    complete = [each for each in judgments if not each.drawing.violation]
    wrong = [each for each in judgments if each.drawing.violation]
    alarms = sum(len(each.missing) + len(each.different) for each in complete) / max(1, len(complete))
    cells = (
        name,
        len(complete),
        sum(each.complete for each in complete),
        sum(not each.complete and not each.accuses for each in complete),
        f"{alarms:.1f}",
        len(wrong),
        len(wrong) - len(unshown(judgments)),
        sum(each.complete for each in wrong),
        f"{sum(each.seconds for each in judgments) / max(1, len(judgments)):.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def unshown(judgments: Sequence[Judgment]) -> list[Judgment]:
    """The violations of which the portal says nothing that it does not say of the complete drawing."""
    usual = {
        (each.drawing.style, each.drawing.number): each.all_findings for each in judgments if not each.drawing.violation
    }
    return [
        each
        for each in judgments
        if (own := each.drawing).violation
        and (each.complete or each.all_findings == usual.get((own.style, own.number)))
    ]


def _unshown(judgments: Sequence[Judgment]) -> str:
    lines = [
        f"- {each.drawing.style}, {each.drawing.number}: {each.drawing.violation.replace('_', ' ')}"
        for each in unshown(judgments)
    ]
    return "\nViolations that were not shown:\n\n" + "\n".join(lines) + "\n" if lines else ""


def main(styles: Sequence[str]) -> None:
    """Judges what is not in the file that `HELD_SET_RESULTS` names, if it names one: a long run can be continued."""
    file = Path(os.environ.get("HELD_SET_RESULTS") or os.devnull)
    known = _known(file)
    chosen = list(drawings(styles or tuple(STYLES)))
    with ProcessPoolExecutor(PROCESSES) as pool, file.open("a", encoding="utf-8") as results:
        for judgment in pool.map(judge_drawing, [drawing for drawing in chosen if drawing not in known]):
            known[judgment.drawing] = judgment
            print(json.dumps(asdict(judgment)), file=results, flush=True)
    judgments = [known[drawing] for drawing in chosen]
    if styles:
        print(table(judgments, styles), _unshown(judgments))
        return
    cost = "".join(PAGE.read_text(encoding="utf-8").partition(COST)[1:]) if PAGE.is_file() else ""
    PAGE.write_text(page(judgments) + cost, encoding="utf-8")


def _known(file: Path) -> dict[HeldDrawing, Judgment]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else ()
    judgments = (Judgment(**{**row, "drawing": HeldDrawing(**row["drawing"])}) for row in map(json.loads, lines))
    return {judgment.drawing: judgment for judgment in judgments}


if __name__ == "__main__":
    main(sys.argv[1:])
