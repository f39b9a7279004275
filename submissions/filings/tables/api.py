"""The table lists of the casinos: those that the caller may see, on a day; changing one's own, all or nothing; and the
list of a day as CSV or as a workbook, which can be changed and sent back.

How such a file is read and written is `bulk.table_sheets`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of
from rest_framework.request import Request

from games.registry import folders, title_of
from submissions.api.framework import bodies
from submissions.api.framework.bodies import CSV, WORKBOOK, CsvRenderer, WorkbookRenderer
from submissions.api.framework.query_parameters import INCLUDE_HIDDEN, ON, flag_of, refuse_unknown_parameters
from submissions.api.framework.views import (
    BaseView,
    PagedListView,
    ReadSerializer,
    WriteResult,
    WriteView,
    media_type_of,
)
from submissions.bulk import table_sheets
from submissions.core.errors import Refusal
from submissions.core.parameters import DATE_SCHEMA
from submissions.core.text import shown_value
from submissions.filings.api.chapters import parse_day
from submissions.filings.api.submissions import Row, first_or_not_found
from submissions.filings.tables.table_lists import LONGEST_PIT, MOST, TableRow, change_table_list, entries_on, in_order
from submissions.models import Scope, TableEntry, TableState
from submissions.permissions import licensees_visible_to, tables_visible_to
from submissions.public.list_filters import LicenseeTableFilterSet
from submissions.security_log.records import EXPORTED_ROWS

FIELDS = ("from_day", "tables", "whole")
TABLE_FIELDS = {"number": str, "game": str, "pit": str, "open": bool}
NEEDED = ("number", "game")
TABLES_SCHEMA: dict[str, Any] = {
    bodies.JSON: {
        "title": "TablesRequest",
        "type": "object",
        "properties": {
            "from_day": {**DATE_SCHEMA, "description": "The first day on which it is so; not before today"},
            "tables": {
                "type": "array", "maxItems": MOST, "description": "One row for each table that is added or changed",
                "items": {
                    "type": "object",
                    "properties": {
                        "number": {"type": "string", "description": "As on the felt: `12`, `BJ-4`"},
                        "game": {"type": "string", "description": "The chapter's number or the game's name"},
                        "pit": {"type": "string", "maxLength": LONGEST_PIT},
                        "open": {"type": "boolean", "description": "Default: true"},
                    },
                    "required": list(NEEDED),
                    "additionalProperties": False,
                },
            },
            "whole": {
                "type": "boolean",
                "description": "Whether these are all tables: every other one is removed from the list",
            },
        },
        "required": ["from_day", "tables"],
        "additionalProperties": False,
    },
    bodies.CSV: {
        "type": "string", "format": "binary", "description": "Columns: number, pit, game, open; one table per row",
    },
    bodies.WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}  # fmt: skip
FROM_DAY = OpenApiParameter(
    "from_day", DATE_SCHEMA, description="Of a spreadsheet: the first day on which it is so; not before today."
)
WHOLE = OpenApiParameter("whole", bool, description="Of a spreadsheet: whether these are all tables.")
ParsedTables = tuple[date, list[TableRow], bool]  # the day, the rows, and whether they are the whole list


class TableSerializer(ReadSerializer):
    licensee = of.CharField(help_text="The licensee's short name")
    number = of.CharField(help_text="As on the felt: `12`, `BJ-4`")
    pit = of.CharField(help_text="Empty, where there is none")
    chapter = of.CharField(help_text="The game that the table is listed for")
    title = of.CharField(help_text="The game")
    state = of.ChoiceField(TableState.choices)
    from_day = of.DateField(help_text="The day since which it is so")


class TableChangesSerializer(ReadSerializer):
    tables = TableSerializer(many=True, help_text="The tables that were changed; empty, where nothing changed")


class TablesView(WriteView, PagedListView):
    """The table lists on a day: one's own; for the Board, every licensee's."""

    serializer_class = TableSerializer
    filterset_class = LicenseeTableFilterSet
    queryset = TableEntry.objects.all()
    query_parameters = (ON,)
    result_serializer = TableChangesSerializer
    operation = "changeTables"
    write_summary = "Change one's own table list from a day on. All rows or none."
    write_scopes = (Scope.PREPARE,)
    parser_classes = (bodies.RawJsonParser, bodies.RawCsvParser, bodies.RawWorkbookParser)
    write_parameters = (FROM_DAY, WHOLE, INCLUDE_HIDDEN)
    request_schema = TABLES_SCHEMA
    statuses = {200: "The list is so from that day on"}

    def get_queryset(self) -> QuerySet[TableEntry]:
        return entries_on(self.day, tables_visible_to(self.reader)).select_related("organization")

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return [_serializable(row) for row in super().paginate_queryset(queryset)]

    def read(self, body: bytes) -> ParsedTables:
        """What was sent, of the right shapes and nothing else."""
        return self._in_json(body) if media_type_of(self.request) == bodies.JSON else self._in_sheet(body)

    def _in_json(self, body: bytes) -> ParsedTables:
        refuse_unknown_parameters(self.request, ())
        sent = bodies.parse_json(body) if body else None
        if not isinstance(sent, Mapping) or not isinstance(sent.get("tables"), list):
            raise Refusal("body-shape/tables")
        _refuse_unknown(sent, FIELDS)
        from_day, whole = sent.get("from_day"), sent.get("whole", False)
        if not isinstance(from_day, str):
            raise _wrong_field("from_day", from_day, "a day such as 2026-03-01")
        if not isinstance(whole, bool):
            raise _wrong_field("whole", whole, "true or false")
        return parse_day(from_day), [_row(row, place) for place, row in enumerate(sent["tables"], 1)], whole

    def _in_sheet(self, body: bytes) -> ParsedTables:
        """The rows of a spreadsheet; the rest is in the address. The first row that cannot be read refuses all."""
        parameters = self.request.query_params
        whole, include_hidden = (flag_of(self.request, name) for name in ("whole", "include_hidden"))
        if "from_day" not in parameters:
            raise _wrong_field("from_day", None, "a day such as 2026-03-01")
        sheet = table_sheets.read_table_sheet(body, include_hidden=include_hidden)
        return parse_day(parameters["from_day"]), sheet.rows, whole

    def write(self, sent: ParsedTables) -> WriteResult:
        from_day, rows, whole = sent
        entries = change_table_list(self.reader, rows, from_day=from_day, whole=whole)
        return WriteResult({"tables": [_serializable(entry) for entry in entries]})


def _row(sent: object, place: int) -> TableRow:
    """One row of the body; its place is named in a refusal."""
    where = f"row {place}"
    if not isinstance(sent, Mapping):
        raise _wrong_field(where, sent, "an object")
    _refuse_unknown(sent, tuple(TABLE_FIELDS))
    for name, kind in TABLE_FIELDS.items():
        if (name in sent or name in NEEDED) and not isinstance(sent.get(name), kind):
            words = "text" if kind is str else "true or false"
            raise _wrong_field(f"{name} of {where}", sent.get(name), words)
    state = TableState.OPEN if sent.get("open", True) else TableState.CLOSED
    return TableRow(sent["number"], sent["game"], sent.get("pit", ""), state, where)


def _wrong_field(name: str, value: object, kind: str) -> Refusal:
    """`name`: the field, perhaps with its row (“number of row 1”)."""
    option = "tables" if name.startswith("row ") else name.partition(" ")[0]
    return Refusal("field-shape/table", option=option, name=name, value=shown_value(value), kind=kind)


def _refuse_unknown(sent: Mapping[str, object], known: Sequence[str]) -> None:
    if unknown := next((name for name in sent if name not in known), ""):
        raise Refusal("unknown-field/table", option=unknown[:60], unknown=unknown[:40], fields=", ".join(known))


def _serializable(entry: TableEntry) -> Row:
    return {
        "licensee": entry.organization.slug,
        "number": entry.number,
        "pit": entry.pit,
        "chapter": entry.chapter,
        "title": title_of(entry.chapter),
        "state": entry.state,
        "from_day": entry.from_day,
    }


class TableFileView(BaseView, ABC):
    """The table list of a licensee on a day, as a file."""

    serializer_class = TableSerializer
    ending: str
    parameters = (ON,)

    def get(self, request: Request, licensee: str) -> HttpResponseBase:
        owner = first_or_not_found(licensees_visible_to(self.reader).filter(slug=licensee), "licensee")
        day = self.day
        rows = in_order(entries_on(day, tables_visible_to(self.reader)).filter(organization=owner))
        request.META[EXPORTED_ROWS] = len(rows)
        response = self.file(rows)
        response["Content-Disposition"] = f'attachment; filename="tables-{owner.slug}-{day.isoformat()}.{self.ending}"'
        return response

    @abstractmethod
    def file(self, rows: Sequence[TableEntry]) -> HttpResponseBase:
        """The rows in this form."""


class TableCsvView(TableFileView):
    """The table list of a licensee on a day as CSV."""

    renderer_classes = (CsvRenderer,)
    ending = "csv"

    def file(self, rows: Sequence[TableEntry]) -> HttpResponseBase:
        return StreamingHttpResponse(table_sheets.table_sheet_csv(rows), f"{CSV}; charset=utf-8")


class TableWorkbookView(TableFileView):
    """The table list of a licensee on a day as a workbook."""

    renderer_classes = (WorkbookRenderer,)
    ending = "xlsx"

    def file(self, rows: Sequence[TableEntry]) -> HttpResponseBase:
        return HttpResponse(table_sheets.table_workbook(rows, list(folders())), WORKBOOK)
