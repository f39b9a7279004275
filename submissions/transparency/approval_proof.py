"""The proof that an approval is in the public log: made for a signed document, verified without network or database.

index        of the leaf, from 0
statement    as `transparency.entries` describes it: its receipt and digest are those of the document
path         hashes of RFC 6962, 2.1.1, in base64
checkpoint   the signed note of the first checkpoint that covers the approval
"""

import base64
import binascii
from typing import Any

from submissions.models import Event, LogCheckpoint, LogEntry
from submissions.transparency.entries import entry_of, statement_of
from submissions.transparency.merkle import inclusion_proof, is_included, leaf_hash
from submissions.transparency.publishing import publish, stored_tile
from submissions.transparency.signed_note import InvalidNote, NoteKey, open_note, read_checkpoint
from submissions.transparency.tiles import subtree_reader

APPROVALS = ("approved", "layout-approved")
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


def proof_problem(proof: Any, key: NoteKey, *, receipt: str, sha256: str) -> str:
    """Why the proof does not show that this was approved, as a sentence; "" if it does. Any data is accepted."""
    try:
        statement = proof["statement"]
        text = open_note(proof["checkpoint"], key)
        path = [base64.b64decode(each, validate=True) for each in proof["path"]]
        tree = read_checkpoint(text)
        leaf, index = leaf_hash(entry_of(statement)), int(proof["index"])
        is_about = (statement["receipt"], statement["sha256"]) == (receipt, sha256)
        is_approval = statement["verb"] in APPROVALS
    except InvalidNote as error:
        return str(error)
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error, RecursionError):
        return "The proof of the public log cannot be read."
    if tree.origin != key.name:
        return f"The proof is of another log: {tree.origin[:80]}."
    if not is_about or not is_approval or statement.get("sequence") != index + 1:
        return "The proof of the public log is about something else than this document."
    if not is_included(leaf, index, tree.size, path, tree.root):
        return "The approval is not in the public log that the checkpoint describes."
    return ""
