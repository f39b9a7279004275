"""The SVG elements of a layout, in millimeters, and the shapes of wagers: circle, square, diamond, hexagon, oval.

Colors, lines and letters are chosen here. Which wager has which shape is data of the chapter. Not here: areas
(`areas`).
"""

from collections.abc import Sequence
from html import escape

from submissions.layouts.required_elements import RequiredElement
from submissions.layouts.typeface import LEADING, fit_words, text_width

FELT, RAIL, EDGE = "#3f6b57", "#54433a", "#2b211c"
GOLD, LIGHT, PALE, INK, GRAY = "#ead7a0", "#ffffff", "#567f6c", "#1b1b1b", "#5c5c5c"
Size = tuple[float, float]
SIZES = (26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6.5, 6)  # never below 6 mm


def number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"


def group(
    parts: Sequence[str], of: RequiredElement | None = None, at: tuple[float, float] = (0, 0), turn: float = 0
) -> str:
    """Return the parts as the drawing of an element; moved, then turned about their new origin."""
    kind = "spot" if of and of.kind == "spot" else "element"
    named = f' data-{kind}="{escape(of.key)}" data-citation="{escape(of.citation)}"' if of else ""
    moves = [f"translate({number(at[0])} {number(at[1])})"] if at != (0, 0) else []
    moves += [f"rotate({number(turn)})"] if turn else []
    moved = f' transform="{" ".join(moves)}"' if moves else ""
    return f"<g{named}{moved}>{''.join(parts)}</g>"


def text(
    x: float, y: float, size: float, words: str, *, fill: str = LIGHT, bold: bool = False, anchor: str = "middle"
) -> str:
    """Draw one line of words, `y` being its foot."""
    anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{anchored}{weight}>'
        f"{escape(words, quote=False)}</text>"
    )


def payout_line(x: float, y: float, size: float, outcome: str, pays: str, *, gap: float) -> str:
    """Return an outcome and its payout, in one line of text."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{LIGHT}">'
        f'{escape(outcome, quote=False)} <tspan dx="{number(gap * size)}" font-weight="700">'
        f"{escape(pays, quote=False)}</tspan></text>"
    )


def text_lines(x: float, y: float, size: float, words: Sequence[str], *, fill: str = LIGHT, bold: bool = False) -> str:
    """Draw lines of words around a middle."""
    top = y - len(words) * size * LEADING / 2
    feet = (top + (place + 0.8) * size * LEADING for place in range(len(words)))
    return "".join(text(x, foot, size, line, fill=fill, bold=bold) for foot, line in zip(feet, words, strict=True))


def label(words: str, at: Size, room: Size, *, fill: str = LIGHT, largest: int = 20) -> str:
    """Return the words as large as the room around a middle allows."""
    size, broken = fit_words(words, room, [size for size in SIZES if size <= largest])
    return text_lines(*at, size, broken, fill=fill)


def circle(x: float, y: float, radius: float, *, line: str = GOLD, fill: str = "none", thick: float = 2) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" stroke="{line}" '
        f'stroke-width="{number(thick)}"/>'
    )


def box(
    x: float, y: float, wide: float, high: float, *, line: str = GOLD, fill: str = "none", dashed: bool = False,
    round_: float = 6,
) -> str:  # fmt: skip
    """Return a rectangle from its upper left corner."""
    dashes = ' stroke-dasharray="9 6"' if dashed else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="{number(round_)}" '
        f'fill="{fill}" stroke="{line}" stroke-width="2"{dashes}/>'
    )


def outline(path: str, *, line: str = GOLD, fill: str = "none", thick: float = 2) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{line}" stroke-width="{number(thick)}"/>'


LARGEST_LETTERS = 20  # letters
# The shapes of wagers in shares of an area's nominal size: the shape's size, and the rooms for words within it.
SHAPES: dict[str, tuple[Size, Sequence[Size]]] = {
    "circle": ((1, 1), ((0.8, 0.56), (0.9, 0.38), (0.68, 0.68))),
    "square": ((0.94, 0.94), ((0.78, 0.84),)),
    "diamond": ((1.08, 1.08), ((0.74, 0.28), (0.62, 0.4), (0.5, 0.52))),
    "hexagon": ((1.12, 0.97), ((0.9, 0.28), (0.78, 0.48), (0.68, 0.64))),
    "oval": ((1.2, 0.8), ((1.0, 0.36), (0.84, 0.54))),
}
_HALF_LINE = 2  # of the line, on either side


def shape_size(shape: str, size: float) -> Size:
    """Return width and height of the shape for an area of that nominal size."""
    wide, high = SHAPES[shape][0]
    return wide * size, high * size


def draw_shape(shape: str, size: float) -> str:
    """Return the shape around its middle."""
    across, down = (side / 2 - _HALF_LINE for side in shape_size(shape, size))
    x, y = number(across), number(down)
    if shape == "circle":
        return circle(0, 0, across)
    if shape == "square":
        return box(-across, -down, 2 * across, 2 * down)
    if shape == "diamond":
        return outline(f"M0 -{y}L{x} 0L0 {y}L-{x} 0Z")
    if shape == "hexagon":
        half = number(across / 2)
        return outline(f"M-{half} -{y}L{half} -{y}L{x} 0L{half} {y}L-{half} {y}L-{x} 0Z")
    flat, round_ = number(across - down), f"A{y} {y} 0 0 1"  # an oval: straight above and below
    return outline(f"M-{flat} -{y}H{flat}{round_} {flat} {y}H-{flat}{round_} -{flat} -{y}Z")


def draw_words(words: str, shape: str, size: float) -> str:
    """Return the words in the room of the shape that lets them have the largest letters."""
    sizes = [letters for letters in SIZES if letters <= LARGEST_LETTERS]
    fitted = [fit_words(words, (wide * size, high * size), sizes) for wide, high in SHAPES[shape][1]]
    letters, lines = max(fitted, key=lambda fit: (fit[0], -len(fit[1]), -max(text_width(line, 1) for line in fit[1])))
    return text_lines(0, 0, letters, lines)
