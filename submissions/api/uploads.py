"""Files that a program sends: as the body with its media type, or as a form with the file in it.

What comes with a raw body is in the address, what comes with a form in the form. The file is checked before the
transaction begins. Not here: what a file may be (`filings.attachments`, `layouts.uploaded_drawings`).
"""

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import IO, Any, ClassVar

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers as of
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser

from submissions.api.framework.bodies import RawJsonParser
from submissions.api.framework.query_parameters import refuse_unknown_parameters
from submissions.api.framework.serializers import HIGHEST, StrictSerializer
from submissions.api.framework.views import BaseView, media_type_of
from submissions.core.errors import Refusal
from submissions.core.uploads import check_size

FORM = MultiPartParser.media_type
FILE = "file"  # the form's field
AROUND = 1 << 16  # bytes of a form beside its file
NAME = OpenApiParameter("name", str, description="Of a raw body: the file's name with its ending.")
RAW_FILE = {"type": "string", "format": "binary", "description": "The file"}
NUMBER = {"type": "integer", "minimum": 0, "maximum": HIGHEST}


class FormParser(MultiPartParser):
    """A form with one file. One above the limit does not get through the upload handlers, which are those of pages."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> "DataAndFiles[Any, Any]":
        form = super().parse(stream, media_type, parser_context)
        for field, values in form.data.lists():
            if len(values) > 1:
                raise Refusal("parameter-twice", option=field[:60], name=field[:40])
        if [(field, len(files)) for field, files in form.files.lists()] != [(FILE, 1)]:
            check_size("file", int((parser_context or {})["request"].META["CONTENT_LENGTH"]))
            raise Refusal("file-missing/form", option=FILE, field=FILE)
        return form


class RawFileParser(RawJsonParser):
    """A body of one media type as it comes."""

    def __init__(self, media_type: str) -> None:
        self.media_type = media_type


@extend_schema_field(OpenApiTypes.BINARY)
class SentFileField(of.FileField):
    """A file; its content, the action judges."""


class FileRequestSerializer(StrictSerializer):
    file = SentFileField(allow_empty_file=True, help_text="The file, with its name")


class UploadView(BaseView):
    """An address that takes a file, in a form or as it is."""

    post = BaseView.write_once
    media_types: ClassVar[Sequence[str]]  # of files as they are
    request_serializer: ClassVar[type[FileRequestSerializer]]
    largest = settings.ATTACHMENT_LIMIT + AROUND
    too_large_fix = "Send a smaller file."

    @abstractmethod
    def check(self, name: str, content: bytes, fields: Mapping[str, Any]) -> Any:
        """Return the file as the room of the action has checked it."""

    def get_parsers(self) -> list[BaseParser]:
        return [FormParser(), *map(RawFileParser, self.media_types)]

    @property
    def request_bodies(self) -> dict[str, Any]:
        return {FORM: self.request_serializer, **dict.fromkeys(self.media_types, RAW_FILE)}

    @property
    def parameters(self) -> tuple[OpenApiParameter, ...]:
        """Return also the fields of the form, for a raw body."""
        if self.request.method != "POST":
            return super().parameters
        parameters = [*super().parameters, NAME]
        for name, field in self.request_serializer().fields.items():
            if name != FILE:
                kind = NUMBER if isinstance(field, of.IntegerField) else str
                parameters.append(OpenApiParameter(name, kind, description=f"Of a raw body: {field.help_text}"))
        return tuple(parameters)

    def compared(self, sent: Any) -> bytes:
        """Return the fields and the file of a form, because each program invents another boundary for the same call."""
        if FILE not in self.request.FILES:
            return super().compared(sent)
        file = self.request.FILES[FILE]
        fields = {name: value for name, value in sent.items() if name != FILE}
        head = json.dumps({"fields": fields, "name": file.name}, sort_keys=True)
        content: bytes = file.read()
        file.seek(0)
        return head.encode() + b"\n" + content

    def read(self, sent: Any) -> dict[str, Any]:
        """Return the checked file and its fields; nothing else may be in the form or in the address."""
        form, media_type = sent, media_type_of(self.request)
        if media_type == FORM:
            refuse_unknown_parameters(self.request, ())
        else:
            address = dict(self.request.query_params.lists())
            [name] = address.pop("name", [""])
            if not name:
                raise Refusal("field-missing/fields", option="name", field="name")
            form = MultiValueDict[str, Any]({**address, FILE: [SimpleUploadedFile(name, sent)]})
        serializer = self.request_serializer(data=form)
        serializer.is_valid(raise_exception=True)
        fields = serializer.validated_data
        name = fields[FILE].name
        checked = self.check(name, fields[FILE].read(), fields)
        if media_type not in (FORM, checked.media_type):
            raise Refusal("attachment-kind/media-type", name=name, sent=media_type, actual=checked.media_type)
        return {**fields, FILE: checked}
