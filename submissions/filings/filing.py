"""Filing: the answers are frozen into a revision and its test is started; and withdrawing."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from games.rules.model import Chapter, Finding
from games.runs.engine import ENGINE
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.digests import canonical_json, digest
from submissions.core.errors import Refusal
from submissions.core.text import clean_text
from submissions.filings import answer_values
from submissions.filings.drafts import locked_for
from submissions.filings.evidence import simulations
from submissions.filings.judging import judge_draft, refuse_missing_text
from submissions.filings.planned_day import refuse_past_day
from submissions.filings.questions import refuse_unanswered
from submissions.filings.snapshot import build_snapshot, receipt_number
from submissions.models import Attachment, Configuration, Person, Revision, Submission
from submissions.permissions import workflow
from submissions.permissions.workflow import AS_MANAGER, ATTESTATION
from submissions.rules import draft_chapter

# The official form asks for the name of “a Table Games Manager or above”; a stand-in must have that authority.
AS_STAND_IN = "I have the authority of a Table Games Manager today, as stand-in for the Table Games Manager"


def attestation_by(person: Person, text: str = ATTESTATION) -> str:
    """Return the attestation as this person makes it: a stand-in attests as one."""
    return text.replace(AS_MANAGER, AS_STAND_IN) if permissions.is_stand_in(person) else text


def missing_attestation(attested: bool) -> Refusal | None:
    """Return the refusal of a filing that nobody attests."""
    return None if attested else Refusal("attestation-missing")


def file_submission(actor: Person, submission: Submission, *, version: int, attested: bool) -> Revision:
    """Freeze what is answered into the next revision, if nothing in it blocks, and start its simulation."""
    with transaction.atomic():
        submission = locked_for(actor, submission, "file", version)
        if missing := missing_attestation(attested):
            raise missing
        refuse_unanswered(submission)
        refuse_past_day(submission.takes_effect)
        chapter = draft_chapter(submission)
        _refuse_blocked(chapter, submission)
        workflow.apply_transition(submission, "file", version=version)
        revision = _freeze(actor, submission, chapter)
        rows = (
            *(submission, revision),
            *answer_values.index_answers(revision),
            *simulations.start_simulations(revision),
        )
        answer_values.store_answers_digest(revision)
        after = {"receipt": revision.receipt, "sha256": revision.sha256}
        record_event(actor, submission, "filed", after=after, seals=rows)
    return revision


def withdraw_submission(actor: Person, submission: Submission, *, version: int, reason: str) -> None:
    """Take the submission back, with a reason; it stays in the history."""
    change_status(actor, submission, "withdraw", version=version, reason=reason)


def change_status(actor: Person, submission: Submission, verb: str, *, version: int, reason: str) -> None:
    """Take a step that changes nothing but the status: no decision on a filing belongs to it, so it can recur."""
    with transaction.atomic():
        submission = locked_for(actor, submission, verb, version)
        reason = clean_text(reason, "The reason")
        workflow.apply_transition(submission, verb, version=version, reason=reason)
        record_event(actor, submission, workflow.TRANSITIONS[verb].done, reason=reason, seals=(submission,))


@dataclass(frozen=True, slots=True)
class BlockingFinding:
    """A finding that blocks the filing, and its configuration; `name` is empty unless there are several."""

    position: int
    name: str
    finding: Finding
    line: str  # the option that shows it, "" for the whole configuration


def blocking_findings(chapter: Chapter, submission: Submission) -> list[BlockingFinding]:
    """Return the findings that block the filing, configuration by configuration."""
    rows = list(submission.configurations.all())
    stored = set(Attachment.objects.filter(submission=submission).values_list("stored_id", flat=True))
    judged = [(row, judge_draft(chapter, row, rows)) for row in rows]
    return [
        BlockingFinding(
            row.position,
            row.display_name(several=True) if len(rows) > 1 else "",
            finding,
            finding.line_among({*judgment.asked_keys, *row.answers}),
        )
        for row, judgment in judged
        for finding in (*judgment.blocking, *_lost_files(chapter, row, stored))
    ]


def _refuse_blocked(chapter: Chapter, submission: Submission) -> None:
    """Refuse with the findings; each message names its table group, for readers who do not see the groups."""
    if blockers := blocking_findings(chapter, submission):
        findings = [
            replace(each.finding, message=f"{each.name}: {each.finding.message}") if each.name else each.finding
            for each in blockers
        ]
        refuse_missing_text(findings)
        raise Refusal(
            "blocking-findings", findings=findings, count=len(blockers), plural="s" if len(blockers) > 1 else ""
        )


def _lost_files(chapter: Chapter, row: Configuration, stored: Collection[str]) -> list[Finding]:
    """Return the answers that name a file which is not stored: they block the filing."""
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
        if option.kind == "attachment"
        and (answer := row.answers.get(option.key))
        and answer.get("sha256") not in stored
    ]


def _freeze(actor: Person, submission: Submission, chapter: Chapter) -> Revision:
    now = timezone.now()
    number, attestation = submission.revisions.count() + 1, attestation_by(actor)
    content = build_snapshot(
        submission, chapter, number=number, by=actor, at=now, attestation=attestation, engine=ENGINE
    )
    return Revision.objects.create(
        submission=submission,
        number=number,
        receipt=receipt_number(submission, number),
        snapshot=canonical_json(content),
        sha256=digest(content),
        rules_digest=chapter.digest,
        engine=ENGINE,
        attestation=attestation,
        filed_by=actor,
        filed_at=now,
    )
