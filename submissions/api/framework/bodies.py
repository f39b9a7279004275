"""Bodies of requests and answers.

JSON is in UTF-8, with each key once, finite numbers, and text that can be written out again. The other media types are
read or written by a view itself. A refusal is JSON everywhere.
"""

import json
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.api.framework.problem_details import Unacceptable
from submissions.core.errors import Refusal

JSON = "application/json"
CSV = "text/csv"
NDJSON = "application/x-ndjson"
PDF = "application/pdf"
WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LARGEST_EXACT = 2**53  # up to here, each integer is a float


class RawJsonParser(BaseParser):
    """The bytes as they came: they are compared by Idempotency-Key before they are parsed."""

    media_type = JSON

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return stream.read()


class RawCsvParser(RawJsonParser):
    media_type = CSV


class RawWorkbookParser(RawJsonParser):
    media_type = WORKBOOK


def check_length(request: Request, most: int) -> None:
    """Refuse a body above the limit in bytes, and one without its length: it would be taken for none."""
    length = request.META.get("CONTENT_LENGTH")
    if int(length or 0) > most:
        raise RequestDataTooBig
    if not length and "Transfer-Encoding" in request.headers:
        raise Unacceptable(
            411,
            "length-missing",
            "The body was sent in chunks, without its length.",
            fix="Send the header Content-Length. Most programs do so by default.",
        )


def parse_json(body: bytes) -> Any:
    """Return the parsed value; raise a `Refusal` that says where the body is not JSON.

    A byte order mark before it is ignored (RFC 8259).
    """
    try:
        value = json.loads(
            body.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_number
        )
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # half a surrogate pair, a number beyond all
    except RecursionError:
        why = "it is nested too deeply"
    except UnicodeError:
        why = "it is not UTF-8 text"
    except ValueError as error:  # JSONDecodeError among them
        why = str(error)
    else:
        return value
    raise Refusal("unreadable-json", why=why[:200])


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"key given twice: {', '.join(key[:40] for key in twice[:5])}")
    return value


def _number(text: str) -> int | float:
    """Return the number; 1.0 is the integer 1 (JSON Schema 2020-12, 4.2.3).

    A number that a float cannot hold exactly stays as it is.
    """
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= LARGEST_EXACT else number


def _no_constant(name: str) -> object:
    raise ValueError(f"JSON does not have the number {name}")


# A view writes these itself; a refusal is JSON.
class CsvRenderer(JSONRenderer):
    media_type = CSV


class WorkbookRenderer(JSONRenderer):
    media_type = WORKBOOK


class NdjsonRenderer(JSONRenderer):
    media_type = NDJSON


class PdfRenderer(JSONRenderer):
    media_type = PDF
