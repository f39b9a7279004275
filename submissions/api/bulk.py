"""Bulk updates: a batch is sent, read with its items, confirmed where a program may, or discarded.

What is told of one is `batches`; what an item is, and what becomes of it, `actions.bulk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.access.programs import batches_visible_to
from submissions.actions.bulk import programs, results, sheets, taking
from submissions.api import bodies
from submissions.api.batches import BatchShape, ItemShape, Told, accepted, batch_at, told
from submissions.api.items import batch_schema
from submissions.api.reading import Door, One, Rows, refuse_unknown
from submissions.api.writing import Writing, Written, media_type_of
from submissions.errors import Refusal
from submissions.models import Batch, Item, Scope

LARGEST = 20 * 1024 * 1024
WRITES = (Scope.PREPARE, Scope.FILE, Scope.REVIEW)  # which of them, its items say
MODE = OpenApiParameter("mode", str, description="Of a spreadsheet: what is to be done.", enum=Batch.Mode.values)
TOGETHER = OpenApiParameter(
    "all_or_nothing", bool, description="Of a spreadsheet: nothing is done if one item is refused.", default=False
)
TAKEN: dict[str, Any] = {
    bodies.JSON: batch_schema(),
    bodies.CSV: {"type": "string", "description": "A row of headings, then an item a row"},
    bodies.WORKBOOK: {"type": "string", "format": "binary", "description": "The same, as an Excel workbook"},
}
Sent = tuple[taking.Parcel, Any, bool]  # items, mode, all or nothing
STATES = ", ".join(Item.State.values)
STATE = OpenApiParameter("state", str, description="Only items in this state.", enum=Item.State.values)


class Csv(JSONRenderer):
    """What is accepted; the table itself is sent line by line, and a refusal is JSON as everywhere."""

    media_type = "text/csv"


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

    def read(self, body: bytes) -> Sent:
        media_type = media_type_of(self.request)
        return self._in_json(body) if media_type == bodies.JSON else self._in_sheet(body, media_type)

    def write(self, sent: Sent) -> Written:
        parcel, mode, together = sent
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

    def write(self, sent: None) -> Written:
        return accepted(self, programs.confirm(self.credential, batch_at(self)))


class Discard(Writing):
    """Discard a bulk update that waits to be confirmed. Nothing of it is done."""

    operation = "discardBatch"
    told_as = BatchShape
    writes = WRITES
    statuses = {200: "It is discarded"}

    def write(self, sent: None) -> Written:
        batch = programs.discard(self.credential, batch_at(self))
        return Written(told(self, [batch])[0])


def _yes_or_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Refusal(
        "field-shape", "“all_or_nothing” is true or false.", fix="Send true or false.", option="all_or_nothing"
    )
