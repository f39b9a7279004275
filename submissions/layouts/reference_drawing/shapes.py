"""The SVG elements of a layout, in millimeters; colors, lines and letters are chosen here."""

from collections.abc import Sequence
from html import escape

from submissions.layouts.reference_drawing.text_fitting import LEADING, fit_words
from submissions.layouts.required_elements import RequiredElement

FELT, RAIL, EDGE = "#3f6b57", "#54433a", "#2b211c"
GOLD, LIGHT, PALE, INK, GRAY = "#ead7a0", "#ffffff", "#567f6c", "#1b1b1b", "#5c5c5c"
SIZES = (26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6.5, 6)  # never below 6 mm


def number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"


def group(
    parts: Sequence[str], of: RequiredElement | None = None, at: tuple[float, float] = (0, 0), turn: float = 0
) -> str:
    """The parts as the drawing of an element; moved, then turned about their new origin."""
    named = f' data-{_kind(of)}="{escape(of.key)}" data-citation="{escape(of.citation)}"' if of else ""
    moves = [f"translate({number(at[0])} {number(at[1])})"] if at != (0, 0) else []
    moves += [f"rotate({number(turn)})"] if turn else []
    moved = f' transform="{" ".join(moves)}"' if moves else ""
    return f"<g{named}{moved}>{''.join(parts)}</g>"


def _kind(element: RequiredElement) -> str:
    return "spot" if element.kind == "spot" else "element"


def text(
    x: float, y: float, size: float, words: str, *, fill: str = LIGHT, bold: bool = False, anchor: str = "middle"
) -> str:
    """One line of words, `y` being its foot."""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{anchored}{weight}>'
        f"{escape(words, quote=False)}</text>"
    )


def payout_line(x: float, y: float, size: float, outcome: str, pays: str, *, gap: float) -> str:
    """An outcome and its payout, in one line of text."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{LIGHT}">'
        f'{escape(outcome, quote=False)} <tspan dx="{number(gap * size)}" font-weight="700">'
        f"{escape(pays, quote=False)}</tspan></text>"
    )


def lines(x: float, y: float, size: float, words: Sequence[str], *, fill: str = LIGHT, bold: bool = False) -> str:
    """Lines of words around a middle."""
    top = y - len(words) * size * LEADING / 2
    feet = (top + (place + 0.8) * size * LEADING for place in range(len(words)))
    return "".join(text(x, foot, size, line, fill=fill, bold=bold) for foot, line in zip(feet, words, strict=True))


def label(
    words: str, at: tuple[float, float], room: tuple[float, float], *, fill: str = LIGHT, largest: int = 20
) -> str:
    """The words as large as the room around a middle allows."""
    size, broken = fit_words(words, room, [size for size in SIZES if size <= largest])
    return lines(*at, size, broken, fill=fill)


def circle(x: float, y: float, radius: float, *, line: str = GOLD, fill: str = "none", thick: float = 2) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" stroke="{line}" '
        f'stroke-width="{number(thick)}"/>'
    )


def box(
    x: float, y: float, wide: float, high: float, *, line: str = GOLD, fill: str = "none", dashed: bool = False,
    round_: float = 6,
) -> str:  # fmt: skip
    """A rectangle from its upper left corner."""
    dashes = ' stroke-dasharray="9 6"' if dashed else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="{number(round_)}" '
        f'fill="{fill}" stroke="{line}" stroke-width="2"{dashes}/>'
    )


def outline(path: str, *, line: str = GOLD, fill: str = "none", thick: float = 2) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="{number(thick)}"/>'
