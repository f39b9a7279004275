"""The letters of an SVG that people can see: their bars change the pixels of resvg, and they are not struck through.

A letter is visible if its bar differs both from the same page without text and from the background beside it. That is
true of what is clipped, masked, filtered, covered, transparent or of the color of its background, for any cause.
Words that are not clear either way are neither visible nor hidden: nothing may be concluded from them. The same holds
for words that are struck through, by their style or by a line drawn over most of their letters.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from submissions.layouts.drawing_model import DrawingPage
from submissions.layouts.recognition import svg_painting
from submissions.layouts.recognition.figures import FigureDrawing, outlines
from submissions.layouts.recognition.legibility import CAPITAL, CLEAR, FAINT, Sight, sight_by_size
from submissions.layouts.recognition.svg_geometry import Coordinates, length, transform_point
from submissions.layouts.recognition.svg_painting import Pixels, PlacedText, Reals, paint_twice
from submissions.layouts.recognition.svg_style import Node, StyleRules
from submissions.layouts.recognition.word_grouping import Letter

FEW, HALF, MOST = 0.2, 0.5, 0.8  # of a letter's points
FEWEST_PIXELS = 10  # that the smallest letter should have, of its size
SMALL_SIDE, LONG_SIDE = 1200, 2400  # pixels of the painting
PIXELS_TO_JUDGE = 5  # of a letter's size
NARROWEST = 0.08  # advance of a letter, of its size: an “l” has 0.22
SAME_PLACE = 0.5  # of a letter's size: a letter and its shadow
Colors = np.ndarray[Any, np.dtype[np.int16]]  # letters × heights × points × channels, or the same without channels


@dataclass(frozen=True, slots=True)
class SeenLetter:
    """A letter on the page and the word of the file that it is in."""

    letter: Letter
    word: int
    sight: Sight


def seen_letters(
    root: Node,
    rules: StyleRules,
    page: DrawingPage,
    pixel_mm: float,
    texts: Sequence[tuple[PlacedText, Sequence[Letter]]],
) -> list[SeenLetter]:
    """Return the letters of these texts, which come with their letters on the page; a word has one sight.

    Raises:
        Refusal: `layout-style`.
        ValueError: the drawing cannot be painted.
    """
    placed = [(text, index, letter) for text, letters in texts for index, letter in enumerate(letters)]
    words = _words([letter for *_, letter in placed])
    sights = [Sight.HIDDEN] * len(placed)
    long_side = max(page.width, page.height)
    by_size = [sight_by_size(letter.size, pixel_mm, long_side) for *_, letter in placed]
    shown = [
        place
        for place, (text, index, letter) in enumerate(placed)
        if by_size[place] is not Sight.HIDDEN
        and text.styles[index].paints
        and not letter.text.isspace()
        and letter.advance > NARROWEST * letter.size
    ]
    if shown:
        smallest = min(placed[place][2].size for place in shown)
        side = round(min(max(FEWEST_PIXELS / smallest * long_side, SMALL_SIDE), LONG_SIDE))
        with_text, without = paint_twice(root, rules, page, [text for text, _ in texts], side)
        unequal = _unequal(texts)
        scale = with_text.shape[1] / page.width
        shares = _shares(
            [placed[place][:2] for place in shown], [words[place] for place in shown], with_text, without, scale
        )
        for place, (clear, any_trace) in zip(shown, shares, strict=True):
            text, _, letter = placed[place]
            if any_trace > FEW:
                sights[place] = by_size[place] if clear >= MOST else Sight.UNCLEAR
            doubtful = letter.size * scale < PIXELS_TO_JUDGE or id(text.element) in unequal or text.squeezed
            if doubtful and sights[place] is Sight.VISIBLE:
                sights[place] = Sight.UNCLEAR
    letters = [letter for *_, letter in placed]
    return list(_by_word(letters, words, sights, _crossings(letters, words, sights)))


def _words(letters: Sequence[Letter]) -> list[int]:
    """Return the number of the word that each letter is in: words end at spaces and with their text."""
    words, number, run = [], 0, -1
    for letter in letters:
        if letter.text.isspace() or letter.run != run:
            number, run = number + 1, letter.run
        words.append(number)
    return words


def _unequal(texts: Sequence[tuple[PlacedText, Sequence[Letter]]]) -> set[int]:
    """Return the ids of texts used several times with letters placed differently: only the first is painted."""
    layouts: dict[int, set[tuple[tuple[float, ...], ...]]] = defaultdict(set)
    for text, _ in texts:
        places = ((letter.x, letter.y, letter.angle, letter.advance, letter.size) for letter in text.letters)
        layouts[id(text.element)].add(tuple(tuple(round(value, 3) for value in place) for place in places))
    return {key for key, seen in layouts.items() if len(seen) > 1}


def _shares(
    placed: Sequence[tuple[PlacedText, int]], words: Sequence[int], with_text: Pixels, without: Pixels, scale: float
) -> list[tuple[float, float]]:
    """Return for each letter the shares of its points that differ clearly, and at all, of its better bar."""
    best = np.zeros((len(placed), 2))
    gaps = _colors(_on_page(placed, svg_painting.GAPS_AT, svg_painting.HEIGHTS), with_text, scale)
    beyond = _colors(_on_page(placed, svg_painting.FILL_AT, svg_painting.BEYOND), with_text, scale)
    letters = [text.letters[index] for text, index in placed]
    narrow = [place for place, letter in enumerate(letters) if letter.advance < svg_painting.NARROW * letter.size]
    members = _members(words)
    for along in (svg_painting.FILL_AT, svg_painting.STROKE_AT):
        place = _on_page(placed, along, svg_painting.HEIGHTS)
        bars, background = _colors(place, with_text, scale), _colors(place, without, scale)
        by_text = np.abs(bars - background).max(axis=-1)  # letters × heights × shares
        beside = _contrast(bars, gaps)
        for letter in narrow:  # the gaps of its word; if all are narrow, also what is above and below
            word = members[words[letter]]
            around = [gaps[word].swapaxes(0, 1).reshape(1, gaps.shape[1], -1, 3)]
            if set(word) <= set(narrow):
                around.append(beyond[letter].reshape(1, 1, -1, 3).repeat(gaps.shape[1], axis=1))
            beside[letter] = _contrast(bars[letter][None], np.concatenate(around, axis=2))[0]
        differs = np.minimum(by_text, beside)
        shares = np.stack([(differs >= limit).mean(axis=(1, 2)) for limit in (CLEAR, FAINT)], axis=1)
        best = np.maximum(best, shares)
    for word in members.values():  # a letter of few pixels may miss some of its points
        clear = best[word, 0]
        best[word, 0] = np.where(clear >= HALF, np.maximum(clear, clear.mean()), clear)
    return [(float(clear), float(any_trace)) for clear, any_trace in best]


def _members(words: Sequence[int]) -> dict[int, list[int]]:
    """Return the places of the letters of each word."""
    members: dict[int, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        members[word].append(place)
    return members


def _contrast(colors: Colors, around: Colors) -> Colors:
    """Return the greatest difference of each color, in any channel, to those around it at the same height."""
    difference: Colors = np.abs(colors[:, :, :, None] - around[:, :, None]).max(axis=-1).max(axis=-1)
    return difference


def _on_page(placed: Sequence[tuple[PlacedText, int]], along: Sequence[float], heights: Sequence[float]) -> Reals:
    """Return the points of each letter on the page; `along` and `heights` as in `svg_painting.letter_points`."""
    local = svg_painting.letter_points([text.letters[index] for text, index in placed], along, heights)
    matrices = np.array([[text.matrix[place] for place in range(6)] for text, _ in placed])[:, None, None, :]
    x, y = local[..., 0], local[..., 1]
    a, b, c, d, e, f = (matrices[..., place] for place in range(6))
    return np.stack([a * x + c * y + e, b * x + d * y + f], axis=-1)


def _colors(place: Reals, pixels: Pixels, scale: float) -> Colors:
    """Return the colors at these points; beyond the page there is white, with text and without."""
    high, wide = pixels.shape[:2]
    column, row = (np.floor(np.nan_to_num(place[..., axis]) * scale).clip(-1, 1e6).astype(int) for axis in (0, 1))
    inside = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    colors: Colors = pixels[row.clip(0, high - 1), column.clip(0, wide - 1)].astype(np.int16)
    colors[~inside] = 255
    return colors


def _by_word(
    letters: Sequence[Letter], words: Sequence[int], sights: Sequence[Sight], crossed: tuple[set[int], set[int]]
) -> Iterator[SeenLetter]:
    """Yield the letters by word: visible or hidden if all of its letters are, unclear if other words run across it."""
    across, shadows = crossed
    verdicts = {}
    for word, every in _members(words).items():
        places = [place for place in every if not letters[place].text.isspace()]
        if not places:
            continue
        of_letters = {sights[place] for place in places}
        verdicts[word] = of_letters.pop() if len(of_letters) == 1 else Sight.UNCLEAR
        if verdicts[word] is Sight.VISIBLE and 2 * sum(place in across for place in places) > len(places):
            verdicts[word] = Sight.UNCLEAR
        if all(place in shadows for place in places):
            verdicts[word] = Sight.HIDDEN
    for letter, word in zip(letters, words, strict=True):
        yield SeenLetter(letter, word, verdicts.get(word, Sight.HIDDEN))


def _crossings(letters: Sequence[Letter], words: Sequence[int], sights: Sequence[Sight]) -> tuple[set[int], set[int]]:
    """Return the letters in the place of another word's letter, and those with an equal one painted over them."""
    shown = [place for place, sight in enumerate(sights) if sight is not Sight.HIDDEN]
    across: set[int] = set()
    shadows: set[int] = set()
    if not shown:
        return across, shadows
    centers = np.array([_center(letters[place]) for place in shown])
    order = np.argsort(centers[:, 0])
    sorted_x = centers[order, 0]
    numbers = np.array([words[place] for place in shown])
    for index, place in enumerate(shown):
        letter = letters[place]
        reach = max(letter.size, letter.advance)
        low, high = np.searchsorted(sorted_x, (centers[index, 0] - reach, centers[index, 0] + reach))
        near = order[low:high]
        near = near[numbers[near] != numbers[index]]
        if len(near):
            offset = centers[near] - centers[index]
            cos, sin = np.cos(letter.angle), np.sin(letter.angle)
            along, up = offset @ (cos, sin), offset @ (-sin, cos)
            within = (np.abs(along) < letter.advance / 2) & (np.abs(up) < CAPITAL / 2 * letter.size)
            for crossing in near[within].tolist():
                _cross(letters, place, shown[crossing], across, shadows)
    return across, shadows


def _cross(letters: Sequence[Letter], first: int, second: int, across: set[int], shadows: set[int]) -> None:
    (x, y), (right, low) = _center(letters[first]), _center(letters[second])
    distance = max(abs(right - x), abs(low - y))
    if letters[first].text == letters[second].text and distance < SAME_PLACE * letters[first].size:
        shadows.add(min(first, second))
    else:
        across.update((first, second))


def _center(letter: Letter) -> tuple[float, float]:
    cos, sin = np.cos(letter.angle), np.sin(letter.angle)
    along, up = letter.advance / 2, CAPITAL / 2 * letter.size
    return letter.x + along * cos + up * sin, letter.y + along * sin - up * cos


_LOW, _HIGH = 0.12, 0.55  # of a letter's size above its baseline: a line there goes through it
_MOST = 0.6  # of a word's letters
_FEWEST = 2  # letters: a line between two columns may touch one
_THIN = 0.5  # of a letter's size: a filled figure that is lower is a line
_MOST_LINES = 20_000
Segments = np.ndarray[Any, np.dtype[np.float64]]  # lines × (x, y of begin, x, y of end)


def without_struck(
    letters: Sequence[SeenLetter], by_style: Sequence[bool], drawn: Iterable[FigureDrawing]
) -> list[SeenLetter]:
    """Return the letters, of which those in words that are struck through are unclear. `by_style`: for each letter."""
    shown = [place for place, seen in enumerate(letters) if seen.sight is Sight.VISIBLE]
    crossed = {place for place in shown if by_style[place]} | _crossed(letters, shown, drawn)
    words = Counter(letters[place].word for place in shown)
    counts = Counter(letters[place].word for place in crossed)
    struck = {
        word for word, count in counts.items() if count >= min(_FEWEST, words[word]) and count > _MOST * words[word]
    }
    return [
        replace(seen, sight=Sight.UNCLEAR) if seen.sight is Sight.VISIBLE and seen.word in struck else seen
        for seen in letters
    ]


def _crossed(letters: Sequence[SeenLetter], shown: Sequence[int], drawn: Iterable[FigureDrawing]) -> set[int]:
    """Return the letters that a line goes through from one side to the other."""
    lines = _lines(drawn, max((letters[place].letter.size for place in shown), default=0.0))
    return {place for place in shown if len(lines) and _goes_through(letters[place].letter, lines)}


def _lines(drawn: Iterable[FigureDrawing], largest: float) -> Segments:
    lines: list[tuple[float, float, float, float]] = []
    for element, name, matrix, style, view in drawn:
        if not style.paints:
            continue
        for points, closed in _outlines(element, name, view):
            placed = [transform_point(matrix, *point) for point in points]
            if style.stroke == "" and not _is_thin(placed, largest):
                continue
            ends = [*placed, placed[0]] if closed and placed else placed
            lines += [(*begin, *end) for begin, end in pairwise(ends) if begin != end]
            if len(lines) > _MOST_LINES:
                return np.array(lines[:_MOST_LINES])
    return np.array(lines).reshape(-1, 4)


def _outlines(element: Any, name: str, view: tuple[float, float]) -> list[tuple[list[Coordinates], bool]]:
    if name != "line":
        return outlines(element, name, view)
    x1, y1, x2, y2 = (length(element.get(key, "0"), of=view[key[0] == "y"]) for key in ("x1", "y1", "x2", "y2"))
    return [([(x1, y1), (x2, y2)], False)]


def _is_thin(points: Sequence[tuple[float, float]], largest: float) -> bool:
    sides = [[float(point[axis]) for point in points] for axis in (0, 1)]
    return not points or min(max(side) - min(side) for side in sides) < _THIN * largest


def _goes_through(letter: Letter, lines: Segments) -> bool:
    """Return whether a line crosses the middle of the letter's left and right half, between its foot and its head."""
    cos, sin = np.cos(letter.angle), np.sin(letter.angle)
    x, y = lines[:, ::2] - letter.x, lines[:, 1::2] - letter.y
    along, up = x * cos + y * sin, x * sin - y * cos
    low, high = along.min(axis=1), along.max(axis=1)
    spans = (low <= letter.advance * 0.3) & (high >= letter.advance * 0.7)
    if not spans.any():
        return False
    begin, end, base, top = along[spans, 0], along[spans, 1], up[spans, 0], up[spans, 1]
    share = (letter.advance / 2 - begin) / (end - begin)
    height = base + share * (top - base)
    return bool(((height > _LOW * letter.size) & (height < _HIGH * letter.size)).any())
