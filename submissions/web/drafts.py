"""A draft (PDF) as an answer: the file when it is made; until then a page with its place in the queue.

The page asks the same address again. Not here: which draft, and who may see it (the views of its domain).
"""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from submissions.layouts.draft_queue import DraftSubject, draft_pdf, draft_place
from submissions.web.access_gate import person_of
from submissions.web.responses import STOP_POLLING, file_response
from submissions.web.sentences import queue_words

REFRESH = 5  # seconds, without script
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def draft_response(request: HttpRequest, subject: DraftSubject, name: str, back: str) -> HttpResponseBase:
    """The draft as a download; `back`: the address of the page that it was asked for on."""
    content, is_part = draft_pdf(subject, person_of(request)), bool(getattr(request, "htmx", False))
    if content is not None and not is_part:
        return file_response(content, f"{name}-draft.pdf", "application/pdf", policy=POLICY)
    context = {"address": request.get_full_path(), "name": name, "back": back, "refresh": REFRESH, "here": "home"}
    if content is not None:
        return render(request, "parts/draft_progress.html", {**context, "ready": True}, status=STOP_POLLING)
    context["words"] = queue_words(draft_place(subject), "draft")
    return _unfinished(request, context, "parts/draft_progress.html" if is_part else "pages/draft_progress.html")


def _unfinished(request: HttpRequest, context: dict[str, object], template: str) -> HttpResponse:
    response = render(request, template, context, status=202)
    response["Retry-After"] = str(REFRESH)
    return response
