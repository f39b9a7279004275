"""The files of a layout filing (a drawing as uploaded, a picture of each of its pages) and the drafts of its papers.

Drafts as PDF are made by a job (`web.pdf_progress`). A browser neither guesses the type of a file nor runs anything in
it. Not here: reading a drawing (`layouts.recognition`), the signed papers (`verification`).
"""

from dataclasses import dataclass
from datetime import date

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from games.rules.model import Answers
from submissions.core.configuration_index import index_of_group
from submissions.core.dates import date_text
from submissions.layouts.draft_queue import paper_draft
from submissions.layouts.reference_drawing import Caption, layout_svg
from submissions.models import LayoutDrawing, LayoutInspection, Part, StoredFile, Submission
from submissions.permissions import drawings_visible_to
from submissions.rules.effective_rules import chapter_on
from submissions.rules.rules_day import paper_day, rules_day
from submissions.web.access_gate import is_prepared_by, submission_of
from submissions.web.asked_day import requested_day
from submissions.web.layouts.layout_page import filing_of
from submissions.web.pdf_progress import draft_response
from submissions.web.responses import INERT, file_response

PICTURE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
DRAFT = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def drawing(request: HttpRequest, number: str, pk: int) -> FileResponse:
    """The file itself, as a download."""
    drawing = _drawing(request, number, pk)
    return _stored_response(drawing.stored, drawing.name, INERT, download=True)


def picture(request: HttpRequest, number: str, pk: int, page: int) -> FileResponse:
    """The picture of a page, from 1, for an `<img>`: the SVG itself, or the PNG that the inspection made."""
    drawing = _drawing(request, number, pk)
    if drawing.kind == "svg" and page == 1:
        return _stored_response(drawing.stored, drawing.name, PICTURE)
    inspection = get_object_or_404(LayoutInspection, drawing=drawing)
    if not 1 <= page <= len(inspection.previews):
        raise Http404("The drawing has no picture of this page.")
    stored = StoredFile.objects.get(pk=inspection.previews[page - 1])
    return _stored_response(stored, f"{drawing.name}-{page}.png", INERT)


def draft(request: HttpRequest, number: str, group: int, part: str, kind: str) -> HttpResponseBase:
    """`part`: layout, sign, guide; `kind`: pdf, for the layout also svg. `?size=tabloid` for a larger sign."""
    submission = submission_of(request, number)
    shown = _shown(request, submission, group)
    if kind == "svg" and part == Part.LAYOUT:
        caption = Caption("Draft", date_text(timezone.localdate()))
        licensee = submission.organization.name
        chapter = chapter_on(submission.chapter, shown.rules_on)
        content = layout_svg(chapter, shown.answers, licensee=licensee, caption=caption).encode()
        return file_response(content, f"{submission.number}-{part}-draft.svg", "image/svg+xml", policy=DRAFT)
    if kind != "pdf" or part not in Part.values:
        raise Http404(f"There is no {part} as {kind}.")
    size = request.GET.get("size", "")
    subject = paper_draft(submission, shown.answers, shown.tables, part, size, rules_on=shown.rules_on)
    return draft_response(request, subject, f"{submission.number}-{part}", reverse("submission", args=[number]))


def _drawing(request: HttpRequest, number: str, pk: int) -> LayoutDrawing:
    return get_object_or_404(drawings_visible_to(request.user, filing_of(request, number)), pk=pk)


@dataclass(frozen=True, slots=True)
class ShownAnswers:
    """The answers of a group of tables, the tables, and the day whose rules a draft of a paper follows."""

    answers: Answers
    tables: str
    rules_on: date


def _shown(request: HttpRequest, submission: Submission, group: int) -> ShownAnswers:
    """Of the draft while the person's side prepares it, else of the latest revision, by the rules of `?on=`."""
    if is_prepared_by(request, submission):
        row = submission.configurations.filter(position=group).first()
        if row is None:
            raise Http404("This table group does not exist.")
        return ShownAnswers(row.answers, row.tables, rules_day(submission))
    revision = submission.revisions.first()
    place = index_of_group(revision.content, group) if revision else None
    if revision is None or place is None:
        raise Http404("This table group does not exist.")
    configuration = revision.content["configurations"][place]
    day = paper_day(revision, requested_day(request).day)
    return ShownAnswers(configuration["answers"], configuration["tables"], day)


def _stored_response(stored: StoredFile, name: str, policy: str, *, download: bool = False) -> FileResponse:
    return file_response(bytes(stored.content), name, stored.media_type, policy=policy, download=download)
