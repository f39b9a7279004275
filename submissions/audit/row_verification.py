"""Compares every row of the sealed tables with what the events sealed, and names table, row and column that differ.

The walk along the chain keeps, of each row, the number of its last event and a digest of the state that it sealed. Not
here: the chain itself (`hash_chain`), what is sealed and how (`row_seals`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction

from submissions.audit.hash_chain import ChainBreak, ChainWalk
from submissions.audit.record import lock_history, record_event
from submissions.audit.row_seals import BATCH, SEALED_TABLES, ChangedRow, RowReference, RowState, SealedTable, rows_in
from submissions.core.canonical_json import canonical_json
from submissions.models import Checkpoint, Event, Revision, StoredFile

BEGUN = "rows-sealed"  # the verb of the events that seal the rows that were there before events sealed rows
TABLES = "tables"  # key of its payload: the tables that it covers


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that is not as it was sealed. `column` is "" for a row that is missing or that no event seals."""

    table: str
    key: str
    column: str
    problem: str

    def __str__(self) -> str:
        return f"{self.table} {self.key}{f', {self.column}' if self.column else ''}: {self.problem}"


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """The whole verification. `older`: rows that were there before events sealed rows, sealed as they were found."""

    count: int
    broken: ChainBreak | None
    differences: tuple[RowDifference, ...]
    sealed: int
    older: int
    uncovered: tuple[str, ...]  # tables for which no event says when sealing began

    @property
    def good(self) -> bool:
        return not (self.broken or self.differences or self.uncovered)


@dataclass(slots=True)
class RowWalk:
    """What the events sealed so far: table → primary key → (number of the event, digest of the state)."""

    sealed: dict[str, dict[str, tuple[int, bytes]]] = field(default_factory=lambda: defaultdict(dict))
    older: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    covered: set[str] = field(default_factory=set)

    def visit(self, event: Event) -> None:
        is_older = event.verb == BEGUN
        if is_older:
            self.covered.update(event.after.get(TABLES, ()))
        for table, rows in rows_in(event.rows).items():
            for key, state in rows.items():
                self.sealed[table][key] = (event.sequence, _fingerprint(state))
                (self.older[table].add if is_older else self.older[table].discard)(key)


def verify_history(checkpoints: Iterable[Checkpoint] = (), *, most: int = 20) -> HistoryReport:
    """The chain and, if it is whole, every sealed row; at most so many differences.

    Rows that change during the check are read again.
    """
    rows = RowWalk()
    chain = ChainWalk({checkpoint.sequence: checkpoint for checkpoint in checkpoints}, rows.visit)
    count, broken = chain.count_to_tip()
    differences = [] if broken else list(islice(_differences(rows), most))
    if differences:
        with transaction.atomic():
            lock_history()  # what is written now waits; what was written since is in the chain
            count, broken = chain.count_to_tip()
            differences = [] if broken else list(islice(_differences(rows), most))
    return HistoryReport(
        count,
        broken,
        tuple(differences),
        sealed=sum(map(len, rows.sealed.values())),
        older=sum(map(len, rows.older.values())),
        uncovered=tuple(sorted(SEALED_TABLES.keys() - rows.covered)),
    )


def begin_sealing() -> int:
    """Seal the rows of tables for which no event did so yet, as they are now; the number of rows.

    Called at every preparation of the portal: for a new portal there are none, after an update those of older versions.
    """
    with transaction.atomic():
        lock_history()
        covered = {name for event in Event.objects.filter(verb=BEGUN) for name in event.after.get(TABLES, ())}
        tables = [table for name, table in SEALED_TABLES.items() if name not in covered]
        rows = [row for table in tables for row in _unsealed_rows(table)]
        if tables:
            batches = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)] or [[]]
            for batch in batches:
                covers = {TABLES: [table.name for table in tables]} if batch is batches[-1] else {}
                record_event(None, None, BEGUN, after=covers, seals=batch)
    return len(rows)


def _unsealed_rows(table: SealedTable) -> list[ChangedRow]:
    keys = [str(key) for key in table.model._default_manager.order_by("pk").values_list("pk", flat=True)]
    missing = (table.missing_seals(keys[start : start + BATCH]) for start in range(0, len(keys), BATCH))
    return [RowReference(table.model, key) for batch in missing for key in batch]


def _differences(rows: RowWalk) -> Iterator[RowDifference]:
    for name, table in SEALED_TABLES.items():
        yield from _of_table(table, rows.sealed.get(name, {}), covered=name in rows.covered)
    yield from _of_contents()


def _of_table(table: SealedTable, sealed: dict[str, tuple[int, bytes]], *, covered: bool) -> Iterator[RowDifference]:
    """The rows that differ, those that no event seals, and those that are missing."""
    met, unsealed = set(), []
    for key, state in table.all_states():
        number, fingerprint = sealed.get(key, (0, b""))
        met.add(key)
        if not number:
            unsealed.append(key)
        elif fingerprint != _fingerprint(state):
            yield from _of_row(table.name, key, number, state)
    for start in range(0, len(unsealed) if covered else 0, BATCH):
        for key in table.missing_seals(unsealed[start : start + BATCH]):
            yield RowDifference(table.name, key, "", "no event seals this row")
    deleted = _fingerprint(None)
    for key, (number, fingerprint) in sealed.items():
        if key not in met and fingerprint != deleted:
            yield RowDifference(table.name, key, "", f"the row is missing; event {number} sealed it")


def _of_row(name: str, key: str, number: int, state: RowState) -> Iterator[RowDifference]:
    """Each column that differs from what the event sealed."""
    sealed = rows_in(Event.objects.get(sequence=number).rows)[name][key]
    if sealed is None:
        yield RowDifference(name, key, "", f"the row is there; event {number} sealed that it was deleted")
        return
    for column in sorted(sealed.keys() | state.keys()):
        if column not in sealed or column not in state or sealed[column] != state[column]:
            was, now = (_words(values, column) for values in (sealed, state))
            yield RowDifference(name, key, column, f"it is {now}; event {number} sealed {was}")


def _of_contents() -> Iterator[RowDifference]:
    """Files and filings whose content is not that of their digest."""
    for key, content in StoredFile.objects.order_by("pk").values_list("pk", "content").iterator(chunk_size=10):
        if hashlib.sha256(content).hexdigest() != key:
            yield RowDifference("submissions_storedfile", key, "content", "its SHA-256 is not the file's name")
    for pk, snapshot, digest in Revision.objects.order_by("pk").values_list("pk", "snapshot", "sha256").iterator():
        if hashlib.sha256(snapshot.encode()).hexdigest() != digest:
            yield RowDifference("submissions_revision", str(pk), "snapshot", f"its SHA-256 is not {digest}")


def _words(state: RowState, column: str) -> str:
    return f"“{state[column]}”" if column in state else "empty"


def _fingerprint(state: RowState | None) -> bytes:
    return hashlib.blake2b(canonical_json(state).encode(), digest_size=16).digest()
