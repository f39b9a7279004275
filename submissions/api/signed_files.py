"""Signed PDFs as files: the documents of approved filings, and the signed layouts, signs and guides.

Each has an address that answers with what is known of it, or with the PDF for `Accept: application/pdf`; and below it
`file/`, which is always the PDF. Its bytes are compared with its digest before they are sent.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from hashlib import sha256 as digest_of
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from submissions.api.documents import PaperSerializer, papers_of
from submissions.api.filings.revisions import DocumentSerializer, documents_of
from submissions.api.filings.submissions import first_or_not_found
from submissions.api.framework.bodies import PDF
from submissions.api.framework.read_views import BaseView
from submissions.api.framework.renderers import PdfRenderer
from submissions.core.errors import Refusal
from submissions.models import Document, Paper


class SignedView(BaseView, ABC):
    """A signed PDF: what is known of it, or the file."""

    renderer_classes: Sequence[type[JSONRenderer]] = (JSONRenderer, PdfRenderer)

    @abstractmethod
    def get_queryset(self) -> QuerySet[Any]:
        """Those of which it is one."""

    def get(self, request: Request, number: str, sha256: str) -> HttpResponse | Response:
        signed = first_or_not_found(self.get_queryset().filter(signed_id=sha256), "document")
        accepted: Any = request.accepted_renderer  # set by DRF's negotiation
        return pdf_response(signed) if accepted.media_type == PDF else Response(self.serialize(signed))


class DocumentDetailView(SignedView):
    """A signed document of an approved filing: what is known of it, or the PDF."""

    serializer_class = DocumentSerializer

    def get_queryset(self) -> QuerySet[Document]:
        return documents_of(self)


class PaperDetailView(SignedView):
    """A signed layout, sign or guide: what is known of it, or the PDF."""

    serializer_class = PaperSerializer

    def get_queryset(self) -> QuerySet[Paper]:
        return papers_of(self)


class DocumentFileView(DocumentDetailView):
    """The PDF of a signed document."""

    renderer_classes = (PdfRenderer,)
    parameters = ()


class PaperFileView(PaperDetailView):
    """The PDF of a signed layout, sign or guide."""

    renderer_classes = (PdfRenderer,)
    parameters = ()


def pdf_response(signed: Document | Paper) -> HttpResponse:
    """The file as a download; refused if its bytes are not those that were signed."""
    content = bytes(signed.signed.content)
    if digest_of(content).hexdigest() != signed.signed_id:
        raise Refusal("document-damaged", name=signed.name, sha256=signed.signed_id)
    response = HttpResponse(content, content_type=PDF)
    response["Content-Disposition"] = content_disposition_header(True, f"{signed.name}.pdf") or "attachment"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
