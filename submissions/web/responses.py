"""Responses of many views: a page and the refusal on it, one page of a list, a file; and numbers that are sent."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from io import BytesIO
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render

from submissions.core.errors import SHOWN_REFUSAL, Busy, Refusal

STOP_POLLING = 286  # htmx's own status: swap this in and ask no more
INERT = "default-src 'none'; sandbox"  # the policy of a file in which a browser must run nothing


def render_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], refusal: Refusal | None = None
) -> HttpResponse:
    """Return the page with the `refusal` that it shows, under the status of that."""
    if refusal:
        request.META[SHOWN_REFUSAL] = refusal.code  # for the security log
    response = render(request, template, {**context, "refusal": refusal}, status=refusal.status if refusal else 200)
    return retry_later(response, refusal) if isinstance(refusal, Busy) else response


def retry_later(response: HttpResponse, busy: Busy) -> HttpResponse:
    """Return the response under the status of the refusal, with the header that says when to try again."""
    response.status_code, response["Retry-After"] = busy.status, str(busy.retry_after)
    return response


class KeyPaginator(Paginator):  # type: ignore[type-arg]  # not generic when it runs
    """A paginator that finds the keys of a later page first and then its rows.

    What a row is joined with is read for this page only, however many rows lie before it. A list of which one page is
    everything is not counted by a query of its own.
    """

    def __init__(self, rows: QuerySet[Any], size: int, number: str | None) -> None:
        super().__init__(rows, size)
        self.wants_first = number in (None, "", "1")

    @cached_property
    def first_rows(self) -> list[Any]:
        """Return the rows of the first page, and one more if there is another page."""
        return list(self.object_list[: self.per_page + 1])

    @cached_property
    def count(self) -> int:
        if self.wants_first and len(self.first_rows) <= self.per_page:
            return len(self.first_rows)
        return cast(QuerySet[Any], self.object_list).count()

    def page(self, number: int | str) -> Page[Any]:
        page = super().page(number)
        if self.wants_first:
            page.object_list = self.first_rows[: self.per_page]
            return page
        all_rows, begin = cast(QuerySet[Any], self.object_list), (page.number - 1) * self.per_page
        keys = list(all_rows.values_list("pk", flat=True)[begin : begin + self.per_page])
        rows = {row.pk: row for row in all_rows.filter(pk__in=keys).order_by()} if keys else {}
        page.object_list = [rows[key] for key in keys if key in rows]  # one may be gone in between
        return page


def page_of(
    request: HttpRequest,
    rows: QuerySet[Any] | Sequence[Any],
    size: int,
    parameter: str = "page",
) -> Page[Any]:
    """Return the page of the rows that this parameter of the address asks for."""
    number = request.GET.get(parameter)
    paginator = KeyPaginator(rows, size, number) if isinstance(rows, QuerySet) else Paginator(rows, size)
    return paginator.get_page(number)


def file_response(
    content: bytes, name: str, media_type: str, *, policy: str = INERT, download: bool = True
) -> FileResponse:
    """Return a file whose type a browser does not guess (a header of every response) and in which it runs nothing."""
    response = FileResponse(BytesIO(content), as_attachment=download, filename=name, content_type=media_type)
    response["Content-Security-Policy"] = policy
    return response


def whole_number(text: str, otherwise: int = -1, *, digits: int = 9) -> int:
    """Return a whole number of a form or an address; for any other text `otherwise`, which no object has."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else otherwise
