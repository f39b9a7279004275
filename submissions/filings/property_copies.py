"""Copying a filing to another property of the company: a draft there with the same answers.

Table groups are copied without their tables and pits, and so are lines that list tables: the other property has its
own, which are to be entered. Files are attached again. Not here: what a copy takes from its source (`copied_answers`).
"""

from django.db import transaction
from django.utils import timezone

from games.registry import UnknownChapter
from games.rules.model import Chapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.errors import Forbidden
from submissions.filings import drafts
from submissions.filings.copied_answers import copy_answers, missing_lines
from submissions.jobs import idempotency
from submissions.models import Person, Submission
from submissions.permissions import workflow
from submissions.rules.effective_rules import chapter_on, unusable_chapter


def copy_targets(actor: Person) -> list[Person]:
    """The rows of the actor's account at other properties where it may prepare a submission."""
    rows = permissions.acting_rows(actor.sign_in_account)
    return [row for row in rows if row.pk != actor.pk and permissions.may(row, "start")]


def copy_to_property(
    actor: Person, submission: Submission, target: Person, *, form_token: str | None = None
) -> Submission:
    """A draft at the property of `target`, another row of the actor's account, by that row; an event in both.

    `form_token`: of the page's form, which can be sent only once.

    Raises:
        Forbidden: the actor does not see the submission, or the account may not prepare there.
        Refusal: the portal no longer has the chapter, or the filing is damaged.
    """
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        if not permissions.visible_to(actor).filter(pk=submission.pk).exists():
            raise Forbidden("not-allowed/of-another-organization", what="submission")
        row = next((row for row in copy_targets(actor) if row.pk == target.pk), None)
        if row is None:
            raise Forbidden("not-preparing-there", organization=target.organization)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        chapter = _chapter(submission)
        missing = missing_lines(submission, chapter)
        lists = {option.key for option in chapter.options if option.limits.format == "tables"}
        draft = drafts.create_draft(row, submission.chapter)
        copy_answers(submission, draft, without=lists | missing.keys(), with_tables=False)
        drafts.record_start(
            draft,
            copied_from=submission.number,
            property=str(submission.organization),
            not_copied=list(missing.values()),
        )
        record_event(actor, submission, "copied", after={"copy": draft.number, "property": str(row.organization)})
    return draft


def _chapter(submission: Submission) -> Chapter:
    """The chapter by which the copy is judged; a `Refusal` if the portal no longer has it."""
    try:
        return chapter_on(submission.chapter, timezone.localdate())
    except UnknownChapter as error:
        raise unusable_chapter(submission.chapter, error) from None
