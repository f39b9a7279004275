"""The table lists of the casinos: those that the caller may see, on a day; changing one's own, all or nothing.

Also the list of a day as CSV or as a workbook, which can be changed and sent back. How such a file is read and written
is `bulk.table_sheets`.
"""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView
from rest_framework.request import Request

from games.registry import title_of
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
from submissions.filings.tables.table_lists import LONGEST, MOST, TableRow, change_table_list, entries_on, in_order
from submissions.models import Scope, TableEntry, TableState
from submissions.permissions import licensees_visible_to, tables_visible_to
from submissions.public.list_filters import LicenseeTableFilterSet
from submissions.security_log.records import EXPORTED_ROWS

CELLS = f"Columns: {table_sheets.COLUMN_NAMES}; one table per row; without a column, its values stay as they are"
SHEETS = {
    CSV: {"type": "string", "format": "binary", "description": CELLS},
    WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}
FROM_DAY = OpenApiParameter(
    "from_day", DATE_SCHEMA, description="Of a spreadsheet: the first day on which it is so; not before today."
)
WHOLE = OpenApiParameter("whole", bool, description="Of a spreadsheet: whether these are all tables.")


class TablesRequestTablesItemSerializer(StrictSerializer, of.ModelSerializer[TableEntry]):
    number = of.CharField(help_text="As on the felt: `12`, `BJ-4`")
    game = of.CharField(help_text="The chapter's number or the game's name")
    open = of.BooleanField(required=False, help_text="Left out: unchanged; true for a new table")

    class Meta:
        model = TableEntry
        fields = ("number", "game", *TableEntry.DETAILS, "open")
        extra_kwargs = {  # the action refuses what is too long
            name: {"max_length": None, "help_text": f"Up to {LONGEST[name]} characters; left out: unchanged"}
            for name in TableEntry.DETAILS
        }


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


class TableSerializer(of.ModelSerializer[TableEntry]):
    licensee = of.CharField(source="organization.slug", help_text="The licensee's short name")
    number = of.CharField(help_text="As on the felt: `12`, `BJ-4`")
    chapter = of.CharField(help_text="The game that the table is listed for")
    title = of.SerializerMethodField(help_text="The game")
    from_day = of.DateField(help_text="The day since which it is so")

    class Meta:
        model = TableEntry
        fields = ("licensee", "number", *TableEntry.DETAILS, "chapter", "title", "state", "from_day")
        extra_kwargs = {
            name: {"required": True, "help_text": "Empty, where there is none"} for name in TableEntry.DETAILS
        }

    def get_title(self, entry: TableEntry) -> str:
        return title_of(entry.chapter)


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

    def read(self, body: bytes) -> Row:
        """Return what `change_table_list` takes."""
        if media_type_of(self.request) != bodies.JSON:
            return self._in_sheet(body)
        refuse_unknown_parameters(self.request, ())
        sent = super().read(body)
        rows = [_row(row, place) for place, row in enumerate(sent["tables"], 1)]
        return {"rows": rows, "from_day": sent["from_day"] or timezone.localdate(), "whole": sent["whole"]}

    def _in_sheet(self, body: bytes) -> Row:
        """Return the same for a spreadsheet: its rows, and the rest from the address."""
        parameters = self.request.query_params
        whole, include_hidden = (flag_of(self.request, name) for name in ("whole", "include_hidden"))
        if "from_day" not in parameters:
            raise Refusal("field-shape/day", option="from_day", name="from_day")
        sheet = table_sheets.read_table_sheet(body, include_hidden=include_hidden)
        return {"rows": sheet.rows, "from_day": day_or_today(parameters["from_day"]), "whole": whole}

    def write(self, sent: Row) -> WriteResult:
        return WriteResult({"tables": change_table_list(self.reader, **sent)})


def _row(sent: Row, place: int) -> TableRow:
    state = {True: TableState.OPEN, False: TableState.CLOSED, None: None}[sent.get("open")]
    details = {name: sent[name] for name in TableEntry.DETAILS if name in sent}
    return TableRow(sent["number"], sent["game"], state, details, f"row {place}")


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
        headers = {"Content-Disposition": f'attachment; filename="tables-{owner.slug}-{day.isoformat()}.{self.ending}"'}
        if self.ending == "csv":
            return StreamingHttpResponse(table_sheets.table_sheet_csv(rows), f"{CSV}; charset=utf-8", headers=headers)
        return HttpResponse(table_sheets.table_workbook(rows), WORKBOOK, headers=headers)


class TableWorkbookView(TableCsvView):
    """The table list of a licensee on a day as a workbook."""

    renderer_classes = (WorkbookRenderer,)
    ending = "xlsx"
