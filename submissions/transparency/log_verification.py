"""Verifies that the public log in the database is that of the history: entries, tiles, and every signed checkpoint.

Not here: the history itself (`audit`). A log and a history that were both rewritten are found by witnesses (`witness`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from submissions.models import Event, LogCheckpoint, LogEntry, LogTile
from submissions.transparency.entries import leaf_of, statement_of
from submissions.transparency.log_key import log_verifier
from submissions.transparency.merkle import node_hash, root_hash
from submissions.transparency.offline_proof import entry_of
from submissions.transparency.published_end import problems_of_end
from submissions.transparency.signed_note import InvalidNote, open_note, read_checkpoint
from submissions.transparency.tiles import WIDTH

BATCH = 2_000  # entries that are read together


@dataclass(slots=True)
class _GrowingTree:
    """The roots of a tree that grows leaf by leaf: the hashes of its complete subtrees, the largest first."""

    size: int = 0
    subtrees: list[bytes] = field(default_factory=list)

    def add(self, leaf: bytes) -> None:
        self.subtrees.append(leaf)
        self.size += 1
        for _ in range((self.size & -self.size).bit_length() - 1):
            right, left = self.subtrees.pop(), self.subtrees.pop()
            self.subtrees.append(node_hash(left, right))

    @property
    def root(self) -> bytes:
        if not self.subtrees:
            return root_hash(0, lambda *_: b"")
        *larger, current = self.subtrees
        for subtree in reversed(larger):
            current = node_hash(subtree, current)
        return current


def log_problems() -> Iterator[str]:
    """A sentence for each entry, tile or checkpoint that is not that of the history, or was published and is gone."""
    yield from problems_of_end()
    checkpoints = {row.size: row for row in LogCheckpoint.objects.all()}
    tree, leaves = _GrowingTree(), []
    for event, entry in _pairs():
        if entry.sequence != tree.size + 1:
            yield f"public log, entry {tree.size + 1}: it is missing"
            return
        if event is None or entry.entry != entry_of(statement_of(event, entry.salt)).hex():
            yield f"public log, entry {entry.sequence}: it is not that of event {entry.sequence}"
        tree.add(leaf := leaf_of(entry))
        leaves.append(leaf)
        if len(leaves) == WIDTH:
            yield from _tile_problem(tree.size // WIDTH - 1, b"".join(leaves))
            leaves.clear()
        if checkpoint := checkpoints.pop(tree.size, None):
            yield from _checkpoint_problem(checkpoint, tree.root)
    for size in sorted(checkpoints):
        yield f"public log, checkpoint of size {size}: there are only {tree.size} entries"


def _pairs() -> Iterator[tuple[Event | None, LogEntry]]:
    """Each entry with its event."""
    last = 0
    while entries := list(LogEntry.objects.filter(sequence__gt=last).order_by("sequence")[:BATCH]):
        events = Event.objects.defer("rows").in_bulk([entry.sequence for entry in entries])
        yield from ((events.get(entry.sequence), entry) for entry in entries)
        last = entries[-1].sequence


def _tile_problem(index: int, hashes: bytes) -> Iterator[str]:
    stored = LogTile.objects.filter(level=0, index=index).values_list("hashes", flat=True).first()
    if stored is None or bytes(stored) != hashes:
        yield f"public log, tile {index} of level 0: it is not that of its entries"


def _checkpoint_problem(row: LogCheckpoint, root: bytes) -> Iterator[str]:
    try:
        content = read_checkpoint(open_note(row.note, log_verifier()))
    except InvalidNote as error:
        yield f"public log, checkpoint of size {row.size}: {error}"
        return
    if (content.size, content.root) != (row.size, root) or row.root != root.hex():
        yield f"public log, checkpoint of size {row.size}: it is not that of the entries before it"
