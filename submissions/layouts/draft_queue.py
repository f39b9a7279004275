"""Drafts (PDF) of a Rules Submission, a layout, a payout sign or a gaming guide: asked for here, made by a job.

The key of a draft is a digest of all that it shows and of the program that renders it, so a stored one is never out of
date. The queue is bounded as a whole and for each person. Not here: making them (`paper_jobs`, in a worker).
"""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.registry import words as words_of
from games.rules.model import Answers
from submissions.core.digests import canonical_json, digest, program_digest
from submissions.core.errors import Busy, Refusal, TooManyAtOnce
from submissions.documents.document_record import compose_record, document_record
from submissions.filings.evidence.computations import ComputationStopped, stored_result
from submissions.filings.snapshot import build_snapshot
from submissions.jobs.progress import QueuePlace, pending_jobs, queue_place, retry_after
from submissions.models import Computation, Job, Part, Person, Revision, Submission
from submissions.rules import chapter_on, draft_chapter

SUBMISSION = "submission"  # the kind of a draft that is none of the three papers
PAR_SHEET = "par-sheet"  # the kind of a par sheet, which waits among the drafts
SIZES = ("letter", "tabloid")  # of a payout sign
SOURCES = ("submissions/documents", "submissions/layouts", "templates/documents", "portal/static/documents")


@dataclass(frozen=True, slots=True)
class DraftSubject:
    """A draft's `content` as JSON, and its `identity`: the content without the request's time.

    `kind`: `SUBMISSION`, `PAR_SHEET` or a `Part`.
    """

    kind: str
    content: Mapping[str, Any]
    identity: Mapping[str, Any]

    @property
    def key(self) -> str:
        return f"draft:{self.kind}:{digest({'identity': self.identity, 'program': program_digest(SOURCES)})}"


def submission_draft(submission: Submission, person: Person) -> DraftSubject:
    """Return the current answers, for the person who prints them."""
    snapshot = build_snapshot(
        submission,
        draft_chapter(submission),
        number=submission.revisions.count() + 1,
        by=person,
        at=timezone.now(),
        attestation="",
        engine="",  # nothing was computed for it
    )
    snapshot["receipt"] = submission.number
    undated = {**snapshot, "filed": {**snapshot["filed"], "at": str(timezone.localdate())}}
    return DraftSubject(SUBMISSION, compose_record(snapshot), compose_record(undated))


def revision_draft(revision: Revision) -> DraftSubject:
    """Return a filed revision as it would be printed now, with the evidence and decisions so far."""
    record = {**document_record(revision), "approved": None, "verify_at": ""}
    return DraftSubject(SUBMISSION, record, record)


def paper_draft(
    submission: Submission, answers: Answers, tables: str, part: str, size: str = "letter", *, rules_on: date
) -> DraftSubject:
    """Return a layout, sign or guide for these answers by the rules of that day; refuse a guide without text."""
    chapter = chapter_on(submission.chapter, rules_on)
    words = words_of(chapter)
    if part == Part.GUIDE and words.guide.object is None:
        raise Refusal("guide-missing", words.guide.missing, fix="Write the guide yourself and file it.")
    content = {
        "chapter": submission.chapter,
        "rules_on": rules_on.isoformat(),
        "answers": dict(answers),
        "licensee": submission.organization.name,
        "tables": tables,
        "day": timezone.localdate().isoformat(),
        "size": size if part == Part.SIGN and size in SIZES else SIZES[0],
    }
    rules = {"rules": chapter.digest, "words": sha256(repr(words).encode()).hexdigest()}
    return DraftSubject(part, content, {**content, **rules})


def draft_pdf(subject: DraftSubject, person: Person) -> bytes | None:
    """Return the PDF; None until a job, which the first call enqueues, has made it.

    Raises `TooManyAtOnce` or `Busy` if as many drafts are waiting as one person may have, or as there may be.
    """
    if not Computation.objects.filter(key=subject.key).exists():
        _refuse_above_limits(person)
    arguments = {"kind": subject.kind, "content": canonical_json(subject.content), "person": person.account_key}
    return stored_pdf(Job.Kind.DRAFT, subject.key, arguments, Refusal("draft-not-made"))


def stored_pdf(kind: Job.Kind, key: str, arguments: Mapping[str, object], not_made: Refusal) -> bytes | None:
    """Return the PDF that a job of this kind makes; None until it has; raise `not_made` if it failed."""
    try:
        text = stored_result(kind, key, arguments)
    except ComputationStopped:
        raise not_made from None
    return None if text is None else b64decode(text)


def pdf_place(kind: Job.Kind, key: str) -> QueuePlace:
    """Return the place in the queue of a PDF that was asked for."""
    subject = Computation.objects.values_list("pk", flat=True).get(key=key)
    return queue_place(kind, subject, settings.DRAFT_WORKERS)


def _refuse_above_limits(person: Person) -> None:
    pending, most, of_person = pending_jobs(Job.Kind.DRAFT), settings.DRAFT_QUEUE, settings.DRAFT_QUEUE_PER_PERSON
    own = Computation.objects.filter(pk__in=pending.values("subject"), arguments__person=person.account_key)
    if own.count() >= of_person:
        raise TooManyAtOnce("too-many-at-once/drafts", retry_after=retry_after(Job.Kind.DRAFT), limit=of_person)
    if pending.count() >= most:
        raise Busy("portal-busy/drafts", retry_after=retry_after(Job.Kind.DRAFT), limit=most)
