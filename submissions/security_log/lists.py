"""The security log as people look through it: the fields of a search, read or refused, the rows that they match, and
those rows as a CSV table. Not here: which rows a person may see (`permissions`), the page (`submissions.web`).
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import parse_qsl

from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.core.csv_export import csv_lines, csv_rows
from submissions.core.errors import Refusal
from submissions.jobs.export_files import PART_ROWS, ExportRequest
from submissions.models import AccessRecord, Person
from submissions.permissions import access_records_visible_to
from submissions.security_log.records import order_range, serialize_record

LONGEST = 100  # characters of a field
EXCERPT_LENGTH = 40  # characters of what was entered, in a message
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)


class RecordSearch(NamedTuple):
    """The condition of the fields that were understood, and why the others were not."""

    condition: Q
    faults: dict[str, Refusal]

    def matches(self, rows: QuerySet[AccessRecord]) -> QuerySet[AccessRecord]:
        """Newest first; none as long as a field is not understood."""
        return rows.none() if self.faults else rows.filter(self.condition).order_by("-pk")


def read_search(entered: Mapping[str, str]) -> RecordSearch:
    """`person` (part of name or address), `kind`, `outcome`, `network`, `first` and `last` day; empty ones are any."""
    condition, faults = Q(), {}
    for name, reader in READERS.items():
        if text := entered.get(name, "").strip():
            try:
                condition &= reader(text)
            except Refusal as refusal:
                faults[name] = refusal
    return RecordSearch(condition, faults)


def _person(text: str) -> Q:
    if len(text) > LONGEST or "\0" in text:
        raise Refusal("search-too-long/characters", count=len(text), max_length=LONGEST)
    return Q(person__name__icontains=text) | Q(person__email__icontains=text) | Q(credential__startswith=text)


def _kind(text: str) -> Q:
    return Q(kind=_choice(text, "kind", AccessRecord.Kind.values))


def _outcome(text: str) -> Q:
    return Q(outcome=_choice(text, "outcome", AccessRecord.Outcome.values))


def _network(text: str) -> Q:
    first, last = order_range(text)
    return Q(address_order__gte=first, address_order__lte=last)


def _choice(text: str, what: str, allowed: list[str]) -> str:
    if text not in allowed:
        raise Refusal("unknown-record", text=text[:EXCERPT_LENGTH], what=what, allowed=", ".join(allowed))
    return text


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refusal("no-date/unreadable", text=text[:EXCERPT_LENGTH])
    return day


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


READERS: dict[str, Callable[[str], Q]] = {
    "person": _person,
    "kind": _kind,
    "outcome": _outcome,
    "network": _network,
    "first": lambda text: Q(at__gte=_start_of(_day(text))),
    "last": lambda text: Q(at__lt=_start_of(_day(text) + timedelta(days=1))),
}


KIND = "security-log"  # of an export that a job writes
COLUMNS = (
    "cursor", "at", "kind", "outcome", "reason", "count", "person", "organization", "credential", "account", "address",
    "agent", "session", "request_id", "object", "details", "id", "account_digest",
)  # fmt: skip


def write_log_part(person: Person, wanted: ExportRequest, part: int) -> str:
    """The lines of one part; the request has the filter and the last number (`last`) that belongs to it."""
    matches = read_search(dict(parse_qsl(wanted.query))).matches(access_records_visible_to(person))
    rows = matches.filter(pk__lte=wanted.content["last"])[part * PART_ROWS : (part + 1) * PART_ROWS]
    cells = map(record_cells, rows)
    return "".join(csv_rows(cells) if part else csv_lines(COLUMNS, cells))


def record_cells(row: AccessRecord) -> Sequence[str]:
    """The cells of a row, in the order of the columns."""
    return [_cell(value) for value in map(serialize_record(row).__getitem__, COLUMNS)]


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}={part}" for name, part in value.items())
    return "" if value is None else str(value)
