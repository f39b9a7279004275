"""Findings on theoretical holds (`games.runs.hold_findings`): of a draft, and of a filing by its evidence.

A snapshot has none of them: what is frozen does not depend on what was computed by then. A draft has them once its
figures are stored, a filing once its exact figures are computed, before it can be approved.
"""

from collections.abc import Mapping

from games.rules.model import Answers, Chapter, Finding, Judgment
from games.runs.hold_findings import on_holds
from games.runs.used_figures import FigureTable
from submissions.core.configurations import evidence_index
from submissions.core.digests import Content
from submissions.filings.evidence.computations import analysis_in_use
from submissions.filings.judging import with_warnings
from submissions.filings.offered_wagers import analyses_of
from submissions.models import Revision
from submissions.rules import filed_chapter_or_none


def with_hold_findings(chapter: Chapter, judgment: Judgment, answers: Answers, figures: FigureTable | None) -> Judgment:
    """Return the judgment with the findings on these figures; without figures, as it is."""
    rows = analysis_in_use(chapter, judgment, answers, figures or {})["wagers"]
    return with_warnings(judgment, list(on_holds(chapter, rows)))


def findings_by_place(content: Content, analyses: Mapping[int, Content | None]) -> list[list[Finding]]:
    """Return the findings of each configuration of a snapshot, from place → its analysis as a filing's is stored.

    None for a chapter or a wager that the portal no longer has.
    """
    chapter, configurations = filed_chapter_or_none(content), content["configurations"]
    known = {wager.key for wager in chapter.wagers} if chapter else set()
    placed = (analyses.get(evidence_index(configurations, place)) for place in range(len(configurations)))
    used = ([row for row in analysis["wagers"] if row["wager"] in known] if analysis else [] for analysis in placed)
    return [list(on_holds(chapter, rows)) if chapter else [] for rows in used]


def filed_hold_findings(revision: Revision) -> list[list[Finding]]:
    """Return the findings of each configuration of the filing, from its frozen figures."""
    analyses = analyses_of([revision.pk])
    return findings_by_place(revision.content, {place: analysis for (_, place), analysis in analyses.items()})
