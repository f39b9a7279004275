"""The daily checkpoint: how far the history went, sealed with the key that seals documents, and checked with its root.

Whoever can write to the database could write the chain of events anew, with digests that fit; a seal he cannot make.
Each checkpoint names the day of the one before, so that none can be taken out. A copy is kept outside of the database,
in `settings.CHECKPOINTS` of the machine that made it. Not here: holding the chain against them (`actions.chain`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from asn1crypto import cms, x509
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from pyhanko.sign.validation import async_validate_detached_cms
from pyhanko_certvalidator import ValidationContext

from submissions.actions import chain
from submissions.canonical import canonical_json
from submissions.documents.apart import apart
from submissions.documents.confined import certificates
from submissions.documents.keys import root_file, seal
from submissions.errors import Refusal
from submissions.models import Checkpoint, Event


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first checkpoint that does not hold."""

    day: str
    problem: str


def make(now: datetime) -> Checkpoint | None:
    """The checkpoint of yesterday, unless it is there, or there is nothing to seal. A broken chain is not sealed."""
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
    except IntegrityError:  # another sweeper was faster
        return None
    _keep_outside(row, before)
    return row


def checked() -> tuple[list[Checkpoint], Wrong | None]:
    """The checkpoints that hold, and the first that does not: by its seal, by the one before, by the copy outside."""
    rows = list(Checkpoint.objects.order_by("day"))
    good = apart(_good_seals(rows, certificates(root_file())))
    for place, (row, held) in enumerate(zip(rows, good, strict=True)):
        if not held:
            why = "its seal does not hold: it, or the one before it, is not what was sealed"
            return rows[:place], Wrong(str(row.day), why)
    return rows, _differs_outside(rows)


def _refuse_broken() -> None:
    rows, wrong = checked()
    _, broken = chain.verify(rows)
    where = f"checkpoint of {wrong.day}: {wrong.problem}" if wrong else ""
    where = f"event {broken.sequence}: {broken.problem}" if broken else where
    if where:
        raise Refusal(
            "history-broken",
            f"The history is broken ({where}): no checkpoint is made.",
            fix="Run: manage.py verify_history. Compare with a backup before anything else is done.",
        )


def _content(row: Checkpoint, before: Checkpoint | None) -> bytes:
    """What is sealed: canonical JSON of the day, how many events there were, the last one's digest, the day before."""
    content = {"day": str(row.day), "sequence": row.sequence, "digest": row.digest}
    return canonical_json({**content, "before": str(before.day) if before else ""}).encode()


def _sign(content: bytes, now: datetime) -> bytes:
    at = PdfCMSSignedAttributes(signing_time=now)
    signed: cms.ContentInfo = apart(seal().signer.async_sign_general_data(content, "sha256", signed_attr_settings=at))
    return bytes(signed.dump())


async def _good_seals(rows: Sequence[Checkpoint], roots: Sequence[x509.Certificate]) -> list[bool]:
    return [
        await _good_seal(row, _content(row, before), roots)
        for row, before in zip(rows, [None, *rows[:-1]], strict=False)
    ]


async def _good_seal(row: Checkpoint, content: bytes, roots: Sequence[x509.Certificate]) -> bool:
    """Whether the seal is whole and vouched for by our root, at the time it was made; nothing is fetched."""
    context = ValidationContext(
        trust_roots=list(roots), allow_fetching=False, revocation_mode="soft-fail", moment=row.made_at
    )
    try:
        signed = cms.ContentInfo.load(bytes(row.signature))["content"]
        status = await async_validate_detached_cms(content, signed, signer_validation_context=context)
    except Exception:  # whatever a forged container does to the parser: it is no seal of ours
        return False
    return bool(status.intact and status.valid and status.trusted)


def _keep_outside(row: Checkpoint, before: Checkpoint | None) -> None:
    folder = Path(settings.CHECKPOINTS)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{row.day}.p7s").write_bytes(bytes(row.signature))
    (folder / f"{row.day}.json").write_bytes(_content(row, before))


def _differs_outside(rows: Sequence[Checkpoint]) -> Wrong | None:
    """Whether the database has lost or changed a checkpoint of which a copy lies here."""
    there = {str(row.day): (row.sequence, row.digest) for row in rows}
    for path in sorted(Path(settings.CHECKPOINTS).glob("*.json")):
        kept = json.loads(path.read_bytes())
        if there.get(kept["day"]) != (kept["sequence"], kept["digest"]):
            return Wrong(kept["day"], f"it is not in the database as it was kept in {path}")
    return None
