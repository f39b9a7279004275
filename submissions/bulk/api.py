"""Bulk updates: a batch is sent, read with its items, confirmed where a program may, or discarded; and single items.

Each kind of item has an address, and the rest of the item is the body. What a program may do by itself is done at once,
and answered as the item would be; a step that a named person takes is answered with the batch that waits for them. The
shapes of items are made from the tables of `bulk.items`.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django_filters import ChoiceFilter
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request

from submissions.api.framework import bodies
from submissions.api.framework.bodies import CsvRenderer, WorkbookRenderer
from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.query_parameters import INCLUDE_HIDDEN, flag_of
from submissions.api.framework.serializers import plain
from submissions.api.framework.views import BaseView, WriteResult, media_type_of
from submissions.bulk import batch_results, intake, item_sheets
from submissions.bulk.item_sheets import DECIMAL_SIGNS, parse_sign
from submissions.bulk.items import HIGHEST_NUMBER, ITEM_FIELDS, ITEM_VERBS, MOST_ITEMS, ItemField
from submissions.core.errors import Refusal
from submissions.core.parameters import RefusalFilterSet
from submissions.core.text import shown_value
from submissions.filings.api import submissions
from submissions.filings.api.chapters import SENT_ANSWERS
from submissions.filings.api.judgment import FindingSerializer
from submissions.filings.api.submissions import Row, first_or_not_found
from submissions.models import Batch, Item, Scope
from submissions.permissions.credentials import batches_visible_to
from submissions.security_log.records import EXPORTED_ROWS

Schema = dict[str, Any]


def item_schema(verb: str, *, alone: bool) -> Schema:
    """Return an item of this kind. `alone`: the address says what is done, and to which submission."""
    kind = ITEM_VERBS[verb]
    needed = [name for name in kind.needs if not (alone and name == "submission")]
    action = {} if alone else {"action": {"type": "string", "const": verb}}
    fields = {name: _field_schema(name, ITEM_FIELDS[name], null=name in kind.takes) for name in (*needed, *kind.takes)}
    return {
        "title": f"{_pascal(verb)}{'Request' if alone else 'Item'}",
        "type": "object",
        "description": kind.help,
        "properties": {**action, **fields},
        "required": [*action, *needed],
        "additionalProperties": False,
    }


def _pascal(verb: str) -> str:
    return verb.title().replace("-", "")


def batch_schema() -> Schema:
    """Up to as many items as can be sent at once."""
    kinds = [item_schema(verb, alone=False) for verb in ITEM_VERBS]
    modes = {"type": "string", "enum": Batch.Mode.values, "description": "Preview only, or apply"}
    together = {"type": "boolean", "description": "Do nothing if one item is refused. Default: false"}
    items = {"type": "array", "minItems": 1, "maxItems": MOST_ITEMS, "items": {"oneOf": kinds}}
    return {
        "title": "BatchRequest",
        "type": "object",
        "properties": {"mode": modes, "all_or_nothing": together, "items": items},
        "required": ["mode", "items"],
        "additionalProperties": False,
    }


def _field_schema(name: str, field: ItemField, *, null: bool) -> Schema:
    """Return the schema of a field; a field that may be left out may also be null."""
    shapes: dict[str, Schema] = {
        "text": {"type": "string"} if null else {"type": "string", "minLength": 1},
        "number": {"type": "integer", "minimum": 0, "maximum": HIGHEST_NUMBER},
        "answers": SENT_ANSWERS,
    }
    shape = {**shapes[field.kind], "description": field.help}
    if field.choices:
        shape["enum"] = [*field.choices, *([None] if null else [])]
    if null:
        shape["type"] = [shape["type"], "null"]
    return shape


MADE_HELP = "The result: the names and versions that the next call needs. What does not apply is left out"
MADE: dict[str, Any] = {
    "submission": {"type": "string", "description": "`RS-2026-00001`"},
    "version": {"type": "integer", "description": "Of the submission"},
    "group": {"type": "integer", "description": "The configuration that changed; 0 = all tables, or all others"},
    "configuration_version": {"type": "integer", "description": "Of that configuration"},
    "remark": {"type": "integer", "description": "The comment that was written or answered"},
    "receipt": {"type": "string", "description": "Of the filing: `RS-2026-00001-R1`"},
    "sha256": {"type": "string", "description": "Of what was filed"},
    "not_copied": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Of a copy: the lines whose answers the present rules do not take",
    },
}


class CountsSerializer(of.Serializer[Any]):
    waiting = of.IntegerField(help_text="Not looked at yet")
    passed = of.IntegerField(help_text="Checked: they would be done")
    done = of.IntegerField()
    refused = of.IntegerField()
    undone = of.IntegerField(help_text="Not done because others were refused")


class ProgressSerializer(of.Serializer[Any]):
    words = of.CharField(help_text="The status, in the words of the page")
    done = of.IntegerField(help_text="Items")
    total = of.IntegerField()
    left = of.CharField(help_text="The estimated time, in words; empty if it is not known")
    stopped = of.BooleanField(help_text="Stopped by an error. Nothing is lost. The operator can run it again")


class LinksSerializer(of.Serializer[Any]):
    page = of.URLField(allow_null=True, help_text="The page on which a person reads and confirms it; null in a sandbox")
    items = of.URLField()
    result = of.URLField(help_text="Every item and its answer as CSV")
    confirm = of.URLField(
        allow_null=True, help_text="Address for a program to confirm it: in a sandbox, while it waits"
    )
    discard = of.URLField(allow_null=True, help_text="While it waits")


class BatchSerializer(of.Serializer[Any]):
    number = of.CharField(source="batch.number", help_text="`B-2026-00001`")
    state = of.ChoiceField(Batch.State.choices, source="batch.state")
    mode = of.ChoiceField(Batch.Mode.choices, source="batch.mode")
    all_or_nothing = of.BooleanField(source="batch.atomic")
    form = of.CharField(source="batch.form", help_text="The format that was sent: json, csv, xlsx")
    sha256 = of.CharField(source="batch.sha256", help_text="Of what was sent")
    total = of.IntegerField(source="batch.total")
    items = CountsSerializer(source="counts", help_text="The number of items in each state")
    progress = ProgressSerializer(allow_null=True, help_text="null if nothing is in progress")
    needs_signature = of.BooleanField(source="batch.signs", help_text="A named person must attest and confirm it")
    by = of.CharField(source="batch.by.name")
    confirmed_by = of.CharField(source="batch.signer.name", allow_null=True)
    confirmed_at = of.DateTimeField(source="batch.signed_at", allow_null=True)
    attestation = of.CharField(source="batch.attestation", help_text="The attestation of the person who confirmed it")
    note = of.CharField(
        source="batch.note", help_text="What a file hides, what was left out of it, or why the batch ended early"
    )
    created_at = of.DateTimeField(source="batch.created_at")
    finished_at = of.DateTimeField(source="batch.finished_at", allow_null=True)
    links = LinksSerializer()


class ChangeSerializer(of.Serializer[Any]):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class ItemSerializer(of.Serializer[Any]):
    place = of.IntegerField(help_text="1, 2, … as sent")
    row = of.CharField(help_text="The row in the spreadsheet")
    action = of.CharField()
    submission = of.CharField(help_text="As sent")
    state = of.ChoiceField(Item.State.choices)
    status = of.IntegerField(allow_null=True, help_text="The status that the same call alone would get")
    code = of.CharField(help_text="The error code, if it was refused; stable")
    message = of.CharField()
    section = of.CharField()
    fix = of.CharField()
    option = of.CharField(help_text="The line or the field")
    findings = FindingSerializer(many=True)
    made = of.SerializerMethodField(help_text=MADE_HELP)
    changes = ChangeSerializer(many=True)

    @extend_schema_field({"type": "object", "properties": MADE})
    def get_made(self, item: Item) -> dict[str, Any]:
        return batch_results.reported_result(item)


def batch_reports(view: BaseView, batches: Sequence[Batch]) -> list[Row]:
    """Each batch with its counts, its progress and its links."""
    return [
        {
            "batch": result.batch,
            "counts": result.counts,
            "progress": result.progress,
            "links": batch_links(view, result.batch),
        }
        for result in batch_results.batch_progress(batches)
    ]


def batch_links(view: BaseView, batch: Batch) -> dict[str, str | None]:
    """Return the batch's links; those to confirm and discard it are None once that is not possible."""
    waits = batch.state == Batch.State.UNCONFIRMED

    def to(name: str) -> str:
        return view.absolute_url(reverse(f"api:{name}", args=[batch.number]))

    return {
        "page": intake.page_address(batch) if batch.organization.is_live else None,
        "items": to("batch-items"),
        "result": to("batch-result"),
        "confirm": to("batch-confirm") if waits and not batch.organization.is_live else None,
        "discard": to("batch-discard") if waits else None,
    }


def batch_at(view: BaseView) -> Batch:
    """Return the batch that the address names."""
    return first_or_not_found(batches_visible_to(view.reader).filter(number=view.kwargs["number"]), "batch")


def accepted_batch(view: BaseView, batch: Batch) -> WriteResult:
    """Return a batch that is on its way."""
    return WriteResult(batch_reports(view, [batch])[0], 202, reverse("api:batch", args=[batch.number]))


LARGEST_UPLOAD = 20 * 1024 * 1024
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


class BatchesView(BaseView, ListAPIView[Any]):
    """The bulk updates of one's organization; a new one is sent here."""

    post = BaseView.write_once
    serializer_class = result_serializer = BatchSerializer
    pagination_class = RowPagination
    parser_classes = (bodies.RawJsonParser, bodies.RawCsvParser, bodies.RawWorkbookParser)
    operation = "sendBatch"
    write_summary = (
        "Send a batch. Up to 5,000 items, each with its own answer; what becomes of them is read at its address."
    )
    write_scopes = WRITE_SCOPES
    write_parameters = (MODE, ALL_OR_NOTHING, DECIMAL, INCLUDE_HIDDEN)
    request_schema = BATCH_SCHEMAS
    key_needed = True
    largest = LARGEST_UPLOAD
    too_large_fix = "Send the items in several batches."
    statuses = {202: "The batch was accepted. It will be checked or carried out"}

    def get_queryset(self) -> QuerySet[Batch]:
        return batches_visible_to(self.reader)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return batch_reports(self, super().paginate_queryset(queryset))

    def read(self, body: bytes) -> ParsedBatch:
        if (media_type := media_type_of(self.request)) != bodies.JSON:
            return self._in_sheet(body, media_type)
        if named := next(iter(self.request.query_params), ""):
            raise Refusal("unknown-parameter/batch-in-json", name=named[:40])
        sent = bodies.parse_json(body) if body else None
        if not isinstance(sent, Mapping) or not isinstance(sent.get("items"), list):
            raise Refusal("body-shape/batch")
        known = BATCH_SCHEMAS[bodies.JSON]["properties"]
        if unknown := next((name for name in sent if name not in known), ""):
            raise Refusal("unknown-field/batch", option=unknown[:60], unknown=unknown[:40], known=", ".join(known))
        name, together = "all_or_nothing", sent.get("all_or_nothing", False)
        if not isinstance(together, bool):
            raise Refusal("field-shape/true-or-false", option=name, name=name, value=shown_value(together))
        return intake.Upload(sent["items"], "json", sha256(body).hexdigest()), sent.get("mode"), together

    def write(self, sent: ParsedBatch) -> WriteResult:
        upload, mode, together = sent
        batch = intake.accept_upload(self.reader, upload, mode=mode, atomic=together, credential=self.credential)
        return accepted_batch(self, batch)

    def _in_sheet(self, body: bytes, media_type: str) -> ParsedBatch:
        """Return the items of a spreadsheet; the rest is in the address."""
        parameters = self.request.query_params
        form = "csv" if media_type == bodies.CSV else "xlsx"
        upload = item_sheets.read_upload(
            body,
            form=form,
            name="",
            decimal=parse_sign(parameters.get("decimal", "")),
            include_hidden=flag_of(self.request, "include_hidden"),
        )
        return upload, parameters.get("mode", ""), flag_of(self.request, "all_or_nothing")


class BatchDetailView(BaseView, RetrieveAPIView[Any]):
    """One bulk update, and where it stands."""

    serializer_class = BatchSerializer

    def get_object(self) -> Row:
        return batch_reports(self, [batch_at(self)])[0]


class ItemFilterSet(RefusalFilterSet):
    state = ChoiceFilter(choices=Item.State.choices, help_text="Only items in this state.")


class ItemsView(BaseView, ListAPIView[Any]):
    """The items of a bulk update in their order, each with its own answer."""

    serializer_class = ItemSerializer
    pagination_class = RowPagination
    filterset_class = ItemFilterSet
    queryset = Item.objects.all()

    def get_queryset(self) -> QuerySet[Item]:
        return batch_at(self).items.all()


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
        return HttpResponse(batch_results.result_workbook(batch), bodies.WORKBOOK, headers=headers)


class ConfirmBatchView(BaseView):
    """Have a bulk update carried out that waits for it, in a sandbox. In life a named person does so on its page."""

    post = BaseView.write_once
    result_serializer = BatchSerializer
    write_scopes = WRITE_SCOPES
    statuses = {202: "It will be carried out"}

    def write(self, sent: None) -> WriteResult:
        return accepted_batch(self, intake.confirm_in_sandbox(self.credential, batch_at(self)))


class DiscardBatchView(BaseView):
    """Discard a bulk update that waits to be confirmed. Nothing of it is done."""

    post = BaseView.write_once
    result_serializer = BatchSerializer
    write_scopes = WRITE_SCOPES
    statuses = {200: "It is discarded"}

    def write(self, sent: None) -> WriteResult:
        batch = intake.discard_by_client(self.credential, batch_at(self))
        return WriteResult(batch_reports(self, [batch])[0])


CREATING_VERBS = ("create", "amend", "copy")  # they make a submission
ADDRESS_FIELDS = ("action", "submission")  # the address names them


class DoneSerializer(of.Serializer[Any]):
    made = plain({"type": "object", "properties": MADE, "required": ["submission", "version"]}, help_text=MADE_HELP)
    changes = ChangeSerializer(many=True, help_text="The lines that were changed")


class ItemView(BaseView):
    """The address of a kind of item: done at once, or, where a named person signs it, a batch of one."""

    post = BaseView.write_once
    verb = ""  # which kind: `ItemView.as_view(verb="update")`

    @property
    def operation(self) -> str:  # type: ignore[override]
        return f"do{_pascal(self.verb)}"

    @property
    def write_summary(self) -> str:  # type: ignore[override]
        return f"{ITEM_VERBS[self.verb].label}. {ITEM_VERBS[self.verb].help}"

    @property
    def write_scopes(self) -> tuple[Scope, ...]:  # type: ignore[override]
        return (ITEM_VERBS[self.verb].scope,)

    @property
    def request_schema(self) -> Schema:  # type: ignore[override]
        return {bodies.JSON: item_schema(self.verb, alone=True)}

    @property
    def result_serializer(self) -> type[of.Serializer[Any]]:  # type: ignore[override]
        return BatchSerializer if ITEM_VERBS[self.verb].signed else DoneSerializer

    @property
    def statuses(self) -> dict[int, str]:  # type: ignore[override]
        if ITEM_VERBS[self.verb].signed:
            return {202: "It is now a batch of one item. It is checked, then a named person confirms it"}
        return {201: "The submission was created"} if self.verb in CREATING_VERBS else {200: "It is done"}

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the item that address and body make together."""
        sent = bodies.parse_json(body) if body else {}
        if not isinstance(sent, Mapping):
            raise Refusal("body-shape/not-an-object")
        if named := next((name for name in ADDRESS_FIELDS if name in sent), ""):
            raise Refusal("unknown-field/in-address", option=named, named=named)
        address = {"submission": self.kwargs["number"]} if "number" in self.kwargs else {}
        return {"action": self.verb, **address, **sent}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        if ITEM_VERBS[self.verb].signed:
            return accepted_batch(self, intake.send_for_signature(self.credential, sent))
        done = intake.apply_single_item(self.credential, sent)
        if self.verb not in CREATING_VERBS:
            return WriteResult(done)
        return WriteResult(done, 201, reverse("api:submission", args=[done.made["submission"]]))


class SubmissionsView(ItemView, submissions.SubmissionSearchView):
    """The submissions that one may read, narrowed as on the search page."""

    verb = "create"
