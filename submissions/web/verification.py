"""The public verification page: by a document's digest (its QR code leads here), or by the file itself.

What a file is and whether it is unchanged is said by `submissions.verification.examine`. Only approved versions are
shown: a digest of anything else is as unknown as a wrong one.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from submissions.verification.document_status import document_status, subject_of
from submissions.verification.examine import Examination, Identity, by_digest, examine
from submissions.web.upload_handler import oversize

UPLOAD = "document"  # the name of the file's field


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """The form; with a file, the answer about it."""
    if request.method != "POST":
        return render(request, "public/verify.html", {"here": "verify"})
    file = request.FILES.get(UPLOAD)
    problem = _unusable(request, file)
    if file is None or problem:
        return render(request, "public/verify.html", {"here": "verify", "problem": problem}, status=400)
    return _answer(request, examine(file.read()), file.name or "")


@require_safe
def by_address(request: HttpRequest, digest: str) -> HttpResponse:
    """The document with this digest, or the paper of this name, its stored file verified now."""
    document = by_digest(digest)
    if document is None:
        return render(request, "public/verify_unknown.html", {"here": "verify", "digest": digest}, status=404)
    return _answer(request, examine(bytes(document.signed.content)))


@require_GET
def pdf(request: HttpRequest, digest: str) -> HttpResponse:
    """The sealed document itself."""
    document = by_digest(digest)
    if document is None:
        raise Http404("There is no approved document with this digest.")
    response = HttpResponse(bytes(document.signed.content), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{document.name}.pdf"'
    return response


def _unusable(request: HttpRequest, file: UploadedFile[bytes] | None) -> str:
    """Why there is nothing to examine; "" if there is."""
    if oversize(request) or (file and (file.size or 0) > settings.ATTACHMENT_LIMIT):
        return f"The file is larger than {settings.ATTACHMENT_LIMIT // 1024**2} MB; no document of this portal is."
    return "" if file and file.size else "Choose a PDF file first."


def _answer(request: HttpRequest, examination: Examination, name: str = "") -> HttpResponse:
    document, verification = examination.document, examination.verification
    signed_at = verification.signed_at if verification else ""
    context = {
        "here": "verify",
        "name": name,
        "examination": examination,
        "gravity": "warning" if examination.identity is Identity.UNSEALED else "error",
        "heading": "Do not rely on this file" if examination.identity is Identity.CHANGED else "What is wrong",
        "identity": examination.identity.name.lower(),
        "verification": verification,
        "sealed_at": datetime.fromisoformat(signed_at) if signed_at else None,
        "document": document,
        "about": subject_of(document) if document else None,
        "standing": document_status(document) if document else None,
    }
    return render(request, "public/verified.html", context)


urlpatterns = [
    path("verify/", upload, name="verify"),
    path("verify/<slug:digest>", by_address, name="verify-digest"),
    path("verify/<slug:digest>/document.pdf", pdf, name="verify-pdf"),
]
