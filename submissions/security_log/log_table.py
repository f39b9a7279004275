"""The security log as a CSV table, in the words of the lines for other systems.

Not here: who sees which rows (`permissions.security_log`), the page (`submissions.web`).
"""

from collections.abc import Sequence
from urllib.parse import parse_qsl

from submissions.core.csv_export import csv_lines, csv_rows
from submissions.jobs.export_files import PART_ROWS, ExportRequest
from submissions.models import AccessRecord, Person
from submissions.permissions import access_records_visible_to
from submissions.security_log.lines import serialize_record
from submissions.security_log.record_filters import read_search

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
