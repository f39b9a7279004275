"""One page of a list, and the address of the next. Rows come in the order in which they were made.

A cursor names the last row that was told: whatever is made, changed or decided between two pages, no row is missed and
none is told twice. To be kept from one night to the next is the cursor of the feed of events, whose order is that in
which each could be read. In another list a row may become readable before a place that was reached, as a draft does
when it is filed: there the filters for moments say what is new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from submissions.access.feed import START, feed
from submissions.errors import Refusal
from submissions.models import Person
from submissions.prepared import Prepared

PAGE, MOST = 50, 200
_MARK = 2**62  # the primary key of no row
_AFTER = "([1-9][0-9]{0,17})"
_ROW, _EVENT = re.compile(f"^after-{_AFTER}$", re.ASCII), re.compile(f"^after-{_AFTER}-{_AFTER}$", re.ASCII)


def _described(form: re.Pattern[str]) -> OpenApiParameter:
    words = "Where to go on: as it was told, never made up."
    return OpenApiParameter("cursor", {"type": "string", "pattern": form.pattern}, description=words)


CURSOR, EVENT_CURSOR = _described(_ROW), _described(_EVENT)
LIMIT = OpenApiParameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE}, description="Rows on a page."
)


class Page(NamedTuple):
    """Its rows; the cursor behind the last of them, to be kept; and whether there are more already."""

    rows: Sequence[Any]
    cursor: str | None
    more: bool


def page_of(request: Request, rows: QuerySet[Any]) -> Page:
    """The rows that are asked for."""
    most, place = _most(request), _place(request, _ROW)
    return _cut_rows(request, list(_behind(rows, place[0] if place else 0, most)), most)


def page_prepared(request: Request, rows: Callable[..., QuerySet[Any]], *of: Hashable) -> Page:
    """As `page_of(request, rows(*of))`, which is put together once for the same `of`: it may depend on nothing else."""
    most, place = _most(request), _place(request, _ROW)
    return _cut_rows(request, _prepared(most, rows, *of).ask(after=place[0] if place else 0), most)


@lru_cache(maxsize=100)
def _prepared(most: int, rows: Callable[..., QuerySet[Any]], *of: Hashable) -> Prepared[Any]:
    return Prepared(_behind(rows(*of), _MARK, most), after=_MARK)


def _behind(rows: QuerySet[Any], after: int, most: int) -> QuerySet[Any]:
    """One row more than fit, to know whether there is a page behind."""
    return rows.filter(pk__gt=after).order_by("pk")[: most + 1]


def _cut_rows(request: Request, found: Sequence[Any], most: int) -> Page:
    return _cut(request, found, [(_pk(row),) for row in found[:most]])


def page_of_events(request: Request, person: Person) -> Page:
    """The events of the feed (`access.feed`) that are asked for."""
    most, place = _most(request), _place(request, _EVENT)
    found = feed(person, (place[0], place[1]) if place else START, most + 1)
    return _cut(request, [event for _, event in found], [place for place, _ in found[:most]])


def _cut(request: Request, rows: Sequence[Any], places: Sequence[tuple[int, ...]]) -> Page:
    """As many of the rows as have a place; behind an empty page one stays where one was."""
    cursor = "-".join(["after", *map(str, places[-1])]) if places else request.query_params.get("cursor")
    return Page(rows[: len(places)], cursor, len(rows) > len(places))


def address_of(request: Request, page: Page) -> str | None:
    """The address of the next page, if there is one."""
    return replace_query_param(request.build_absolute_uri(), "cursor", page.cursor) if page.more else None


def _most(request: Request) -> int:
    """How many rows are asked for."""
    text = request.query_params.get("limit", str(PAGE))
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST:
        return int(text)
    raise Refusal("unknown-limit", f"“{text[:40]}” rows are none that can be had.", fix=f"Ask for 1 to {MOST}.")


def _place(request: Request, form: re.Pattern[str]) -> tuple[int, ...]:
    """What the cursor names; nothing without one."""
    text = request.query_params.get("cursor")
    if text is None:
        return ()
    found = form.fullmatch(text)
    if found is None:
        raise Refusal(
            "no-such-cursor",
            f"“{text[:40]}” is no cursor of this list.",
            fix="Follow the address in `next` as it is; begin without a cursor.",
        )
    return tuple(map(int, found.groups()))


def _pk(row: Any) -> int:
    return int(row["pk"] if isinstance(row, dict) else row.pk)
