"""Amending what is approved: a new draft that begins as a copy of the version that is the last word.

Copied is what was frozen, never what lies in rows that can change. What differs then is `submissions.differences`.
"""

from __future__ import annotations

from django.db import transaction

from submissions import access, workflow
from submissions.actions import drafts
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.versions import is_last_word, last_word, not_the_last_word
from submissions.errors import Conflict
from submissions.models import Attachment, Configuration, Person, Revision, Status, Submission
from submissions.places import group_of

OVER = (Status.APPROVED, Status.WITHDRAWN, Status.REJECTED)


def amend(actor: Person, submission: Submission) -> Submission:
    """A draft that amends this approved submission; only one at a time for a licensee's game."""
    with transaction.atomic():
        submission = workflow.locked(submission)  # who comes second finds the first one's draft
        access.demand(actor, "amend", submission)
        if not is_last_word(submission):
            raise not_the_last_word(submission, last_word(submission.organisation, submission.chapter))
        if begun := under_way(submission):
            raise Conflict(
                "amendment-open",
                f"{begun.number} amends this game already; {begun.created_by.name} began it, and it is "
                f"“{begun.get_status_display()}”.",
                fix=f"Go on with {begun.number}, or withdraw it first.",
            )
        revision = Revision.objects.get(submission=submission, version__isnull=False)
        refuse_damaged(revision)
        draft = drafts.begin(actor, submission.chapter, amends=submission)
        _copy(revision, draft)
    return draft


def under_way(submission: Submission) -> Submission | None:
    """The amendment of this licensee's game that is not decided yet."""
    same = Submission.objects.filter(
        organisation=submission.organisation, chapter=submission.chapter, amends__isnull=False
    )
    return same.exclude(status__in=OVER).select_related("created_by").first()


def _copy(revision: Revision, draft: Submission) -> None:
    """The groups with their answers, and the files that the answers name."""
    content = revision.content
    draft.configurations.all().delete()
    for place, row in enumerate(content["configurations"]):
        group = group_of(content, place)
        named = {"name": row["name"]} if group else {}  # the first has its name from being the first
        Configuration.objects.create(
            submission=draft,
            position=group,
            tables=row["tables"],
            pit=row.get("pit", ""),
            answers=row["answers"],
            **named,
        )
    kept = {(file["option"], file["sha256"]) for file in content["attachments"]}
    for file in reversed(revision.submission.attachments.all()):
        if (file.option, file.stored_id) in kept:
            Attachment.objects.create(
                submission=draft,
                option=file.option,
                name=file.name,
                stored_id=file.stored_id,
                uploaded_by_id=file.uploaded_by_id,
            )
