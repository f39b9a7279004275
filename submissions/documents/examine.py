"""A file held against what the portal stores: the one answer that the verify page gives.

The bytes decide first: a file is a document of the portal only if it is identical to the stored one, to the last
byte of padding. What its seal says by itself is `verify`, in a process of its own (`confined`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from django.db.models import QuerySet

from submissions.documents.about import Sealed
from submissions.documents.confined import confined
from submissions.documents.keys import root_file
from submissions.documents.verify import Verification
from submissions.models import Document, Paper

_PAPER = re.compile(r"(LF-\d{4}-\d{5,9}-R\d{1,4})-(layout|sign|guide)")
_RECORD = re.compile(  # the name of the attached record, in plain bytes
    rb"\((RS-\d{4}-\d{5,9}-R\d{1,4}|LF-\d{4}-\d{5,9}-R\d{1,4}-(?:layout|sign|guide))\.json\)"
)
MOST_CLAIMS = 8  # a document of ours names its record twice; a hostile file could ask the database a million times


class Identity(Enum):
    """What the file is, by its bytes."""

    SEALED = "the sealed document, byte for byte"
    UNSEALED = "the document before it was sealed, byte for byte"
    CHANGED = "a document of this portal that was changed"
    UNKNOWN = "not a document of this portal"


@dataclass(frozen=True, slots=True)
class Examination:
    """`document` is the stored one that the file is, or was made from; None where there is none."""

    identity: Identity
    sha256: str
    document: Sealed | None
    verification: Verification | None  # of the seal; None where the bytes leave nothing to ask
    difference: str = ""  # how the bytes differ from the stored ones, in a sentence

    @property
    def good(self) -> bool:
        return self.identity is Identity.SEALED and self.verification is not None and self.verification.good

    @property
    def problems(self) -> tuple[str, ...]:
        found = (self.difference,) if self.difference else ()
        return found + (self.verification.problems if self.verification else ())


def examine(content: bytes) -> Examination:
    """Which document this is, whether it is unchanged, and what its seal says now."""
    sha256 = hashlib.sha256(content).hexdigest()
    document = by_digest(sha256)
    if document and document.signed_id == sha256:
        return Examination(Identity.SEALED, sha256, document, confined(content, root_file()))
    if document:
        return Examination(Identity.UNSEALED, sha256, document, None, "The file bears no seal yet.")
    verification = confined(content, root_file())
    document = _claimed(content)
    if document:
        difference = _difference(content, bytes(document.signed.content))
        return Examination(Identity.CHANGED, sha256, document, verification, difference)
    return Examination(Identity.UNKNOWN, sha256, None, verification, "The portal holds no such document.")


def by_digest(digest: str) -> Sealed | None:
    """The document with this SHA-256: of the sealed file, of the file before sealing, or of the filing.

    A layout, sign or guide also goes by the name that its address bears: a QR code is printed before there is a digest.
    """
    for column in ("signed", "unsigned_sha256", "revision__sha256"):
        if document := _documents().filter(**{column: digest.lower()}).order_by("pk").first():
            return document
    for column in ("signed", "unsigned_sha256"):
        if paper := _papers().filter(**{column: digest.lower()}).order_by("pk").first():
            return paper
    return _paper(digest)


def _documents() -> QuerySet[Document]:
    return Document.objects.select_related("signed", "revision__submission__organisation")


def _papers() -> QuerySet[Paper]:
    return Paper.objects.select_related("signed", "layout_revision__filing__submission__organisation")


def _paper(name: str) -> Paper | None:
    """By what it is called: LF-2026-00001-R1-sign."""
    found = _PAPER.fullmatch(name)
    return _papers().filter(layout_revision__receipt=found[1], part=found[2]).first() if found else None


def _claimed(content: bytes) -> Sealed | None:
    """The stored document that a file pretends to be: by the name of its record."""
    names = islice((match[1].decode() for match in _RECORD.finditer(content)), MOST_CLAIMS)
    found: Iterator[Sealed] = (document for name in dict.fromkeys(names) if (document := _named(name)))
    return next(found, None)


def _named(name: str) -> Sealed | None:
    """The document that is called so, without an ending."""
    if _PAPER.fullmatch(name):
        return _paper(name)
    return _documents().filter(revision__receipt=name).first()


def _difference(content: bytes, stored: bytes) -> str:
    """Where the bytes differ first, and by how many they are longer or shorter."""
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
