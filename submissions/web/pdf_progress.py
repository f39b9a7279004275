"""A PDF that a worker makes, as an answer: the file when it is made; until then a page with its place in the queue.

The page asks the same address again. Not here: which PDF, and who may see it (the views of its domain).
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from submissions.jobs.queue_place import QueuePlace
from submissions.layouts.draft_queue import DraftSubject, draft_pdf, draft_place
from submissions.web.access_gate import person_of
from submissions.web.responses import INERT, STOP_POLLING, file_response
from submissions.web.sentences import queue_words

REFRESH = 5  # seconds, without script
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@dataclass(frozen=True, slots=True)
class WantedPdf:
    """`content`: None while it is made; `place`: asked for only then; `back`: where it was asked for."""

    content: bytes | None
    place: Callable[[], QueuePlace]
    file_name: str
    title: str  # of the page that waits
    noun: str  # what that page calls it
    label: str  # of its download
    back: str
    here: str = "home"
    policy: str = INERT


def draft_response(request: HttpRequest, subject: DraftSubject, name: str, back: str) -> HttpResponseBase:
    """The draft as a download."""
    wanted = WantedPdf(
        content=draft_pdf(subject, person_of(request)),
        place=lambda: draft_place(subject),
        file_name=f"{name}-draft.pdf",
        title=f"Draft of {name}",
        noun="draft",
        label="Download draft (PDF)",
        back=back,
        policy=POLICY,
    )
    return pdf_response(request, wanted)


def pdf_response(request: HttpRequest, wanted: WantedPdf) -> HttpResponseBase:
    """The PDF as a download, or the page that waits for it (or the part of it that is swapped in)."""
    is_part = bool(getattr(request, "htmx", False))
    if wanted.content is not None and not is_part:
        return file_response(wanted.content, wanted.file_name, "application/pdf", policy=wanted.policy)
    context = {"wanted": wanted, "address": request.get_full_path(), "refresh": REFRESH, "here": wanted.here}
    if wanted.content is not None:
        return render(request, "parts/pdf_progress.html", {**context, "ready": True}, status=STOP_POLLING)
    context["words"] = queue_words(wanted.place(), wanted.noun)
    return _unfinished(request, context, "parts/pdf_progress.html" if is_part else "pages/pdf_progress.html")


def _unfinished(request: HttpRequest, context: dict[str, object], template: str) -> HttpResponse:
    response = render(request, template, context, status=202)
    response["Retry-After"] = str(REFRESH)
    return response
