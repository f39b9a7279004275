"""The public verification page, and pages with PDFs: sealed ones in a frame, those that a worker makes as an answer.

A document is found by its digest (its QR code leads here), or by the file itself. A PDF that the portal does not know
waits in a queue and has its result at an address that nobody can guess. Only approved versions are shown. Not here: the
verification of a file (`verification`), which PDF a worker makes, and who may see it (the views of its domain).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from ipaddress import ip_address, ip_network
from typing import Any

from allauth.account.adapter import get_adapter
from csp.constants import HEADER, SELF
from csp.utils import build_policy
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from submissions.documents import verification
from submissions.documents.verification import Examination, Identity, by_digest, examine_known, examine_stored
from submissions.filings.attachments import clean_name
from submissions.layouts.document_status import document_status, subject_of
from submissions.layouts.draft_queue import DraftSubject, draft_pdf, pdf_place
from submissions.models import FileVerification, Job
from submissions.web.access_gate import Audience, guarded, person_of
from submissions.web.responses import INERT, STOP_POLLING, file_response
from submissions.web.sentences import queue_words
from submissions.web.upload_handler import oversize

View = Callable[..., HttpResponse]


def shows_pdf(view: View) -> View:
    """Return the view with a policy that lets its pages show a frame from this portal."""
    return _with_policy(view, "frame-src")


def may_be_framed(view: View) -> View:
    """Return the view with a policy that lets only the portal's own pages show its response in a frame."""
    return _with_policy(view, "frame-ancestors", frame_options="SAMEORIGIN")


def _with_policy(view: View, directive: str, *, frame_options: str = "") -> View:
    @wraps(view)
    def respond(request: HttpRequest, *args: object, **parts: object) -> HttpResponse:
        response = view(request, *args, **parts)
        # A header of the response itself, so that a page from the cache has it, too.
        response[HEADER] = build_policy(replace={directive: [SELF]})
        if frame_options:
            response["X-Frame-Options"] = frame_options
        return response

    return respond


UPLOAD = "document"  # the name of the file's field
REFRESH = 5  # seconds, without script
IPV6_NETWORK = 64  # bits: one customer's


@require_http_methods(["GET", "HEAD", "POST"])
def verify_file(request: HttpRequest) -> HttpResponse:
    """Return the form; with a file, the answer about it, or the way to its place in the queue."""
    if request.method != "POST":
        return render(request, "public/verify.html", {"here": "verify"})
    file = request.FILES.get(UPLOAD)
    problem = _unusable(request, file)
    if file is None or problem:
        return render(request, "public/verify.html", {"here": "verify", "problem": problem}, status=400)
    content, name = file.read(), clean_name(file.name or "")
    examination = examine_known(content) or verification.result_of_same_bytes(hashlib.sha256(content).hexdigest())
    if examination:
        return _answer(request, examination, name)
    row = verification.queue_file(content, name, network_of(request))
    return redirect("verify-result", row.key)


@require_safe
def verification_result(request: HttpRequest, key: str) -> HttpResponse:
    """Return the result of a file, or its place in the queue; the page loads itself again until the result is there."""
    row = get_object_or_404(FileVerification.objects.defer("content"), key=key)
    examination = verification.result_of(row)
    if examination is None:
        response = _progress(request, row)
    elif getattr(request, "htmx", False):
        response = HttpResponseClientRefresh()
    else:
        response = _answer(request, examination, row.name)
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def verification_by_digest(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the document with this digest, or the paper of this name, by its newest verification."""
    document = by_digest(digest)
    if document is None:
        return render(request, "public/verify_unknown.html", {"here": "verify", "digest": digest}, status=404)
    return _answer(request, examine_stored(document))


@may_be_framed
@require_GET
def sealed_pdf(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the sealed document, which the portal's pages may frame; if its bytes changed, go to its verification."""
    document = by_digest(digest)
    if document is None:
        raise Http404("No approved document has this digest.")
    if hashlib.sha256(document.signed.content).hexdigest() != document.signed_id:
        return redirect("verify-digest", digest)
    response = HttpResponse(bytes(document.signed.content), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{document.name}.pdf"'
    return response


def network_of(request: HttpRequest) -> str:
    """Return the caller's network address, as the sign-in counts it; of IPv6 the network of 64 bits."""
    address = ip_address(get_adapter().get_client_ip(request))
    return str(address if address.version == 4 else ip_network((address, IPV6_NETWORK), strict=False))


def _unusable(request: HttpRequest, file: UploadedFile[bytes] | None) -> str:
    """Return the reason why the file cannot be examined; "" if it can."""
    if oversize(request) or (file and (file.size or 0) > settings.ATTACHMENT_LIMIT):
        megabytes = settings.ATTACHMENT_LIMIT // 1024**2
        return f"The file is larger than {megabytes} MB; documents of this portal are smaller."
    if file and not file.size:
        return "The file is empty. Choose the signed PDF."
    return "" if file else "Choose a PDF file first."


def _progress(request: HttpRequest, row: FileVerification) -> HttpResponse:
    context = {
        "row": row,
        "words": queue_words(verification.place_of(row), "file"),
        "refresh": REFRESH,
        "here": "verify",
    }
    is_part = getattr(request, "htmx", False)
    template = "parts/verification_progress.html" if is_part else "public/verify_progress.html"
    return render(request, template, context, status=202)


@shows_pdf  # for the preview of the document
def _answer(request: HttpRequest, examination: Examination, name: str = "") -> HttpResponse:
    document, verification = examination.document, examination.verification
    signed_at = verification.signed_at if verification else ""
    context: dict[str, Any] = {
        "here": "verify",
        "name": name,
        "examination": examination,
        "gravity": "warning" if examination.identity is Identity.UNSEALED else "error",
        "heading": "Do not rely on this file" if examination.identity is Identity.CHANGED else "What is wrong",
        "identity": examination.identity.name.lower(),
        "verification": verification,
        "sealed_at": datetime.fromisoformat(signed_at) if signed_at else None,
        "checkpoint_at": datetime.fromisoformat(made_at) if (made_at := examination.checkpoint.at) else None,
        "document": document,
        "about": subject_of(document) if document else None,
        "standing": document_status(document) if document else None,
    }
    return render(request, "public/verified.html", context)


urlpatterns = [
    path(route, guarded(view, Audience.PUBLIC), name=name)
    for route, view, name in (
        ("verify/", verify_file, "verify"),
        ("verify/results/<slug:key>/", verification_result, "verify-result"),
        ("verify/<slug:digest>", verification_by_digest, "verify-digest"),
        ("verify/<slug:digest>/document.pdf", sealed_pdf, "verify-pdf"),
    )
]


DRAFT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@dataclass(frozen=True, slots=True)
class WantedPdf:
    """A requested PDF; `content`: None while the job of `kind` makes the result `key`; `back`: the requesting page."""

    content: bytes | None
    kind: Job.Kind
    key: str
    file_name: str
    title: str  # of the page that waits
    noun: str  # what that page calls it
    label: str  # of its download
    back: str
    here: str = "home"
    policy: str = INERT


def draft_response(request: HttpRequest, subject: DraftSubject, name: str, back: str) -> HttpResponseBase:
    """Return the draft as a download."""
    wanted = WantedPdf(
        content=draft_pdf(subject, person_of(request)),
        kind=Job.Kind.DRAFT,
        key=subject.key,
        file_name=f"{name}-draft.pdf",
        title=f"Draft of {name}",
        noun="draft",
        label="Download draft (PDF)",
        back=back,
        policy=DRAFT_POLICY,
    )
    return pdf_response(request, wanted)


def pdf_response(request: HttpRequest, wanted: WantedPdf) -> HttpResponseBase:
    """Return the PDF as a download, or the page that waits for it (or the part of it that is swapped in)."""
    is_part = bool(getattr(request, "htmx", False))
    if wanted.content is not None and not is_part:
        return file_response(wanted.content, wanted.file_name, "application/pdf", policy=wanted.policy)
    context = {"wanted": wanted, "address": request.get_full_path(), "refresh": REFRESH, "here": wanted.here}
    if wanted.content is not None:
        return render(request, "parts/pdf_progress.html", {**context, "ready": True}, status=STOP_POLLING)
    context["words"] = queue_words(pdf_place(wanted.kind, wanted.key), wanted.noun)
    template = "parts/pdf_progress.html" if is_part else "pages/pdf_progress.html"
    response = render(request, template, context, status=202)
    response["Retry-After"] = str(REFRESH)
    return response
