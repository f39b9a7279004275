"""A file compared with the stored documents: the result that the verification page shows.

The bytes decide first: a file is a document of the portal only if it is identical to the stored one, to the last byte
of padding. What is answered at once (a stored document, a file that is no PDF) needs no process; any other file is
verified by `examine_unknown`, in a worker.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import islice

from django.db.models import QuerySet

from submissions.documents.paper_checkpoint import NO_CHECKPOINT, PaperCheckpoint
from submissions.documents.signing_keys import pinned_seals, root_file
from submissions.documents.verify import Verification, verify_isolated
from submissions.models import Document, Paper
from submissions.verification.document_status import SealedRow
from submissions.verification.reverification import newest_verification

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
    """`document` is the stored one that the file is or was made from; None if there is none."""

    identity: Identity
    sha256: str
    document: SealedRow | None
    verification: Verification | None  # of the seal; None if the file is a stored document before its seal
    difference: str = ""  # between the bytes and the stored ones, as a sentence
    verified_at: datetime | None = None
    checkpoint: PaperCheckpoint = NO_CHECKPOINT  # of the history, in a stored document

    @property
    def good(self) -> bool:
        return (
            self.identity is Identity.SEALED
            and self.verification is not None
            and self.verification.good
            and self.checkpoint.good
        )

    @property
    def problems(self) -> tuple[str, ...]:
        own = tuple(filter(None, (self.difference, self.checkpoint.problem)))
        return own + (self.verification.problems if self.verification else ())


def examine(content: bytes) -> Examination:
    """Any file. For an unknown PDF this takes seconds, so no page calls it."""
    return examine_known(content) or examine_unknown(content)


def examine_known(content: bytes) -> Examination | None:
    """What can be said of a file at once: it is a stored document, or no PDF at all. None for an unknown PDF."""
    sha256 = hashlib.sha256(content).hexdigest()
    if document := by_digest(sha256):
        if document.signed_id == sha256:
            return examine_stored(document)
        return Examination(Identity.UNSEALED, sha256, document, None, "The file has no seal yet.")
    return None if HEADER in content[:HEADER_WITHIN] else _compare(content, sha256, None)


def examine_stored(document: SealedRow) -> Examination:
    """A stored document by its newest verification, provided that its bytes are still those that were sealed."""
    sha256 = hashlib.sha256(document.signed.content).hexdigest()
    if sha256 != document.signed_id:
        return Examination(Identity.CHANGED, sha256, document, None, STORED_DIFFERS)
    verification, checkpoint, at = newest_verification(document)
    return Examination(Identity.SEALED, sha256, document, verification, verified_at=at, checkpoint=checkpoint)


def examine_unknown(content: bytes) -> Examination:
    """An unknown PDF: its seal, verified in a child process, and the stored document that it claims to be."""
    return _compare(content, hashlib.sha256(content).hexdigest(), verify_isolated(content, root_file(), pinned_seals()))


def _compare(content: bytes, sha256: str, verification: Verification | None) -> Examination:
    """By the stored document that the file claims to be; without a `verification` it is no PDF."""
    if document := _claimed(content):
        difference = _difference(content, bytes(document.signed.content))
        return Examination(Identity.CHANGED, sha256, document, verification, difference)
    return Examination(Identity.UNKNOWN, sha256, None, verification, NO_SUCH_DOCUMENT if verification else NOT_A_PDF)


def by_digest(digest: str) -> SealedRow | None:
    """The document with this SHA-256: of the sealed file, of the file before sealing, or of the filing.

    A layout, sign or guide is also found by the name in its address: a QR code is printed before there is a digest.
    """
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
    """By its name: LF-2026-00001-R1-sign."""
    match = _PAPER.fullmatch(name)
    return _papers().filter(layout_revision__receipt=match[1], part=match[2]).first() if match else None


def _claimed(content: bytes) -> SealedRow | None:
    """The stored document that a file claims to be, by the name of its record."""
    names = islice((match[1].decode() for match in _RECORD.finditer(content)), MOST_CLAIMS)
    documents: Iterator[SealedRow] = (document for name in dict.fromkeys(names) if (document := _named(name)))
    return next(documents, None)


def _named(name: str) -> SealedRow | None:
    """The document with this file name, without its ending."""
    if _PAPER.fullmatch(name):
        return _paper(name)
    return _documents().filter(revision__receipt=name).first()


def _difference(content: bytes, stored: bytes) -> str:
    """The first byte that differs, or how many bytes were added or are missing."""
    if content.startswith(stored):
        return f"{len(content) - len(stored):,} bytes were added at the end of the sealed document."
    if stored.startswith(content):
        return f"The last {len(stored) - len(content):,} bytes of the sealed document are missing."
    length = min(len(content), len(stored))
    differing = _xor(content[:length], stored[:length])
    first = length - len(differing.lstrip(b"\0"))
    if len(content) != len(stored):
        return f"The file differs from the sealed document from byte {first + 1:,} on, and has another length."
    number = length - differing.count(0)
    bytes_differ = "1 byte differs" if number == 1 else f"{number:,} bytes differ"
    return f"{bytes_differ} from the sealed document, first byte {first + 1:,} of {len(stored):,}."


def _xor(content: bytes, stored: bytes) -> bytes:
    """0 for each byte that is the same; as whole numbers, which takes milliseconds for the largest file."""
    difference = int.from_bytes(content) ^ int.from_bytes(stored)
    return difference.to_bytes(len(stored))
