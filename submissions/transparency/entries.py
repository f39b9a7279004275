"""What the public log says of an event: a statement, of which only the SHA-256 is public.

A statement has the event's number and verb, for a filing and its decisions the receipt and the digest of what was
filed, and the event's digest, salted with 32 random bytes, so that nothing in the history can be guessed from the log.
A person who has the statement can show that the event is in the log; others learn only how many events there are.
"""

import hashlib
import hmac
from typing import Any

from submissions.core.canonical_json import digest
from submissions.models import Event, LayoutRevision, LogEntry, Revision
from submissions.transparency.merkle import leaf_hash

Statement = dict[str, Any]


def statement_of(event: Event, salt: str) -> Statement:
    """The statement; the same at any time. `salt`: in hexadecimal."""
    receipt = str(event.after.get("receipt", ""))
    salted = hmac.new(bytes.fromhex(salt), event.digest.encode(), hashlib.sha256).hexdigest()
    return {
        "sequence": event.sequence,
        "verb": event.verb,
        "receipt": receipt,
        "sha256": filed_digest(receipt) if receipt else "",
        "event": salted,
    }


def filed_digest(receipt: str) -> str:
    """The digest of what was filed under the receipt; "" if there is no such filing."""
    if sha256 := Revision.objects.filter(receipt=receipt).values_list("sha256", flat=True).first():
        return str(sha256)
    filed = LayoutRevision.objects.filter(receipt=receipt).select_related("drawing").first()
    return layout_digest(filed) if filed else ""


def layout_digest(filed: LayoutRevision) -> str:
    """The digest of a layout filing: what each part shows, and the drawing's file."""
    drawing = filed.drawing.stored_id if filed.drawing else ""
    return digest({"receipt": filed.receipt, "shown": filed.shown, "drawing": drawing})


def leaf_of(entry: LogEntry) -> bytes:
    """The hash of the entry's leaf: 32 bytes."""
    return leaf_hash(bytes.fromhex(entry.entry))
