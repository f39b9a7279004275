"""The whole sheet: caption, the table with all that the answers call for, payouts beneath it, and a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from submissions.layouts.required import Answers, Chapter, Required, required
from submissions.layouts.table import dealer, marks, middle, panel, ring
from submissions.layouts.table.places import RAIL, HalfMoon, Oval, Table
from submissions.layouts.table.words import fitted, shortened

WIDE, MARGIN = 2600, 90
HEAD = 210  # above the dealer's side
PANEL = WIDE - 2 * MARGIN


@dataclass(frozen=True, slots=True)
class Caption:
    """What the sheet says of itself: the version or receipt, else "Draft"; a date in words; what stands at its end."""

    version: str = "Draft"
    date: str = ""
    note: str = "Drawn from the options of the Rules Submission. It is not an approval."


def layout_svg(
    chapter: Chapter, answers: Answers, *, licensee: str, caption: Caption = Caption(), positions: int = 0
) -> str:
    """The reference layout of the table that these answers call for, as one SVG; `positions` as `required` has it."""
    licensee = " ".join("".join(letter for letter in licensee if letter.isprintable()).split())
    seats = positions or chapter.max_positions
    elements = required(chapter, answers, positions=positions, licensee=licensee)
    oval = any("oval" in one.element for one in elements if one.kind == "position")
    table: Table = Oval(seats) if oval else HalfMoon(seats)
    each = {element.key for element in chapter.layout if element.per_position}
    odds = next((one for one in elements if one.kind == "inscription" and one.odds), None)
    drawn, printed = _table(elements, each, table, licensee, odds)
    below, end = _below(elements, None if printed else odds, HEAD + dealer.OUTSIDE + table.high + 70)
    parts = [_caption(chapter, licensee, caption, table), marks.group([drawn], at=(WIDE / 2, HEAD + dealer.OUTSIDE))]
    return _svg([*parts, below, _scale(end, caption.note)], end + 90, chapter, seats)


def _svg(parts: Sequence[str], high: float, chapter: Chapter, seats: int) -> str:
    title = escape(f"{chapter.title}: reference layout of the table", quote=False)
    said = f"Seen from above, the dealer at the top, {seats} player positions below; true to scale, in millimetres."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {marks.number(high)}" width="{WIDE}mm" '
        f'height="{marks.number(high)}mm" role="img" font-family="Public Sans, Public Sans Web, sans-serif">\n'
        f"<title>{title}</title>\n<desc>{said}</desc>\n"
        f'<rect width="{WIDE}" height="{marks.number(high)}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _table(
    elements: Sequence[Required], each: set[str], table: Table, licensee: str, odds: Required | None
) -> tuple[str, bool]:
    """The table itself, from the middle of the dealer's side; and whether its felt shows the odds."""
    shown = [one for one in elements if one.kind not in ("sign", "position") and one is not odds]
    own = [one for one in shown if _base(one) in each]
    common = [one for one in shown if _base(one) not in each and not dealer.is_own(one)]
    rows = ring.rows(own, table) if isinstance(table, HalfMoon) else []
    inner = ring.inner(rows, table) if isinstance(table, HalfMoon) else RAIL + 30
    shown_within, printed = middle.drawn(common, table, inner, licensee, odds)
    parts = [
        marks.outline(table.edge(0), line=marks.EDGE, fill=marks.RAIL, thick=3),
        marks.outline(table.felt(), fill=marks.FELT, thick=3),
        *_seats(elements, table),
        *dealer.drawn([one for one in shown if _base(one) not in each and dealer.is_own(one)], table),
        *shown_within,
        *(ring.drawn(rows, table) if isinstance(table, HalfMoon) else []),
    ]
    return "\n".join(part for part in parts if part), printed


def _base(element: Required) -> str:
    """The key of the chapter's element, without the number of the area."""
    return element.key.partition(".")[0]


def _seats(elements: Sequence[Required], table: Table) -> list[str]:
    """The positions' numbers on the rail."""
    of = next((one for one in elements if one.kind == "position"), None)
    numbers = []
    for place, turn in enumerate(table.turns(), start=1):
        x, y = table.seat(turn)
        numbers += [marks.circle(x, y, 27, thick=1.5), marks.text(x, y + 11, 30, str(place), fill=marks.GOLD)]
    return [marks.group(numbers, of)]


def _below(elements: Sequence[Required], odds: Required | None, y: float) -> tuple[str, float]:
    parts = []
    if odds:
        shown, high = panel.odds(odds, PANEL)
        parts.append(marks.group([shown], at=(MARGIN, y)))
        y += high + 50
    shown, high = panel.signs([one for one in elements if one.kind == "sign"], PANEL)
    if shown:
        parts.append(marks.group([shown], at=(MARGIN, y)))
        y += high + 30
    return "\n".join(parts), y


def _caption(chapter: Chapter, licensee: str, caption: Caption, table: Table) -> str:
    size, lines = fitted(chapter.title, (1500, 70), (58, 52, 46, 40, 34))
    facts = [f"Reference layout of the table · Chapter {chapter.number}", caption.version, caption.date]
    measures = f"{_size(table)}, {table.positions} positions"
    return "".join(
        [
            marks.text(MARGIN, 110, size, " ".join(lines), fill=marks.INK, bold=True, anchor="start"),
            marks.text(MARGIN, 156, 26, " · ".join(filter(None, facts)), fill=marks.GREY, anchor="start"),
            marks.text(WIDE - MARGIN, 110, 30, shortened(licensee, 30, 900), fill=marks.INK, anchor="end"),
            marks.text(WIDE - MARGIN, 156, 26, measures, fill=marks.GREY, anchor="end"),
        ]
    )


def _size(table: Table) -> str:
    return f"{table.wide:,.0f} × {table.high:,.0f} mm"


def _scale(y: float, note: str) -> str:
    """Half a metre, and what this sheet is."""
    bar = marks.outline(f"M{MARGIN} {y:g}v12h500v-12", line=marks.INK)
    named = marks.text(MARGIN + 520, y + 14, 20, "500 mm", fill=marks.INK, anchor="start")
    return bar + named + marks.text(WIDE - MARGIN, y + 14, 20, note, fill=marks.GREY, anchor="end")
