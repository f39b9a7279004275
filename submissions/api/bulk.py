"""Bulk updates: a batch is sent, read, confirmed where a program may, or discarded; its items and their answers.

What an item is, and what becomes of it, is `actions.bulk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.access.programs import batches_visible_to
from submissions.actions.bulk import programs, results, sheets, taking
from submissions.actions.bulk.results import standings
from submissions.actions.bulk.shapes import MOST, VERBS
from submissions.api import bodies
from submissions.api.items import schema_of
from submissions.api.judging import FindingShape
from submissions.api.reading import Door, One, Rows, Shape, refuse_unknown
from submissions.api.submissions import only
from submissions.api.writing import Writing, Written, media_type_of
from submissions.errors import Refusal
from submissions.models import Batch, Item, Scope
from submissions.progress import Progress

LARGEST = 20 * 1024 * 1024
WRITES = (Scope.PREPARE, Scope.FILE, Scope.REVIEW)  # which of them, its items say
MODE = OpenApiParameter("mode", str, description="Of a spreadsheet: what is to be done.", enum=Batch.Mode.values)
TOGETHER = OpenApiParameter(
    "all_or_nothing", bool, description="Of a spreadsheet: nothing is done if one item is refused.", default=False
)
ANYTHING = {"type": "object", "description": "Whatever else: it is taken in, and refused by itself"}
TAKEN: dict[str, Any] = {
    bodies.JSON: {
        "type": "object",
        "properties": {
            "mode": {"type": "string", "enum": Batch.Mode.values, "description": "Say what would happen, or do it"},
            "all_or_nothing": {
                "type": "boolean", "default": False, "description": "Nothing is done if one item is refused",
            },
            "items": {
                "type": "array", "minItems": 1, "maxItems": MOST,
                "items": {"anyOf": [*(schema_of(verb, alone=False) for verb in VERBS), ANYTHING]},
            },
        },
        "required": ["mode", "items"],
        "additionalProperties": False,
    },
    bodies.CSV: {"type": "string", "description": "A row of headings, then an item a row"},
    bodies.WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}  # fmt: skip
STATES = ", ".join(Item.State.values)
STATE = OpenApiParameter("state", str, description="Only items in this state.", enum=Item.State.values)


class CountsShape(Shape):
    waiting = of.IntegerField(help_text="Not looked at yet")
    passed = of.IntegerField(help_text="Checked: they would be done")
    done = of.IntegerField()
    refused = of.IntegerField()
    undone = of.IntegerField(help_text="Not done because others were refused")


class ProgressShape(Shape):
    words = of.CharField(help_text="Where it stands, as the page says it")
    done = of.IntegerField(help_text="Items")
    total = of.IntegerField()
    left = of.CharField(help_text="The time that is likely to pass, in words; empty while nothing is known")
    stopped = of.BooleanField(help_text="By an error; nothing is lost, the operator can run it again")


class LinksShape(Shape):
    page = of.URLField(help_text="Where a person looks at it, and confirms it")
    items = of.URLField()
    result = of.URLField(help_text="Every item and its answer as CSV")
    confirm = of.URLField(allow_null=True, help_text="Where a program confirms it: in a sandbox, while it waits")
    discard = of.URLField(allow_null=True, help_text="While it waits")


class BatchShape(Shape):
    number = of.CharField(source="batch.number", help_text="`B-2026-00001`")
    state = of.ChoiceField(Batch.State.choices, source="batch.state")
    mode = of.ChoiceField(Batch.Mode.choices, source="batch.mode")
    all_or_nothing = of.BooleanField(source="batch.together")
    form = of.CharField(source="batch.form", help_text="What it was sent as: json, csv, xlsx")
    sha256 = of.CharField(source="batch.sha256", help_text="Of what was sent")
    total = of.IntegerField(source="batch.total")
    items = CountsShape(source="counts", help_text="How many items stand where")
    progress = ProgressShape(allow_null=True, help_text="null while nothing is under way")
    needs_signature = of.BooleanField(source="batch.signs", help_text="A named person attests and confirms it")
    by = of.CharField(source="batch.by.name")
    confirmed_by = of.CharField(source="batch.signer.name", default=None, allow_null=True)
    confirmed_at = of.DateTimeField(source="batch.signed_at", allow_null=True)
    attestation = of.CharField(source="batch.attestation", help_text="What whoever confirmed it attested")
    note = of.CharField(source="batch.note", help_text="Why it ended otherwise than by its items")
    created_at = of.DateTimeField(source="batch.created_at")
    finished_at = of.DateTimeField(source="batch.finished_at", allow_null=True)
    links = LinksShape()


class ChangeShape(Shape):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class ItemShape(Shape):
    place = of.IntegerField(help_text="1, 2, … as sent")
    row = of.CharField(help_text="Where it stood in a spreadsheet")
    action = of.CharField()
    submission = of.CharField(help_text="As sent")
    state = of.ChoiceField(Item.State.choices)
    status = of.IntegerField(allow_null=True, help_text="What the same call alone would have been answered with")
    code = of.CharField(help_text="Why it was refused; stable")
    message = of.CharField()
    section = of.CharField()
    fix = of.CharField()
    option = of.CharField(help_text="The line or the field concerned")
    findings = FindingShape(many=True)
    made = of.SerializerMethodField(help_text="What it came to: the names and versions that the next call needs")
    changes = ChangeShape(many=True)

    def get_made(self, item: Item) -> dict[str, Any]:
        return results.made(item)


Sent = tuple[taking.Parcel, Any, bool]  # items, mode, all or nothing


class Csv(JSONRenderer):
    """What is accepted; the table itself is sent line by line, and a refusal is JSON as everywhere."""

    media_type = "text/csv"


@dataclass(frozen=True, slots=True)
class Told:
    """A batch as it is told: where it stands, and where to go on from it."""

    batch: Batch
    counts: Mapping[str, int]
    progress: Progress | None
    links: Mapping[str, str | None]


def told(door: Door, batches: Sequence[Batch]) -> list[Told]:
    return [Told(one.batch, one.counts, one.progress, links(door, one.batch)) for one in standings(batches)]


def links(door: Door, batch: Batch) -> dict[str, str | None]:
    """Confirming and discarding are there as long as they are possible."""
    waits = batch.state == Batch.State.WAITING

    def to(name: str) -> str:
        return door.at(reverse(f"api:{name}", args=[batch.number]))

    return {
        "page": programs.page_of(batch),
        "items": to("batch-items"),
        "result": to("batch-result"),
        "confirm": to("batch-confirm") if waits and not batch.organisation.is_live else None,
        "discard": to("batch-discard") if waits else None,
    }


def batch_at(door: Door) -> Batch:
    """The batch that the address names."""
    found: Batch = only(batches_visible_to(door.reader).filter(number=door.kwargs["number"]), "batch")
    return found


class Batches(Writing, Rows):
    """The bulk updates of one's organisation; a new one is sent here."""

    serializer_class = told_as = BatchShape
    parser_classes = (bodies.Plain, bodies.PlainCsv, bodies.PlainWorkbook)
    operation = "sendBatch"
    says = "Send a batch. Up to 5,000 items, each with its own answer; what becomes of them is read at its address."
    writes = WRITES
    asked_by_query = (MODE, TOGETHER)
    taken = TAKEN
    key_needed = True
    largest = LARGEST
    statuses = {202: "It is taken in, and will be checked or carried out"}

    def rows(self) -> QuerySet[Batch]:
        return batches_visible_to(self.reader)

    def seen(self, rows: Sequence[Batch]) -> Iterable[Told]:
        return told(self, rows)

    def write(self, body: bytes) -> Written:
        media_type = media_type_of(self.request)
        parcel, mode, together = self._in_json(body) if media_type == bodies.JSON else self._in_sheet(body, media_type)
        batch = taking.take_in(self.reader, parcel, mode=mode, together=together, credential=self.credential)
        return accepted(self, batch)

    def _in_json(self, body: bytes) -> Sent:
        refuse_unknown(self.request, ())
        sent = bodies.read(body) if body else None
        if not isinstance(sent, Mapping) or not isinstance(sent.get("items"), list):
            raise Refusal("body-shape", "The body is no batch.", fix='Send {"mode": "validate", "items": [{…}, …]}.')
        known = TAKEN[bodies.JSON]["properties"]
        if unknown := next((name for name in sent if name not in known), ""):
            raise Refusal(
                "unknown-field", f"“{unknown[:40]}” is no member of a batch.", fix=f"It has: {', '.join(known)}.",
                option=unknown[:60],
            )  # fmt: skip
        parcel = taking.Parcel(sent["items"], "json", sha256(body).hexdigest())
        return parcel, sent.get("mode"), _yes_or_no(sent.get("all_or_nothing", False))

    def _in_sheet(self, body: bytes, media_type: str) -> Sent:
        """The items of a spreadsheet; the rest stands in the address."""
        asked = self.request.query_params
        together = {"true": True, "false": False}.get(asked.get("all_or_nothing", "false"))
        parcel = sheets.parcel(body, form="csv" if media_type == bodies.CSV else "xlsx", name="")
        return parcel, asked.get("mode", ""), _yes_or_no(together)


class OneBatch(One):
    """One bulk update, and where it stands."""

    serializer_class = BatchShape

    def thing(self) -> Told:
        return told(self, [batch_at(self)])[0]


class Items(Rows):
    """The items of a bulk update in their order, each with its own answer."""

    serializer_class = ItemShape
    asks = (STATE,)

    def rows(self) -> QuerySet[Item]:
        batch, state = batch_at(self), self.request.query_params.get("state")
        if state is None:
            return batch.items.all()
        if state not in Item.State.values:
            raise Refusal("unknown-state", f"“{state[:40]}” is no state of an item.", fix=f"There are: {STATES}.")
        return batch.items.filter(state=state)


class Result(Door):
    """Every item of a bulk update and its answer as CSV."""

    serializer_class = ItemShape
    renderer_classes = (Csv,)
    parameters = ()

    def get(self, request: Request, number: str) -> HttpResponseBase:
        batch = batch_at(self)
        response = StreamingHttpResponse(results.table(batch), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{batch.number}.csv"'
        response["X-Content-Type-Options"] = "nosniff"
        return response


class Confirm(Writing):
    """Have a bulk update carried out that waits for it, in a sandbox. In life a named person does so on its page."""

    operation = "confirmBatch"
    told_as = BatchShape
    writes = WRITES
    statuses = {202: "It will be carried out"}

    def write(self, body: bytes) -> Written:
        bodies.nothing(body)
        return accepted(self, programs.confirm(self.credential, batch_at(self)))


class Discard(Writing):
    """Discard a bulk update that waits to be confirmed. Nothing of it is done."""

    operation = "discardBatch"
    told_as = BatchShape
    writes = WRITES
    statuses = {200: "It is discarded"}

    def write(self, body: bytes) -> Written:
        bodies.nothing(body)
        batch = programs.discard(self.credential, batch_at(self))
        return Written(told(self, [batch])[0])


def accepted(door: Door, batch: Batch) -> Written:
    """A batch that is on its way."""
    return Written(told(door, [batch])[0], 202, reverse("api:batch", args=[batch.number]))


def _yes_or_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Refusal(
        "field-shape", "“all_or_nothing” is true or false.", fix="Send true or false.", option="all_or_nothing"
    )
