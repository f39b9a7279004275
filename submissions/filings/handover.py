"""Work within one licensee, which the Board never sees: handovers, and comments between its people on a line.

The state of a handover is the last `Handover` of the submission's present version, so every change of status ends it:
filing, a return, withdrawing. Not here: whose task it becomes (`filings.review.worklist`), the Board's comments
(`filings.review.comments`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.audit.record import group_payload, record_event
from submissions.core.digests import digest
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.filings.drafts import configuration_of, locked_for
from submissions.models import Handover, LineComment, Person, Role, Submission
from submissions.permissions import workflow
from submissions.rules import draft_chapter

LONGEST_NOTE = 2000  # characters


@dataclass(frozen=True, slots=True)
class HandoverState:
    """The state of a submission sent to the manager, or sent back; `changed`: the answers differ from those sent."""

    last: Handover
    changed: bool

    @property
    def is_sent(self) -> bool:
        return self.last.kind == Handover.Kind.SENT


def send_to_manager(actor: Person, submission: Submission, *, version: int, note: str = "") -> Handover:
    """Send it to the managers of the licensee, who get a task and a notice. It may be sent again once it changed.

    Raises:
        Refusal: the licensee has no Table Games Manager who could file it, or the note cannot be stored.
        Conflict: it is sent already, as it is now.
    """
    with transaction.atomic():
        submission = locked_for(actor, submission, "send-to-manager", version)
        if not has_manager(submission):
            raise Refusal("no-manager", organization=submission.organization)
        state = handover_state(submission)
        if state and state.is_sent and not state.changed:
            raise Conflict("sent-already", number=submission.number, name=state.last.by.name)
        return _record(actor, submission, Handover.Kind.SENT, "sent-to-manager", note)


def send_back(actor: Person, submission: Submission, *, version: int, note: str) -> Handover:
    """Send it back to the preparers with a note; `Conflict` unless it is sent to the manager."""
    with transaction.atomic():
        submission = locked_for(actor, submission, "send-back", version)
        state = handover_state(submission)
        if state is None or not state.is_sent:
            raise Conflict("not-sent", number=submission.number)
        if not note.strip():
            raise Refusal("reason-missing/send-back", option="note")
        return _record(actor, submission, Handover.Kind.SENT_BACK, "sent-back", note)


def has_manager(submission: Submission) -> bool:
    """Return whether someone of the licensee may file: a Table Games Manager or a stand-in."""
    people = Person.objects.filter(organization=submission.organization_id, is_active=True, is_system=False)
    is_there = people.filter(role=Role.MANAGER).exists()
    stand_ins = permissions.stand_ins_on(timezone.localdate())
    return is_there or stand_ins.filter(organization=submission.organization_id).exists()


def handover_state(submission: Submission) -> HandoverState | None:
    """Return the handover of the present version; None if it was not sent."""
    return handover_states([submission]).get(submission.pk)


def handover_states(submissions: Iterable[Submission]) -> dict[int, HandoverState]:
    """Return the state of each that was sent, by primary key: one query; a second for configurations not prefetched."""
    prepared = {row.pk: row for row in submissions if row.editable}
    rows = Handover.objects.filter(submission__in=prepared).select_related("by").order_by("pk") if prepared else ()
    latest = {row.submission_id: row for row in rows if row.version == prepared[row.submission_id].version}
    return {
        pk: HandoverState(row, changed=row.answers_sha256 != answers_sha256(prepared[pk])) for pk, row in latest.items()
    }


def answers_sha256(submission: Submission) -> str:
    """Return the digest of all answers that filing would freeze: by table group, with tables and planned day."""
    rows = [
        {"position": row.position, "name": row.name, "tables": row.tables, "pit": row.pit, "answers": row.answers}
        for row in submission.configurations.all()
    ]
    day = submission.takes_effect.isoformat() if submission.takes_effect else None
    return digest({"configurations": rows, "takes_effect": day})


def _record(actor: Person, submission: Submission, kind: Handover.Kind, verb: str, note: str) -> Handover:
    """Store the row, and the event whose reason is the note, in the caller's transaction."""
    note = clean_text(note, "The note", option="note")
    if len(note) > LONGEST_NOTE:
        raise Refusal("note-too-long", option="note", count=len(note), longest=LONGEST_NOTE)
    row = Handover.objects.create(
        submission=submission,
        version=submission.version,
        kind=kind,
        note=note,
        answers_sha256=answers_sha256(submission),
        by=actor,
        at=timezone.now(),
    )
    record_event(actor, submission, verb, reason=note, after={"answers_sha256": row.answers_sha256}, seals=(row,))
    return row


def write_line_comment(
    actor: Person, submission: Submission, *, option: str, text: str, position: int = 0
) -> LineComment:
    """Comment on a line of the table group at this position; `Refusal` of an unknown line or an empty text."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "comment", submission)
        chapter, row = draft_chapter(submission), configuration_of(submission, position)
        if option not in {line.key for line in chapter.options}:
            raise Refusal("unknown-line/answer", option=option, number=chapter.number, name=option)
        text = clean_text(text, "The comment", option=option)
        if not text:
            raise Refusal("comment-empty", option=option)
        comment = LineComment.objects.create(
            submission=submission, position=position, option=option, text=text, by=actor, at=timezone.now()
        )
        after = {"comment": comment.pk, "option": option, **group_payload(row)}
        record_event(actor, submission, "commented", reason=text, after=after, seals=(comment,))
    return comment
