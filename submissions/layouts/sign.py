"""The payout sign of a table: every wager offered with its odds, the payout limit, what the law says a sign must say.

Printed on Letter or Tabloid, upright, in the largest letters that fit on one sheet. Not here: what is offered and
paid (`pays`), the renderer (`paper`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from games.rules.model import Answers, Chapter
from submissions.layouts.pays import Offer, Paid, offer

if TYPE_CHECKING:
    from submissions.documents.printing import Rendered
    from submissions.layouts.paper import Stated

LETTER = tuple(size / 2 for size in range(44, 16, -1))  # points; below 8.5 it is laid out on several sheets
TABLOID = tuple(size / 2 for size in range(68, 22, -1))
SIZES: dict[str, Sequence[float]] = {"letter": LETTER, "tabloid": TABLOID}


def sign(chapter: Chapter, answers: Answers, stated: Stated, *, size: str = "letter") -> Rendered:
    """The sign as a PDF; `size`: one of `paper.PAPERS`."""
    from submissions.layouts import paper  # its libraries take two seconds to load: who prints waits, nobody else

    beside = {**content(chapter, answers), "paper": size}
    below = {**beside, "columns": [[board for column in beside["columns"] for board in column]]}
    sheet = paper.Sheet("sign", chapter, answers, stated)
    return paper.as_large_as_fits(sheet, [beside, below] if beside["columns"] else [beside], (1, SIZES[size]))


def content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """What the template prints."""
    found = offer(chapter, answers)
    return {
        "fixed": [paid for paid in found.paid if paid.fixed],
        "columns": in_columns([paid for paid in found.paid if paid.table]),
        "limit": found.limit,
        "notices": found.notices(),
        "missing": found.told.missing,
        "called_for": called_for(found),
    }


def called_for(found: Offer) -> tuple[str, ...]:
    """The sections that demand a sign at this table; none where everything is inscribed on the layout."""
    signs = [element.citation for element in found.judgement.layout if element.kind == "sign"]
    return tuple(dict.fromkeys(signs))


def in_columns(boards: Sequence[Paid]) -> list[list[Paid]]:
    """In two columns of about the same height, each in the order of the wagers; one column for one board."""
    heights = [2.5 + board.lines for board in boards]
    whole = sum(heights)

    def uneven(sides: tuple[int, ...]) -> float:
        return abs(whole - 2 * sum(height for height, side in zip(heights, sides, strict=True) if side == 0))

    best = min(product((0, 1), repeat=len(boards)), key=uneven, default=())
    columns = [[board for board, side in zip(boards, best, strict=True) if side == column] for column in (0, 1)]
    if columns[1] and boards[0] in columns[1]:
        columns.reverse()
    return [column for column in columns if column]
