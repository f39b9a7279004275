"""A long list as a stream of lines (NDJSON): for `Accept: application/x-ndjson`, every row instead of one page.

Rows are read and sent a few hundred at a time, with the filters and the access of the list each time. The last line is
`{"end_of_stream": {"rows": …, "cursor": …}}`: a stream that ends early has no such line, even if a proxy makes
it look complete.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from django.http import HttpResponseBase, StreamingHttpResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from submissions.api.framework.bodies import NDJSON
from submissions.api.framework.pagination import RowPagination
from submissions.core.errors import Refusal
from submissions.permissions.credentials import UnrecognizedCredential
from submissions.rules.effective_rules import published_changes_read_once

END = "end_of_stream"  # the only member of the last line; no row has it
Rows = list[dict[str, Any]]


def stream_rows(request: Request, paginator: RowPagination, read_page: Callable[[], Rows]) -> HttpResponseBase:
    """The lines of all pages. What is wrong with the request is refused before the first line."""
    if request.auth is None:  # a connection that is read slowly occupies the portal: the public has `/open-data/`
        raise UnrecognizedCredential("credential-missing/stream")
    if "limit" in request.query_params:
        raise Refusal("unknown-parameter/stream", name="limit")
    paginator.is_stream = True
    pages = _pages(paginator, read_page)
    first = next(pages)
    lines = _lines(chain([first], pages), paginator) if request.method == "GET" else ()
    return StreamingHttpResponse(lines, content_type=NDJSON)


def _pages(paginator: RowPagination, read_page: Callable[[], Rows]) -> Iterator[Rows]:
    is_open = True
    while is_open:
        with published_changes_read_once():  # a response is sent after its request has ended
            rows = read_page()
        is_open = paginator.advance()
        yield rows


def _lines(pages: Iterator[Rows], paginator: RowPagination) -> Iterator[bytes]:
    """The lines of a page at a time, and the last line."""
    count, render = 0, JSONRenderer().render
    for rows in pages:
        count += len(rows)
        yield b"".join(render(row) + b"\n" for row in rows)
    yield render({END: {"rows": count, "cursor": paginator.next_cursor}}) + b"\n"
