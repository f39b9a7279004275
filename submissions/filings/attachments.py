"""Taking a file with a line of the checklist: what it claims to be is checked against what it is.

The check takes its time, so a caller that opens a transaction makes it before (`check_file`), and then stores the file.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from submissions import permissions
from submissions.audit.record import group_payload, record_event
from submissions.core import uploads
from submissions.core.errors import Refusal
from submissions.core.uploads import check_size
from submissions.core.uploads import clean_file_name as clean_name
from submissions.filings.drafts import check_configuration_version, configuration_of, save_configuration
from submissions.filings.questions import refuse_locked
from submissions.models import Attachment, Person, StoredFile, Submission
from submissions.permissions import workflow
from submissions.rules import draft_chapter

__all__ = (
    "CheckedFile", "attach_file", "attachment_answer", "check_file", "check_size", "clean_name", "store_file",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that may be stored, and the line that it answers."""

    option: str
    name: str
    media_type: str
    content: bytes


def attach_file(
    actor: Person, submission: Submission, option_key: str, name: str, content: bytes, *, configuration: int = 0
) -> Attachment:
    """Check the file, store it, and make it the answer of its line."""
    checked = check_file(actor, submission, option_key, name, content)
    return store_file(actor, submission, checked, configuration=configuration)


def check_file(actor: Person, submission: Submission, option_key: str, name: str, content: bytes) -> CheckedFile:
    """Return the file as it may be stored; a `Refusal` if the line takes none, or it is not what it should be."""
    permissions.require(actor, "edit", submission)
    lines = [line for line in draft_chapter(submission).options if line.kind == "attachment"]
    option = next((line for line in lines if line.key == option_key), None)
    if option is None:
        known = ", ".join(line.key for line in lines) or "none"
        raise Refusal("unknown-line/file", chapter=submission.chapter, option_key=option_key, known=known)
    name = clean_name(name)
    check_size(name, len(content))
    media_type, safe = uploads.check_upload(name, content)
    return CheckedFile(option.key, name, media_type, safe)


def store_file(
    actor: Person, submission: Submission, file: CheckedFile, *, configuration: int = 0, version: int | None = None
) -> Attachment:
    """Store a checked file, and make it the answer of its line in a configuration; `version`: of it, as it was seen."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "edit", submission)  # again: it may have been filed while the file was read
        row = configuration_of(submission, configuration)
        if version is not None:
            check_configuration_version(row, version)
        refuse_locked(submission, row, file.option)
        _check_quota(submission, len(file.content))
        attachment = Attachment.objects.create(
            submission=submission,
            option=file.option,
            name=file.name,
            stored=StoredFile.keep(file.content, file.media_type),
            uploaded_by=actor,
        )
        before = row.answers.get(file.option)
        answer = attachment_answer(attachment)
        row.answers = {**row.answers, file.option: answer}
        save_configuration(row, "answers")
        record_event(
            actor,
            submission,
            "attached",
            before={file.option: before},
            after={file.option: answer, **group_payload(row)},
            seals=(row, attachment, attachment.stored),
        )
    return attachment


def attachment_answer(attachment: Attachment) -> dict[str, Any]:
    """Return the answer of the line: which file it is."""
    return {"sha256": attachment.stored.sha256, "name": attachment.name, "size": attachment.stored.size}


def _check_quota(submission: Submission, size: int) -> None:
    used = submission.attachments.aggregate(total=Sum("stored__size"))["total"] or 0
    if used + size > settings.ATTACHMENT_QUOTA:
        raise Refusal("attachment-quota", number=submission.number, megabytes=settings.ATTACHMENT_QUOTA / 2**20)
