"""The page of a layout filing (§ 601a.10), the same for licensee and Board; its files, and the drafts of its papers.

Not here: the actions (`layout_actions`), the Board's part (`review_board`), the places of a drawing (`drawing_views`),
the signed papers (`documents.pages`).
"""

from collections.abc import Callable
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
    LayoutStatus,
    Part,
    StoredFile,
    Submission,
)
from submissions.permissions import drawings_visible_to, layouts_visible_to, may, papers_visible_to
from submissions.rules import chapter_on, layout_chapter, paper_day, rules_day
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


def show(request: HttpRequest, number: str, *, refusal: Refusal | None = None, form: str = "") -> HttpResponse:
    """Return the page; after a refusal with the values that were sent in its `form`, so that nothing is lost."""
    filing, entered = filing_of(request, number), request.POST.dict() if refusal else {}
    context = _state(request, filing) | _around(request, filing) | assignment_panel(person_of(request), filing)
    is_shown = context["may_draw"] and filing.has_layout if form in OF_DRAWING else True
    context |= {"entered": entered, "form": form, "error_fields": ERROR_FIELDS.get(form, {}) if is_shown else {}}
    if form == "judging" and (board := review_board(person_of(request), filing, entered)):
        context["error_fields"] = {ANY_ENTRY: f"word-{board.failed}" if board.failed else "board-title"}
    return render_page(request, "pages/layout.html", context, refusal)


def show_decided(request: HttpRequest, number: str, key: str, refusal: Refusal | None) -> HttpResponse:
    """After a decision on the element `key`: its line, and what else of the page changes with it."""
    filing = filing_of(request, number)
    board = review_board(person_of(request), filing, request.POST.dict() if refusal else {})
    line = board.line_of(key) if board else None
    if line is None:
        raise Http404("This element does not exist.")
    context = _state(request, filing) | {"board": board, "line": line}
    return render_page(request, "parts/layout_decided.html", context, refusal)


def form_action(form: str, anchor: str = "") -> Callable[[Action], Callable[..., HttpResponse]]:
    """Return the view of an action: it redirects to the page or, after a refusal, shows it with the `form`'s values."""

    def decorator(action: Action) -> Callable[..., HttpResponse]:
        @require_POST
        @wraps(action)
        def view(request: HttpRequest, number: str, **address: object) -> HttpResponse:
            filing = filing_of(request, number)
            try:
                message = action(request, person_of(request), filing, **address)
            except Refusal as refusal:
                return show(request, number, refusal=refusal, form=form)
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
    differing = shown_differences(person, revision, read) if read else []
    job = None
    if drawing and not inspection:
        job = Progress.of(Job.objects.filter(kind=Job.Kind.INSPECT, subject=drawing.pk))
    may_draw = may(person, "draw", filing)
    marks = read.drawing.marks.all() if read and may_draw else ()
    notice = None  # the one that is not answered yet
    if revision and filing.status == LayoutStatus.DEFICIENT:
        notice = revision.decisions.filter(kind=LayoutDecision.Kind.NOTICE).select_related("by").first()
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
        "notice": notice,
        "outdated": bool(drawing and filing.editable and drawing.revision_id != latest.pk),
        "may_draw": may_draw,
        "chosen": request.GET.get("mark", ""),
        "version": filing.version,
    }


def _around(request: HttpRequest, filing: LayoutFiling) -> dict[str, Any]:
    """Return the rest of the page: the tables, the decisions, the permitted actions, the history."""
    person = person_of(request)
    decisions = LayoutDecision.objects.filter(layout_revision__filing=filing).select_related("by", "layout_revision")
    if not person.at_regulator:
        decisions = decisions.exclude(kind=LayoutDecision.Kind.RECOMMEND)
    entries, latest = timeline(filing.submission, person), filing.submission.revisions.latest("number")
    return {
        "tables": tables_of(latest, filing.group),
        "most": layout_chapter(filing, latest).max_positions,
        "megabytes": settings.ATTACHMENT_LIMIT >> 20,
        "decisions": list(decisions),
        "filings": list(filing.revisions.select_related("filed_by", "revision")),
        "papers": list(papers_visible_to(person).filter(layout_revision__filing=filing)),
        "may_file": may(person, "file", filing),
        "may_withdraw": may(person, "withdraw", filing),
        "history": [entry for entry in entries if entry.detail.startswith(filing.number)],
        "here": "home",
    }


PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"


def drawing(request: HttpRequest, number: str, pk: int) -> FileResponse:
    """Return the file itself, as a download."""
    drawing = _drawing(request, number, pk)
    return file_response(bytes(drawing.stored.content), drawing.name, drawing.stored.media_type)


def picture(request: HttpRequest, number: str, pk: int, page: int) -> FileResponse:
    """Return the picture of a page, from 1, for an `<img>`: the SVG itself, or the PNG that the inspection made."""
    drawing = _drawing(request, number, pk)
    stored, name, policy = drawing.stored, drawing.name, PICTURE_POLICY
    if drawing.kind != "svg" or page != 1:
        inspection = get_object_or_404(LayoutInspection, drawing=drawing)
        if not 1 <= page <= len(inspection.previews):
            raise Http404("The drawing has no picture of this page.")
        stored, policy = StoredFile.objects.get(pk=inspection.previews[page - 1]), INERT
        name = f"{drawing.name}-{page}.png"
    return file_response(bytes(stored.content), name, stored.media_type, policy=policy, download=False)


def draft(request: HttpRequest, number: str, group: int, part: str, kind: str) -> HttpResponseBase:
    """Return the draft of a paper; `kind`: pdf, for the layout also svg. `?size=tabloid` for a larger sign."""
    submission = submission_of(request, number)
    answers, tables, rules_on = _shown_answers(request, submission, group)
    if kind == "svg" and part == Part.LAYOUT:
        caption = Caption("Draft", date_text(timezone.localdate()))
        licensee = submission.organization.name
        chapter = chapter_on(submission.chapter, rules_on)
        content = layout_svg(chapter, answers, licensee=licensee, caption=caption).encode()
        return file_response(content, f"{submission.number}-{part}-draft.svg", "image/svg+xml", policy=DRAFT_POLICY)
    if kind != "pdf" or part not in Part.values:
        raise Http404(f"There is no {part} as {kind}.")
    subject = paper_draft(submission, answers, tables, part, request.GET.get("size", ""), rules_on=rules_on)
    return draft_response(request, subject, f"{submission.number}-{part}", reverse("submission", args=[number]))


def _drawing(request: HttpRequest, number: str, pk: int) -> LayoutDrawing:
    return get_object_or_404(drawings_visible_to(request.user, filing_of(request, number)), pk=pk)


def _shown_answers(request: HttpRequest, submission: Submission, group: int) -> tuple[Answers, str, date]:
    """Return a group's answers, its tables and the day of the rules: of the draft in preparation, else as filed."""
    if is_prepared_by(request, submission):
        row = submission.configurations.filter(position=group).first()
        if row is None:
            raise Http404("This table group does not exist.")
        return row.answers, row.tables, rules_day(submission)
    revision = submission.revisions.first()
    place = index_of_group(revision.content, group) if revision else None
    if revision is None or place is None:
        raise Http404("This table group does not exist.")
    configuration = revision.content["configurations"][place]
    return configuration["answers"], configuration["tables"], paper_day(revision, requested_day(request).day)
