"""The same paper for what is not approved: marked DRAFT on every page, without a seal, never stored."""

from __future__ import annotations

from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions.actions.snapshot import snapshot
from submissions.documents.record import compose, record
from submissions.documents.render import render
from submissions.models import Person, Revision, Submission


def draft_of_revision(revision: Revision) -> bytes:
    """A filed revision as it would be printed now, with whatever evidence and decisions there are."""
    return render({**record(revision), "approved": None, "verify_at": ""}, draft=True).content


def draft_of_submission(submission: Submission, person: Person) -> bytes:
    """The answers as they stand, for the person who prints them."""
    content = snapshot(
        submission,
        chapter_of(submission.chapter),
        number=submission.revisions.count() + 1,
        by=person,
        at=timezone.now(),
        attestation="",
        engine="",  # nothing was computed for it
    )
    return render(compose({**content, "receipt": submission.number}), draft=True).content
