"""One page of a list, and the address of the next. Rows come in the order in which they were made.

A cursor names the last row that was told: whatever is made, changed or decided between two pages, no row is missed and
none is told twice; and whoever keeps the last cursor goes on from there the next night.
"""

from __future__ import annotations

import re
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from submissions.errors import Refusal

PAGE, MOST = 50, 200
_CURSOR = re.compile(r"^after-([1-9][0-9]{0,17})$", re.ASCII)
CURSOR = OpenApiParameter(
    "cursor",
    {"type": "string", "pattern": _CURSOR.pattern},
    description="Where to go on: taken from `next`, never made up.",
)
LIMIT = OpenApiParameter(
    "limit", {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE}, description="Rows on a page."
)


def page_of(request: Request, rows: QuerySet[Any]) -> tuple[list[Any], str | None]:
    """The rows of the page that is asked for, and the address of the next one, if there is one."""
    limit, after = _limit(request), _after(request)
    found = list(rows.filter(pk__gt=after).order_by("pk")[: limit + 1])
    if len(found) <= limit:
        return found, None
    page = found[:limit]
    last = page[-1]
    pk = last["pk"] if isinstance(last, dict) else last.pk
    return page, replace_query_param(request.build_absolute_uri(), "cursor", cursor_of(pk))


def cursor_of(pk: int) -> str:
    return f"after-{pk}"


def _after(request: Request) -> int:
    text = request.query_params.get("cursor")
    if text is None:
        return 0
    found = _CURSOR.fullmatch(text)
    if found is None:
        raise Refusal(
            "no-such-cursor",
            f"“{text[:40]}” is no cursor of this list.",
            fix="Follow the address in `next` as it is; begin without a cursor.",
        )
    return int(found[1])


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(PAGE))
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST:
        return int(text)
    raise Refusal("unknown-limit", f"“{text[:40]}” rows are none that can be had.", fix=f"Ask for 1 to {MOST}.")
