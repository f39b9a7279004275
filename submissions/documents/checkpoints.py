"""Checkpoints of the history: sealed and timestamped, after each approval and once an hour with changes.

With the secret key the chain of events could be written again; a checkpoint before that would not fit it. Each is
recorded by an event that seals its row, and a line of it is stored outside of the database (`settings.CHECKPOINTS`). A
signed PDF carries the checkpoint at the event of its approval in its record, so that everyone who holds one can prove a
later change:

    checkpoint   {sequence, link, seal}
    event        the content of that event, as it is in the chain
    code         its message authentication code

It does not show that the history was not written again since: for that there is `verify_history --against`.

Sealed is the canonical JSON of {format, sequence, link}: the event with this number has this link. The seal is a CMS
signature by the key that seals documents, with a timestamp (RFC 3161) by their authority. Its format stays: documents
that others hold have such seals in them.
"""

import base64
import json
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from asn1crypto import cms, x509
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from pyhanko.sign.general import find_unique_cms_attribute
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from pyhanko.sign.validation import async_validate_detached_cms
from pyhanko.sign.validation.status import StandardCMSSignatureStatus
from pyhanko_certvalidator import ValidationContext

from submissions.audit.chain import CHECKPOINT_MADE, ChainBreak, ChainWalk, event_content, link_of
from submissions.audit.record import record_event
from submissions.audit.row_verification import verify_history
from submissions.core.digests import canonical_json, digest
from submissions.core.errors import Refusal
from submissions.core.isolated_process import IsolatedProcessFailed
from submissions.documents.attached_record import read_record, read_record_isolated
from submissions.documents.seal_certificate import certificates, seal_problems
from submissions.documents.signing_keys import SealKey, listed_seals, load_seal, root_file
from submissions.documents.verify import run_in_thread
from submissions.models import Checkpoint, Event

log = logging.getLogger(__name__)


def make_hourly_checkpoint(now: datetime) -> Checkpoint | None:
    """Return the checkpoint at the last event; None if the newest is under an hour old or nothing has changed."""
    newest = Checkpoint.objects.defer("seal").order_by("-made_at").first()
    if newest and now - newest.made_at < settings.CHECKPOINT_EVERY:
        return None
    last = last_change()
    if last is None or Checkpoint.objects.filter(sequence__gte=last.sequence).exists():
        return None
    return checkpoint_at(last)


def last_change() -> Event | None:
    """Return the last event that is not of a checkpoint."""
    return Event.objects.exclude(verb=CHECKPOINT_MADE).order_by("-sequence").first()


def checkpoint_at(event: Event) -> Checkpoint:
    """Return the checkpoint at this event, made if there is none; refuse a chain broken since the one before."""
    if there := Checkpoint.objects.filter(pk=event.sequence).first():
        return there
    before = Checkpoint.objects.filter(pk__lt=event.sequence).last()
    if before and (why := seal_problem(before)):
        raise _broken(None, f"checkpoint at event {before.sequence}: {why}")
    walk = ChainWalk({before.sequence: before}, count=before.sequence, link=before.link) if before else ChainWalk({})
    if broken := walk.advance(event.sequence):
        raise _broken(broken)
    link = link_of(event.digest, event.mac)
    seal = make_seal(event.sequence, link, load_seal())
    row = Checkpoint(sequence=event.sequence, link=link, seal=seal, made_at=timezone.now())
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            record_event(None, None, CHECKPOINT_MADE, after={"sequence": row.sequence, "link": link}, seals=[row])
    except IntegrityError:  # another process was faster
        return Checkpoint.objects.get(pk=event.sequence)
    path = _copies()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(_sealed(row)) + "\n")
    return row


def checked_checkpoints() -> tuple[list[Checkpoint], str]:
    """Return the checkpoints up to the last whose seal is valid, and the first problem as text.

    The seals of those before need no check: the chain leads to the last one, and events seal their rows.
    """
    rows = list(Checkpoint.objects.order_by("sequence"))
    problem = ""
    while rows and (why := seal_problem(rows[-1])):
        problem = f"checkpoint at event {rows.pop().sequence}: {why}"
    return rows, problem or next(_missing(rows), "")


def seal_problem(row: Checkpoint) -> str:
    """Return the reason why the seal of the checkpoint is not valid; "" if it is."""
    return check_seal(row.sequence, row.link, row.seal, certificates(root_file()), listed_seals()).problem


def refuse_broken_history(now: datetime) -> int:
    """Verify the whole history, once a day; return the number of events. Rows that differ are logged."""
    rows, where = checked_checkpoints()
    report = verify_history(rows)
    for difference in report.differences:  # the events are whole
        log.error("verify_history: %s", difference)
    if where or report.broken:
        raise _broken(report.broken, where)
    return report.count


def _broken(broken: ChainBreak | None, where: str = "") -> Refusal:
    return Refusal("history-broken", where=where if broken is None else f"event {broken.sequence}: {broken.problem}")


def _copies() -> Path:
    return Path(settings.CHECKPOINTS) / "checkpoints.jsonl"


def _sealed(row: Checkpoint) -> dict[str, Any]:
    return {"sequence": row.sequence, "link": row.link, "seal": row.seal}


def _missing(rows: Sequence[Checkpoint]) -> Iterator[str]:
    """Yield a text for each copy outside that the database lost or changed, or that cannot be read."""
    stored, path = {row.sequence: (row.link, row.seal) for row in rows}, _copies()
    for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else (), 1):
        try:
            copy = json.loads(line)
            sequence, of_copy = copy["sequence"], (copy["link"], copy["seal"])
        except (ValueError, TypeError, KeyError):
            yield f"line {number} of {path} cannot be read"
        else:
            if stored.get(sequence) != of_copy:
                yield f"checkpoint at event {sequence}: it is not in the database as it was kept in {path}"


APPROVALS = ("approved", "layout-approved")  # verbs of events
UNREADABLE = "The record that is attached to the PDF cannot be read."


@dataclass(frozen=True, slots=True)
class PaperCheckpoint:
    """A PDF's checkpoint: the event of its approval (`sequence`, 0: none) and its timestamp (`at`: ISO 8601)."""

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
    event = Event.objects.get(submission=submission_id, verb__in=APPROVALS, after__receipt=receipt)
    return {"checkpoint": _sealed(checkpoint_at(event)), "event": event_content(event), "code": event.mac}


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
    """Return the reason why this history is not that of the document's checkpoint; "" if it is."""
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


SEAL_FORMAT = 1


@dataclass(frozen=True, slots=True)
class SealedMoment:
    """The time of a seal and its timestamp's authority; `problem`: why the seal cannot be relied on, "" if it can."""

    at: datetime | None = None
    authority: str = ""
    problem: str = ""


def checkpoint_text(sequence: int, link: str) -> bytes:
    """Return the content that is sealed."""
    return canonical_json({"format": SEAL_FORMAT, "sequence": sequence, "link": link}).encode()


def make_seal(sequence: int, link: str, key: SealKey) -> str:
    """Return the seal, in base64. Errors: those of the timestamp authority."""
    attributes = PdfCMSSignedAttributes(signing_time=timezone.now())
    sign = key.signer.async_sign_general_data(
        checkpoint_text(sequence, link), "sha256", timestamper=key.timestamper, signed_attr_settings=attributes
    )
    return base64.b64encode(run_in_thread(sign).dump()).decode()


def check_seal(
    sequence: int, link: str, seal: str, roots: Sequence[x509.Certificate], seals: Collection[str]
) -> SealedMoment:
    """Check seal and timestamp. `roots`: where chains may end; `seals`: the fingerprints of accepted certificates.

    Any text is accepted as `seal`: what is wrong with it is the `problem`. Certificates are valid if they were when
    the timestamp was made.
    """
    try:
        signed = cms.ContentInfo.load(base64.b64decode(seal, validate=True))["content"]
        # The stated time, before it is verified.
        token = find_unique_cms_attribute(signed["signer_infos"][0]["unsigned_attrs"], "signature_time_stamp_token")
        at = token["content"]["encap_content_info"]["content"].parsed["gen_time"].native
        own = ValidationContext(trust_roots=list(roots), allow_fetching=False, revocation_mode="soft-fail", moment=at)
        text = checkpoint_text(sequence, link)
        check = async_validate_detached_cms(text, signed, signer_validation_context=own, ts_validation_context=own)
        status = run_in_thread(check)
    except Exception:  # a forged container may break the parser anywhere: it is not a seal of ours
        return SealedMoment(problem="its seal cannot be read")
    return _judged(status, seals)


def _judged(status: StandardCMSSignatureStatus, seals: Collection[str]) -> SealedMoment:
    stamp = status.timestamp_validity
    if stamp is None or not (stamp.intact and stamp.valid and stamp.trusted):
        return SealedMoment(problem="its timestamp is not valid, or not by an authority that this portal trusts")
    if not (status.intact and status.valid and status.trusted) or seal_problems(status.signing_cert, seals):
        return SealedMoment(problem="it is not what was sealed, or not sealed by a certificate that this portal lists")
    return SealedMoment(stamp.timestamp, str(stamp.signing_cert.subject.native.get("common_name", "")))
