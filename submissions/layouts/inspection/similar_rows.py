"""Rows of odds whose outcome is in other words than the paytable's: a person decides whether they are the same.

Such a row has the payout of a row chosen, and one of its words: “Jacks or Better 1 to 1”, “Str. Flush 50 to 1”. What it
may be is neither missing nor called wrong.
"""

from collections.abc import Iterable, Sequence

from submissions.layouts.inspection.chosen_rows import ChosenRow
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.odds_cells import amount
from submissions.layouts.inspection.printed_rows import cells_of_line
from submissions.layouts.inspection.tokens import phrase

_SMALL = frozenset(("of", "a", "an", "the", "to", "and", "or", "in", "with", "winning", "wager", "wagers", "1"))


def similar_rows(
    sheet: DrawingText, segments: Iterable[int], chosen: Sequence[ChosenRow]
) -> dict[int, tuple[list[ChosenRow], str]]:
    """Segment with unknown odds → the rows chosen that it may be, and its words as they are printed."""
    left = {right: segment for segment, right in sheet.right.items()}
    similar: dict[int, tuple[list[ChosenRow], str]] = {}
    for segment in segments:
        line = [segment]
        while line[0] in left and left[line[0]] not in line:
            line.insert(0, left[line[0]])
        for begin in reversed(line):  # the outcome is at the left of its payout; another row may be left of it
            words = _words(sheet, begin)
            rows = [row for row in chosen if words & _outcome(row) and _pays(row) == cells_of_line(sheet, begin)]
            if rows:
                texts = [sheet.text(each) for each in line[line.index(begin) :]]
                similar[segment] = (rows, " ".join(texts))
                break
    return similar


def _words(sheet: DrawingText, segment: int) -> set[str]:
    return {token.text for token in sheet.segments[segment].tokens} - _SMALL


def _outcome(row: ChosenRow) -> set[str]:
    return set(phrase(row.outcome)) - _SMALL


def _pays(row: ChosenRow) -> tuple[str, ...]:
    return tuple(amount(pay) for _, pay in row.pays)
