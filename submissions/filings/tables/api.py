"""The table lists of the casinos: those that the caller may see, on a day; changing one's own, all or nothing.

Also the list of a day as CSV or as a workbook, which can be changed and sent back. How such a file is read and written
is `bulk.table_sheets`.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView
from rest_framework.request import Request

from games.registry import folders, title_of
from submissions.api.framework import bodies
from submissions.api.framework.bodies import CSV, WORKBOOK, CsvRenderer, WorkbookRenderer
from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.query_parameters import INCLUDE_HIDDEN, ON, flag_of, refuse_unknown_parameters
from submissions.api.framework.serializers import StrictSerializer
from submissions.api.framework.views import BaseView, WriteResult, media_type_of
from submissions.bulk import table_sheets
from submissions.core.errors import Refusal
from submissions.core.parameters import DATE_SCHEMA, day_or_today
from submissions.filings.api.chapters import SentDayField
from submissions.filings.api.submissions import Row, first_or_not_found
from submissions.filings.tables.table_lists import LONGEST_PIT, MOST, TableRow, change_table_list, entries_on, in_order
from submissions.models import Scope, TableEntry, TableState
from submissions.permissions import licensees_visible_to, tables_visible_to
from submissions.public.list_filters import LicenseeTableFilterSet
from submissions.security_log.records import EXPORTED_ROWS

SHEETS = {
    CSV: {"type": "string", "format": "binary", "description": "Columns: number, pit, game, open; one table per row"},
    WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}
FROM_DAY = OpenApiParameter(
    "from_day", DATE_SCHEMA, description="Of a spreadsheet: the first day on which it is so; not before today."
)
WHOLE = OpenApiParameter("whole", bool, description="Of a spreadsheet: whether these are all tables.")
ParsedTables = tuple[date, list[TableRow], bool]  # the day, the rows, and whether they are the whole list


class TablesRequestTablesItemSerializer(StrictSerializer):
    number = of.CharField(help_text="As on the felt: `12`, `BJ-4`")
    game = of.CharField(help_text="The chapter's number or the game's name")
    pit = of.CharField(default="", help_text=f"Up to {LONGEST_PIT} characters")
    open = of.BooleanField(default=True, help_text="Default: true")


class TablesRequestSerializer(StrictSerializer):
    codes = {"required": "field-shape", "not_a_list": "body-shape", "max_length": "table-list-too-long"}
    from_day = SentDayField(help_text="The first day on which it is so; not before today")
    tables: Any = of.ListSerializer(
        child=TablesRequestTablesItemSerializer(),
        max_length=MOST,
        help_text=f"One row for each table that is added or changed; up to {MOST:,}",
    )
    whole = of.BooleanField(
        default=False, help_text="Whether these are all tables: every other one is removed from the list"
    )


class TableSerializer(of.Serializer[Any]):
    licensee = of.CharField(help_text="The licensee's short name")
    number = of.CharField(help_text="As on the felt: `12`, `BJ-4`")
    pit = of.CharField(help_text="Empty, where there is none")
    chapter = of.CharField(help_text="The game that the table is listed for")
    title = of.CharField(help_text="The game")
    state = of.ChoiceField(TableState.choices)
    from_day = of.DateField(help_text="The day since which it is so")


class TableChangesSerializer(of.Serializer[Any]):
    tables = TableSerializer(many=True, help_text="The tables that were changed; empty, where nothing changed")


class TablesView(BaseView, ListAPIView[Any]):
    """The table lists on a day: one's own; for the Board, every licensee's."""

    post = BaseView.write_once
    serializer_class = TableSerializer
    pagination_class = RowPagination
    filterset_class = LicenseeTableFilterSet
    queryset = TableEntry.objects.all()
    query_parameters = (ON,)
    result_serializer = TableChangesSerializer
    operation = "changeTables"
    write_summary = "Change one's own table list from a day on. All rows or none."
    write_scopes = (Scope.PREPARE,)
    parser_classes = (bodies.RawJsonParser, bodies.RawCsvParser, bodies.RawWorkbookParser)
    write_parameters = (FROM_DAY, WHOLE, INCLUDE_HIDDEN)
    request_serializer = TablesRequestSerializer
    request_schema = SHEETS
    statuses = {200: "The list is so from that day on"}

    def get_queryset(self) -> QuerySet[TableEntry]:
        return entries_on(self.day, tables_visible_to(self.reader)).select_related("organization")

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return [_serializable(row) for row in super().paginate_queryset(queryset)]

    def read(self, body: bytes) -> ParsedTables:
        if media_type_of(self.request) != bodies.JSON:
            return self._in_sheet(body)
        refuse_unknown_parameters(self.request, ())
        sent = super().read(body)
        rows = [_row(row, place) for place, row in enumerate(sent["tables"], 1)]
        return sent["from_day"] or timezone.localdate(), rows, sent["whole"]

    def _in_sheet(self, body: bytes) -> ParsedTables:
        """Return the rows of a spreadsheet; the rest is in the address.

        The first row that cannot be read refuses all.
        """
        parameters = self.request.query_params
        whole, include_hidden = (flag_of(self.request, name) for name in ("whole", "include_hidden"))
        if "from_day" not in parameters:
            raise Refusal("field-shape/day", option="from_day", name="from_day")
        sheet = table_sheets.read_table_sheet(body, include_hidden=include_hidden)
        return day_or_today(parameters["from_day"]), sheet.rows, whole

    def write(self, sent: ParsedTables) -> WriteResult:
        from_day, rows, whole = sent
        entries = change_table_list(self.reader, rows, from_day=from_day, whole=whole)
        return WriteResult({"tables": [_serializable(entry) for entry in entries]})


def _row(sent: Row, place: int) -> TableRow:
    state = TableState.OPEN if sent["open"] else TableState.CLOSED
    return TableRow(sent["number"], sent["game"], sent["pit"], state, f"row {place}")


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


class TableCsvView(BaseView):
    """The table list of a licensee on a day as CSV."""

    serializer_class = TableSerializer
    renderer_classes: Any = (CsvRenderer,)
    ending = "csv"
    parameters = (ON,)

    def get(self, request: Request, licensee: str) -> HttpResponseBase:
        owner = first_or_not_found(licensees_visible_to(self.reader).filter(slug=licensee), "licensee")
        day = self.day
        rows = in_order(entries_on(day, tables_visible_to(self.reader)).filter(organization=owner))
        request.META[EXPORTED_ROWS] = len(rows)
        response = self.file(rows)
        response["Content-Disposition"] = f'attachment; filename="tables-{owner.slug}-{day.isoformat()}.{self.ending}"'
        return response

    def file(self, rows: Sequence[TableEntry]) -> HttpResponseBase:
        return StreamingHttpResponse(table_sheets.table_sheet_csv(rows), f"{CSV}; charset=utf-8")


class TableWorkbookView(TableCsvView):
    """The table list of a licensee on a day as a workbook."""

    renderer_classes = (WorkbookRenderer,)
    ending = "xlsx"

    def file(self, rows: Sequence[TableEntry]) -> HttpResponseBase:
        return HttpResponse(table_sheets.table_workbook(rows, list(folders())), WORKBOOK)
