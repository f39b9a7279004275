"""Publishes events in the public log: entries, full tiles, and a signed checkpoint when there is something new.

Called by the sweeper, and by the jobs that make documents, whose proofs need a checkpoint that covers the approval. A
log whose published end is missing is not published again: that would sign a rewritten history.
"""

import secrets
from collections.abc import Iterator
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from submissions.audit.record import lock_history
from submissions.jobs.leases import TryLater
from submissions.models import Event, LogCheckpoint, LogEntry, LogTile
from submissions.transparency.entries import leaf_of, statement_of
from submissions.transparency.log_key import load_log_key
from submissions.transparency.merkle import root_hash
from submissions.transparency.offline_proof import entry_of
from submissions.transparency.published_end import keep_end, problems_of_end
from submissions.transparency.signed_note import LogCheckpointText, sign_note
from submissions.transparency.tiles import HASH, WIDTH, subtree_reader, tree_hash

AT_ONCE = 2_000  # events of one transaction
REMEDY = "Find out who changed the database. If you restored an earlier one yourself, move that file away"


def publish() -> LogCheckpoint | None:
    """Add every event that is not in the log, and sign the new size. None if there is nothing new.

    Errors: `TryLater` if the database lacks what this machine has published.
    """
    if problem := next(problems_of_end(), ""):
        raise TryLater(f"{problem}. {REMEDY}")
    while _add_entries():
        pass
    with transaction.atomic():
        lock_history()  # one publisher at a time
        size = LogEntry.objects.count()
        if not size or LogCheckpoint.objects.filter(size=size).exists():
            return None
        root = root_hash(size, subtree_reader(stored_tile, size))
        text = str(LogCheckpointText(settings.LOG_ORIGIN, size, root))
        note = sign_note(text, settings.LOG_ORIGIN, load_log_key())
        row = LogCheckpoint.objects.create(size=size, root=root.hex(), note=note, made_at=timezone.now())
        transaction.on_commit(partial(keep_end, row), robust=True)
        return row


def latest_checkpoint() -> LogCheckpoint | None:
    return LogCheckpoint.objects.order_by("-size").first()


def stored_tile(level: int, index: int, width: int) -> bytes:
    """The first `width` hashes of a tile, from the rows."""
    if full := LogTile.objects.filter(level=level, index=index).values_list("hashes", flat=True).first():
        return bytes(full)[: HASH * width]
    first = WIDTH * index
    if level == 0:
        entries = LogEntry.objects.filter(sequence__gt=first, sequence__lte=first + width).order_by("sequence")
        return b"".join(map(leaf_of, entries))
    return b"".join(_tile_root(level - 1, number) for number in range(first, first + width))


def _add_entries() -> int:
    """The next entries and the tiles that they fill; how many."""
    with transaction.atomic():
        lock_history()
        last = LogEntry.objects.order_by("-sequence").values_list("sequence", flat=True).first() or 0
        events = list(Event.objects.filter(sequence__gt=last).order_by("sequence").defer("rows")[:AT_ONCE])
        LogEntry.objects.bulk_create(_entries(events))
        LogTile.objects.bulk_create(_filled_tiles(last, last + len(events)))
    return len(events)


def _entries(events: list[Event]) -> Iterator[LogEntry]:
    for event in events:
        salt = secrets.token_hex(32)
        yield LogEntry(sequence=event.sequence, salt=salt, entry=entry_of(statement_of(event, salt)).hex())


def _filled_tiles(old: int, new: int) -> list[LogTile]:
    """The tiles that are full at the new size and were not at the old one, the lowest level first."""
    made: dict[tuple[int, int], bytes] = {}
    level, old_count, new_count = 0, old // WIDTH, new // WIDTH
    while new_count > old_count:
        for index in range(old_count, new_count):
            made[level, index] = stored_tile(level, index, WIDTH) if not level else _from_below(made, level, index)
        level, old_count, new_count = level + 1, old_count // WIDTH, new_count // WIDTH
    return [LogTile(level=level, index=index, hashes=hashes) for (level, index), hashes in made.items()]


def _from_below(made: dict[tuple[int, int], bytes], level: int, index: int) -> bytes:
    below = ((level - 1, number) for number in range(WIDTH * index, WIDTH * (index + 1)))
    return b"".join(_root_of_tile(made[place]) if place in made else _tile_root(*place) for place in below)


def _tile_root(level: int, index: int) -> bytes:
    return _root_of_tile(stored_tile(level, index, WIDTH))


def _root_of_tile(hashes: bytes) -> bytes:
    return tree_hash([hashes[start : start + HASH] for start in range(0, len(hashes), HASH)])
