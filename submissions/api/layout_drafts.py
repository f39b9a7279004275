"""Preparing a layout filing: start it, upload its drawing, read the inspection, mark areas, set the positions.

A program prepares, and a person files it on its page: each layout says its address (`page`). What the inspection does
and what a mark means is `layouts`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers as of

from submissions.api.documents import DRAWING_TYPES, DrawingSerializer, drawings_of, layout_at
from submissions.api.filings.submissions import not_found, submission_at
from submissions.api.framework.read_views import BaseView, ReadSerializer, UnpagedListView
from submissions.api.framework.write_views import WriteResult, WriteView
from submissions.api.json_fields import JsonField, JsonFields, fields_schema, read_fields
from submissions.api.layouts import LayoutSerializer, LayoutsView, PlaceSerializer, layout_row
from submissions.api.uploads import VERSION_SCHEMA, SentFile, UploadView
from submissions.core.errors import Conflict
from submissions.layouts import layout_filings, uploaded_drawings
from submissions.layouts.element_status import PLACE
from submissions.layouts.shown_drawing import shown_drawing
from submissions.models import LayoutDrawing, LayoutFiling, LayoutMark, Part, Scope
from submissions.permissions import drawings_visible_to, workflow
from submissions.search.field_parsing import day_of

VERSION = JsonField("number", "The version of the layout filing that you saw")
EDGES = {
    "page": JsonField("number", "From 1"),
    "left": JsonField("share", "The left edge, as a share of the page's width"),
    "top": JsonField("share", "The upper edge, as a share of the page's height"),
    "width": JsonField("share", "As a share of the page's width"),
    "height": JsonField("share", "As a share of the page's height"),
}


class MarkSerializer(PlaceSerializer):
    """Where the licensee says that an element is."""

    id = of.IntegerField(source="pk")
    element = of.CharField(help_text="The key of an element of the inspection")


class MarksLeftSerializer(ReadSerializer):
    marks = MarkSerializer(many=True, help_text="The marks that the drawing still has")


class PreparingView(WriteView):
    """A call with a small JSON body that prepares a layout filing; `fields` says what it takes."""

    fields: ClassVar[JsonFields]
    write_scopes = (Scope.PREPARE,)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "fields" in vars(cls):
            cls.request_schema = fields_schema(cls.fields)

    def read(self, body: bytes) -> dict[str, Any]:
        return read_fields(body, self.fields)

    def locked(self, sent: dict[str, Any]) -> LayoutFiling:
        """The layout filing that the address names, if it is as the caller saw it."""
        filing: LayoutFiling = workflow.lock_row(layout_at(self))
        workflow.check_version(filing, sent["version"])
        return filing


class LayoutsOfView(PreparingView, LayoutsView):
    """The layout filings of one submission."""

    result_serializer = LayoutSerializer
    operation = "startLayout"
    write_summary = "Start a layout filing for a table group: a draft, which a person files on its page."
    fields = {
        "version": JsonField("number", "The version of the submission that you saw"),
        "group": JsonField("number", "Of tables; 0 (or left out) = all, or all that no group names", needed=False),
        "parts": JsonField(
            "texts", "What is filed", schema={"items": {"type": "string", "enum": Part.values}, "minItems": 1}
        ),
        "rules_on": JsonField(
            "text", "The day whose rules the parts follow; left out = today, or the day of the answers", needed=False,
            schema={"format": "date"},
        ),
    }  # fmt: skip
    statuses = {201: "The layout filing was started"}

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return super().get_queryset().filter(submission=submission_at(self))

    def write(self, sent: dict[str, Any]) -> WriteResult:
        submission = workflow.lock_row(submission_at(self))
        workflow.check_version(submission, sent["version"])
        day = day_of(sent["rules_on"].strip()) if sent.get("rules_on") else None
        filing = layout_filings.start_layout_filing(
            self.reader, submission, sent.get("group", 0), sent["parts"], rules_on=day
        )
        return WriteResult(layout_row(self, filing.number), 201, reverse("api:layout", args=[filing.number]))


@dataclass(frozen=True, slots=True)
class SentDrawing:
    """A drawing that was checked, and the version of the filing that the caller saw."""

    drawing: uploaded_drawings.CheckedDrawing
    version: int


class DrawingsView(UploadView, UnpagedListView):
    """The drawings of a layout filing that one may open."""

    serializer_class = result_serializer = DrawingSerializer
    operation = "uploadDrawing"
    write_summary = "Upload the drawing of the layout. The portal inspects it at once; see `inspection/`."
    write_scopes = (Scope.PREPARE,)
    media_types = DRAWING_TYPES
    fields = {"version": {**VERSION_SCHEMA, "description": "The version of the layout filing that you saw."}}
    needed = ("version",)
    statuses = {201: "The drawing is stored, and is being inspected"}

    def get_items(self) -> Iterable[LayoutDrawing]:
        return drawings_of(self).order_by("pk")

    def read(self, body: bytes) -> SentDrawing:
        sent: SentFile = self.read_file(body)
        version = sent.number("version")
        drawing = uploaded_drawings.check_drawing(self.reader, layout_at(self), sent.name, sent.content)
        sent.check_media_type(drawing.media_type)
        return SentDrawing(drawing, version)

    def write(self, sent: SentDrawing) -> WriteResult:
        return stored_drawing(self, sent)


class ReferenceDrawingView(PreparingView):
    """Use the portal's own drawing of the table as the drawing to file: it is stored and inspected."""

    operation = "useReferenceDrawing"
    result_serializer = DrawingSerializer
    fields = {"version": VERSION}
    statuses = {201: "The drawing is stored, and is being inspected"}

    def read(self, body: bytes) -> Any:
        sent = super().read(body)
        return SentDrawing(uploaded_drawings.reference_drawing(self.reader, layout_at(self)), sent["version"])

    def write(self, sent: Any) -> WriteResult:
        return stored_drawing(self, sent)


class InspectAgainView(PreparingView):
    """Inspect the same drawing again, for the answers that were filed last. Its marks are copied."""

    operation = "inspectDrawingAgain"
    result_serializer = DrawingSerializer
    fields = {"version": VERSION}
    statuses = {201: "The drawing is being inspected"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        return created_drawing(uploaded_drawings.inspect_again(self.reader, self.locked(sent)))


class PositionsView(PreparingView):
    """Set the number of betting positions of the tables. A drawing is inspected again."""

    operation = "setPositions"
    result_serializer = LayoutSerializer
    fields = {"version": VERSION, "positions": JsonField("number", "Betting positions at each of the tables")}
    statuses = {200: "It is so"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        filing = self.locked(sent)
        uploaded_drawings.set_positions(self.reader, filing, sent["positions"])
        return WriteResult(layout_row(self, filing.number))


class MarksView(PreparingView, UnpagedListView):
    """The marks on the drawing that is being prepared; those that were filed are in the inspection."""

    serializer_class = result_serializer = MarkSerializer
    operation = "markElement"
    write_summary = "Mark where on the drawing an element is that the inspection did not find."
    fields = {
        "drawing": JsonField("number", "The id of the drawing that you saw"),
        "element": JsonField("text", "The key of an element of the inspection"),
        **EDGES,
    }
    statuses = {201: "The area is marked"}

    def get_items(self) -> Iterable[LayoutMark]:
        return marks_in_preparation(self)

    def write(self, sent: dict[str, Any]) -> WriteResult:
        drawing = drawing_seen(self, sent["drawing"])
        place = {name: sent[name] for name in PLACE}
        mark = uploaded_drawings.mark_element(self.reader, drawing, sent["element"], place)
        return WriteResult(mark, 201, reverse("api:marks", args=[drawing.filing.number]))


class RemoveMarkView(PreparingView):
    """Remove a mark from the drawing that is being prepared."""

    result_serializer = MarksLeftSerializer
    fields = {"drawing": JsonField("number", "The id of the drawing that you saw")}
    statuses = {200: "The mark is removed"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        drawing = drawing_seen(self, sent["drawing"])
        if not drawing.marks.filter(pk=self.kwargs["pk"]).exists():
            raise not_found("mark")
        uploaded_drawings.remove_mark(self.reader, drawing, self.kwargs["pk"])
        return WriteResult({"marks": list(drawing.marks.all())})


def stored_drawing(view: BaseView, sent: SentDrawing) -> WriteResult:
    drawing = uploaded_drawings.store_drawing(view.reader, layout_at(view), sent.drawing, version=sent.version)
    return created_drawing(drawing)


def created_drawing(drawing: LayoutDrawing) -> WriteResult:
    address = reverse("api:drawing", args=[drawing.filing.number, drawing.stored_id])
    return WriteResult(drawing, 201, address)


def drawing_seen(view: BaseView, number: int) -> LayoutDrawing:
    """The drawing that the caller saw; refused if another one has replaced it."""
    filing: LayoutFiling = workflow.lock_row(layout_at(view))
    drawings = drawings_visible_to(view.reader, filing)
    drawing = drawings.filter(pk=number).first()
    if drawing is None:
        raise not_found("drawing")
    if drawing != drawings.first():
        raise Conflict("layout-replaced")
    return drawing


def marks_in_preparation(view: BaseView) -> Iterable[LayoutMark]:
    """For its licensee, while it prepares the filing."""
    filing = layout_at(view)
    if view.reader.at_regulator or not filing.editable:
        return ()
    drawing = shown_drawing(view.reader, filing, filing.revisions.select_related("drawing").first())
    return drawing.marks.all() if drawing else ()
