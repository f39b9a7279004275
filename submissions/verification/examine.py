"""A file compared with the stored documents: the result that the verification page shows.

The bytes decide first: a file is a document of the portal only if it is identical to the stored one, to the last byte
of padding. Its seal is checked by `documents.verify`, in a child process.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from django.db.models import QuerySet

from submissions.documents.signing_keys import pinned_seals, root_file
from submissions.documents.verify import Verification, verify_isolated
from submissions.models import Document, Paper
from submissions.verification.document_status import SealedRow

_PAPER = re.compile(r"(LF-\d{4}-\d{5,9}-R\d{1,4})-(layout|sign|guide)")
_RECORD = re.compile(  # the name of the attached record, in plain bytes
    rb"\((RS-\d{4}-\d{5,9}-R\d{1,4}|LF-\d{4}-\d{5,9}-R\d{1,4}-(?:layout|sign|guide))\.json\)"
)
MOST_CLAIMS = 8  # a document of ours names its record twice; a hostile file could cause a million queries


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

    @property
    def good(self) -> bool:
        return self.identity is Identity.SEALED and self.verification is not None and self.verification.good

    @property
    def problems(self) -> tuple[str, ...]:
        own = (self.difference,) if self.difference else ()
        return own + (self.verification.problems if self.verification else ())


def examine(content: bytes) -> Examination:
    """Which document this is, whether it is unchanged, and the verification of its seal."""
    sha256 = hashlib.sha256(content).hexdigest()
    document = by_digest(sha256)
    if document and document.signed_id == sha256:
        return Examination(Identity.SEALED, sha256, document, verify_isolated(content, root_file(), pinned_seals()))
    if document:
        return Examination(Identity.UNSEALED, sha256, document, None, "The file bears no seal yet.")
    verification = verify_isolated(content, root_file(), pinned_seals())
    if document := _claimed(content):
        difference = _difference(content, bytes(document.signed.content))
        return Examination(Identity.CHANGED, sha256, document, verification, difference)
    return Examination(Identity.UNKNOWN, sha256, None, verification, "The portal holds no such document.")


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
    pairs = zip(content, stored, strict=False)
    first = next(place for place, (ours, theirs) in enumerate(pairs) if ours != theirs)
    if len(content) != len(stored):
        return f"The file differs from the sealed document from byte {first + 1:,} on, and has another length."
    number = sum(ours != theirs for ours, theirs in zip(content, stored, strict=True))
    bytes_differ = "1 byte differs" if number == 1 else f"{number:,} bytes differ"
    return f"{bytes_differ} from the sealed document, first byte {first + 1:,} of {len(stored):,}."
