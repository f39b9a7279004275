"""A table list as a file: the list of a day as CSV or as a workbook, which can be changed and sent back to `tables/`.

How such a file is read and written is `bulk.spreadsheets.table_sheets`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request

from games.registry import folders
from submissions.api.filings.chapters import parse_day
from submissions.api.filings.submissions import first_or_not_found
from submissions.api.framework.bodies import CSV, WORKBOOK
from submissions.api.framework.read_views import BaseView
from submissions.api.framework.renderers import CsvRenderer, WorkbookRenderer
from submissions.api.tables import ON, TableSerializer
from submissions.bulk.spreadsheets import table_sheets
from submissions.models import TableEntry
from submissions.permissions import licensees_visible_to, tables_visible_to
from submissions.security_log.records import EXPORTED_ROWS
from submissions.table_list.listed_tables import entries_on, in_order


class TableFileView(BaseView, ABC):
    """The table list of a licensee on a day, as a file."""

    serializer_class = TableSerializer
    ending: str
    parameters = (ON,)

    def get(self, request: Request, licensee: str) -> HttpResponseBase:
        owner = first_or_not_found(licensees_visible_to(self.reader).filter(slug=licensee), "licensee")
        day = parse_day(request.query_params.get("on"))
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
