"""The record attached to a signed PDF: its subject and its part of the history. No Django, network or database."""

import json
from io import BytesIO
from typing import Any

import pikepdf

from games.rules.dated_files import ATTACHED_END
from submissions.core.digests import digest
from submissions.core.isolated_process import IsolatedFunction

SECONDS = 10  # of the processor, for one file
LARGEST = 20_000_000  # bytes of an attached record


def read_record(content: bytes) -> dict[str, Any] | None:
    """Return receipt and digest of the subject, and the history, of the one attached record; None without one."""
    with pikepdf.open(BytesIO(content)) as pdf:
        names = [name for name in pdf.attachments if name.endswith(".json") and not name.endswith(ATTACHED_END)]
        if len(names) != 1:
            return None
        record: dict[str, Any] = json.loads(pdf.attachments[names[0]].get_file().read_bytes()[:LARGEST])
    of_rules = "snapshot" in record
    receipt = record["snapshot"]["receipt"] if of_rules else record.get("filing", "")
    sha256 = digest(record["snapshot"]) if of_rules else record.get("filing_sha256", "")
    return {"receipt": receipt, "sha256": sha256, "history": record.get("history")}


read_record_isolated = IsolatedFunction(read_record, cpu_seconds=SECONDS, wall_seconds=SECONDS * 10, memory=1 << 30)
