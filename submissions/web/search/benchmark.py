"""The Board's view across licensees: every game that is offered, and one game with its paytables, holds and answers."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games import registry
from submissions.evidence.charts.dot_plot import Holds, dots_svg
from submissions.permissions import licensees_visible_to, require
from submissions.search.benchmark.comparison import BenchmarkColumn, LicenseeComparison, compare_licensees, most_common
from submissions.search.benchmark.games import benchmark_games
from submissions.web import formatting
from submissions.web.asked_day import requested_day


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    require(request.user, "compare")
    asked = requested_day(request)
    context = {
        "games": benchmark_games(asked.day),
        "asked": asked,
        "licensees": licensees_visible_to(request.user).count(),
    }
    return render(request, "pages/benchmark.html", {**context, "here": "across"}, status=asked.status)


@require_safe
def game(request: HttpRequest, number: str) -> HttpResponse:
    require(request.user, "compare")
    if not formatting.is_known_chapter(number):
        raise Http404(f"The portal does not hold chapter {number}.")
    asked = requested_day(request)
    found = compare_licensees(registry.chapter(number), asked.day)
    context = {
        "found": found,
        "table": [(row, [column.cells[place] for column in found.columns]) for place, row in enumerate(found.rows)],
        "chapter": found.chapter,
        "asked": asked,
        "plots": list(_plots(found)),
    }
    return render(request, "pages/benchmark_game.html", {**context, "here": "across"}, status=asked.status)


def _plots(found: LicenseeComparison) -> Iterable[tuple[str, SafeString]]:
    """The wagers that are not held alike everywhere, with their plots."""
    for place, column in enumerate(found.columns):
        rows = list(_holds(found, column))
        usual = most_common((label, holds) for label, holds in rows) or ()
        plot = dots_svg(sorted(rows, key=lambda row: (row[1], row[0])), usual, name=column.name, key=f"dots-{place}")
        if plot:
            yield column.name, plot


def _holds(found: LicenseeComparison, column: BenchmarkColumn) -> Iterable[Holds]:
    for row, cell in zip(found.rows, column.cells, strict=True):
        if cell.offer and cell.offer.holds:
            yield row.label, tuple(one.pct / 100 for one in cell.offer.holds)
