"""Filings of layouts, signs and guides (§ 601a.10), with their clocks; the inspection of a drawing; preparing a filing.

A program prepares a filing; a person files it on its page (`page`). Not here: the meaning of a mark
(`uploaded_drawings`).
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django_filters import MultipleChoiceFilter
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView

from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.serializers import HIGHEST, JudgedChoiceField, StrictSerializer
from submissions.api.framework.views import BaseView, WriteResult
from submissions.api.uploads import FileRequestSerializer, UploadView
from submissions.core.errors import Conflict
from submissions.core.parameters import CommaSelect, RefusalFilterSet
from submissions.documents.api import DRAWING_TYPES, DrawingSerializer, drawings_of, layout_at
from submissions.filings.api.chapters import SentDayField
from submissions.filings.api.submissions import Row, first_or_not_found, not_found, submission_at
from submissions.jobs.progress import Progress
from submissions.layouts import layout_filings, uploaded_drawings
from submissions.layouts.inspection.findings import READING_LABELS, DifferenceKind
from submissions.layouts.layout_review import shown_drawing, shown_elements
from submissions.layouts.required_elements import PLACE, ElementStatus
from submissions.layouts.review_clock import review_clock
from submissions.models import (
    Job,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutStatus,
    Part,
    Person,
    Scope,
)
from submissions.permissions import drawings_visible_to, layouts_visible_to, workflow


class PlaceSerializer(of.Serializer[Any]):
    """An area on a drawing."""

    page = of.IntegerField(help_text="From 1")
    left = of.FloatField(help_text="Shares of the page, from its upper left")
    top = of.FloatField()
    width = of.FloatField()
    height = of.FloatField()


class LayoutSerializer(of.Serializer[Any]):
    number = of.CharField(source="filing.number", help_text="`LF-2026-00001`")
    submission = of.CharField(source="filing.submission.number")
    licensee = of.CharField(source="filing.submission.organization.slug")
    chapter = of.CharField(source="filing.submission.chapter")
    group = of.IntegerField(source="filing.group", help_text="Of tables; 0 = all, or all others")
    parts = of.ListField(child=of.ChoiceField(Part.choices), source="filing.parts")
    positions = of.IntegerField(source="filing.positions", help_text="Betting positions; 0 = the most allowed")
    status = of.ChoiceField(LayoutStatus.choices, source="filing.status")
    version = of.IntegerField(source="filing.version")
    receipt = of.CharField(source="latest.receipt", allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(source="latest.filed_at", allow_null=True)
    due = of.DateField(allow_null=True, help_text="The last of the 15 days; null if they are stopped, or never began")
    clock = of.CharField(help_text="The status of the 15 days, in words")
    assigned_to = of.CharField(
        allow_null=True, help_text="The person of the Board who works on it; always null for a licensee"
    )
    page = of.URLField(allow_null=True, help_text="The page on which a person files it; null in a sandbox")
    created_at = of.DateTimeField(source="filing.created_at")
    changed_at = of.DateTimeField(source="filing.changed_at")


class LayoutFilterSet(RefusalFilterSet):
    status = MultipleChoiceFilter(
        choices=LayoutStatus.choices, widget=CommaSelect, distinct=False, help_text="In one of these states."
    )


class LayoutsView(BaseView, ListAPIView[Any]):
    """The layout filings that one may read."""

    serializer_class = LayoutSerializer
    pagination_class = RowPagination
    filterset_class = LayoutFilterSet
    queryset = LayoutFiling.objects.all()

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return _with_rows(layouts_visible_to(self.reader))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return [_with_clock(row, self.reader) for row in super().paginate_queryset(queryset)]


class LayoutDetailView(BaseView, RetrieveAPIView[Any]):
    """One layout filing."""

    serializer_class = LayoutSerializer

    def get_object(self) -> Row:
        return layout_row(self, self.kwargs["number"])


def layout_row(view: BaseView, number: str) -> Row:
    """Return the layout filing with this number as it is serialized."""
    rows = _with_rows(layouts_visible_to(view.reader))
    return _with_clock(first_or_not_found(rows.filter(number=number), "layout filing"), view.reader)


def _with_rows(rows: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    return rows.select_related("submission__organization", "assignment__person").prefetch_related(
        "revisions__decisions"
    )


def _with_clock(filing: LayoutFiling, reader: Person) -> Row:
    """Return the filing, its latest revision, its clock (a draft has none), and for the Board who works on it."""
    assignment = getattr(filing, "assignment", None) if reader.at_regulator else None
    clock = review_clock(filing, timezone.now())
    is_live = filing.organization.is_live
    return {
        "filing": filing,
        "latest": max(filing.revisions.all(), key=attrgetter("number"), default=None),
        "due": clock.reading.due if clock and not clock.ended else None,
        "clock": clock.words if clock else "",
        "page": f"{settings.PUBLIC_URL}{reverse('layout', args=[filing.number])}" if is_live else None,
        "assigned_to": assignment.person.name if assignment else None,
    }


class InspectionState(models.TextChoices):
    NO_DRAWING = "no-drawing", "There is no drawing"
    INSPECTING = "inspecting", "It is being inspected"
    STOPPED = "stopped", "The inspection has stopped: an operator must start it again"
    UNREADABLE = "unreadable", "The drawing cannot be read"
    INSPECTED = "inspected", "It is inspected"


class ElementSerializer(of.Serializer[Any]):
    key = of.CharField(help_text="Marks name it")
    citation = of.CharField()
    element = of.CharField(source="name", help_text="What the layout must show, in words")
    kind = of.CharField()
    status = of.ChoiceField(ElementStatus.choices, help_text="With the marks; for the Board with its decisions")
    times = of.IntegerField(help_text="How often it was found")
    needed = of.IntegerField(help_text="How often it must be there")
    places = PlaceSerializer(many=True, help_text="Where it was found")
    marks = PlaceSerializer(many=True, help_text="Where the licensee says that it is")
    explanation = of.CharField(help_text="Why the inspection left it to a person; empty if it states no reason")
    reason = of.CharField(help_text="Of the Board's decision on it")


class WordSerializer(PlaceSerializer):
    text = of.CharField()
    read = of.ChoiceField(list(READING_LABELS.items()), help_text="How the word was read: exactly, or recognized")
    confidence = of.FloatField(help_text="Of the recognition, 0 to 1; 1 for text")


class DifferenceSerializer(of.Serializer[Any]):
    kind = of.CharField(help_text=f"One of {', '.join(DifferenceKind)}; later versions may have more")
    message = of.CharField()
    citation = of.CharField()
    wager = of.CharField()
    place = PlaceSerializer(source="where", allow_null=True)


class StepsSerializer(of.Serializer[Any]):
    words = of.CharField(help_text="The status, in the words of the page")
    done = of.IntegerField(help_text="Steps")
    total = of.IntegerField(help_text="Steps")
    left = of.CharField(help_text="The estimated time, in words; empty if it is not known")


class InspectionSerializer(of.Serializer[Any]):
    state = of.ChoiceField(InspectionState.choices)
    drawing = DrawingSerializer(allow_null=True)
    outdated = of.BooleanField(help_text="Whether other answers were filed since: have it inspected again")
    progress = StepsSerializer(allow_null=True, help_text="While it is being inspected")
    complete = of.BooleanField(
        allow_null=True, help_text="Whether everything was found and nothing differs; null until it is inspected"
    )
    elements = ElementSerializer(many=True)
    differences = DifferenceSerializer(many=True, help_text="Between the drawing and the filed answers")
    words = WordSerializer(many=True, help_text="Every word of the drawing; older inspections have none")
    code = of.CharField(help_text="Why the drawing cannot be read: an error code, or empty")
    message = of.CharField()
    fix = of.CharField()


class InspectionView(BaseView, RetrieveAPIView[Any]):
    """The inspection of the drawing: which required elements were found, and where."""

    serializer_class = InspectionSerializer

    def get_object(self) -> Row:
        filing = layout_at(self)
        revision = filing.revisions.select_related("drawing__inspection").first()
        drawing = shown_drawing(self.reader, filing, revision)
        inspection: LayoutInspection | None = getattr(drawing, "inspection", None)
        read = inspection if inspection and not inspection.refused else None
        elements = shown_elements(self.reader, filing, revision, read) if read else []
        latest = filing.submission.revisions.latest("number")
        progress = None
        if drawing and not inspection:
            progress = Progress.of(Job.objects.filter(kind=Job.Kind.INSPECT, subject=drawing.pk))
        return {
            "state": _state(drawing, inspection, progress),
            "drawing": drawing,
            "outdated": bool(drawing and filing.editable and drawing.revision_id != latest.pk),
            "progress": progress,
            "complete": bool(read.report["complete"]) if read else None,
            "elements": elements,
            "differences": read.report["differences"] if read else [],
            "words": read.report.get("words", []) if read else [],
            "code": inspection.refused if inspection else "",
            "message": inspection.message if inspection else "",
            "fix": inspection.fix if inspection else "",
        }


def _state(
    drawing: LayoutDrawing | None, inspection: LayoutInspection | None, progress: Progress | None
) -> InspectionState:
    if drawing is None:
        return InspectionState.NO_DRAWING
    if inspection is None:
        return InspectionState.STOPPED if progress and progress.stopped else InspectionState.INSPECTING
    return InspectionState.UNREADABLE if inspection.refused else InspectionState.INSPECTED


@extend_schema_field({"type": "number", "minimum": 0, "maximum": 1})
class ShareField(of.FloatField):
    """A share of the page; whether it is in the drawing, the action judges."""


class UploadDrawingFilesBodySerializer(FileRequestSerializer):
    version = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The version of the layout filing that you saw")


class UseReferenceDrawingBodySerializer(StrictSerializer):
    version = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The version of the layout filing that you saw")


class InspectDrawingAgainBodySerializer(UseReferenceDrawingBodySerializer):
    pass


class StartLayoutBodySerializer(StrictSerializer):
    version = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The version of the submission that you saw")
    group = of.IntegerField(
        min_value=0,
        max_value=HIGHEST,
        default=0,
        help_text="Of tables; 0 (or left out) = all, or all that no group names",
    )
    parts = of.ListField(child=JudgedChoiceField(Part.choices), help_text="What is filed: one part or more")
    rules_on = SentDayField(
        required=False, help_text="The day whose rules the parts follow; left out = today, or the day of the answers"
    )


class SetPositionsBodySerializer(UseReferenceDrawingBodySerializer):
    positions = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="Betting positions at each of the tables")


class RemoveMarkBodySerializer(StrictSerializer):
    drawing = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The id of the drawing that you saw")


class MarkElementBodySerializer(RemoveMarkBodySerializer):
    element = of.CharField(help_text="The key of an element of the inspection")
    page = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="From 1")
    left = ShareField(help_text="The left edge, as a share of the page's width")
    top = ShareField(help_text="The upper edge, as a share of the page's height")
    width = ShareField(help_text="As a share of the page's width")
    height = ShareField(help_text="As a share of the page's height")


class MarkSerializer(PlaceSerializer):
    """Where the licensee says that an element is."""

    id = of.IntegerField(source="pk")
    element = of.CharField(help_text="The key of an element of the inspection")


class MarksLeftSerializer(of.Serializer[Any]):
    marks = MarkSerializer(many=True, help_text="The marks that the drawing still has")


def locked_layout(view: BaseView, sent: dict[str, Any]) -> LayoutFiling:
    """Return the layout filing that the address names, if it is as the caller saw it."""
    filing: LayoutFiling = workflow.lock_row(layout_at(view))
    workflow.check_version(filing, sent["version"])
    return filing


class LayoutsOfView(LayoutsView):
    """The layout filings of one submission."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    result_serializer = LayoutSerializer
    operation = "startLayout"
    write_summary = "Start a layout filing for a table group: a draft, which a person files on its page."
    request_serializer = StartLayoutBodySerializer
    statuses = {201: "The layout filing was started"}

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return super().get_queryset().filter(submission=submission_at(self))

    def write(self, sent: dict[str, Any]) -> WriteResult:
        submission = workflow.lock_row(submission_at(self))
        workflow.check_version(submission, sent["version"])
        filing = layout_filings.start_layout_filing(
            self.reader, submission, sent["group"], sent["parts"], rules_on=sent.get("rules_on")
        )
        return WriteResult(layout_row(self, filing.number), 201, reverse("api:layout", args=[filing.number]))


class DrawingsView(UploadView, ListAPIView[Any]):
    """The drawings of a layout filing that one may open."""

    serializer_class = result_serializer = DrawingSerializer
    operation = "uploadDrawing"
    write_summary = "Upload the drawing of the layout. The portal inspects it at once; see `inspection/`."
    write_scopes = (Scope.PREPARE,)
    request_serializer = UploadDrawingFilesBodySerializer
    media_types = DRAWING_TYPES
    statuses = {201: "The drawing is stored, and is being inspected"}

    def get_queryset(self) -> Any:
        return drawings_of(self).order_by("pk")

    def check(self, name: str, content: bytes, fields: Mapping[str, Any]) -> uploaded_drawings.CheckedDrawing:
        return uploaded_drawings.check_drawing(self.reader, layout_at(self), name, content)

    def write(self, sent: dict[str, Any]) -> WriteResult:
        return stored_drawing(self, sent["file"], sent["version"])


class ReferenceDrawingView(BaseView):
    """Use the portal's own drawing of the table as the drawing to file: it is stored and inspected."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    operation = "useReferenceDrawing"
    result_serializer = DrawingSerializer
    request_serializer = UseReferenceDrawingBodySerializer
    statuses = {201: "The drawing is stored, and is being inspected"}

    def read(self, body: bytes) -> dict[str, Any]:
        return {**super().read(body), "drawing": uploaded_drawings.reference_drawing(self.reader, layout_at(self))}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        return stored_drawing(self, **sent)


class InspectAgainView(BaseView):
    """Inspect the same drawing again, for the answers that were filed last. Its marks are copied."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    operation = "inspectDrawingAgain"
    result_serializer = DrawingSerializer
    request_serializer = InspectDrawingAgainBodySerializer
    statuses = {201: "The drawing is being inspected"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        return created_drawing(uploaded_drawings.inspect_again(self.reader, locked_layout(self, sent)))


class PositionsView(BaseView):
    """Set the number of betting positions of the tables. A drawing is inspected again."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    operation = "setPositions"
    result_serializer = LayoutSerializer
    request_serializer = SetPositionsBodySerializer
    statuses = {200: "It is so"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        filing = locked_layout(self, sent)
        uploaded_drawings.set_positions(self.reader, filing, sent["positions"])
        return WriteResult(layout_row(self, filing.number))


class MarksView(BaseView, ListAPIView[Any]):
    """The marks on the drawing that is being prepared; those that were filed are in the inspection."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    serializer_class = result_serializer = MarkSerializer
    operation = "markElement"
    write_summary = "Mark where on the drawing an element is that the inspection did not find."
    request_serializer = MarkElementBodySerializer
    statuses = {201: "The area is marked"}

    def get_queryset(self) -> Any:
        """Return the marks for the filing's licensee, while it prepares the filing."""
        filing = layout_at(self)
        if self.reader.at_regulator or not filing.editable:
            return ()
        drawing = shown_drawing(self.reader, filing, filing.revisions.select_related("drawing").first())
        return drawing.marks.all() if drawing else ()

    def write(self, sent: dict[str, Any]) -> WriteResult:
        drawing = drawing_seen(self, sent["drawing"])
        place = {name: sent[name] for name in PLACE}
        mark = uploaded_drawings.mark_element(self.reader, drawing, sent["element"], place)
        return WriteResult(mark, 201, reverse("api:marks", args=[drawing.filing.number]))


class RemoveMarkView(BaseView):
    """Remove a mark from the drawing that is being prepared."""

    post = BaseView.write_once
    write_scopes = (Scope.PREPARE,)
    result_serializer = MarksLeftSerializer
    request_serializer = RemoveMarkBodySerializer
    statuses = {200: "The mark is removed"}

    def write(self, sent: dict[str, Any]) -> WriteResult:
        drawing = drawing_seen(self, sent["drawing"])
        if not drawing.marks.filter(pk=self.kwargs["pk"]).exists():
            raise not_found("mark")
        uploaded_drawings.remove_mark(self.reader, drawing, self.kwargs["pk"])
        return WriteResult({"marks": list(drawing.marks.all())})


def stored_drawing(view: BaseView, drawing: uploaded_drawings.CheckedDrawing, version: int) -> WriteResult:
    return created_drawing(uploaded_drawings.store_drawing(view.reader, layout_at(view), drawing, version=version))


def created_drawing(drawing: LayoutDrawing) -> WriteResult:
    address = reverse("api:drawing", args=[drawing.filing.number, drawing.stored_id])
    return WriteResult(drawing, 201, address)


def drawing_seen(view: BaseView, number: int) -> LayoutDrawing:
    """Return the drawing that the caller saw; refused if another one has replaced it."""
    filing: LayoutFiling = workflow.lock_row(layout_at(view))
    drawings = drawings_visible_to(view.reader, filing)
    drawing = drawings.filter(pk=number).first()
    if drawing is None:
        raise not_found("drawing")
    if drawing != drawings.first():
        raise Conflict("layout-replaced")
    return drawing
