"""Whether the portal judges a case as the law does.

A legal case has no blocking finding. An illegal one has a blocking finding with a remedy that cites the section that
the case expects, a part of it, or the provision that it is a part of (never the whole chapter); where the case names a
line, the finding names it, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.registry import chapter
from games.rules.evaluate import judge
from games.rules.model import Finding
from tests.games.law.case_files import Case

_STEP = re.compile(r"\([0-9A-Za-z]+\)(?:\[\d+\])?")


def problem(case: Case) -> str:
    """What is wrong with the portal's judgment of the case, or with the case; empty = nothing."""
    blocking = judge(chapter(case.chapter), case.answers).blocking
    if case.legal:
        return f"is legal and was refused: {_shown(blocking)}" if blocking else ""
    if not blocking:
        return "is illegal and was accepted"
    right = [finding for finding in blocking if _meets(case, finding)]
    return "" if right else f"was refused, but not at § {case.refused_at} {case.line}: {_shown(blocking)}"


def cites(citation: str, expected: str) -> bool:
    """Whether the citation of a finding is the expected section, a part of it, or what it is a part of."""
    steps, expected_steps = _steps(citation), _steps(expected)
    shorter = min(len(steps), len(expected_steps))
    return steps[:shorter] == expected_steps[:shorter]


def _meets(case: Case, finding: Finding) -> bool:
    names_line = not case.line or case.line in finding.options
    return cites(finding.citation, case.refused_at) and names_line and bool(finding.fix.strip())


def _steps(citation: str) -> list[str]:
    """`§ 581.2(e)(1)` → `581.2`, `(e)`, `(1)`."""
    bare = citation.removeprefix("§").strip()
    return [bare.partition("(")[0], *(step.partition("[")[0] for step in _STEP.findall(bare))]


def _shown(findings: Sequence[Finding]) -> str:
    return "; ".join(f"{finding.rule} {finding.citation} {finding.message}" for finding in findings)
