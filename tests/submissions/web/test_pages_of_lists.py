"""The pages of a list: the rows of each, and what a page that there is not becomes."""

from __future__ import annotations

import pytest
from django.core.paginator import Paginator
from django.test import RequestFactory

from submissions.models import Person, Submission
from submissions.web.responses import page_of
from tests.submissions.filing_rows import draft

SIZE = 3


@pytest.mark.parametrize("count", [0, SIZE, SIZE + 1])
@pytest.mark.parametrize("asked", [{}, *({"page": page} for page in ("", "0", "1", "2", "-1", "last", "99"))])
def test_page_has_the_rows_that_one_of_django_has(manager: Person, count: int, asked: dict[str, str]) -> None:
    for _ in range(count):
        draft(manager)
    rows = Submission.objects.select_related("organization").order_by("-pk")
    read = rows.all()
    expected = Paginator(list(read), SIZE).get_page(asked.get("page"))
    for given in (rows, read, list(read)):
        page = page_of(RequestFactory().get("/", asked), given, SIZE)
        assert list(page) == list(expected)
        assert (page.number, page.paginator.count) == (expected.number, expected.paginator.count)
