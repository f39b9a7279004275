"""A file held against what the portal stores: the one answer that the verify page gives.

The bytes decide first: a file is a document of the portal only if it is identical to the stored one, to the last
byte of padding. What its seal says by itself is `verify`, in a process of its own (`confined`).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from submissions.documents.confined import confined
from submissions.documents.keys import root_file
from submissions.documents.verify import Verification
from submissions.models import Document

_RECEIPT = re.compile(rb"\((RS-\d{4}-\d{5,9}-R\d{1,4})\.json\)")  # the name of the attached record, in plain bytes
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
    document: Document | None
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


def by_digest(digest: str) -> Document | None:
    """The document with this SHA-256: of the sealed file, of the file before sealing, or of the filing."""
    documents = Document.objects.select_related("signed", "revision__submission__organisation")
    for column in ("signed", "unsigned_sha256", "revision__sha256"):
        if found := documents.filter(**{column: digest.lower()}).order_by("pk").first():
            return found
    return None


def _claimed(content: bytes) -> Document | None:
    """The stored document that a file pretends to be: by its first bytes, else by the name of its record."""
    documents = Document.objects.select_related("signed", "revision__submission__organisation")
    names = islice((match[1].decode() for match in _RECEIPT.finditer(content)), MOST_CLAIMS)
    return next(filter(None, (documents.filter(revision__receipt=name).first() for name in dict.fromkeys(names))), None)


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
