"""The files of a submission and of a layout filing: which there are, and each as a download.

A download is never displayed or executed by a browser. Signed documents and papers are public, at the addresses in
`documents` and `papers`. Not here: who may open what (`permissions`).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from rest_framework import serializers as of
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.api.filings.revisions import SignedSerializer
from submissions.api.filings.submissions import first_or_not_found, submission_at
from submissions.api.framework.read_views import BaseView, ReadSerializer, UnpagedListView
from submissions.models import Attachment, LayoutDrawing, LayoutFiling, Paper, Part
from submissions.permissions import attachments_visible_to, drawings_visible_to, layouts_visible_to, papers_visible_to


class FileSerializer(ReadSerializer):
    name = of.CharField(help_text="As it was uploaded")
    sha256 = of.CharField(source="stored_id")
    size = of.IntegerField(source="stored.size", help_text="In bytes")
    media_type = of.CharField(source="stored.media_type")
    uploaded_at = of.DateTimeField()
    address = of.SerializerMethodField(help_text="The address of the download")


class AttachmentSerializer(FileSerializer):
    option = of.CharField(help_text="The line that it answers")

    def get_address(self, row: Attachment) -> str:
        return _address("attachment", row.submission.number, row.stored_id)


class DrawingSerializer(FileSerializer):
    receipt = of.CharField(source="revision.receipt", help_text="The filing that it is compared with")
    by_portal = of.BooleanField(help_text="Whether it is the reference drawing")

    def get_address(self, row: LayoutDrawing) -> str:
        return _address("drawing", row.filing.number, row.stored_id)


class PaperSerializer(SignedSerializer):
    receipt = of.CharField(source="layout_revision.receipt")
    part = of.ChoiceField(Part.choices)


class AnyFileRenderer(JSONRenderer):
    """Every media type is accepted; a refusal is JSON as everywhere."""

    media_type = "*/*"


class AttachmentsView(UnpagedListView):
    """The files that were given with the lines of the checklist, as far as one may open them."""

    serializer_class = AttachmentSerializer

    def get_items(self) -> Iterable[Attachment]:
        return attachments_of(self).order_by("pk")


class DrawingsView(UnpagedListView):
    """The drawings of a layout filing that one may open."""

    serializer_class = DrawingSerializer

    def get_items(self) -> Iterable[LayoutDrawing]:
        return drawings_of(self).order_by("pk")


class PapersView(UnpagedListView):
    """The signed layout, payout sign and gaming guide of a layout filing."""

    serializer_class = PaperSerializer

    def get_items(self) -> Iterable[Paper]:
        rows = papers_visible_to(self.reader).filter(layout_revision__filing=layout_at(self))
        return rows.defer("signed__content", "verification").order_by("pk")


class FileDownloadView(BaseView, ABC):
    """A file as it was uploaded."""

    serializer_class = FileSerializer
    renderer_classes = (AnyFileRenderer,)
    parameters = ()

    @abstractmethod
    def get_queryset(self) -> QuerySet[Any]:
        """Those of which it is one."""

    def get(self, request: Request, number: str, sha256: str) -> HttpResponse:
        file = first_or_not_found(self.get_queryset().filter(stored_id=sha256), "file")
        response = HttpResponse(bytes(file.stored.content), content_type=file.stored.media_type)
        response["Content-Disposition"] = content_disposition_header(True, file.name) or "attachment"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        return response


class AttachmentDetailView(FileDownloadView):
    """A file that was given with a line of the checklist."""

    def get_queryset(self) -> QuerySet[Attachment]:
        return attachments_of(self)


class DrawingDetailView(FileDownloadView):
    """A drawing of a layout filing."""

    def get_queryset(self) -> QuerySet[LayoutDrawing]:
        return drawings_of(self)


def attachments_of(view: BaseView) -> QuerySet[Attachment]:
    """Of the submission that the address names."""
    rows = attachments_visible_to(view.reader, submission_at(view))
    return rows.select_related("submission").defer("stored__content")


def drawings_of(view: BaseView) -> QuerySet[LayoutDrawing]:
    """Of the layout filing that the address names."""
    rows = drawings_visible_to(view.reader, layout_at(view)).select_related("filing", "revision")
    return rows.defer("stored__content", "revision__snapshot", "revision__attestation")


def layout_at(view: BaseView) -> LayoutFiling:
    """The layout filing that the address names."""
    return first_or_not_found(layouts_visible_to(view.reader).filter(number=view.kwargs["number"]), "layout filing")


def _address(name: str, number: str, sha256: str) -> str:
    return f"{settings.PUBLIC_URL}{reverse(f'api:{name}', args=[number, sha256])}"
