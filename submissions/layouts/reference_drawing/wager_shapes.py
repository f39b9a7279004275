"""The shapes that distinguish wagers on a felt: circle, square, diamond, hexagon, oval; with their words.

Which wager has which shape is data (`games.rules.drawing`). Not here: other areas (`areas`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from submissions.layouts.reference_drawing import shapes
from submissions.layouts.reference_drawing.text_fitting import fit_words, width

Size = tuple[float, float]
LARGEST = 20  # letters


@dataclass(frozen=True, slots=True)
class WagerShape:
    """Shares of an area's nominal size: the shape's own size, and the rooms for words that lie within it."""

    size: Size
    rooms: Sequence[Size]


SHAPES = {
    "circle": WagerShape((1, 1), ((0.8, 0.56), (0.9, 0.38), (0.68, 0.68))),
    "square": WagerShape((0.94, 0.94), ((0.78, 0.84),)),
    "diamond": WagerShape((1.08, 1.08), ((0.74, 0.28), (0.62, 0.4), (0.5, 0.52))),
    "hexagon": WagerShape((1.12, 0.97), ((0.9, 0.28), (0.78, 0.48), (0.68, 0.64))),
    "oval": WagerShape((1.2, 0.8), ((1.0, 0.36), (0.84, 0.54))),
}
_EDGE = 2  # of the line, on either side


def shape_size(shape: str, size: float) -> Size:
    """Width and height of the shape for an area of that nominal size."""
    wide, high = SHAPES[shape].size
    return wide * size, high * size


def draw_shape(shape: str, size: float) -> str:
    """The shape around its middle."""
    across, down = (side / 2 - _EDGE for side in shape_size(shape, size))
    if shape == "circle":
        return shapes.circle(0, 0, across)
    if shape == "square":
        return shapes.box(-across, -down, 2 * across, 2 * down)
    return shapes.outline(_path(shape, across, down))


def draw_words(words: str, shape: str, size: float) -> str:
    """The words in the room of the shape that lets them have the largest letters."""
    sizes = [letters for letters in shapes.SIZES if letters <= LARGEST]
    fitted = [fit_words(words, (wide * size, high * size), sizes) for wide, high in SHAPES[shape].rooms]
    letters, lines = max(fitted, key=lambda fit: (fit[0], -len(fit[1]), -max(width(line, 1) for line in fit[1])))
    return shapes.lines(0, 0, letters, lines)


def _path(shape: str, across: float, down: float) -> str:
    x, y = shapes.number(across), shapes.number(down)
    if shape == "diamond":
        return f"M0 -{y}L{x} 0L0 {y}L-{x} 0Z"
    if shape == "hexagon":
        half = shapes.number(across / 2)
        return f"M-{half} -{y}L{half} -{y}L{x} 0L{half} {y}L-{half} {y}L-{x} 0Z"
    flat, round_ = shapes.number(across - down), f"A{y} {y} 0 0 1"  # an oval: straight above and below
    return f"M-{flat} -{y}H{flat}{round_} {flat} {y}H-{flat}{round_} -{flat} -{y}Z"
