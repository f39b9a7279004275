"""The proof of the public log that a signed PDF carries, read from its attached record and checked offline.

A document that was signed before there was a log has none. Not here: the proof itself (`transparency.offline_proof`),
the seal (`verify`).
"""

import json
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Any

import pikepdf

from submissions.core.canonical_json import digest
from submissions.core.isolated_process import IsolatedFunction, IsolatedProcessFailed
from submissions.transparency.offline_proof import proof_problem
from submissions.transparency.signed_note import NoteKey, read_checkpoint, read_key, split_note

SECONDS = 10  # for one file
LARGEST = 20_000_000  # bytes of an attached record
UNREADABLE = "The record that is attached to the PDF cannot be read."


@dataclass(frozen=True, slots=True)
class LogProof:
    """`entry`: the number of the approval in the log, 0 if the PDF has no proof; `size`: entries of its checkpoint."""

    log: str = ""
    entry: int = 0
    size: int = 0
    problem: str = ""

    @property
    def good(self) -> bool:
        return not self.problem

    def __str__(self) -> str:
        if self.problem:
            return self.problem
        if not self.entry:
            return "It has no proof of the public log: it states no approval, or was signed before there was a log."
        return f"Its approval is entry {self.entry:,} of the public log {self.log}, in a checkpoint of {self.size:,}."


NO_PROOF = LogProof()


def check_log_proof(content: bytes, key: NoteKey) -> LogProof:
    """The proof in a PDF. Anything wrong with the file is the `problem`, never an exception."""
    try:
        record = _attached_record(content)
        if record is None or "log" not in record:
            return LogProof()
        receipt, sha256 = _subject(record)
        if problem := proof_problem(record["log"], key, receipt=receipt, sha256=sha256):
            return LogProof(key.name, problem=problem)
        text, _ = split_note(record["log"]["checkpoint"])
        return LogProof(key.name, record["log"]["statement"]["sequence"], read_checkpoint(text).size)
    except Exception:  # a hostile file can break the parser anywhere
        return LogProof(problem=UNREADABLE)


def check_log_proof_isolated(content: bytes, key: NoteKey) -> LogProof:
    """The same for an outsider's file, in a child process."""
    try:
        return LogProof(**_check_in_child(content, str(key)))
    except IsolatedProcessFailed:
        return LogProof(problem=UNREADABLE)


def log_proof_data(content: bytes, key: str) -> dict[str, Any]:
    """The fields of the result; only for the child process."""
    return asdict(check_log_proof(content, read_key(key)))


_check_in_child = IsolatedFunction(log_proof_data, cpu_seconds=SECONDS, wall_seconds=SECONDS * 3, memory=1 << 30)


def _attached_record(content: bytes) -> dict[str, Any] | None:
    """The one attached file whose name ends in .json; None without one."""
    with pikepdf.open(BytesIO(content)) as pdf:
        names = [name for name in pdf.attachments if name.endswith(".json")]
        if len(names) != 1:
            return None
        text = pdf.attachments[names[0]].get_file().read_bytes()
    record: dict[str, Any] = json.loads(text[:LARGEST])
    return record


def _subject(record: dict[str, Any]) -> tuple[str, str]:
    """The receipt and the digest of what was filed: of a Rules Submission's answers, or of a layout filing."""
    if "snapshot" in record:
        return record["snapshot"]["receipt"], digest(record["snapshot"])
    return record["filing"], record["filing_sha256"]
