"""The proof for a signed document that its approval is in the public log. Its shape is described in `offline_proof`."""

import base64
from typing import Any

from submissions.models import Event, LogCheckpoint, LogEntry
from submissions.transparency.entries import statement_of
from submissions.transparency.merkle import inclusion_proof
from submissions.transparency.offline_proof import APPROVALS
from submissions.transparency.publishing import publish, stored_tile
from submissions.transparency.tiles import subtree_reader

Proof = dict[str, Any]


def approval_proof(receipt: str, submission_id: int) -> Proof:
    """The proof for what was approved under this receipt; the same at any time. Publishes what is not published."""
    events = Event.objects.filter(submission=submission_id, verb__in=APPROVALS, after__receipt=receipt)
    event = events.order_by("sequence").get()
    if not LogCheckpoint.objects.filter(size__gte=event.sequence).exists():
        publish()
    checkpoint = LogCheckpoint.objects.filter(size__gte=event.sequence).earliest("size")
    entry, index = LogEntry.objects.get(sequence=event.sequence), event.sequence - 1
    path = inclusion_proof(index, checkpoint.size, subtree_reader(stored_tile, checkpoint.size))
    return {
        "index": index,
        "statement": statement_of(event, entry.salt),
        "path": [base64.b64encode(each).decode() for each in path],
        "checkpoint": checkpoint.note,
    }
