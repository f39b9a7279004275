"""Filing: the answers are frozen into a revision and its test is started; and withdrawing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from games.maths.run import ENGINE
from games.rules.evaluate import effective, judge
from games.rules.model import Chapter, Finding
from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions import answered, simulations
from submissions.actions.history import record
from submissions.actions.questions import refuse_unanswered
from submissions.actions.snapshot import receipt, snapshot
from submissions.actions.wording import clean_text
from submissions.canonical import canonical_json, digest
from submissions.errors import Refusal
from submissions.models import Attachment, Configuration, Person, Revision, Submission

ATTESTATION = (
    "I have reviewed this Rules Submission. I am a Table Games Manager or above, the options selected are those "
    "under which the game will be conducted, and the game will not be offered before the Board's approval (§ 601a.2)."
)


def file(actor: Person, submission: Submission, *, version: int, attested: bool) -> Revision:
    """Freeze what is answered into the next revision, if nothing in it blocks, and start its simulation."""
    with transaction.atomic():
        submission = workflow.locked(submission)
        workflow.expect(submission, version)
        access.demand(actor, "file", submission)
        if not attested:
            raise Refusal("attestation-missing", "The attestation is not ticked.", fix="Read it and tick it.")
        refuse_unanswered(submission)
        chapter = chapter_of(submission.chapter)
        _refuse_blocked(chapter, submission)
        workflow.apply(submission, "file", version=version)
        revision = _freeze(actor, submission, chapter)
        answered.index(revision)
        simulations.start(revision)
        record(actor, submission, "filed", after={"receipt": revision.receipt, "sha256": revision.sha256})
    return revision


def withdraw(actor: Person, submission: Submission, *, version: int, reason: str) -> None:
    """Take the submission back, with a reason; it stays in the history."""
    with transaction.atomic():
        submission = workflow.locked(submission)
        workflow.expect(submission, version)
        access.demand(actor, "withdraw", submission)
        reason = clean_text(reason, "The reason")
        workflow.apply(submission, "withdraw", version=version, reason=reason)
        record(actor, submission, "withdrew", reason=reason)


@dataclass(frozen=True, slots=True)
class Blocked:
    """A finding that stands between a submission and its filing, and in which configuration; `name`, if of several."""

    position: int
    name: str
    finding: Finding


def blocking(chapter: Chapter, submission: Submission) -> list[Blocked]:
    """What stands between this submission and its filing, configuration by configuration."""
    today = timezone.localdate()
    rows = list(submission.configurations.all())
    held = set(Attachment.objects.filter(submission=submission).values_list("stored_id", flat=True))
    return [
        Blocked(row.position, row.called(several=True) if len(rows) > 1 else "", finding)
        for row in rows
        for finding in (
            *judge(chapter, effective(chapter, row.answers, today), on=today).blocking,
            *_lost_files(chapter, row, held),
        )
    ]


def _refuse_blocked(chapter: Chapter, submission: Submission) -> None:
    if found := blocking(chapter, submission):
        raise Refusal(
            "blocking-findings",
            f"{len(found)} finding{'s' if len(found) > 1 else ''} must be resolved before filing.",
            fix="Follow each one's remedy; they are listed with their lines.",
            findings=[_named(one) for one in found],
        )


def _named(one: Blocked) -> Finding:
    """The finding with its group: whoever is refused may not see the groups apart."""
    return replace(one.finding, message=f"{one.name}: {one.finding.message}") if one.name else one.finding


def _lost_files(chapter: Chapter, row: Configuration, held: Collection[str]) -> list[Finding]:
    """A file that an answer names but the portal does not hold: never filed, whatever put it there."""
    return [
        Finding(
            rule=f"{chapter.number}.attachment-not-held",
            severity="blocking",
            options=(option.key,),
            message=f"The file of “{option.question}” is not with this submission.",
            fix="Upload it again.",
            citation=option.citation,
        )
        for option in chapter.options
        if option.kind == "attachment" and (answer := row.answers.get(option.key)) and answer.get("sha256") not in held
    ]


def _freeze(actor: Person, submission: Submission, chapter: Chapter) -> Revision:
    now = timezone.now()
    number = submission.revisions.count() + 1
    content = snapshot(submission, chapter, number=number, by=actor, at=now, attestation=ATTESTATION, engine=ENGINE)
    return Revision.objects.create(
        submission=submission,
        number=number,
        receipt=receipt(submission, number),
        snapshot=canonical_json(content),
        sha256=digest(content),
        rules_digest=chapter.digest,
        engine=ENGINE,
        attestation=ATTESTATION,
        filed_by=actor,
        filed_at=now,
    )
