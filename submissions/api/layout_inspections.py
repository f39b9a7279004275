"""What the inspection of a layout's drawing found: of the drawing that is being prepared, or of the one that was filed.

It is made by a job: ask again until `state` is no longer `inspecting`. Not here: uploading and marking
(`layout_drafts`).
"""

from django.db import models
from rest_framework import serializers as of

from submissions.api.documents import DrawingSerializer, layout_at
from submissions.api.filings.submissions import Row
from submissions.api.framework.read_views import DetailView, ReadSerializer
from submissions.api.layouts import PlaceSerializer
from submissions.jobs.progress import Progress
from submissions.layouts.element_status import Element, ElementStatus
from submissions.layouts.inspection import DifferenceKind
from submissions.layouts.shown_drawing import shown_drawing, shown_elements
from submissions.layouts.words_read import READING_LABELS
from submissions.models import Job, LayoutDrawing, LayoutInspection


class InspectionState(models.TextChoices):
    NO_DRAWING = "no-drawing", "There is no drawing"
    INSPECTING = "inspecting", "It is being inspected"
    STOPPED = "stopped", "The inspection has stopped: an operator must start it again"
    UNREADABLE = "unreadable", "The drawing cannot be read"
    INSPECTED = "inspected", "It is inspected"


class ElementSerializer(ReadSerializer):
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


class DifferenceSerializer(ReadSerializer):
    kind = of.CharField(help_text=f"One of {', '.join(DifferenceKind)}; later versions may have more")
    message = of.CharField()
    citation = of.CharField()
    wager = of.CharField()
    place = PlaceSerializer(source="where", allow_null=True)


class StepsSerializer(ReadSerializer):
    words = of.CharField(help_text="The status, in the words of the page")
    done = of.IntegerField(help_text="Steps")
    total = of.IntegerField(help_text="Steps")
    left = of.CharField(help_text="The estimated time, in words; empty if it is not known")


class InspectionSerializer(ReadSerializer):
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


class InspectionView(DetailView):
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
        progress = _progress(drawing) if drawing and not inspection else None
        return {
            "state": _state(drawing, inspection, progress),
            "drawing": drawing,
            "outdated": bool(drawing and filing.editable and drawing.revision_id != latest.pk),
            "progress": progress,
            "complete": bool(read.report["complete"]) if read else None,
            "elements": [_element(element) for element in elements],
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


def _progress(drawing: LayoutDrawing) -> Progress:
    return Progress.of(Job.objects.filter(kind=Job.Kind.INSPECT, subject=drawing.pk))


def _element(element: Element) -> Row:
    names = ("key", "citation", "name", "kind", "status", "times", "needed", "explanation", "reason")
    row = {name: getattr(element, name) for name in names}
    return row | {"places": list(element.places), "marks": list(element.marks)}
