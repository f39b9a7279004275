"""Sealing for keeps: what was sealed is verified at once, and only what verifies becomes a row of the database.

Not here: the seal itself (`sign`), verification (`verify`), what is sealed when (`produce`, `papers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from submissions.documents.keys import Seal
from submissions.documents.printing import Rendered
from submissions.documents.verify import Verification, verify
from submissions.errors import Refusal
from submissions.models import StoredFile


@dataclass(frozen=True, slots=True)
class Sealed:
    """A document before and after its seal, and what its verification said."""

    rendered: Rendered
    content: bytes
    verification: Verification

    def keep(self) -> dict[str, Any]:
        """Store the bytes; the columns that a document's row has of them."""
        return {
            "unsigned_sha256": self.rendered.sha256,
            "signed": StoredFile.keep(self.content, "application/pdf"),
            "pages": self.rendered.pages,
            "signer": self.verification.signed_by,
            "signed_at": datetime.fromisoformat(self.verification.signed_at),
            "verification": self.verification.as_json(),
            "demo": settings.DEMO,
        }


def verified(rendered: Rendered, signed: bytes, our_seal: Seal) -> Sealed:
    """The document as anyone will verify it; whatever does not hold stops the job before anything is stored."""
    found = verify(signed, our_seal.roots)
    problems = list(found.problems)
    if not signed.startswith(rendered.content):
        problems.append("The sealed file does not start with the bytes that were laid out.")
    if problems or not found.good:
        raise Refusal(
            "seal-not-verified",
            "The sealed document does not verify, so it was not stored: " + " ".join(problems),
            fix="Check the certificate, the timestamp authority and the root named in the settings, then run it again.",
        )
    return Sealed(rendered, signed, found)
