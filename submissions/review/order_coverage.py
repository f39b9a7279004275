"""Whether the orders that a filing needs are in effect on the day on which its approval lets it take effect."""

from datetime import date

from games.rules.model import Finding
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.filings.judging import judge_filed
from submissions.models import Revision
from submissions.orders.waived_findings import CHAPTER_ENDED
from submissions.rules.effective_rules import chapter_on_or_none


def refuse_uncovered(revision: Revision, from_day: date) -> None:
    """Refuse if on that day a waiver that the filing was judged by is not in effect, or its chapter has ended."""
    if findings := uncovered_findings(revision, from_day):
        raise Refusal(
            "approval-not-covered",
            option="from_day",
            citation=findings[0].citation,
            findings=findings,
            from_day=date_text(from_day),
            text=findings[0].message,
            more=f" ({len(findings) - 1} more)" if len(findings) > 1 else "",
        )


def uncovered_findings(revision: Revision, day: date) -> list[Finding]:
    """The findings that block on that day and were waived when it was filed, and those on the end of its chapter."""
    content, chapter = revision.content, chapter_on_or_none(revision.content["chapter"]["number"], day)
    if chapter is None:
        return []
    uncovered = []
    for place, row in enumerate(content["configurations"]):
        waived = {finding["rule"] for finding in row["findings"] if "waiver" in finding}
        blocking = judge_filed(chapter, content, place, day).blocking
        uncovered += [
            finding for finding in blocking if finding.rule in waived or finding.rule.endswith(f".{CHAPTER_ENDED}")
        ]
    return uncovered
