"""Bulk updates: a batch is sent, read with its items, confirmed where a program may, or discarded.

Its serializers are `batch_serializers`; what an item is and does, `submissions.bulk`.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from submissions.api.bulk.batch_serializers import BatchSerializer, ItemSerializer, accepted, batch_at, batch_reports
from submissions.api.bulk.item_json_schema import batch_schema
from submissions.api.filings.submissions import Row
from submissions.api.framework import bodies
from submissions.api.framework.query_parameters import INCLUDE_HIDDEN, flag_of
from submissions.api.framework.read_views import BaseView, DetailView, PagedListView
from submissions.api.framework.renderers import CsvRenderer, WorkbookRenderer
from submissions.api.framework.write_views import WriteResult, WriteView, media_type_of
from submissions.bulk import api_actions, batch_results, intake
from submissions.bulk.spreadsheets import import_rows
from submissions.bulk.spreadsheets.decimal_signs import DECIMAL_SIGNS, parse_sign
from submissions.bulk.spreadsheets.result_workbook import result_workbook
from submissions.core.errors import Refusal
from submissions.core.text_cleaning import shown_value
from submissions.models import Batch, Item, Scope
from submissions.permissions.credentials import batches_visible_to
from submissions.search.filter_sets import RefusalFilterSet, choice_filter
from submissions.security_log.records import EXPORTED_ROWS

LARGEST = 20 * 1024 * 1024
WRITE_SCOPES = (Scope.PREPARE, Scope.FILE, Scope.REVIEW)  # which of them, its items say
MODE = OpenApiParameter("mode", str, description="Of a spreadsheet: what is to be done.", enum=Batch.Mode.values)
ALL_OR_NOTHING = OpenApiParameter(
    "all_or_nothing", bool, description="Of a spreadsheet: nothing is done if one item is refused."
)
DECIMAL = OpenApiParameter(
    "decimal",
    str,
    description="Of a spreadsheet: the decimal sign of its texts. Without it, a comma in doubt is refused.",
    enum=DECIMAL_SIGNS,
)
BATCH_SCHEMAS: dict[str, Any] = {
    bodies.JSON: batch_schema(),
    bodies.CSV: {"type": "string", "format": "binary", "description": "A header row, then one item per row"},
    bodies.WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}
ParsedBatch = tuple[intake.Upload, Any, bool]  # items, mode, all or nothing
STATE = OpenApiParameter("state", str, description="Only items in this state.", enum=Item.State.values)


class BatchesView(WriteView, PagedListView):
    """The bulk updates of one's organization; a new one is sent here."""

    serializer_class = result_serializer = BatchSerializer
    parser_classes = (bodies.RawJsonParser, bodies.RawCsvParser, bodies.RawWorkbookParser)
    operation = "sendBatch"
    write_summary = (
        "Send a batch. Up to 5,000 items, each with its own answer; what becomes of them is read at its address."
    )
    write_scopes = WRITE_SCOPES
    write_parameters = (MODE, ALL_OR_NOTHING, DECIMAL, INCLUDE_HIDDEN)
    request_schema = BATCH_SCHEMAS
    key_needed = True
    largest = LARGEST
    too_large_fix = "Send the items in several batches."
    statuses = {202: "The batch was accepted. It will be checked or carried out"}

    def get_queryset(self) -> QuerySet[Batch]:
        return batches_visible_to(self.reader)

    def prepare(self, rows: Sequence[Batch]) -> Iterable[Row]:
        return batch_reports(self, rows)

    def read(self, body: bytes) -> ParsedBatch:
        media_type = media_type_of(self.request)
        return self._in_json(body) if media_type == bodies.JSON else self._in_sheet(body, media_type)

    def write(self, sent: ParsedBatch) -> WriteResult:
        upload, mode, together = sent
        batch = intake.accept_upload(self.reader, upload, mode=mode, atomic=together, credential=self.credential)
        return accepted(self, batch)

    def _in_json(self, body: bytes) -> ParsedBatch:
        if named := next(iter(self.request.query_params), ""):
            raise Refusal("unknown-parameter/batch-in-json", name=named[:40])
        sent = bodies.parse_json(body) if body else None
        if not isinstance(sent, Mapping) or not isinstance(sent.get("items"), list):
            raise Refusal("body-shape/batch")
        known = BATCH_SCHEMAS[bodies.JSON]["properties"]
        if unknown := next((name for name in sent if name not in known), ""):
            raise Refusal("unknown-field/batch", option=unknown[:60], unknown=unknown[:40], known=", ".join(known))
        upload = intake.Upload(sent["items"], "json", sha256(body).hexdigest())
        return upload, sent.get("mode"), _yes_or_no(sent.get("all_or_nothing", False))

    def _in_sheet(self, body: bytes, media_type: str) -> ParsedBatch:
        """The items of a spreadsheet; the rest is in the address."""
        parameters = self.request.query_params
        form = "csv" if media_type == bodies.CSV else "xlsx"
        upload = import_rows.read_upload(
            body,
            form=form,
            name="",
            decimal=parse_sign(parameters.get("decimal", "")),
            include_hidden=flag_of(self.request, "include_hidden"),
        )
        return upload, parameters.get("mode", ""), flag_of(self.request, "all_or_nothing")


class BatchDetailView(DetailView):
    """One bulk update, and where it stands."""

    serializer_class = BatchSerializer

    def get_object(self) -> Row:
        return batch_reports(self, [batch_at(self)])[0]


class ItemFilterSet(RefusalFilterSet):
    state = choice_filter(lambda: dict(Item.State.choices), "state")


class ItemsView(PagedListView):
    """The items of a bulk update in their order, each with its own answer."""

    serializer_class = ItemSerializer
    query_parameters = (STATE,)

    def get_queryset(self) -> QuerySet[Item]:
        return ItemFilterSet.narrow(self.request.query_params, batch_at(self).items.all())


class ResultView(BaseView):
    """Every item of a bulk update and its answer as CSV."""

    serializer_class = ItemSerializer
    renderer_classes = (CsvRenderer,)
    is_streamed = True
    parameters = ()

    def get(self, request: Request, number: str) -> HttpResponseBase:
        batch = batch_at(self)
        request.META[EXPORTED_ROWS] = batch.items.count()
        headers = {"Content-Disposition": f'attachment; filename="{batch.number}.csv"'}
        return StreamingHttpResponse(batch_results.result_table(batch), "text/csv; charset=utf-8", headers=headers)


class ResultWorkbookView(BaseView):
    """The results of a bulk update as a workbook.

    The items that were not applied, with a note on each cell to correct, and the items that were applied.
    """

    serializer_class = ItemSerializer
    renderer_classes = (WorkbookRenderer,)
    parameters = ()

    def get(self, request: Request, number: str) -> HttpResponseBase:
        batch = batch_at(self)
        request.META[EXPORTED_ROWS] = batch.items.count()
        headers = {"Content-Disposition": f'attachment; filename="{batch.number}.xlsx"'}
        return HttpResponse(result_workbook(batch), bodies.WORKBOOK, headers=headers)


class ConfirmBatchView(WriteView):
    """Have a bulk update carried out that waits for it, in a sandbox. In life a named person does so on its page."""

    result_serializer = BatchSerializer
    write_scopes = WRITE_SCOPES
    statuses = {202: "It will be carried out"}

    def write(self, sent: None) -> WriteResult:
        return accepted(self, api_actions.confirm(self.credential, batch_at(self)))


class DiscardBatchView(WriteView):
    """Discard a bulk update that waits to be confirmed. Nothing of it is done."""

    result_serializer = BatchSerializer
    write_scopes = WRITE_SCOPES
    statuses = {200: "It is discarded"}

    def write(self, sent: None) -> WriteResult:
        batch = api_actions.discard(self.credential, batch_at(self))
        return WriteResult(batch_reports(self, [batch])[0])


def _yes_or_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    name = "all_or_nothing"
    raise Refusal("field-shape/true-or-false", option=name, name=name, value=shown_value(value))
