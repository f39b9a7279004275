"""The page of a layout filing (§ 601a.10), the same for licensee and Board; its files, and the drafts of its papers.

Files are a drawing as uploaded, and a picture of each of its pages; a browser neither guesses the type of a file nor
runs anything in it. Drafts as PDF are made by a job. Not here: the actions (`layout_actions`), the Board's part
(`review_board`), the places of a drawing (`drawing_views`), the signed papers (`documents.pages`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.rules.model import Answers
from submissions.audit.timeline import timeline
from submissions.core.configurations import index_of_group
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.documents.pages import DRAFT_POLICY, draft_response
from submissions.filings.pages.submissions import assignment_panel
from submissions.filings.pages.versions import requested_day
from submissions.jobs.progress import Progress
from submissions.layouts.draft_queue import paper_draft
from submissions.layouts.layout_review import shown_differences, shown_drawing, shown_elements
from submissions.layouts.layout_rules import layout_chapter
from submissions.layouts.pages.drawing_views import drawing_view
from submissions.layouts.pages.layout_worklist import tables_of
from submissions.layouts.pages.review_board import review_board
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.models import (
    Job,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutRevision,
    LayoutStatus,
    Part,
    StoredFile,
    Submission,
)
from submissions.permissions import drawings_visible_to, layouts_visible_to, may, papers_visible_to
from submissions.rules import chapter_on, paper_day, rules_day
from submissions.web.access_gate import is_prepared_by, person_of, submission_of
from submissions.web.forms import ANY_ENTRY
from submissions.web.responses import INERT, STOP_POLLING, file_response, render_page

ERROR_FIELDS = {  # of each form of the page
    "upload": {ANY_ENTRY: "drawing-file"},
    "positions": {ANY_ENTRY: "positions"},
    "marking": {ANY_ENTRY: "element"},
    "filing": {"note": "note"},
    "withdrawal": {ANY_ENTRY: "withdraw-reason"},
    "board": {ANY_ENTRY: "board-reason"},
    "assignment": {ANY_ENTRY: "assignee"},
}
OF_DRAWING = ("upload", "positions", "marking")  # forms that only those see who may change the drawing
Action = Callable[..., str]  # (request, person, filing, further parts of the address) → the message of success


def filing_of(request: HttpRequest, number: str) -> LayoutFiling:
    """Return the filing with this number, if this person may see it; 404 otherwise, as if there were none."""
    return get_object_or_404(layouts_visible_to(request.user).select_related("submission__organization"), number=number)


def show(
    request: HttpRequest,
    number: str,
    *,
    refusal: Refusal | None = None,
    entered: Mapping[str, str] = {},
    form: str = "",
) -> HttpResponse:
    """Return the page; after a refusal with the values `entered` in its `form`, so that nothing is lost."""
    filing = filing_of(request, number)
    context = _state(request, filing) | _around(request, filing) | assignment_panel(person_of(request), filing)
    is_shown = context["may_draw"] and filing.has_layout if form in OF_DRAWING else True
    context |= {"entered": entered, "form": form, "error_fields": ERROR_FIELDS.get(form, {}) if is_shown else {}}
    if form == "judging" and (board := review_board(person_of(request), filing, entered)):
        context["error_fields"] = {ANY_ENTRY: f"word-{board.failed}" if board.failed else "board-title"}
    return render_page(request, "pages/layout.html", context, refusal)


def show_decided(
    request: HttpRequest, number: str, key: str, refusal: Refusal | None, entered: Mapping[str, str]
) -> HttpResponse:
    """After a decision on the element `key`: its line, and what else of the page changes with it."""
    filing = filing_of(request, number)
    board = review_board(person_of(request), filing, entered if refusal else {})
    line = board.line_of(key) if board else None
    if line is None:
        raise Http404("This element does not exist.")
    context = _state(request, filing) | {"board": board, "line": line}
    return render_page(request, "parts/layout_decided.html", context, refusal)


def form_action(form: str, anchor: str = "") -> Callable[[Action], Callable[..., HttpResponse]]:
    """Return the view of an action.

    It redirects to the page or, after a refusal, shows it with the values of the `form`.
    """

    def decorator(action: Action) -> Callable[..., HttpResponse]:
        @require_POST
        @wraps(action)
        def view(request: HttpRequest, number: str, **address: object) -> HttpResponse:
            filing = filing_of(request, number)
            try:
                message = action(request, person_of(request), filing, **address)
            except Refusal as refusal:
                return show(request, number, refusal=refusal, entered=request.POST.dict(), form=form)
            if message:
                messages.success(request, message)
            return HttpResponseRedirect(reverse("layout", args=[number]) + anchor)

        return view

    return decorator


def progress(request: HttpRequest, number: str) -> HttpResponse:
    """Return the progress of the inspection; the page stops polling when it has ended."""
    context = _state(request, filing_of(request, number)) | {"entered": {}}
    return render(request, "parts/layout_progress.html", context, status=200 if context["under_way"] else STOP_POLLING)


def _state(request: HttpRequest, filing: LayoutFiling) -> dict[str, Any]:
    """Return the drawing and its inspection: the part of the page that changes during the inspection."""
    person = person_of(request)
    revision = filing.revisions.select_related("drawing__inspection", "revision", "filed_by").first()
    drawing = shown_drawing(person, filing, revision)
    inspection: LayoutInspection | None = getattr(drawing, "inspection", None)
    read = inspection if inspection and not inspection.refused else None
    elements = shown_elements(person, filing, revision, read) if read else []
    jobs = Job.objects.filter(kind=Job.Kind.INSPECT, subject=drawing.pk) if drawing and not inspection else None
    differing = shown_differences(person, revision, read) if read else []
    job = None if jobs is None else Progress.of(jobs)
    may_draw = may(person, "draw", filing)
    marks = read.drawing.marks.all() if read and may_draw else ()
    latest = filing.submission.revisions.latest("number")
    return {
        "filing": filing,
        "submission": filing.submission,
        "revision": revision,
        "drawing": drawing,
        "inspection": inspection,
        "job": job,
        "under_way": bool(job and not job.stopped),
        "elements": elements,
        "report": read.report if read else {},
        "shown": drawing_view(read, elements, differing, marks) if read else None,
        "latest": latest,
        "notice": _notice(filing, revision),
        "outdated": bool(drawing and filing.editable and drawing.revision_id != latest.pk),
        "may_draw": may_draw,
        "chosen": request.GET.get("mark", ""),
        "version": filing.version,
    }


def _around(request: HttpRequest, filing: LayoutFiling) -> dict[str, Any]:
    """Return the rest of the page: the tables, the decisions, the permitted actions, the history."""
    person = person_of(request)
    decisions = LayoutDecision.objects.filter(layout_revision__filing=filing).select_related("by", "layout_revision")
    visible = (
        list(decisions) if person.at_regulator else [decision for decision in decisions if decision.kind != "recommend"]
    )
    entries, latest = timeline(filing.submission, person), filing.submission.revisions.latest("number")
    return {
        "tables": tables_of(latest, filing.group),
        "most": layout_chapter(filing, latest).max_positions,
        "megabytes": settings.ATTACHMENT_LIMIT >> 20,
        "decisions": visible,
        "filings": list(filing.revisions.select_related("filed_by", "revision")),
        "papers": list(papers_visible_to(person).filter(layout_revision__filing=filing)),
        "may_file": may(person, "file", filing),
        "may_withdraw": may(person, "withdraw", filing),
        "history": [entry for entry in entries if entry.detail.startswith(filing.number)],
        "here": "home",
    }


def _notice(filing: LayoutFiling, revision: LayoutRevision | None) -> LayoutDecision | None:
    """Return the deficiency notice that is not answered yet."""
    if revision is None or filing.status != LayoutStatus.DEFICIENT:
        return None
    return revision.decisions.filter(kind=LayoutDecision.Kind.NOTICE).select_related("by").first()


PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


def drawing(request: HttpRequest, number: str, pk: int) -> FileResponse:
    """Return the file itself, as a download."""
    drawing = _drawing(request, number, pk)
    return _stored_response(drawing.stored, drawing.name, INERT, download=True)


def picture(request: HttpRequest, number: str, pk: int, page: int) -> FileResponse:
    """Return the picture of a page, from 1, for an `<img>`: the SVG itself, or the PNG that the inspection made."""
    drawing = _drawing(request, number, pk)
    if drawing.kind == "svg" and page == 1:
        return _stored_response(drawing.stored, drawing.name, PICTURE_POLICY)
    inspection = get_object_or_404(LayoutInspection, drawing=drawing)
    if not 1 <= page <= len(inspection.previews):
        raise Http404("The drawing has no picture of this page.")
    stored = StoredFile.objects.get(pk=inspection.previews[page - 1])
    return _stored_response(stored, f"{drawing.name}-{page}.png", INERT)


def draft(request: HttpRequest, number: str, group: int, part: str, kind: str) -> HttpResponseBase:
    """Return the draft of a paper.

    `part`: layout, sign, guide; `kind`: pdf, for the layout also svg. `?size=tabloid` for a larger sign.
    """
    submission = submission_of(request, number)
    shown = _shown_answers(request, submission, group)
    if kind == "svg" and part == Part.LAYOUT:
        caption = Caption("Draft", date_text(timezone.localdate()))
        licensee = submission.organization.name
        chapter = chapter_on(submission.chapter, shown.rules_on)
        content = layout_svg(chapter, shown.answers, licensee=licensee, caption=caption).encode()
        return file_response(content, f"{submission.number}-{part}-draft.svg", "image/svg+xml", policy=DRAFT_POLICY)
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


def _shown_answers(request: HttpRequest, submission: Submission, group: int) -> ShownAnswers:
    """Return the draft's answers while the person's side prepares it, else those of the latest revision.

    By the rules of `?on=`.
    """
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
