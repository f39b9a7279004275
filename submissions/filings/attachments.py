"""Taking a file with a line of the checklist: what it claims to be is checked against what it is."""

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from submissions import permissions
from submissions.audit.record import group_payload, record_event
from submissions.core import upload_scan
from submissions.core.errors import Refusal
from submissions.core.uploaded_file import check_size
from submissions.core.uploaded_file import clean_file_name as clean_name
from submissions.filings.drafts import configuration_of, save_configuration
from submissions.filings.editable_lines import refuse_locked
from submissions.models import Attachment, Person, StoredFile, Submission
from submissions.permissions import workflow
from submissions.rules.rules_day import draft_chapter

__all__ = ("attach_file", "check_size", "clean_name")


def attach_file(
    actor: Person, submission: Submission, option_key: str, name: str, content: bytes, *, configuration: int = 0
) -> Attachment:
    """Check the file, store it, and make it the answer of its line."""
    permissions.require(actor, "edit", submission)
    lines = [line for line in draft_chapter(submission).options if line.kind == "attachment"]
    option = next((line for line in lines if line.key == option_key), None)
    if option is None:
        raise Refusal("unknown-line/file", chapter=submission.chapter, option_key=option_key)
    name = clean_name(name)
    check_size(name, len(content))
    media_type, safe = upload_scan.inspect(name, content)
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "edit", submission)  # again: it may have been filed while the file was read
        row = configuration_of(submission, configuration)
        refuse_locked(submission, row, option.key)
        _check_quota(submission, len(safe))
        attachment = Attachment.objects.create(
            submission=submission,
            option=option.key,
            name=name,
            stored=StoredFile.keep(safe, media_type),
            uploaded_by=actor,
        )
        before = row.answers.get(option.key)
        answer = {"sha256": attachment.stored.sha256, "name": name, "size": attachment.stored.size}
        row.answers = {**row.answers, option.key: answer}
        save_configuration(row, "answers")
        record_event(
            actor,
            submission,
            "attached",
            before={option.key: before},
            after={option.key: answer, **group_payload(row)},
            seals=(row, attachment, attachment.stored),
        )
    return attachment


def _check_quota(submission: Submission, size: int) -> None:
    used = submission.attachments.aggregate(total=Sum("stored__size"))["total"] or 0
    if used + size > settings.ATTACHMENT_QUOTA:
        raise Refusal("attachment-quota", number=submission.number, megabytes=settings.ATTACHMENT_QUOTA / 2**20)
