"""Taking a file with a line of the checklist: what it claims to be is checked against what it is."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from games.rules.registry import chapter as chapter_of
from submissions import access, inspection, workflow
from submissions.actions.configurations import configuration_of, in_group, keep
from submissions.actions.history import record
from submissions.errors import Refusal
from submissions.models import Attachment, Person, StoredFile, Submission
from submissions.reopening import refuse_closed


def attach(
    actor: Person, submission: Submission, option_key: str, name: str, content: bytes, *, configuration: int = 0
) -> Attachment:
    """Check the file, store it, and make it the answer of its line."""
    access.demand(actor, "edit", submission)
    lines = [line for line in chapter_of(submission.chapter).options if line.kind == "attachment"]
    option = next((line for line in lines if line.key == option_key), None)
    if option is None:
        raise Refusal("unknown-line", f"Chapter {submission.chapter} has no line {option_key!r} that takes a file.")
    name = clean_name(name)
    check_size(name, len(content))
    media_type, safe = inspection.inspect(name, content)
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "edit", submission)  # again: it may have been filed while the file was read
        row = configuration_of(submission, configuration)
        refuse_closed(submission, row, (option.key,))
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
        keep(row, "answers")
        record(actor, submission, "attached", before={option.key: before}, after={option.key: answer, **in_group(row)})
    return attachment


def check_size(name: str, size: int) -> None:
    """Refuse what is too large; the page calls this before it reads the file."""
    limit = settings.ATTACHMENT_LIMIT
    if size > limit:
        raise Refusal(
            "attachment-too-large",
            f"“{name}” has {size / 1e6:.1f} MB; up to {limit / 2**20:.0f} MB are accepted.",
            fix="Save it with smaller pictures, or split it.",
        )
    if size == 0:
        raise Refusal("attachment-empty", f"“{name}” is empty.", fix="Choose the file again.")


def clean_name(name: str) -> str:
    """The last part of the name, without anything that could mislead a reader or a file system."""
    last = PurePath(name.replace("\\", "/")).name
    printable = "".join(sign for sign in unicodedata.normalize("NFC", last) if unicodedata.category(sign)[0] != "C")
    return re.sub(r'[<>:"|?*]', "_", printable)[-200:] or "file"


def _check_quota(submission: Submission, size: int) -> None:
    used = submission.attachments.aggregate(total=Sum("stored__size"))["total"] or 0
    if used + size > settings.ATTACHMENT_QUOTA:
        raise Refusal(
            "attachment-quota",
            f"The files of {submission.number} would exceed {settings.ATTACHMENT_QUOTA / 2**20:.0f} MB together.",
            fix="Combine the documents, or write to the Bureau of Gaming Operations.",
        )
