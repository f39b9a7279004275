"""Why the tables of an approved filing are not cleared for play, in words for pages and notices: its chapter or a
waiver that it needs has ended, or its papers are not approved. Not here: the state of each paper (`readiness`).
"""

from collections.abc import Iterable, Sequence
from datetime import date

from submissions.core.configuration_index import index_of_group
from submissions.filings.judging import filed_judgment
from submissions.layouts.paper_states import GroupReadiness, PaperState
from submissions.layouts.payout_limit import joined
from submissions.models import Part, Revision
from submissions.orders.chapter_decisions import TEMPORARY, chapter_decisions
from submissions.rules.effective_rules import chapter_on, chapter_on_or_none

CHAPTER_ENDED = "the chapter has ended"
TEXT_INCOMPLETE = "the text of the chapter is incomplete"


def why_not_cleared(revision: Revision, groups: Sequence[GroupReadiness], day: date) -> str:
    """ "payout sign and gaming guide not approved"; "" if all tables of these groups are cleared for play.

    `groups`: of the revision, as they are on the day.
    """
    if _chapter_has_ended(revision.submission.chapter, day):
        return CHAPTER_ENDED
    if waivers := ended_waivers(revision, groups, day):
        return f"waiver {joined(waivers)} ended"
    if parts := parts_not_approved(groups):
        return f"{joined([part.label.lower() for part in parts])} not approved"
    return TEXT_INCOMPLETE if any(group.not_cleared_for_play for group in groups) else ""


def _chapter_has_ended(number: str, day: date) -> bool:
    """Return whether an order of the Board ended the chapter before the day; only temporary chapters end."""
    chapter = chapter_on_or_none(number, day)
    decision = chapter_decisions().get(number) if chapter and chapter.status == TEMPORARY else None
    return decision is not None and decision.has_ended(day)


def parts_not_approved(groups: Iterable[GroupReadiness]) -> list[Part]:
    """The parts that lack an approval at a table of these groups, in the order of `Part`."""
    lacking = {row.part for group in groups for row in group.parts if row.state is not PaperState.APPROVED}
    return [part for part in Part if part in lacking]


def ended_waivers(revision: Revision, groups: Iterable[GroupReadiness], day: date) -> list[str]:
    """The numbers of the waivers that the answers of these groups need and that no longer cover them on the day."""
    content, ended = revision.content, []
    for group in groups:
        place = index_of_group(content, group.group)
        findings = content["configurations"][place]["findings"] if place is not None else []
        waived = {finding["rule"]: finding["waiver"]["number"] for finding in findings if "waiver" in finding}
        if place is not None and waived:
            chapter = chapter_on(revision.submission.chapter, day)
            blocking = filed_judgment(chapter, content, place).on(chapter, day).blocking
            ended += [waived[finding.rule] for finding in blocking if finding.rule in waived]
    return list(dict.fromkeys(ended))
