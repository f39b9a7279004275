"""The files of a submission and of a layout filing: which there are, and each as a download; signed PDFs also as data.

A signed document or paper is answered with the data of the PDF, or with the PDF for `Accept: application/pdf`; and
below it `file/`, which is always the PDF. Not here: who may open which file (`permissions`).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from hashlib import sha256 as digest_of
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from submissions.api.framework.bodies import PDF, PdfRenderer
from submissions.api.framework.serializers import HIGHEST
from submissions.api.framework.views import BaseView, WriteResult
from submissions.api.uploads import FileRequestSerializer, UploadView
from submissions.core.errors import Refusal
from submissions.filings import attachments
from submissions.filings.api.revisions import DocumentSerializer, SignedSerializer, documents_of, file_address
from submissions.filings.api.submissions import first_or_not_found, submission_at
from submissions.models import Attachment, Document, LayoutDrawing, LayoutFiling, Paper, Part, Scope
from submissions.permissions import attachments_visible_to, drawings_visible_to, layouts_visible_to, papers_visible_to

ATTACHMENT_TYPES = (PDF, "image/png", "image/jpeg")
DRAWING_TYPES = ("image/svg+xml", *ATTACHMENT_TYPES)


class FileSerializer(of.Serializer[Any]):
    name = of.CharField(help_text="As it was uploaded")
    sha256 = of.CharField(source="stored_id")
    size = of.IntegerField(source="stored.size", help_text="In bytes")
    media_type = of.CharField(source="stored.media_type")
    uploaded_at = of.DateTimeField()
    address = of.SerializerMethodField(help_text="The address of the download")


class AttachmentSerializer(FileSerializer):
    option = of.CharField(help_text="The line that it answers")

    def get_address(self, row: Attachment) -> str:
        return file_address("attachment", row.submission.number, row.stored_id)


class DrawingSerializer(FileSerializer):
    id = of.IntegerField(source="pk", help_text="Of this upload; marks name it")
    receipt = of.CharField(source="revision.receipt", help_text="The filing that it is compared with")
    by_portal = of.BooleanField(help_text="Whether it is the reference drawing")

    def get_address(self, row: LayoutDrawing) -> str:
        return file_address("drawing", row.filing.number, row.stored_id)


class PaperSerializer(SignedSerializer):
    receipt = of.CharField(source="layout_revision.receipt")
    part = of.ChoiceField(Part.choices)

    def get_address(self, row: Paper) -> str:
        return file_address("paper", row.layout_revision.filing.number, row.signed_id)


class AnyFileRenderer(JSONRenderer):
    """Every media type is accepted; a refusal is JSON as everywhere."""

    media_type = "*/*"


class UploadAttachmentFilesBodySerializer(FileRequestSerializer):
    option = of.CharField(help_text="The key of the line that the file answers")
    group = of.IntegerField(
        min_value=0,
        max_value=HIGHEST,
        default=0,
        help_text="Whose answer: 0 (or left out) = all tables, or all that no group names",
    )
    version = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The version of the configuration that you saw")


class UploadedAttachmentSerializer(of.Serializer[Any]):
    attachment = AttachmentSerializer()
    answer = of.DictField(help_text="What the line is now answered with; `judge` takes it as it is")
    group = of.IntegerField(help_text="Of the configuration that it belongs to")
    configuration_version = of.IntegerField(help_text="The next change of the configuration sends it")
    version = of.IntegerField(help_text="Of the submission")


class AttachmentsView(UploadView, ListAPIView[Any]):
    """The files that were given with the lines of the checklist, as far as one may open them."""

    serializer_class = AttachmentSerializer
    result_serializer = UploadedAttachmentSerializer
    operation = "uploadAttachment"
    write_summary = "Upload a file as the answer of a line. It is checked as on the page, and stored."
    write_scopes = (Scope.PREPARE,)
    request_serializer = UploadAttachmentFilesBodySerializer
    media_types = ATTACHMENT_TYPES
    statuses = {201: "The file is stored, and is the answer of its line"}

    def get_queryset(self) -> Any:
        return attachments_of(self).order_by("pk")

    def check(self, name: str, content: bytes, fields: Mapping[str, Any]) -> attachments.CheckedFile:
        return attachments.check_file(self.reader, submission_at(self), fields["option"], name, content)

    def write(self, sent: dict[str, Any]) -> WriteResult:
        submission, group = submission_at(self), sent["group"]
        row = attachments.store_file(
            self.reader, submission, sent["file"], configuration=group, version=sent["version"]
        )
        done = {
            "attachment": row,
            "answer": attachments.attachment_answer(row),
            "group": group,
            "configuration_version": submission.configurations.get(position=group).version,
            "version": submission.version,
        }
        return WriteResult(done, 201, reverse("api:attachment", args=[submission.number, row.stored_id]))


class PapersView(BaseView, ListAPIView[Any]):
    """The signed layout, payout sign and gaming guide of a layout filing."""

    serializer_class = PaperSerializer

    def get_queryset(self) -> Any:
        return papers_of(self).defer("signed__packed", "verification").order_by("pk")


class FileDownloadView(BaseView, ABC):
    """A file as it was uploaded."""

    serializer_class = FileSerializer
    renderer_classes = (AnyFileRenderer,)
    media_types: ClassVar[Sequence[str]]  # of the files
    parameters = ()

    @abstractmethod
    def get_queryset(self) -> QuerySet[Any]:
        """Return the files of which it is one."""

    def get(self, request: Request, number: str, sha256: str) -> HttpResponse:
        file = first_or_not_found(self.get_queryset().filter(stored_id=sha256), "file")
        return _download(bytes(file.stored.content), file.name, file.stored.media_type)


class AttachmentDetailView(FileDownloadView):
    """A file that was given with a line of the checklist."""

    media_types = ATTACHMENT_TYPES

    def get_queryset(self) -> QuerySet[Attachment]:
        return attachments_of(self)


class DrawingDetailView(FileDownloadView):
    """A drawing of a layout filing."""

    media_types = DRAWING_TYPES

    def get_queryset(self) -> QuerySet[LayoutDrawing]:
        return drawings_of(self)


def attachments_of(view: BaseView) -> QuerySet[Attachment]:
    """Return the files of the submission that the address names."""
    rows = attachments_visible_to(view.reader, submission_at(view))
    return rows.select_related("submission").defer("stored__packed")


def papers_of(view: BaseView) -> QuerySet[Paper]:
    """Return the papers of the layout filing that the address names."""
    return papers_visible_to(view.reader).filter(layout_revision__filing=layout_at(view))


def drawings_of(view: BaseView) -> QuerySet[LayoutDrawing]:
    """Return the drawings of the layout filing that the address names."""
    rows = drawings_visible_to(view.reader, layout_at(view)).select_related("filing", "revision")
    return rows.defer("stored__packed", "revision__snapshot", "revision__attestation")


def layout_at(view: BaseView) -> LayoutFiling:
    """Return the layout filing that the address names."""
    return first_or_not_found(layouts_visible_to(view.reader).filter(number=view.kwargs["number"]), "layout filing")


class SignedView(BaseView, ABC):
    """A signed PDF: what is known of it, or the file."""

    renderer_classes: Sequence[type[JSONRenderer]] = (JSONRenderer, PdfRenderer)

    @abstractmethod
    def get_queryset(self) -> QuerySet[Any]:
        """Return the files of which it is one."""

    def get(self, request: Request, number: str, sha256: str) -> HttpResponse | Response:
        signed = first_or_not_found(self.get_queryset().filter(signed_id=sha256), "document")
        accepted: Any = request.accepted_renderer  # set by DRF's negotiation
        return pdf_response(signed) if accepted.media_type == PDF else Response(self.get_serializer(signed).data)


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
    """Return the file as a download; refused if its bytes are not those that were signed."""
    content = bytes(signed.signed.content)
    if digest_of(content).hexdigest() != signed.signed_id:
        raise Refusal("document-damaged", name=signed.name, sha256=signed.signed_id)
    return _download(content, f"{signed.name}.pdf", PDF)


def _download(content: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a file that a browser never displays or executes."""
    response = HttpResponse(content, content_type=media_type)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
