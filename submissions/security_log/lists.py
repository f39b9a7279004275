"""The security log as people look through it: its filters, and its rows as a CSV table.

Not here: which rows a person may see (`permissions`), the page (`accounts.pages`).
"""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from urllib.parse import parse_qsl

from django.db.models import Q, QuerySet
from django_filters import CharFilter, ChoiceFilter

from submissions.core.csv_export import csv_lines, csv_rows
from submissions.core.dates import start_of
from submissions.core.errors import Refusal
from submissions.core.parameters import DayFilter, RefusalFilterSet, validated
from submissions.jobs.export_files import PART_ROWS, ExportRequest
from submissions.models import AccessRecord, Person
from submissions.permissions import access_records_visible_to
from submissions.security_log.records import order_range, serialize_record

LONGEST = 100  # characters of a person's name or address
EXCERPT_LENGTH = 40  # characters of what was entered, in a message
Records = QuerySet[AccessRecord]


def _refuse_long(text: str) -> None:
    if len(text) > LONGEST or "\0" in text:
        raise Refusal("search-too-long/characters", count=len(text), max_length=LONGEST)


class RecordFilterSet(RefusalFilterSet):
    """The filters of the log. Its rows are the newest first; none as long as a filter is not understood."""

    # A part of the name or address
    person = CharFilter(method="of_person", validators=[partial(validated, _refuse_long)])
    kind = ChoiceFilter(choices=AccessRecord.Kind.choices)
    outcome = ChoiceFilter(choices=AccessRecord.Outcome.choices)
    network = CharFilter(method="in_network", validators=[partial(validated, order_range)])
    first = DayFilter(method="since")
    last = DayFilter(method="until")

    def filter_queryset(self, queryset: Records) -> Records:
        rows: Records = super().filter_queryset(queryset)
        return rows.none() if self.faults else rows.order_by("-pk")

    def unknown(self, name: str, text: str, allowed: Iterable[str]) -> Refusal:
        return Refusal("unknown-record", text=text[:EXCERPT_LENGTH], what=name, allowed=", ".join(allowed))

    def of_person(self, rows: Records, name: str, text: str) -> Records:
        person = Q(person__name__icontains=text) | Q(person__email__icontains=text)
        return rows.filter(person | Q(credential__startswith=text))

    def in_network(self, rows: Records, name: str, text: str) -> Records:
        return rows.filter(address_order__range=order_range(text))

    def since(self, rows: Records, name: str, day: date) -> Records:
        return rows.filter(at__gte=start_of(day))

    def until(self, rows: Records, name: str, day: date) -> Records:
        return rows.filter(at__lt=start_of(day + timedelta(days=1)))


KIND = "security-log"  # of an export that a job writes
COLUMNS = (
    "cursor", "at", "kind", "outcome", "reason", "count", "person", "organization", "credential", "account", "address",
    "agent", "session", "request_id", "object", "details", "id", "account_digest",
)  # fmt: skip


def write_log_part(person: Person, wanted: ExportRequest, part: int) -> str:
    """Return the lines of one part; the request has the filter and the last number (`last`) that belongs to it."""
    matches = RecordFilterSet(dict(parse_qsl(wanted.query)), access_records_visible_to(person)).qs
    rows = matches.filter(pk__lte=wanted.content["last"])[part * PART_ROWS : (part + 1) * PART_ROWS]
    cells = map(record_cells, rows)
    return "".join(csv_rows(cells) if part else csv_lines(COLUMNS, cells))


def record_cells(row: AccessRecord) -> Sequence[str]:
    """Return the cells of a row, in the order of the columns."""
    return [_cell(value) for value in map(serialize_record(row).__getitem__, COLUMNS)]


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}={part}" for name, part in value.items())
    return "" if value is None else str(value)
