"""The newest verification of a signed document: made when it was sealed, and again by a job once a day.

The page shows it without verifying anything. It is made again at once when the trusted certificates or the program that
verifies have changed. Few at a time are under way, so that files from the public hardly wait for them. Not here: how a
seal is verified (`documents.verify`), what the page says (`examine`).
"""

import hashlib
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from functools import cache
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from submissions.core.isolated_process import IsolatedProcessFailed
from submissions.documents import verify
from submissions.documents.paper_checkpoint import NO_CHECKPOINT, PaperCheckpoint, check_paper_isolated
from submissions.documents.seal_certificate import certificates
from submissions.documents.signing_keys import pinned_seals, root_file
from submissions.documents.verify import Verification
from submissions.jobs import leases
from submissions.models import Document, Job, Paper, Reverification
from submissions.verification.document_status import SealedRow

EVERY = timedelta(days=1)
AT_A_TIME = 2  # jobs that are not ended
PACKAGES = ("pyhanko", "pyhanko-certvalidator", "asn1crypto", "cryptography")
NO_VERIFICATION = "The portal has no good verification of its seal."


def newest_verification(document: SealedRow) -> tuple[Verification, PaperCheckpoint, datetime]:
    """The newest verification of its stored bytes, the checkpoint in them, and when it was verified."""
    again = Reverification.objects.filter(stored=document.signed_id, verified_at__isnull=False).first()
    if again is None or again.verified_at is None:
        data, at = document.verification, document.signed_at
    else:
        data, at = again.verification or {}, again.verified_at
    return verification_of(data), PaperCheckpoint(**data.get("history", {})), at


def verification_of(data: Mapping[str, Any]) -> Verification:
    """A stored verification. One that is not good, or not whole, has a problem that says so."""
    known = {field.name: data[field.name] for field in fields(Verification) if field.name in data}
    problems, codes = (tuple(known.pop(name, ())) for name in ("problems", "codes"))
    verification = Verification(**known, problems=problems, codes=codes)
    if verification.good or problems:
        return verification
    return Verification(**known, problems=(NO_VERIFICATION,), codes=codes)


def start_due_reverifications(now: datetime) -> int:
    """Start the next ones that are due, as many as `AT_A_TIME` allows; returns how many."""
    under_way = Job.objects.filter(kind=Job.Kind.REVERIFY).exclude(state__in=leases.ENDED).count()
    due = list(islice(_due(now), max(0, AT_A_TIME - under_way)))
    for stored in due:
        with transaction.atomic():
            row, _ = Reverification.objects.update_or_create(stored_id=stored, defaults={"requested_at": now})
            job = leases.enqueue(Job.Kind.REVERIFY, row.pk)
            leases.run_again(job.pk, among=leases.ENDED)
    return len(due)


def run_reverification(lease: leases.Lease) -> None:
    """The job. A process that fails is tried again; if all attempts fail, so does the verification."""
    row = Reverification.objects.select_related("stored").get(pk=lease.job.subject)
    if row.verified_at and row.verified_at > row.requested_at:
        return
    try:
        verification = _verified(bytes(row.stored.content), row.stored_id)
        paper = check_paper_isolated(bytes(row.stored.content), certificates(root_file()), pinned_seals())
    except IsolatedProcessFailed:
        if lease.job.attempts < settings.JOB_ATTEMPTS:
            raise
        verification, paper = Verification(problems=(verify.NOT_COMPLETED,)), NO_CHECKPOINT
    with lease.commit():
        values = {
            "verification": {**verification.as_json(), "history": asdict(paper)},
            "verifier": verifier(),
            "verified_at": timezone.now(),
        }
        Reverification.objects.filter(pk=row.pk).update(**values)


def verifier() -> str:
    """A digest of what decides but the document: certificates, the program and its libraries."""
    trusted = root_file().read_bytes() + " ".join(sorted(pinned_seals())).encode()
    return hashlib.sha256(trusted + _program()).hexdigest()


@cache
def _program() -> bytes:
    source = Path(inspect.getfile(verify)).read_bytes()
    return source + " ".join(metadata.version(name) for name in PACKAGES).encode()


def _verified(content: bytes, sha256: str) -> Verification:
    if hashlib.sha256(content).hexdigest() != sha256:
        return Verification(problems=("The stored file is not the one that was sealed.",))
    return verify.verify_in_child(content, root_file(), pinned_seals())


def _due(now: datetime) -> Iterable[str]:
    """The SHA-256 of signed documents that were neither sealed nor verified within a day, the oldest first."""
    current = Reverification.objects.filter(verifier=verifier(), verified_at__gt=now - EVERY)
    not_yet = Q(verified_at=None) | Q(verified_at__lt=F("requested_at"))
    requested = Reverification.objects.filter(not_yet, requested_at__gt=now - EVERY)
    sealed = (
        model.objects.filter(signed_at__lte=now - EVERY)
        .exclude(signed__in=current.values("stored"))
        .exclude(signed__in=requested.values("stored"))
        .order_by("pk")
        .values_list("signed", flat=True)
        for model in (Document, Paper)
    )
    return chain.from_iterable(rows[:AT_A_TIME] for rows in sealed)
