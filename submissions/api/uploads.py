"""Files that a program sends: as the body with its media type, or as a form with the file in it.

What comes with a raw body is in the address, what comes with a form in the form. A form is put into a shape of its own
at once, because each program invents another boundary for the same call. The file is checked before the transaction
begins. Not here: what a file may be (`filings.attachments`, `layouts.uploaded_drawings`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, ClassVar, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser, DataAndFiles, MultiPartParser

from submissions.api.framework.bodies import RawJsonParser
from submissions.api.framework.query_parameters import refuse_unknown_parameters
from submissions.api.framework.views import WriteView, media_type_of
from submissions.core.errors import Refusal
from submissions.core.uploads import check_size

FORM = "multipart/form-data"
FILE = "file"  # the form's field
HIGHEST = 2**31 - 1
AROUND = 1 << 16  # bytes of a form beside its file
NAME = OpenApiParameter("name", str, description="Of a raw body: the file's name with its ending.")
VERSION_SCHEMA = {"type": "integer", "minimum": 0, "maximum": HIGHEST}


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it came: `media_type` is that of a raw body, "" in a form; `fields` as text."""

    name: str
    content: bytes
    media_type: str
    fields: Mapping[str, str]

    def number(self, field: str, otherwise: int | None = None) -> int:
        """A whole number among the fields; without `otherwise` it is needed."""
        text = self.fields.get(field, "")
        if not text and otherwise is not None:
            return otherwise
        if not text:
            raise Refusal("field-missing/file", option=field, field=field)
        if not (text.isascii() and text.isdigit() and int(text[:11]) <= HIGHEST):
            raise Refusal("field-shape/file", option=field, field=field, text=text[:40], highest=HIGHEST)
        return int(text)

    def text(self, field: str) -> str:
        if not (text := self.fields.get(field, "")):
            raise Refusal("field-missing/file", option=field, field=field)
        return text

    def check_media_type(self, actual: str) -> None:
        """Refuse a raw body that is announced as something else than it is."""
        if self.media_type and self.media_type != actual:
            raise Refusal("attachment-kind/media-type", name=self.name, sent=self.media_type, actual=actual)


class FormParser(MultiPartParser):
    """A form with one file, as bytes that are the same for the same form: its fields as a line of JSON, then the file.

    A file above the limit does not get through the upload handlers; those of the pages are used.
    """

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        most = (parser_context or {})["view"].largest
        body: bytes = stream.read(most + 1)
        if len(body) > most:
            raise RequestDataTooBig
        form = cast("DataAndFiles[Any, Any]", super().parse(BytesIO(body), media_type, parser_context))
        files = [(field, file) for field, rows in form.files.lists() for file in rows]
        for field, values in form.data.lists():
            if len(values) > 1:
                raise Refusal("parameter-twice", option=field[:60], name=field[:40])
        if len(files) != 1 or files[0][0] != FILE:
            check_size("file", len(body))  # it may have been too large for the handlers
            raise Refusal("file-missing/form", option=FILE, field=FILE)
        file = cast("UploadedFile[bytes]", files[0][1])
        head = json.dumps({"fields": form.data.dict(), "name": file.name or ""}, sort_keys=True)
        return head.encode() + b"\n" + file.read()


def raw_parser(media_type: str) -> type[BaseParser]:
    """Takes a body of this media type as it comes."""
    return type("RawFileParser", (RawJsonParser,), {"media_type": media_type})


class UploadView(WriteView):
    """An address that takes a file."""

    media_types: ClassVar[Sequence[str]]
    fields: ClassVar[Mapping[str, Mapping[str, Any]]]  # name → JSON Schema, of the address or of the form
    needed: ClassVar[Sequence[str]]
    largest = settings.ATTACHMENT_LIMIT + AROUND
    too_large_fix = "Send a smaller file."

    def __init_subclass__(cls) -> None:
        """The parsers and the description, from the media types and the fields."""
        super().__init_subclass__()
        if "media_types" not in vars(cls):
            return
        cls.parser_classes = (FormParser, *map(raw_parser, cls.media_types))
        cls.request_schema = file_schemas(cls.media_types, cls.fields, cls.needed)
        rows = ((name, dict(schema)) for name, schema in cls.fields.items())
        cls.write_parameters = (
            NAME,
            *(
                OpenApiParameter(name, schema, description=f"Of a raw body: {schema.pop('description')}")
                for name, schema in rows
            ),
        )

    def read_file(self, body: bytes) -> SentFile:
        """The file and its fields; nothing else may be in the form or in the address."""
        media_type = media_type_of(self.request)
        if media_type != FORM:
            fields = self.request.query_params.dict()
            sent = SentFile(fields.pop("name", ""), body, media_type, fields)
        else:
            refuse_unknown_parameters(self.request, ())
            head, _, content = body.partition(b"\n")
            form = json.loads(head)
            sent = SentFile(form["name"], content, "", form["fields"])
        if unknown := next((name for name in sent.fields if name not in self.fields), ""):
            raise Refusal("unknown-field/file", option=unknown[:60], unknown=unknown[:40], known=", ".join(self.fields))
        if not sent.name:
            raise Refusal("field-missing/file", option="name", field="name")
        return sent


def file_schemas(
    media_types: Sequence[str], fields: Mapping[str, Mapping[str, Any]], needed: Sequence[str]
) -> dict[str, Any]:
    """What is sent, by media type, as JSON Schema."""
    binary = {"type": "string", "format": "binary"}
    form = {
        "type": "object",
        "properties": {FILE: {**binary, "description": "The file, with its name"}, **fields},
        "required": [FILE, *needed],
        "additionalProperties": False,
    }
    return {FORM: form, **{media_type: {**binary, "description": "The file"} for media_type in media_types}}
