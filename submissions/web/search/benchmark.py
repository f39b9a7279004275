"""The Board's view across licensees: every game that is offered, and one game with its paytables, holds and answers."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from submissions.evidence.charts.dot_plot import Holds, dots_svg
from submissions.permissions import licensees_visible_to, require
from submissions.rules.effective_rules import chapter_on
from submissions.search.benchmark.comparison import BenchmarkColumn, LicenseeComparison, compare_licensees, most_common
from submissions.search.benchmark.games import benchmark_games
from submissions.web import formatting
from submissions.web.asked_day import requested_day


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    require(request.user, "compare")
    requested = requested_day(request)
    context = {
        "games": benchmark_games(requested.day),
        "requested": requested,
        "licensees": licensees_visible_to(request.user).count(),
    }
    return render(request, "pages/benchmark.html", {**context, "here": "across"}, status=requested.status)


@require_safe
def game(request: HttpRequest, number: str) -> HttpResponse:
    require(request.user, "compare")
    if not formatting.is_known_chapter(number):
        raise Http404(f"The portal does not have chapter {number}.")
    requested = requested_day(request)
    comparison = compare_licensees(chapter_on(number, requested.day), requested.day)
    context = {
        "comparison": comparison,
        "table": [
            (row, [column.cells[place] for column in comparison.columns]) for place, row in enumerate(comparison.rows)
        ],
        "chapter": comparison.chapter,
        "requested": requested,
        "plots": list(_plots(comparison)),
        "uncomputed": sum(
            bool(cell.offer and not cell.offer.holds) for column in comparison.columns for cell in column.cells
        ),
    }
    return render(request, "pages/benchmark_game.html", {**context, "here": "across"}, status=requested.status)


def _plots(comparison: LicenseeComparison) -> Iterable[tuple[str, SafeString]]:
    """The wagers that are not held alike everywhere, with their plots."""
    for place, column in enumerate(comparison.columns):
        rows = list(_holds(comparison, column))
        usual = most_common((label, holds) for label, holds in rows) or ()
        plot = dots_svg(sorted(rows, key=lambda row: (row[1], row[0])), usual, name=column.name, key=f"dots-{place}")
        if plot:
            yield column.name, plot


def _holds(comparison: LicenseeComparison, column: BenchmarkColumn) -> Iterable[Holds]:
    for row, cell in zip(comparison.rows, column.cells, strict=True):
        if cell.offer and cell.offer.holds:
            yield row.label, tuple(hold.pct / 100 for hold in cell.offer.holds)
