"""Comparison of every row of the sealed tables with what the events sealed.

It names table, row and column that differ; it finds changes without an event, which shows an event that is missing even
if the chain was rewritten afterwards. A column that was added to a table later is in none of its older events: until
`begin_sealing` has sealed its rows again, it counts as not sealed. Not here: the chain itself (`chain`), what is sealed
and how (`row_seals`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.fields.json import KT

from submissions.audit.chain import ChainBreak, ChainWalk
from submissions.audit.record import lock_history, record_event
from submissions.audit.row_seals import BATCH, SEALED_TABLES, ChangedRow, RowReference, RowState, SealedTable, rows_in
from submissions.core.digests import canonical_json
from submissions.models import (
    Checkpoint,
    Decision,
    Document,
    Event,
    LayoutDecision,
    LayoutRevision,
    Paper,
    Revision,
    Simulation,
    StoredFile,
)
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS

BEGUN = "rows-sealed"  # the verb of the events that seal the rows that were there before events sealed rows
TABLES = "tables"  # key of its payload: the tables that it covers
COLUMNS = "columns"  # key of its payload: the columns of each table that are sealed from then on
Seal = tuple[int, bytes, frozenset[str]]  # number of the event, digest of the state, columns of the state
NO_SEAL: Seal = (0, b"", frozenset())


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
    uncovered: tuple[str, ...]  # tables, and later columns (`table.column`), for which no event says when sealing began

    @property
    def good(self) -> bool:
        return not (self.broken or self.differences or self.uncovered)


@dataclass(slots=True)
class RowWalk:
    """The rows that the events sealed so far: table → primary key → the last seal."""

    sealed: dict[str, dict[str, Seal]] = field(default_factory=lambda: defaultdict(dict))
    older: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    covered: set[str] = field(default_factory=set)
    columns: dict[str, set[str]] = field(default_factory=dict)  # as the latest event that says it, by table
    shapes: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)  # one object for equal sets

    def visit(self, event: Event) -> None:
        is_older = event.verb == BEGUN
        if is_older:
            self.covered.update(event.after.get(TABLES, ()))
            self.columns.update((table, set(names)) for table, names in event.after.get(COLUMNS, {}).items())
        for table, rows in rows_in(event.rows).items():
            for key, state in rows.items():
                shape = frozenset(state or ())
                seal = (event.sequence, _fingerprint(state), self.shapes.setdefault(shape, shape))
                if not is_older:
                    self.older[table].discard(key)
                elif key not in self.sealed[table]:  # not one that is sealed again for a later column
                    self.older[table].add(key)
                self.sealed[table][key] = seal

    def later_columns(self, table: SealedTable) -> frozenset[str]:
        """Return the columns that were added since events began to seal the table, and that no event covers yet."""
        known = self.columns.get(table.name) or set().union(*{seal[2] for seal in self.sealed[table.name].values()})
        return frozenset(table.columns.keys() - known) if known else frozenset()


def verify_history(checkpoints: Iterable[Checkpoint] = (), *, most: int = 20) -> HistoryReport:
    """Return the chain and, if it is whole, at most `most` differences of sealed rows; changing rows are read again."""
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
        uncovered=tuple(sorted(_uncovered(rows))),
    )


def _uncovered(rows: RowWalk) -> Iterator[str]:
    yield from SEALED_TABLES.keys() - rows.covered
    for name, table in SEALED_TABLES.items():
        yield from (f"{name}.{column}" for column in rows.later_columns(table))


def begin_sealing() -> int:
    """Seal the rows that no event sealed yet or whose last seal lacks a column, as they are; return their number."""
    with transaction.atomic():
        lock_history()
        begun = [event.after for event in Event.objects.filter(verb=BEGUN).order_by("sequence")]
        covered = {name for after in begun for name in after.get(TABLES, ())}
        columns = {name: set(listed) for after in begun for name, listed in after.get(COLUMNS, {}).items()}
        new = [table for name, table in SEALED_TABLES.items() if name not in covered]
        known = [table for name, table in SEALED_TABLES.items() if name in covered]
        wider = [table for table in known if table.columns.keys() - columns.get(table.name, set())]
        rows = [row for table in new for row in _unsealed_rows(table)] + list(_rows_without_later_columns(wider))
        if new or wider:
            batches = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)] or [[]]
            covers: dict[str, object] = {COLUMNS: {table.name: sorted(table.columns) for table in (*new, *wider)}}
            covers |= {TABLES: [table.name for table in new]} if new else {}
            for batch in batches:
                record_event(None, None, BEGUN, after=covers if batch is batches[-1] else {}, seals=batch)
    return len(rows)


def _rows_without_later_columns(tables: list[SealedTable]) -> Iterator[ChangedRow]:
    """Yield the rows of these tables whose last seal lacks a column that was added since. Walks the whole history."""
    if not tables:
        return
    walk = RowWalk()
    for event in Event.objects.exclude(rows="").order_by("sequence").iterator():
        walk.visit(event)
    for table in tables:
        later, deleted = walk.later_columns(table), _fingerprint(None)
        for key, (_, fingerprint, shape) in walk.sealed[table.name].items():
            if later - shape and fingerprint != deleted:
                yield RowReference(table.model, key)


def _unsealed_rows(table: SealedTable) -> list[ChangedRow]:
    keys = [str(key) for key in table.model._default_manager.order_by("pk").values_list("pk", flat=True)]
    missing = (table.missing_seals(keys[start : start + BATCH]) for start in range(0, len(keys), BATCH))
    return [RowReference(table.model, key) for batch in missing for key in batch]


def _differences(rows: RowWalk) -> Iterator[RowDifference]:
    for name, table in SEALED_TABLES.items():
        later = rows.later_columns(table)
        yield from _of_table(table, rows.sealed.get(name, {}), covered=name in rows.covered, later=later)
    yield from _of_contents()


def _of_table(
    table: SealedTable, sealed: dict[str, Seal], *, covered: bool, later: frozenset[str]
) -> Iterator[RowDifference]:
    """Yield the rows that differ, lack a seal or are missing. `later`: columns that count only where sealed."""
    met, unsealed = set(), []
    for key, state in table.all_states():
        number, fingerprint, shape = sealed.get(key, NO_SEAL)
        for column in later - shape:
            state.pop(column, None)
        met.add(key)
        if not number:
            unsealed.append(key)
        elif fingerprint != _fingerprint(state):
            yield from _of_row(table.name, key, number, state)
    for start in range(0, len(unsealed) if covered else 0, BATCH):
        for key in table.missing_seals(unsealed[start : start + BATCH]):
            yield RowDifference(table.name, key, "", "no event seals this row")
    deleted = _fingerprint(None)
    for key, (number, fingerprint, _) in sealed.items():
        if key not in met and fingerprint != deleted:
            yield RowDifference(table.name, key, "", f"the row is missing; event {number} sealed it")


def _of_row(name: str, key: str, number: int, state: RowState) -> Iterator[RowDifference]:
    """Yield each column that differs from what the event sealed."""
    sealed = rows_in(Event.objects.get(sequence=number).rows)[name][key]
    if sealed is None:
        yield RowDifference(name, key, "", f"the row is there; event {number} sealed that it was deleted")
        return
    for column in sorted(sealed.keys() | state.keys()):
        if column not in sealed or column not in state or sealed[column] != state[column]:
            was, now = (_words(values, column) for values in (sealed, state))
            yield RowDifference(name, key, column, f"it is {now}; event {number} sealed {was}")


def _of_contents() -> Iterator[RowDifference]:
    """Yield the files and filings whose content is not that of their digest."""
    for stored in StoredFile.objects.order_by("pk").iterator(chunk_size=10):
        if hashlib.sha256(stored.content).hexdigest() != stored.pk:
            yield RowDifference("submissions_storedfile", stored.pk, "content", "its SHA-256 is not the file's name")
    for pk, snapshot, digest in Revision.objects.order_by("pk").values_list("pk", "snapshot", "sha256").iterator():
        if hashlib.sha256(snapshot.encode()).hexdigest() != digest:
            yield RowDifference("submissions_revision", str(pk), "snapshot", f"its SHA-256 is not {digest}")


def _words(state: RowState, column: str) -> str:
    return f"“{state[column]}”" if column in state else "empty"


def _fingerprint(state: RowState | None) -> bytes:
    return hashlib.blake2b(canonical_json(state).encode(), digest_size=16).digest()


LAYOUTS = {"notice": "notify", "recommend": "recommend", "approve": "approve", "reject": "reject"}  # kind → step


def unrecorded_changes() -> Iterator[str]:
    """Yield a text for each change without its event."""
    for receipt in _without_event(Revision.objects.all(), "filed", ""):
        yield f"the filing {receipt}"
    for kind in Decision.Kind:
        for receipt in _without_event(Decision.objects.filter(kind=kind), TRANSITIONS[kind].done, "revision__"):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in _without_event(Simulation.objects.filter(finished_at__isnull=False), "simulated", "revision__"):
        yield f"the simulation of {receipt}"
    for receipt in _without_event(Document.objects.all(), "signed", "revision__"):
        yield f"the signed document of {receipt}"
    yield from _of_layouts()


def _of_layouts() -> Iterator[str]:
    of = "filing__submission"
    for receipt in _without_event(LayoutRevision.objects.all(), "layout-filed", "", of):
        yield f"the filing {receipt}"
    for kind in LayoutDecision.Kind:
        verb, rows = LAYOUT_TRANSITIONS[LAYOUTS[kind]].done, LayoutDecision.objects.filter(kind=kind)
        for receipt in _without_event(rows, verb, "layout_revision__", of):
            yield f"{receipt}: {kind.label.lower()}"
    for receipt in dict.fromkeys(_without_event(Paper.objects.all(), "papers-signed", "layout_revision__", of)):
        yield f"the signed papers of {receipt}"


def _without_event(rows: QuerySet[Model], verb: str, revision: str, submission: str = "submission") -> Iterator[str]:
    """Yield the receipts that no event names. `revision`, `submission`: the lookups from the row, and from there."""
    events = Event.objects.filter(verb=verb, submission=OuterRef(f"{revision}{submission}"))
    recorded = events.annotate(receipt=KT("after__receipt")).filter(receipt=OuterRef(f"{revision}receipt"))
    missing = rows.filter(~Exists(recorded)).annotate(of=F(f"{revision}receipt")).order_by("pk")
    yield from missing.values_list("of", flat=True)
