"""Amendments: a new draft that starts as a copy of the latest version. The copy is made from the frozen snapshot, never
from rows that can change. The differences are computed by `filings.diff`.
"""

from django.db import transaction

from submissions import permissions
from submissions.core.configuration_index import group_at
from submissions.core.errors import Conflict
from submissions.filings import drafts
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.versions import require_latest_version
from submissions.models import OVER, Attachment, Configuration, Person, Revision, Submission
from submissions.permissions import workflow


def start_amendment(actor: Person, submission: Submission) -> Submission:
    """A draft that amends this approved submission; only one at a time for a licensee's game."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)  # who comes second finds the first one's draft
        permissions.require(actor, "amend", submission)
        require_latest_version(submission)
        if begun := open_amendment(submission):
            raise Conflict(
                "amendment-open", number=begun.number, name=begun.created_by.name, status=begun.get_status_display()
            )
        revision = Revision.objects.get(submission=submission, version__isnull=False)
        refuse_damaged(revision)
        draft = drafts.create_draft(actor, submission.chapter, amends=submission)
        _copy(revision, draft)
        drafts.record_start(draft)
    return draft


def open_amendment(submission: Submission) -> Submission | None:
    """The amendment of this licensee's game that is not decided yet."""
    same = Submission.objects.filter(
        organization=submission.organization, chapter=submission.chapter, amends__isnull=False
    )
    return same.exclude(status__in=OVER).select_related("created_by").first()


def _copy(revision: Revision, draft: Submission) -> None:
    """The groups with their answers, and the files that the answers name."""
    content = revision.content
    for place, row in enumerate(content["configurations"]):
        group = group_at(content, place)
        values = {"tables": row["tables"], "pit": row.get("pit", ""), "answers": row["answers"]}
        values |= {"name": row["name"]} if group else {}  # the first has its name from being the first
        Configuration.objects.create(submission=draft, position=group, **values)
    named_files = {(file["option"], file["sha256"]) for file in content["attachments"]}
    for file in reversed(revision.submission.attachments.all()):
        if (file.option, file.stored_id) in named_files:
            copied = {"option": file.option, "name": file.name, "stored_id": file.stored_id}
            Attachment.objects.create(submission=draft, uploaded_by_id=file.uploaded_by_id, **copied)
