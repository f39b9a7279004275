"""The checkpoint of the history that a signed PDF carries: put into its record, checked offline, compared.

    checkpoint   {sequence, link, seal}: the checkpoint at the event of the approval (`checkpoint_seal`)
    event        the content of that event, as `audit.chain` has it
    code         its message authentication code

So the document shows by itself that its approval is in the history that was sealed and timestamped then. It does not
show that the history was not written again since: for that, `verify_history --against` compares the document with the
database. Not here: the seal of the document (`verify`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from asn1crypto import x509

from submissions.audit.chain import event_content, link_of
from submissions.core.canonical_json import digest
from submissions.core.isolated_process import IsolatedProcessFailed
from submissions.documents.attached_record import read_record, read_record_isolated
from submissions.documents.checkpoint_seal import check_seal
from submissions.documents.checkpoints import checkpoint_at
from submissions.models import Event

APPROVALS = ("approved", "layout-approved")  # verbs of events
UNREADABLE = "The record that is attached to the PDF cannot be read."


@dataclass(frozen=True, slots=True)
class PaperCheckpoint:
    """The result for one PDF. `sequence`: the event of its approval, 0 if it carries no checkpoint; `at`: the time of
    the timestamp, ISO 8601; `authority`: whose timestamp it is."""

    sequence: int = 0
    link: str = ""
    at: str = ""
    authority: str = ""
    problem: str = ""

    @property
    def good(self) -> bool:
        return not self.problem

    def __str__(self) -> str:
        if self.problem:
            return self.problem
        if not self.sequence:
            return "It carries no checkpoint of the history: it states no approval, or was signed before version 0.9."
        return (
            f"Its approval is event {self.sequence:,} of the history, in a checkpoint that {self.authority} "
            f"timestamped at {self.at}."
        )


NO_CHECKPOINT = PaperCheckpoint()


def checkpoint_of_approval(receipt: str, submission_id: int) -> dict[str, Any]:
    """Return the record for the document of this approval. Makes the checkpoint if there is none."""
    events = Event.objects.filter(submission=submission_id, verb__in=APPROVALS, after__receipt=receipt)
    event = events.order_by("sequence").get()
    row = checkpoint_at(event)
    return {
        "checkpoint": {"sequence": row.sequence, "link": row.link, "seal": row.seal},
        "event": event_content(event),
        "code": event.mac,
    }


def check_paper(content: bytes, roots: Sequence[x509.Certificate], seals: Collection[str]) -> PaperCheckpoint:
    """Check the checkpoint in a PDF of ours. Anything wrong with the file is the `problem`, never an exception."""
    try:
        return _check(read_record(content), roots, seals)
    except Exception:  # a damaged file can break the parser anywhere
        return PaperCheckpoint(problem=UNREADABLE)


def check_paper_isolated(content: bytes, roots: Sequence[x509.Certificate], seals: Collection[str]) -> PaperCheckpoint:
    """Check the checkpoint in an outsider's file, which is opened in a child process."""
    try:
        return _check(read_record_isolated(content), roots, seals)
    except IsolatedProcessFailed:
        return PaperCheckpoint(problem=UNREADABLE)


def history_problem(paper: PaperCheckpoint) -> str:
    """Why this portal's history is not the one that the document carries a checkpoint of; "" if it is."""
    if not paper.sequence:
        return "it carries no checkpoint of the history"
    event = Event.objects.filter(pk=paper.sequence).first()
    if event is None:
        return f"the history no longer has event {paper.sequence}, which was sealed at {paper.at}"
    if link_of(event.digest, event.mac) != paper.link:
        return f"event {paper.sequence}, or one before it, is not the one that was sealed at {paper.at}"
    return ""


def _check(
    record: Mapping[str, Any] | None, roots: Sequence[x509.Certificate], seals: Collection[str]
) -> PaperCheckpoint:
    if record is None or not record["history"]:
        return NO_CHECKPOINT
    try:
        history, event = record["history"], record["history"]["event"]
        sequence, link, seal = (history["checkpoint"][name] for name in ("sequence", "link", "seal"))
        is_sealed = (event["sequence"], link_of(digest(event), history["code"])) == (sequence, link)
        about = (event["after"].get("receipt"), event["after"].get("sha256"))
        is_about = event["verb"] in APPROVALS and about == (record["receipt"], record["sha256"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return PaperCheckpoint(problem="The checkpoint of the history in the PDF cannot be read.")
    if not is_sealed:
        return PaperCheckpoint(problem="The event in the PDF is not the one that its checkpoint seals.")
    if not is_about:
        return PaperCheckpoint(problem="The checkpoint in the PDF is about something else than this document.")
    moment = check_seal(sequence, link, seal, roots, seals)
    if moment.problem or moment.at is None:
        return PaperCheckpoint(problem=f"The checkpoint of the history in the PDF is not valid: {moment.problem}.")
    return PaperCheckpoint(sequence, link, moment.at.isoformat(), moment.authority)
