"""Filings that rest on text of the regulation that is missing: refused, unless the operator allows them.

`PORTAL_ALLOW_MISSING_TEXT` allows them. No order of the Board lifts the refusal; a rulemaking that enters the text
does.

Not here: what rests on missing text (`games.rules.missing_text`), what a director confirms
(`filings.review.decisions`).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.conf import settings

from games.rules.missing_text import is_on_missing_text, on_missing_text
from games.rules.model import Answers, Chapter, Finding, Judgment
from submissions.core.configurations import Snapshot
from submissions.core.errors import Refusal
from submissions.rules import chapter_on


def with_missing_text(chapter: Chapter, judgment: Judgment, answers: Answers) -> Judgment:
    """Return the judgment with a blocking finding for each use of missing text, unless that is allowed."""
    findings = () if settings.ALLOW_MISSING_TEXT else tuple(on_missing_text(chapter, answers))
    return replace(judgment, findings=(*findings, *judgment.findings)) if findings else judgment


def refuse_missing_text(findings: Sequence[Finding]) -> None:
    """Refuse with a code of its own if one of these findings is on missing text."""
    if missing := [finding for finding in findings if is_on_missing_text(finding)]:
        line, citation = missing[0].line_among(()), missing[0].citation
        raise Refusal("text-missing", option=line, citation=citation, findings=findings, text=_words(missing))


def refuse_filed_missing_text(content: Snapshot, day: date) -> None:
    """Refuse to recommend or approve, for that day, what was filed while the portal allowed missing text."""
    if settings.ALLOW_MISSING_TEXT:
        return
    chapter = chapter_on(content["chapter"]["number"], day)
    rows = content["configurations"]
    if missing := list(dict.fromkeys(each for row in rows for each in on_missing_text(chapter, row["answers"]))):
        raise Refusal("text-missing/decide", citation=missing[0].citation, findings=missing, text=_words(missing))


def _words(missing: Sequence[Finding]) -> str:
    more = len(missing) - 1
    return f"{missing[0].message} ({more} more)" if more else missing[0].message
