"""Signed errata reports: the Board asks for one, anyone reads and verifies it.

A report is not an act of the Board and has no effective period: its page says what it is, how its seal verifies, and
which of its chapters read otherwise today. Not here: making it (`documents.errata_signing_job`).
"""

import hashlib
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.rules.errors import RuleError
from games.runs.errata import GENERAL, notes_of, numbers
from submissions.core.errors import Refusal
from submissions.documents.errata_requests import request_errata
from submissions.jobs.progress import Progress
from submissions.models import ErrataDocument, ErrataRequest, Job
from submissions.permissions import errata_visible_to
from submissions.verification.examine import STORED_DIFFERS
from submissions.verification.reverification import newest_verification
from submissions.web.access_gate import person_of
from submissions.web.filings.errata_pages import index_page
from submissions.web.responses import file_response

ALL = "all"
REFRESH = "5"  # seconds, while the report is being made


@require_POST
def request_report(request: HttpRequest) -> HttpResponse:
    """Ask for a signed report of all chapters or of one; then its page."""
    number = request.POST.get("chapter", "").strip()
    try:
        row = request_errata(person_of(request), [] if number == ALL else [number])
    except Refusal as refusal:
        return index_page(request, refusal)
    return redirect("errata-report", row.number)


@require_safe
def page(request: HttpRequest, number: str) -> HttpResponse:
    """One report: what it is, its seal, what changed since; until it is made, how far the job is."""
    row = _request(request, number)
    document = getattr(row, "document", None)
    progress = None if document else Progress.of(Job.objects.filter(kind=Job.Kind.ERRATA, subject=row.pk))
    context = {
        "row": row,
        "names": _names(row.chapters),
        "document": document,
        "progress": progress,
        **(_verified(document) if document else {}),
        "here": "chapters",
    }
    response = render(request, "public/errata_report.html", context)
    if progress and not progress.stopped:
        response["Refresh"] = REFRESH
    return response


@require_safe
def pdf(request: HttpRequest, number: str) -> HttpResponseBase:
    """The sealed report itself; if its bytes are not those that were sealed, the page that says so."""
    document = getattr(_request(request, number), "document", None)
    if document is None:
        raise Http404(f"The errata report {number} is not made yet.")
    if hashlib.sha256(document.signed.content).hexdigest() != document.signed_id:
        return redirect("errata-report", number)
    return file_response(bytes(document.signed.content), f"{number}.pdf", "application/pdf", download=False)


def _request(request: HttpRequest, number: str) -> ErrataRequest:
    visible = errata_visible_to(request.user).select_related("document__signed", "by")
    return get_object_or_404(visible, number=number)


def _verified(document: ErrataDocument) -> dict[str, object]:
    intact = hashlib.sha256(document.signed.content).hexdigest() == document.signed_id
    verification, _, at = newest_verification(document)
    signed_at, sources = verification.signed_at, document.digests.items()
    return {
        "good": intact and verification.good,
        "problems": [*([] if intact else [STORED_DIFFERS]), *verification.problems],
        "verification": verification,
        "verified_at": at,
        "sealed_at": datetime.fromisoformat(signed_at) if signed_at else None,
        "chapters": [(number, *made_from, differs_today(number, made_from)) for number, made_from in sources],
    }


def differs_today(number: str, digests: list[str]) -> bool:
    """Whether the chapter's rules or errata are others today than those that the report was made from."""
    if number not in numbers():
        return True
    try:
        report = notes_of(number)
    except RuleError:
        return True
    return [report.rules_digest, report.errata_digest] != digests


def _names(chapters: list[str]) -> str:
    if len(chapters) == len(numbers()):
        return "all chapters and the general provisions"
    return ", ".join("general provisions" if number == GENERAL else f"chapter {number}" for number in chapters)


def address_of(digest_or_number: str) -> str:
    """The address of the report with this number, or with this SHA-256 (sealed or not yet); "" if there is none."""
    text = digest_or_number
    reports = ErrataDocument.objects.select_related("request")
    document = (
        reports.filter(request__number=text.upper()).first()
        or reports.filter(signed=text.lower()).first()
        or reports.filter(unsigned_sha256=text.lower()).first()
    )
    return reverse("errata-report", args=[document.request.number]) if document else ""
