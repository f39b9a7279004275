"""What a director confirms explicitly in order to approve: odds that no text at hand prints, a chapter not final."""

from django.utils import timezone

from games.rules.sources import is_on_sources
from submissions.filings.judging import judge_filed
from submissions.models import Revision
from submissions.rules.rules_day import filed_chapter_or_none, filed_day


def to_confirm(revision: Revision) -> tuple[str, ...]:
    """In words, each once; nothing for a chapter that the portal no longer has: it cannot be approved anyway."""
    content = revision.content
    chapter = filed_chapter_or_none(content)
    if chapter is None:
        return ()
    day = max(filed_day(content), timezone.localdate())
    judged = (judge_filed(chapter, content, place, day) for place in range(len(content["configurations"])))
    findings = (finding for judgment in judged for finding in judgment.findings if is_on_sources(finding))
    return tuple(dict.fromkeys(finding.message for finding in findings))
