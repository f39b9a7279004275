"""The whole sheet: caption, the table with all elements that the answers call for, payouts below it, and a scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from games.rules.drawings import PLACES, load_drawing_style
from games.rules.model import Answers, Chapter
from submissions.layouts.reference_drawing import payout_columns, player_areas, shapes, shared_areas
from submissions.layouts.reference_drawing.areas import card_spots
from submissions.layouts.reference_drawing.shared_areas import FeltStyle
from submissions.layouts.reference_drawing.table_shape import MM, RAIL, HalfMoon, Oval, Table, length_text, size_text
from submissions.layouts.required_elements import RequiredElement, required_elements
from submissions.layouts.typeface import FAMILY, break_lines, fit_words, font_faces, shorten

WIDE, MARGIN = 2600, 90
HEAD = 210  # above the dealer's side
PANEL = WIDE - 2 * MARGIN
ODDS_SIZE, PITCH = 18, 26
ODDS_MARGIN = 44
MOST_COLUMNS = 6
WIDEST_GAP = 9
LEAST = 6  # height of letters that are still legible
SCALE = 20 * MM
CUSTOMARY = "Not asked for by the chapter: the name of the game, the shapes of the betting areas"
CARD_SPOTS = ", card spots (dashed, without a frame)"


@dataclass(frozen=True, slots=True)
class Caption:
    """The caption of the sheet: the version or receipt, else "Draft"; a date in words; the note at its end."""

    version: str = "Draft"
    date: str = ""
    note: str = "Drawn from the options of the Rules Submission. This drawing is not an approval."


def layout_svg(
    chapter: Chapter, answers: Answers, *, licensee: str, caption: Caption = Caption(), positions: int = 0
) -> str:
    """Return the SVG reference layout that these answers call for; `positions` as in `required_elements`."""
    licensee = " ".join("".join(letter for letter in licensee if letter.isprintable()).split())
    positions = positions or chapter.max_positions
    elements = required_elements(chapter, answers, positions=positions, licensee=licensee)
    oval = any("oval" in element.element for element in elements if element.kind == "position")
    table: Table = Oval(positions) if oval else HalfMoon(positions)
    each = {element.key for element in chapter.layout if element.per_position}
    odds = next((element for element in elements if element.kind == "inscription" and element.odds), None)
    style = FeltStyle(licensee, chapter.title, load_drawing_style(chapter).shapes)
    spots = {place: card_spots(chapter, answers, place) for place in PLACES}
    drawn, printed = _table(elements, each, table, style, odds, spots)
    below, end = _below(elements, None if printed else odds, HEAD + shared_areas.DEALER_BOXES + table.high + 70)
    head = _caption(chapter, licensee, caption, table)
    placed = shapes.group([drawn], at=(WIDE / 2, HEAD + shared_areas.DEALER_BOXES))
    custom = CUSTOMARY + (CARD_SPOTS if any(spots.values()) else "")
    return _svg([head, placed, below, _scale(end, caption.note, custom)], end + 90, chapter, positions)


def _svg(parts: Sequence[str], high: float, chapter: Chapter, positions: int) -> str:
    title = escape(f"{chapter.title}: reference layout of the table", quote=False)
    description = (
        f"Seen from above, the dealer at the top, {positions} player positions below; true to scale, in millimeters."
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {shapes.number(high)}" width="{WIDE}mm" '
        f'height="{shapes.number(high)}mm" role="img" font-family="{FAMILY}, sans-serif">\n'
        f"<title>{title}</title>\n<desc>{description}</desc>\n<style>{font_faces()}</style>\n"
        f'<rect width="{WIDE}" height="{shapes.number(high)}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _table(
    elements: Sequence[RequiredElement],
    each: set[str],
    table: Table,
    style: FeltStyle,
    odds: RequiredElement | None,
    spots: Mapping[str, Sequence[RequiredElement]],
) -> tuple[str, bool]:
    """Return the table itself, from the middle of the dealer's side; and whether its felt shows the odds."""
    shown = [element for element in elements if element.kind not in ("sign", "position") and element is not odds]
    # the key without the number of the area
    own = [element for element in shown if element.key.partition(".")[0] in each]
    at_dealer = [element for element in shown if element not in own and shared_areas.is_at_dealer(element)]
    common = [element for element in shown if element not in own and element not in at_dealer]
    common = [*spots["dealer"], *common]
    rows = player_areas.rows([*spots["player"], *own], table, style.shapes) if isinstance(table, HalfMoon) else []
    inner = player_areas.inner_radius(rows, table) if isinstance(table, HalfMoon) else RAIL + 30
    shown_within, printed = shared_areas.draw_middle(common, table, inner, style, odds)
    parts = [
        shapes.outline(table.edge(0), line=shapes.EDGE, fill=shapes.RAIL, thick=3),
        shapes.outline(table.edge(RAIL), fill=shapes.FELT, thick=3),
        _position_numbers(elements, table),
        *shared_areas.draw_dealer_side(at_dealer, table),
        *shown_within,
        *(player_areas.draw_rows(rows, table) if isinstance(table, HalfMoon) else []),
    ]
    return "\n".join(part for part in parts if part), printed


def _position_numbers(elements: Sequence[RequiredElement], table: Table) -> str:
    """Return the positions' numbers on the rail."""
    of = next((element for element in elements if element.kind == "position"), None)
    numbers = []
    for place, turn in enumerate(table.turns(), start=1):
        x, y = table.position(turn)
        numbers += [shapes.circle(x, y, 27, thick=1.5), shapes.text(x, y + 11, 30, str(place), fill=shapes.GOLD)]
    return shapes.group(numbers, of)


def _below(elements: Sequence[RequiredElement], odds: RequiredElement | None, y: float) -> tuple[str, float]:
    parts = []
    if odds:
        shown, high = _posted_odds(odds)
        parts.append(shapes.group([shown], at=(MARGIN, y)))
        y += high + 50
    if signs := [element for element in elements if element.kind == "sign"]:
        shown, high = _signs(signs)
        parts.append(shapes.group([shown], at=(MARGIN, y)))
        y += high + 30
    return "\n".join(parts), y


def _posted_odds(element: RequiredElement) -> tuple[str, float]:
    """Return the payouts of the offered wagers in as many columns as fit; and their height."""
    blocks, room = list(map(payout_columns.payout_block, element.odds)), PANEL - 2 * ODDS_MARGIN
    columns = payout_columns.columns(blocks, 1)
    for most in range(2, MOST_COLUMNS + 1):
        wider = payout_columns.columns(blocks, most)
        columns = wider if wider.wide * ODDS_SIZE <= room else columns
    spare = room / ODDS_SIZE - columns.wide
    columns = replace(columns, gap=columns.gap + min(spare / max(len(columns.columns) - 1, 1), WIDEST_GAP))
    high = 84 + columns.high * ODDS_SIZE
    said = (
        f"Payout odds, printed on the felt at each position in letters of at least {length_text(LEAST)}; here enlarged"
    )
    parts = [
        shapes.box(0, 0, PANEL, high, fill=shapes.FELT),
        shapes.text(ODDS_MARGIN, 42, 20, said, anchor="start"),
        payout_columns.draw_columns(columns, ODDS_SIZE, ODDS_MARGIN, 74),
    ]
    return shapes.group(parts, element), high


def _signs(elements: Sequence[RequiredElement]) -> tuple[str, float]:
    """Return the list of the signs at the table; and its height."""
    said = "Posted at the table, not on the layout"
    parts = [shapes.text(0, 20, 22, said, fill=shapes.INK, bold=True, anchor="start")]
    y = 24.0
    for element in elements:
        shown = []
        for line in break_lines(f"{element.element} ({element.citation})", ODDS_SIZE, [PANEL - 20]):
            y += PITCH
            shown.append(shapes.text(0, y, ODDS_SIZE, line, fill=shapes.INK, anchor="start"))
        parts.append(shapes.group(shown, element))
    return "".join(parts), y + 10


def _caption(chapter: Chapter, licensee: str, caption: Caption, table: Table) -> str:
    size, lines = fit_words(chapter.title, (1500, 70), (58, 52, 46, 40, 34))
    facts = [f"Reference layout of the table · Chapter {chapter.number}", caption.version, caption.date]
    measures = f"{size_text(table.wide, table.high)}, {table.positions} positions"
    return (
        shapes.text(MARGIN, 110, size, " ".join(lines), fill=shapes.INK, bold=True, anchor="start")
        + shapes.text(MARGIN, 156, 26, " · ".join(filter(None, facts)), fill=shapes.GRAY, anchor="start")
        + shapes.text(WIDE - MARGIN, 110, 30, shorten(licensee, 30, 900), fill=shapes.INK, anchor="end")
        + shapes.text(WIDE - MARGIN, 156, 26, measures, fill=shapes.GRAY, anchor="end")
    )


def _scale(y: float, note: str, custom: str) -> str:
    """Return a scale, the note, and what of the drawing the chapter does not ask for."""
    bar = shapes.outline(f"M{MARGIN} {y:g}v12h{SCALE:g}v-12", line=shapes.INK)
    named = shapes.text(MARGIN + SCALE + 20, y + 14, 20, length_text(SCALE), fill=shapes.INK, anchor="start")
    customary = shapes.text(WIDE - MARGIN, y + 46, 17, custom, fill=shapes.GRAY, anchor="end")
    return bar + named + shapes.text(WIDE - MARGIN, y + 14, 20, note, fill=shapes.GRAY, anchor="end") + customary
