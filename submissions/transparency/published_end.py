"""The end of the public log as this machine last published it, in a file beside the copies of the checkpoints.

Anyone who can only write to the database can delete the log, or the last events with it; nothing in the database then
shows it. The file does: the log is not published again (`publishing`), and `log_verification` names what is missing.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from submissions.core.canonical_json import canonical_json
from submissions.core.whole_file import write_whole
from submissions.models import Event, LogCheckpoint, LogEntry

FILE = "log-end"  # not `.json`, as the copies of the checkpoints are


def keep_end(row: LogCheckpoint) -> None:
    """Write the size and the root, and the digest of the last event. An earlier end than the one kept is not."""
    end = _read()
    if end is None or end["size"] < row.size:
        event = Event.objects.values_list("digest", flat=True).get(sequence=row.size)
        write_whole(_path(), canonical_json({"size": row.size, "root": row.root, "event": event}))


def problems_of_end() -> Iterator[str]:
    """A sentence for each part of the published log that the database no longer has."""
    try:
        end = _read()
    except ValueError:
        yield f"public log: {_path()} cannot be read"
        return
    if end is None:
        return
    size, as_kept = end["size"], f"as it was published and kept in {_path()}"
    if not Event.objects.filter(sequence=size, digest=end["event"]).exists():
        yield f"event {size}: it is not in the database {as_kept}"
    if not LogEntry.objects.filter(sequence=size).exists():
        yield f"public log, entry {size}: it is not in the database {as_kept}"
    if not LogCheckpoint.objects.filter(size=size, root=end["root"]).exists():
        yield f"public log, checkpoint of size {size}: it is not in the database {as_kept}"


def _path() -> Path:
    return Path(settings.CHECKPOINTS) / FILE


def _read() -> dict[str, Any] | None:
    path = _path()
    end: dict[str, Any] | None = json.loads(path.read_bytes()) if path.exists() else None
    return end
