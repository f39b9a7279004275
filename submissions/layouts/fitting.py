"""The largest letters in which a page keeps within so many sheets, laying it out as seldom as possible.

Laying out takes a third of a second: the next size to try follows from how far the last one filled its sheets.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from submissions.documents.printing import LaidOut

END = "end"  # id of the template's last element
GROWTH = 1.6  # twice the letters take 2 to the power of this the height: between lines that stay and lines that break
FOOT = 0.07  # share of a sheet below its content, about

Way = Callable[[float], LaidOut]  # content laid out in letters of so many points


def largest(ways: Sequence[Way], sizes: Sequence[float], pages: int) -> LaidOut:
    """In the largest of the sizes (largest first) that keeps it within so many pages; in the smallest if none does.

    Of several ways to arrange the content, the one that allows the larger letters, the first of equals.
    """
    chosen = ways[0]
    best = _place(chosen, sizes, pages, len(sizes) - 1, first=len(sizes) * 3 // 5)
    for way in ways[1:]:
        place = _place(way, sizes, pages, best, first=best - 1)
        if place < best:
            best, chosen = place, way
    return chosen(sizes[best])


def _place(way: Way, sizes: Sequence[float], pages: int, fits: int, *, first: int) -> int:
    """The place of the largest size before `fits` that keeps it within the pages; else `fits`."""
    tight, place = -1, first
    while fits - tight > 1:
        laid_out = way(sizes[place])
        if len(laid_out.pages) <= pages:
            fits = place
            place = min(max(_filling(laid_out, sizes, place, pages), tight + 1), fits - 1)
        else:
            tight, place = place, (place + fits) // 2  # pages that broke have gaps: they tell nothing
    return fits


def _filling(laid_out: LaidOut, sizes: Sequence[float], place: int, pages: int) -> int:
    """Where the size stands that would fill the pages."""
    wanted = sizes[place] * ((pages - FOOT) / filled(laid_out)) ** (1 / GROWTH)
    return bisect_left(sizes, -wanted, key=lambda size: -size)


def filled(laid_out: LaidOut) -> float:
    """How many sheets the content takes: 1.5 ends in the middle of the second."""
    for number, page in enumerate(laid_out.pages):
        if END in page.anchors:
            bottom: float = page.anchors[END][3]
            return number + bottom / float(page.height)
    raise LookupError(f"the template does not end with an element with the id {END!r}")
