"""The files of a submission and of a layout filing: which there are, and each as a download.

Whatever a file holds, who receives it neither guesses about it nor lets it act. Signed documents and papers are public,
at the addresses that `documents` and `papers` tell. Not here: who may open what (`access`).
"""

from __future__ import annotations

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

from submissions.access import attachments_visible_to, drawings_visible_to, layouts_visible_to, papers_visible_to
from submissions.api.filings import SignedShape
from submissions.api.reading import Door, Shape, Whole
from submissions.api.submissions import only, submission_at
from submissions.models import Attachment, LayoutDrawing, LayoutFiling, Paper, Part


class FileShape(Shape):
    name = of.CharField(help_text="As it was uploaded")
    sha256 = of.CharField(source="stored_id")
    size = of.IntegerField(source="stored.size", help_text="In bytes")
    media_type = of.CharField(source="stored.media_type")
    uploaded_at = of.DateTimeField()
    address = of.SerializerMethodField(help_text="Where it is downloaded")


class AttachmentShape(FileShape):
    option = of.CharField(help_text="The line that it answers")

    def get_address(self, row: Attachment) -> str:
        return _address("attachment", row.submission.number, row.stored_id)


class DrawingShape(FileShape):
    receipt = of.CharField(source="revision.receipt", help_text="The filing of the rules that it is held against")
    by_portal = of.BooleanField(help_text="Whether it is the reference drawing")

    def get_address(self, row: LayoutDrawing) -> str:
        return _address("drawing", row.filing.number, row.stored_id)


class PaperShape(SignedShape):
    receipt = of.CharField(source="layout_revision.receipt")
    part = of.ChoiceField(Part.choices)


class AnyFile(JSONRenderer):
    """Every media type is accepted; a refusal is JSON as everywhere."""

    media_type = "*/*"


class Attachments(Whole):
    """The files that were given with the lines of the checklist, as far as one may open them."""

    serializer_class = AttachmentShape

    def things(self) -> Iterable[Attachment]:
        return attachments_of(self).order_by("pk")


class Drawings(Whole):
    """The drawings of a layout filing that one may open."""

    serializer_class = DrawingShape

    def things(self) -> Iterable[LayoutDrawing]:
        return drawings_of(self).order_by("pk")


class Papers(Whole):
    """The signed layout, payout sign and gaming guide of a layout filing."""

    serializer_class = PaperShape

    def things(self) -> Iterable[Paper]:
        rows = papers_visible_to(self.reader).filter(layout_revision__filing=layout_at(self))
        return rows.defer("signed__content", "verification").order_by("pk")


class OneFile(Door, ABC):
    """A file as it was uploaded."""

    serializer_class = FileShape
    renderer_classes = (AnyFile,)
    parameters = ()

    @abstractmethod
    def rows(self) -> QuerySet[Any]:
        """Those of which it is one."""

    def get(self, request: Request, number: str, sha256: str) -> HttpResponse:
        found = only(self.rows().filter(stored_id=sha256), "file")
        response = HttpResponse(bytes(found.stored.content), content_type=found.stored.media_type)
        response["Content-Disposition"] = content_disposition_header(True, found.name) or "attachment"
        response["Content-Security-Policy"] = "default-src 'none'; sandbox"
        response["X-Content-Type-Options"] = "nosniff"
        return response


class OneAttachment(OneFile):
    """A file that was given with a line of the checklist."""

    def rows(self) -> QuerySet[Attachment]:
        return attachments_of(self)


class OneDrawing(OneFile):
    """A drawing of a layout filing."""

    def rows(self) -> QuerySet[LayoutDrawing]:
        return drawings_of(self)


def attachments_of(door: Door) -> QuerySet[Attachment]:
    """Of the submission that the address names."""
    rows = attachments_visible_to(door.reader, submission_at(door))
    return rows.select_related("submission").defer("stored__content")


def drawings_of(door: Door) -> QuerySet[LayoutDrawing]:
    """Of the layout filing that the address names."""
    rows = drawings_visible_to(door.reader, layout_at(door)).select_related("filing", "revision")
    return rows.defer("stored__content", "revision__snapshot", "revision__attestation")


def layout_at(door: Door) -> LayoutFiling:
    """The layout filing that the address names."""
    found: LayoutFiling = only(layouts_visible_to(door.reader).filter(number=door.kwargs["number"]), "layout filing")
    return found


def _address(name: str, number: str, sha256: str) -> str:
    return f"{settings.PUBLIC_URL}{reverse(f'api:{name}', args=[number, sha256])}"
