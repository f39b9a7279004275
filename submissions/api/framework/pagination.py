"""Pages of lists, and long lists as a stream of lines (NDJSON). Rows come in the order in which they were made.

A cursor names the last row of a page: no row is missed or repeated when others are created or changed in between.
Only the cursor of the event feed may be kept from one night to the next. In another list a row may become readable
before a place that was reached, as a draft does when it is filed: there the filters for moments say what is new.

A stream (`Accept: application/x-ndjson`) is read and sent a few hundred rows at a time, with the filters and the access
of the list each time. Its last line is `{"end_of_stream": {"rows": …, "cursor": …}}`: a stream that ends early has no
such line, even if a proxy makes it look complete.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, ClassVar

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import BasePagination, Cursor, CursorPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from submissions.api.framework.bodies import NDJSON
from submissions.core.errors import Refusal
from submissions.models import Person
from submissions.permissions.credentials import UnrecognizedCredential
from submissions.permissions.visible import START, events_after
from submissions.rules import published_changes_read_once

DEFAULT_LIMIT, MAX_LIMIT = 50, 200
STREAMED_AT_A_TIME = 500  # rows that a stream reads at a time
_NUMBER = "([1-9][0-9]{0,17})"
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
    description="Rows on a page.",
)


END_OF_LIST = {"type": "null", "description": "There is no other page", "example": None}
NEXT = {"type": ["string", "null"], "format": "uri", "description": "The address of the next page", "example": None}
CURSOR_MEMBER = {
    "type": ["string", "null"],
    "description": "The position after the last row. Store that of `events/`: a later call with it misses no event",
    "example": "after-12",
}


class WholeList(BasePagination):
    """A list that is short by its nature: all of it, in the shape of a page."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        return list(queryset)

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": None, "results": data})

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        return _page({"next": END_OF_LIST, "results": schema})


class RowPagination(CursorPagination):
    """Pages of a query set by primary key; `after-12` is the cursor behind row 12."""

    ordering = ("pk",)
    page_size_query_param = "limit"
    cursor_pattern: ClassVar[re.Pattern[str]] = re.compile(f"^after-{_NUMBER}$", re.ASCII)
    request: Request
    next_cursor: str | None
    is_stream = False
    _last_place: tuple[int, ...] = ()  # of the page
    _reached: tuple[int, ...] = ()  # where the next page of a stream begins

    def advance(self) -> bool:
        """Let a stream continue after this page; False if there is no other page."""
        self._reached = self._last_place
        return bool(self.has_next)

    @classmethod
    def parameters(cls) -> tuple[OpenApiParameter, ...]:
        """Return `cursor` and `limit`, as OpenAPI describes them."""
        schema = {"type": "string", "pattern": cls.cursor_pattern.pattern}
        words = "Where to continue: the cursor of the page before, without changes."
        return OpenApiParameter("cursor", schema, description=words), LIMIT

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        page: list[Any] = super().paginate_queryset(queryset, request, view) or []
        last = page[-1] if page else None
        self.set_next_cursor(() if last is None else (last["pk"] if isinstance(last, dict) else last.pk,))
        return page

    def set_next_cursor(self, place: tuple[int, ...]) -> None:
        """Store the cursor after this place; after an empty page, the cursor of this request."""
        self._last_place = place = place or self.place_of(self.request)
        self.next_cursor = "-".join(["after", *map(str, place)]) if place else None

    def get_page_size(self, request: Request) -> int:
        if self.is_stream:
            return STREAMED_AT_A_TIME
        text = request.query_params.get("limit", str(DEFAULT_LIMIT))
        if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MAX_LIMIT:
            return int(text)
        raise Refusal("unknown-limit", text=text[:40], max_limit=MAX_LIMIT)

    def decode_cursor(self, request: Request) -> Cursor | None:
        place = self.place_of(request)
        return Cursor(offset=0, reverse=False, position=place[0]) if place else None

    def place_of(self, request: Request) -> tuple[int, ...]:
        """Return the numbers in the cursor, or those that a stream has reached; an empty tuple for the beginning."""
        if self._reached:
            return self._reached
        text = request.query_params.get("cursor")
        if text is None:
            return ()
        match = self.cursor_pattern.fullmatch(text)
        if match is None:
            raise Refusal("no-such-cursor", text=text[:40])
        return tuple(map(int, match.groups()))

    def get_next_link(self) -> str | None:
        address = self.request.build_absolute_uri()
        return replace_query_param(address, "cursor", self.next_cursor) if self.has_next else None

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        return _page({"next": NEXT, "cursor": CURSOR_MEMBER, "results": schema})

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self.get_next_link(), "cursor": self.next_cursor, "results": data})


def _page(members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members)}


class EventPagination(RowPagination):
    """Pages of the feed: `after-12-9` is the cursor behind event 9, which could first be read with event 12."""

    cursor_pattern = re.compile(f"^after-{_NUMBER}-{_NUMBER}$", re.ASCII)

    def paginate_feed(self, reader: Person, request: Request) -> list[Any]:
        """Return the events of `permissions.visible` that this reader asks for."""
        self.request, limit, place = request, self.get_page_size(request), self.place_of(request)
        events = events_after(reader, (place[0], place[1]) if place else START, limit + 1)
        self.has_next = len(events) > limit
        self.set_next_cursor(events[:limit][-1][0] if events else ())
        return [event for _, event in events[:limit]]


END = "end_of_stream"  # the only member of the last line; no row has it
Rows = list[dict[str, Any]]


def stream_rows(request: Request, paginator: RowPagination, read_page: Callable[[], Response]) -> HttpResponseBase:
    """Return the lines of all pages; a wrong request is refused before the first line."""
    if request.auth is None:  # a connection that is read slowly occupies the portal: the public has `/open-data/`
        raise UnrecognizedCredential("credential-missing/stream")
    if "limit" in request.query_params:
        raise Refusal("unknown-parameter/stream", name="limit")
    paginator.is_stream = True
    pages = _pages(paginator, read_page)
    first = next(pages)
    lines = _lines(chain([first], pages), paginator) if request.method == "GET" else ()
    return StreamingHttpResponse(lines, content_type=NDJSON)


def _pages(paginator: RowPagination, read_page: Callable[[], Response]) -> Iterator[Rows]:
    is_open = True
    while is_open:
        with published_changes_read_once():  # a response is sent after its request has ended
            rows = read_page().data["results"]
        is_open = paginator.advance()
        yield rows


def _lines(pages: Iterator[Rows], paginator: RowPagination) -> Iterator[bytes]:
    """Yield the lines of a page at a time, and the last line."""
    count, render = 0, JSONRenderer().render
    for rows in pages:
        count += len(rows)
        yield b"".join(render(row) + b"\n" for row in rows)
    yield render({END: {"rows": count, "cursor": paginator.next_cursor}}) + b"\n"
