"""What stands beneath the table: payouts that are too many to be shown in their place, and the signs at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from submissions.layouts.required import Required
from submissions.layouts.table import marks, payouts
from submissions.layouts.table.words import broken

SIZE, PITCH = 18, 26
MARGIN = 44
MOST_COLUMNS = 6
WIDEST_GAP = 9


def odds(element: Required, wide: float) -> tuple[str, float]:
    """The payouts of the wagers offered in as many columns as there is room for; and the height of it all."""
    blocks = payouts.blocks(element)
    laid = payouts.columns(blocks, 1)
    for most in range(2, MOST_COLUMNS + 1):
        wider = payouts.columns(blocks, most)
        laid = wider if wider.wide * SIZE <= wide - 2 * MARGIN else laid
    spare = (wide - 2 * MARGIN) / SIZE - laid.wide
    laid = replace(laid, gap=laid.gap + min(spare / max(len(laid.columns) - 1, 1), WIDEST_GAP))
    high = 84 + laid.high * SIZE
    said = "Payout odds, printed on the felt at each position in letters of at least 6 mm; here enlarged"
    parts = [
        marks.box(0, 0, wide, high, fill=marks.FELT),
        marks.text(MARGIN, 42, 20, said, anchor="start"),
        payouts.drawn(laid, SIZE, MARGIN, 74),
    ]
    return marks.group(parts, element), high


def signs(elements: Sequence[Required], wide: float) -> tuple[str, float]:
    """The signs that stand at the table, named; and the height of the list."""
    if not elements:
        return "", 0
    parts = [marks.text(0, 20, 22, "Posted at the table, not on the layout", fill=marks.INK, bold=True, anchor="start")]
    y = 24.0
    for element in elements:
        shown = []
        for line in broken(f"{element.element} ({element.citation})", SIZE, [wide - 20]):
            y += PITCH
            shown.append(marks.text(0, y, SIZE, line, fill=marks.INK, anchor="start"))
        parts.append(marks.group(shown, element))
    return "".join(parts), y + 10
