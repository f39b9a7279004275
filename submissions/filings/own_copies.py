"""Starting from a copy: a draft with the answers of an earlier filing of the same licensee, in any status.

The copy is judged by the rules of today, so its findings show what these rules no longer allow. Not here: copying to
another property of the company (`property_copies`).
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from games.registry import UnknownChapter
from submissions import permissions
from submissions.core.errors import Forbidden
from submissions.filings import drafts
from submissions.filings.copied_answers import copy_answers, missing_lines
from submissions.filings.property_copies import copy_to_property
from submissions.jobs import idempotency
from submissions.models import Event, Person, Status, Submission
from submissions.permissions import workflow
from submissions.rules.effective_rules import chapter_on, unusable_chapter

SOURCES_AT_MOST = 50  # of one licensee


@dataclass(frozen=True, slots=True)
class CopySource:
    """A filing from which a draft can start, and the row of the person that sees it."""

    submission: Submission
    reader: Person


def copy_sources(actor: Person, chapter_number: str) -> list[CopySource]:
    """The filings of this game from which the person may start: of the own licensee, then of other properties."""
    rows = [actor, *(row for row in permissions.acting_rows(actor.sign_in_account) if row.pk != actor.pk)]
    return [
        CopySource(submission, row)
        for row in rows
        for submission in permissions.visible_to(row)
        .filter(chapter=chapter_number, organization=row.organization)
        .exclude(status=Status.DELETED)
        .select_related("organization")[:SOURCES_AT_MOST]
    ]


def start_from(actor: Person, source: CopySource, *, form_token: str | None = None) -> Submission:
    """A draft of the person's licensee with the answers of the source."""
    if source.reader.pk != actor.pk:
        return copy_to_property(source.reader, source.submission, actor, form_token=form_token)
    return copy_own(actor, source.submission, form_token=form_token)


def copy_own(actor: Person, submission: Submission, *, form_token: str | None = None) -> Submission:
    """A draft with the answers, table groups and files of an earlier filing of the same licensee.

    `form_token`: of the page's form, which can be sent only once.

    Raises:
        Forbidden: the person may not start a draft, or does not see the filing.
        Refusal: the portal no longer has the chapter, or the filing is damaged.
    """
    permissions.require(actor, "start")
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        if not permissions.visible_to(actor).filter(pk=submission.pk).exists():
            raise Forbidden("not-allowed/of-another-organization", what="submission")
        try:
            chapter = chapter_on(submission.chapter, timezone.localdate())
        except UnknownChapter as error:
            raise unusable_chapter(submission.chapter, error) from None
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        missing = missing_lines(submission, chapter)
        draft = drafts.create_draft(actor, chapter.number)
        copy_answers(submission, draft, without=missing.keys(), with_tables=True)
        drafts.record_start(draft, copied_from=submission.number, not_copied=list(missing.values()))
    return draft


def lines_not_copied(draft: Submission) -> list[str]:
    """The questions that the copy could not take, from its first event; empty for what is no copy."""
    first = Event.objects.filter(submission=draft, verb="started").first()
    return list(first.after.get("not_copied", ())) if first else []
