"""The daily checkpoint of the history: its length and last digest, sealed with the key that seals documents.

Anyone who can write to the database could rewrite the chain of events with matching digests, but cannot make a seal.
Each checkpoint names the day of the one before, so that none can be removed. For the same reason its seal must be one
that the settings list: that the database names the certificate is not enough. An event records each, and a copy is
stored outside the database, in `settings.CHECKPOINTS` of the machine that made it: both show one that was deleted. The
whole history is verified before. Not here: comparing chain and rows with the checkpoints (`audit`).
"""

import json
import logging
from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from asn1crypto import cms, x509
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from pyhanko.sign.validation import async_validate_detached_cms
from pyhanko_certvalidator import ValidationContext

from submissions.audit.record import record_event
from submissions.audit.row_verification import verify_history
from submissions.core.canonical_json import canonical_json
from submissions.core.errors import Refusal
from submissions.documents.seal_certificate import certificates, seal_problems
from submissions.documents.signing_keys import listed_seals, load_seal, root_file
from submissions.documents.verify import run_in_thread
from submissions.models import Checkpoint, Event

log = logging.getLogger(__name__)

MADE = "checkpoint-made"  # the verb of the event that records a checkpoint


def make_checkpoint(now: datetime) -> Checkpoint | None:
    """Yesterday's checkpoint; None if it exists or there is nothing to seal. A broken chain is refused."""
    midnight = timezone.make_aware(datetime.combine(timezone.localdate(now), time()))
    yesterday = timezone.localdate(now) - timedelta(days=1)
    before = Checkpoint.objects.order_by("day").last()
    last = Event.objects.filter(at__lt=midnight).order_by("sequence").last()
    if last is None or (before and before.day >= yesterday):
        return None
    _refuse_broken()
    row = Checkpoint(day=yesterday, sequence=last.sequence, digest=last.digest, made_at=now)
    row.signature = _sign(_content(row, before), now)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            record_event(None, None, MADE, after=_named(row))
    except IntegrityError:  # another sweeper was faster
        return None
    _keep_outside(row, before)
    return row


def checked_checkpoints() -> tuple[list[Checkpoint], str]:
    """The valid checkpoints, and the first invalid or missing one as text: by its seal, by the one before, by the copy
    outside, by the event that recorded it.
    """
    rows = list(Checkpoint.objects.order_by("day"))
    good = run_in_thread(_good_seals(rows, certificates(root_file()), listed_seals()))
    for place, (row, valid) in enumerate(zip(rows, good, strict=True)):
        if not valid:
            why = (
                "its seal does not hold: it, or the one before it, is not what was sealed, or PORTAL_SIGNING_SEALS "
                "does not list its certificate"
            )
            return rows[:place], f"checkpoint of {row.day}: {why}"
    return rows, _missing(rows)


def _refuse_broken() -> None:
    rows, where = checked_checkpoints()
    report = verify_history(rows)
    for difference in report.differences:  # the events, which the checkpoint seals, are whole
        log.error("verify_history: %s", difference)
    if report.broken:
        where = f"event {report.broken.sequence}: {report.broken.problem}"
    if where:
        raise Refusal("history-broken", where=where)


def _content(row: Checkpoint, before: Checkpoint | None) -> bytes:
    """The sealed content: canonical JSON of the day, the number of events, the last digest, the checkpoint before."""
    return canonical_json({**_named(row), "before": str(before.day) if before else ""}).encode()


def _named(row: Checkpoint) -> dict[str, Any]:
    return {"day": str(row.day), "sequence": row.sequence, "digest": row.digest}


def _sign(content: bytes, now: datetime) -> bytes:
    at = PdfCMSSignedAttributes(signing_time=now)
    signed: cms.ContentInfo = run_in_thread(
        load_seal().signer.async_sign_general_data(content, "sha256", signed_attr_settings=at)
    )
    return bytes(signed.dump())


async def _good_seals(
    rows: Sequence[Checkpoint], roots: Sequence[x509.Certificate], seals: Collection[str]
) -> list[bool]:
    return [
        await _good_seal(row, _content(row, before), roots, seals)
        for row, before in zip(rows, [None, *rows[:-1]], strict=False)
    ]


async def _good_seal(
    row: Checkpoint, content: bytes, roots: Sequence[x509.Certificate], seals: Collection[str]
) -> bool:
    """Whether the seal is intact, by a pinned certificate and, when made, trusted by our root; nothing is fetched."""
    context = ValidationContext(
        trust_roots=list(roots), allow_fetching=False, revocation_mode="soft-fail", moment=row.made_at
    )
    try:
        signed = cms.ContentInfo.load(bytes(row.signature))["content"]
        status = await async_validate_detached_cms(content, signed, signer_validation_context=context)
    except Exception:  # a forged container may break the parser anywhere: it is not a seal of ours
        return False
    pinned = not seal_problems(status.signing_cert, seals)
    return bool(status.intact and status.valid and status.trusted and pinned)


def _keep_outside(row: Checkpoint, before: Checkpoint | None) -> None:
    folder = Path(settings.CHECKPOINTS)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{row.day}.p7s").write_bytes(bytes(row.signature))
    (folder / f"{row.day}.json").write_bytes(_content(row, before))


def _missing(rows: Sequence[Checkpoint]) -> str:
    """The first checkpoint that the database lost or changed, by the copies outside and by the events; "" if none."""
    stored = {str(row.day): _named(row) for row in rows}
    for path in sorted(Path(settings.CHECKPOINTS).glob("*.json")):
        copy = json.loads(path.read_bytes())
        if stored.get(copy["day"]) != {name: copy[name] for name in ("day", "sequence", "digest")}:
            return f"checkpoint of {copy['day']}: it is not in the database as it was kept in {path}"
    for event in Event.objects.filter(verb=MADE).order_by("sequence"):
        if stored.get(day := event.after.get("day")) != event.after:
            return f"checkpoint of {day}: it is not in the database as event {event.sequence} recorded it"
    return ""
