"""Checks the proof that an approval is in the public log: no Django, no network, no database.

    index        of the leaf, from 0
    statement    as `transparency.entries` describes it: its receipt and digest are those of the document
    path         hashes of RFC 6962, 2.1.1, in base64
    checkpoint   the signed note of the first checkpoint that covers the approval

Not here: making the proof (`approval_proof`).
"""

import base64
import binascii
import hashlib
from typing import Any

from submissions.core.canonical_json import canonical_json
from submissions.transparency.merkle import is_included, leaf_hash
from submissions.transparency.signed_note import InvalidNote, NoteKey, open_note, read_checkpoint

APPROVALS = ("approved", "layout-approved")  # verbs of events


def entry_of(statement: dict[str, Any]) -> bytes:
    """The public entry of a statement: 32 bytes."""
    return hashlib.sha256(canonical_json(statement).encode()).digest()


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
