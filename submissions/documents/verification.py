"""Verification of files: a stored document by its newest verification, any other PDF by a worker, from a queue.

The bytes decide first: a file is a document of the portal only if it is identical to the stored one, to the last byte
of padding. An unknown PDF waits as a row with its bytes, which are deleted with the result; the result is deleted after
a day.

A signed document is verified when it is sealed, and again by a job once a day, or at once when the trusted certificates
or the program that verifies have changed. Not here: how a seal is verified (`verify`), whether a document is in effect
(`layouts.document_status`).
"""

import hashlib
import inspect
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from submissions.core.errors import Busy, TooManyAtOnce
from submissions.core.isolated_process import IsolatedProcessFailed
from submissions.documents import verify
from submissions.documents.checkpoints import NO_CHECKPOINT, PaperCheckpoint, check_paper_isolated
from submissions.documents.seal_certificate import certificates
from submissions.documents.signing_keys import pinned_seals, root_file
from submissions.documents.verify import Verification, verify_isolated
from submissions.jobs import leases
from submissions.jobs.progress import QueuePlace, queue_place, retry_after
from submissions.models import Document, FileVerification, Job, Paper, Reverification

SealedRow = Document | Paper
_PAPER = re.compile(r"(LF-\d{4}-\d{5,9}-R\d{1,4})-(layout|sign|guide)")
_RECORD = re.compile(  # the name of the attached record, in plain bytes
    rb"\((RS-\d{4}-\d{5,9}-R\d{1,4}|LF-\d{4}-\d{5,9}-R\d{1,4}-(?:layout|sign|guide))\.json\)"
)
HEADER, HEADER_WITHIN = b"%PDF-", 1024  # bytes: readers look for the header of a PDF no further
MOST_CLAIMS = 8  # a document of ours names its record twice; a hostile file could cause a million queries


NO_SUCH_DOCUMENT = "The portal does not have this document."
NOT_A_PDF = "The file is not a PDF. Every document of the portal is a PDF."
STORED_DIFFERS = "The file that the portal stores is not the one that was sealed: its SHA-256 is another one."


class Identity(Enum):
    """The file's identity by its bytes."""

    SEALED = "the sealed document, byte for byte"
    UNSEALED = "the document before it was sealed, byte for byte"
    CHANGED = "a document of this portal that was changed"
    UNKNOWN = "not a document of this portal"


@dataclass(frozen=True, slots=True)
class Examination:
    """The result for a file; `document`: the stored one that the file is or was made from, None without one."""

    identity: Identity
    sha256: str
    document: SealedRow | None
    verification: Verification | None  # of the seal; None if the file is a stored document before its seal
    difference: str = ""  # between the bytes and the stored ones, as a sentence
    verified_at: datetime | None = None
    checkpoint: PaperCheckpoint = NO_CHECKPOINT  # of the history, in a stored document

    @property
    def good(self) -> bool:
        is_verified = self.verification is not None and self.verification.good
        return self.identity is Identity.SEALED and is_verified and self.checkpoint.good

    @property
    def problems(self) -> tuple[str, ...]:
        own = tuple(filter(None, (self.difference, self.checkpoint.problem)))
        return own + (self.verification.problems if self.verification else ())


def examine(content: bytes) -> Examination:
    """Examine any file. For an unknown PDF this takes seconds, so no page calls it."""
    if known := examine_known(content):
        return known
    sha256 = hashlib.sha256(content).hexdigest()
    return _compare(content, sha256, verify_isolated(content, root_file(), pinned_seals()))


def examine_known(content: bytes) -> Examination | None:
    """Return the examination of a stored document, or of a file that is not a PDF; None for an unknown PDF."""
    sha256 = hashlib.sha256(content).hexdigest()
    if document := by_digest(sha256):
        if document.signed_id == sha256:
            return examine_stored(document)
        return Examination(Identity.UNSEALED, sha256, document, None, "The file has no seal yet.")
    return None if HEADER in content[:HEADER_WITHIN] else _compare(content, sha256, None)


def examine_stored(document: SealedRow) -> Examination:
    """Return a stored document by its newest verification, provided that its bytes are still those that were sealed."""
    sha256 = hashlib.sha256(document.signed.content).hexdigest()
    if sha256 != document.signed_id:
        return Examination(Identity.CHANGED, sha256, document, None, STORED_DIFFERS)
    verification, checkpoint, at = newest_verification(document)
    return Examination(Identity.SEALED, sha256, document, verification, verified_at=at, checkpoint=checkpoint)


def _compare(content: bytes, sha256: str, verification: Verification | None) -> Examination:
    """Compare with the stored document that the file claims to be; without a `verification` it is not a PDF."""
    if document := _claimed(content):
        difference = _difference(content, bytes(document.signed.content))
        return Examination(Identity.CHANGED, sha256, document, verification, difference)
    return Examination(Identity.UNKNOWN, sha256, None, verification, NO_SUCH_DOCUMENT if verification else NOT_A_PDF)


def by_digest(digest: str) -> SealedRow | None:
    """Return the document with this SHA-256: sealed, unsealed or as filed; a paper also by the name in its QR code."""
    for column in ("signed", "unsigned_sha256", "revision__sha256"):
        if document := _documents().filter(**{column: digest.lower()}).order_by("pk").first():
            return document
    for column in ("signed", "unsigned_sha256"):
        if paper := _papers().filter(**{column: digest.lower()}).order_by("pk").first():
            return paper
    return _paper(digest)


def _documents() -> QuerySet[Document]:
    return Document.objects.select_related("signed", "revision__submission__organization")


def _papers() -> QuerySet[Paper]:
    return Paper.objects.select_related("signed", "layout_revision__filing__submission__organization")


def _paper(name: str) -> Paper | None:
    """Return the paper by its name: LF-2026-00001-R1-sign."""
    match = _PAPER.fullmatch(name)
    return _papers().filter(layout_revision__receipt=match[1], part=match[2]).first() if match else None


def _claimed(content: bytes) -> SealedRow | None:
    """Return the stored document that a file claims to be, by the name of its record."""
    names = islice((match[1].decode() for match in _RECORD.finditer(content)), MOST_CLAIMS)
    for name in dict.fromkeys(names):
        is_paper = _PAPER.fullmatch(name)
        if document := _paper(name) if is_paper else _documents().filter(revision__receipt=name).first():
            return document
    return None


def _difference(content: bytes, stored: bytes) -> str:
    """Return the first byte that differs, or how many bytes were added or are missing."""
    if content.startswith(stored):
        return f"{len(content) - len(stored):,} bytes were added at the end of the sealed document."
    if stored.startswith(content):
        return f"The last {len(stored) - len(content):,} bytes of the sealed document are missing."
    length = min(len(content), len(stored))
    # XOR of both, 0 for each equal byte; as whole numbers, which takes milliseconds for large files.
    differing = (int.from_bytes(content[:length]) ^ int.from_bytes(stored[:length])).to_bytes(length)
    first = length - len(differing.lstrip(b"\0"))
    if len(content) != len(stored):
        return f"The file differs from the sealed document from byte {first + 1:,} on, and has another length."
    number = length - differing.count(0)
    bytes_differ = "1 byte differs" if number == 1 else f"{number:,} bytes differ"
    return f"{bytes_differ} from the sealed document, first byte {first + 1:,} of {len(stored):,}."


MODELS: dict[str, type[Document] | type[Paper]] = {"document": Document, "paper": Paper}


def examination_data(examination: Examination) -> dict[str, Any]:
    """Return an examination as JSON that `stored_examination` reads."""
    document, verification = examination.document, examination.verification
    kind = "paper" if isinstance(document, Paper) else "document"
    return {
        "identity": examination.identity.name,
        "sha256": examination.sha256,
        "document": [kind, document.pk] if document else None,
        "verification": verification.as_json() if verification else None,
        "difference": examination.difference,
    }


def stored_examination(data: dict[str, Any], verified_at: datetime | None) -> Examination:
    """Return the examination that `examination_data` made JSON of."""
    kind, key = data["document"] or ("", 0)
    document = MODELS[kind].objects.get(pk=key) if kind else None
    verification = verification_of(data["verification"]) if data["verification"] else None
    identity = Identity[data["identity"]]
    return Examination(identity, data["sha256"], document, verification, data["difference"], verified_at)


STORED_FOR = timedelta(days=1)  # a result
GIVEN_UP_AFTER = timedelta(hours=1)  # a file that no worker has verified
MOST_BYTES = 10  # times the largest file: of all files that wait
NOT_VERIFIED = "The portal could not verify the file."


def queue_file(content: bytes, name: str, network: str) -> FileVerification:
    """Take a file into the queue. `network`: of the caller; only a keyed digest of it is stored.

    Raises `TooManyAtOnce` or `Busy` if as many files are waiting as one caller may have, or as there may be.
    """
    caller = salted_hmac("verification.caller", network, algorithm="sha256").hexdigest()
    with transaction.atomic():
        _refuse_above_limits(caller, len(content))
        row = FileVerification.objects.create(
            key=secrets.token_urlsafe(32),
            name=name[-200:],
            sha256=hashlib.sha256(content).hexdigest(),
            size=len(content),
            content=content,
            caller=caller,
            created_at=timezone.now(),
        )
        leases.enqueue(Job.Kind.VERIFY, row.pk)
    return row


def result_of(row: FileVerification) -> Examination | None:
    """Return the result; None while the file waits or is being verified."""
    return stored_examination(row.result, row.finished_at) if row.result else None


def result_of_same_bytes(sha256: str) -> Examination | None:
    """Return the examination of these bytes that any caller requested within a day: none is repeated."""
    row = FileVerification.objects.filter(sha256=sha256, finished_at__gt=timezone.now() - STORED_FOR).last()
    return result_of(row) if row else None


def place_of(row: FileVerification) -> QueuePlace:
    """Return the file's place in the queue."""
    return queue_place(Job.Kind.VERIFY, row.pk, settings.VERIFICATION_WORKERS)


def run_verification(lease: leases.Lease) -> None:
    """Run the job: verify the file, store the result and delete the bytes."""
    row = FileVerification.objects.get(pk=lease.job.subject)
    if row.content is None:
        return
    data = examination_data(examine(bytes(row.content)))
    with lease.commit():
        _finish(row.pk, data, timezone.now())


def delete_old_files(now: datetime) -> int:
    """Delete results after a day, and give up files that no worker could verify; returns how many rows it changed."""
    stopped = Job.objects.filter(kind=Job.Kind.VERIFY, state__in=leases.STOPPED).values("subject")
    given_up = _pending().filter(Q(pk__in=stopped) | Q(created_at__lt=now - GIVEN_UP_AFTER))
    changed = 0
    for pk, sha256 in given_up.values_list("pk", "sha256"):
        changed += _finish(pk, examination_data(Examination(Identity.UNKNOWN, sha256, None, None, NOT_VERIFIED)), now)
    old = FileVerification.objects.filter(finished_at__lt=now - STORED_FOR)
    with transaction.atomic():
        Job.objects.filter(kind=Job.Kind.VERIFY, subject__in=old.values("pk")).delete()
        return changed + old.delete()[0]


def _pending() -> QuerySet[FileVerification]:
    return FileVerification.objects.filter(finished_at=None)


def _refuse_above_limits(caller: str, size: int) -> None:
    """Refuse a file above the limits, which simultaneous requests may exceed by as many as there are threads."""
    most, of_caller = settings.VERIFICATION_QUEUE, settings.VERIFICATION_QUEUE_PER_CALLER
    if _pending().filter(caller=caller).count() >= of_caller:
        raise TooManyAtOnce("too-many-at-once/verifications", retry_after=retry_after(Job.Kind.VERIFY), limit=of_caller)
    total = _pending().aggregate(bytes=Sum("size"))["bytes"] or 0
    if _pending().count() >= most or total + size > MOST_BYTES * settings.ATTACHMENT_LIMIT:
        raise Busy("portal-busy/verifications", retry_after=retry_after(Job.Kind.VERIFY), limit=most)


def _finish(key: int, data: dict[str, object], now: datetime) -> int:
    return FileVerification.objects.filter(pk=key, finished_at=None).update(result=data, content=None, finished_at=now)


REVERIFIED_EVERY = timedelta(days=1)
REVERIFIED_AT_A_TIME = 2  # jobs that are not ended
PACKAGES = ("pyhanko", "pyhanko-certvalidator", "asn1crypto", "cryptography")
NO_VERIFICATION = "The portal has no good verification of its seal."


def newest_verification(document: SealedRow) -> tuple[Verification, PaperCheckpoint, datetime]:
    """Return the newest verification of its stored bytes, the checkpoint in them, and when it was verified."""
    again = Reverification.objects.filter(stored=document.signed_id, verified_at__isnull=False).first()
    if again is None or again.verified_at is None:
        data, at = document.verification, document.signed_at
    else:
        data, at = again.verification or {}, again.verified_at
    return verification_of(data), PaperCheckpoint(**data.get("history", {})), at


def verification_of(data: Mapping[str, Any]) -> Verification:
    """Return a stored verification. One that is not good, or not whole, has a problem that says so."""
    known = {field.name: data[field.name] for field in fields(Verification) if field.name in data}
    problems, codes = (tuple(known.pop(name, ())) for name in ("problems", "codes"))
    verification = Verification(**known, problems=problems, codes=codes)
    if verification.good or problems:
        return verification
    return Verification(**known, problems=(NO_VERIFICATION,), codes=codes)


def start_due_reverifications(now: datetime) -> int:
    """Start the next ones that are due, as many as `AT_A_TIME` allows; returns how many."""
    under_way = Job.objects.filter(kind=Job.Kind.REVERIFY).exclude(state__in=leases.ENDED).count()
    due = list(islice(_due_reverifications(now), max(0, REVERIFIED_AT_A_TIME - under_way)))
    for stored in due:
        with transaction.atomic():
            row, _ = Reverification.objects.update_or_create(stored_id=stored, defaults={"requested_at": now})
            job = leases.enqueue(Job.Kind.REVERIFY, row.pk)
            leases.run_again(job.pk, among=leases.ENDED)
    return len(due)


def run_reverification(lease: leases.Lease) -> None:
    """Verify a stored document again; a failed process is retried, and the last failure is the result."""
    row = Reverification.objects.select_related("stored").get(pk=lease.job.subject)
    if row.verified_at and row.verified_at > row.requested_at:
        return
    content = bytes(row.stored.content)
    try:
        if hashlib.sha256(content).hexdigest() == row.stored_id:
            verification = verify.verify_in_child(content, root_file(), pinned_seals())
        else:
            verification = Verification(problems=("The stored file is not the one that was sealed.",))
        paper = check_paper_isolated(content, certificates(root_file()), pinned_seals())
    except IsolatedProcessFailed:
        if lease.job.attempts < settings.JOB_ATTEMPTS:
            raise
        verification, paper = Verification(problems=(verify.NOT_COMPLETED,)), NO_CHECKPOINT
    result = {**verification.as_json(), "history": asdict(paper)}
    with lease.commit():
        rows = Reverification.objects.filter(pk=row.pk)
        rows.update(verification=result, verifier=verifier(), verified_at=timezone.now())


def verifier() -> str:
    """Return a digest of all that decides except the document: certificates, the program and its libraries."""
    trusted = root_file().read_bytes() + " ".join(sorted(pinned_seals())).encode()
    return hashlib.sha256(trusted + _verifying_program()).hexdigest()


@cache
def _verifying_program() -> bytes:
    source = Path(inspect.getfile(verify)).read_bytes()
    return source + " ".join(metadata.version(name) for name in PACKAGES).encode()


def _due_reverifications(now: datetime) -> Iterable[str]:
    """Return the SHA-256 of signed documents that were neither sealed nor verified within a day, the oldest first."""
    current = Reverification.objects.filter(verifier=verifier(), verified_at__gt=now - REVERIFIED_EVERY)
    not_yet = Q(verified_at=None) | Q(verified_at__lt=F("requested_at"))
    requested = Reverification.objects.filter(not_yet, requested_at__gt=now - REVERIFIED_EVERY)
    sealed = (
        model.objects.filter(signed_at__lte=now - REVERIFIED_EVERY)
        .exclude(signed__in=current.values("stored"))
        .exclude(signed__in=requested.values("stored"))
        .order_by("pk")
        .values_list("signed", flat=True)
        for model in (Document, Paper)
    )
    return chain.from_iterable(rows[:REVERIFIED_AT_A_TIME] for rows in sealed)
