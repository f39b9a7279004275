"""The Board's view across licensees: every game that is offered, and one game with its paytables, holds and answers."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.rules import registry
from submissions.access import demand, licensees_visible_to
from submissions.across.comparison import Column, Comparison, comparison, most_common
from submissions.across.games import games
from submissions.charts import dots_svg
from submissions.charts.dots import Holds
from submissions.web import present
from submissions.web.days import day_asked


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    demand(request.user, "compare")
    asked = day_asked(request)
    context = {"games": games(asked.day), "asked": asked, "licensees": licensees_visible_to(request.user).count()}
    return render(request, "pages/across.html", {**context, "here": "across"}, status=asked.status)


@require_safe
def game(request: HttpRequest, number: str) -> HttpResponse:
    demand(request.user, "compare")
    if not present.known(number):
        raise Http404(f"The portal does not hold chapter {number}.")
    asked = day_asked(request)
    found = comparison(registry.chapter(number), asked.day)
    context = {
        "found": found,
        "table": [(row, [column.cells[place] for column in found.columns]) for place, row in enumerate(found.rows)],
        "chapter": found.chapter,
        "asked": asked,
        "plots": list(_plots(found)),
    }
    return render(request, "pages/across_game.html", {**context, "here": "across"}, status=asked.status)


def _plots(found: Comparison) -> Iterable[tuple[str, SafeString]]:
    """The wagers that are not held alike everywhere, with their plots."""
    for place, column in enumerate(found.columns):
        rows = list(_holds(found, column))
        usual = most_common((label, holds) for label, holds in rows) or ()
        plot = dots_svg(sorted(rows, key=lambda row: (row[1], row[0])), usual, name=column.name, key=f"dots-{place}")
        if plot:
            yield column.name, plot


def _holds(found: Comparison, column: Column) -> Iterable[Holds]:
    for row, cell in zip(found.rows, column.cells, strict=True):
        if cell.offer and cell.offer.holds:
            yield row.label, tuple(one.pct / 100 for one in cell.offer.holds)
