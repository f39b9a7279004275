"""The words of a picture, recognized line by line in any direction, and its areas; only in the isolated process.

The file is decoded upright, without transparency, no larger than needed. Every recognized word may be wrong, so each
has a certainty. Words and areas have their places on the straight picture. A picture has no order of its own, as the
text of a file has; without one, a line of one column would be continued by a line of the next: lines stay in their
area, and lines below each other stay together. Not here: finding the lines and straightening (`ink`, `text_lines`),
recognizing a line (`line_recognition`).
"""

import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from PIL import Image, ImageFile

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import (
    Box,
    Drawing,
    DrawingPage,
    DrawingSource,
    PagePlace,
    Word,
    connected_groups,
)
from submissions.layouts.recognition import line_recognition, text_lines
from submissions.layouts.recognition.figures import PaintedFigure, area_boxes
from submissions.layouts.recognition.file_checks import check_picture_size, damaged_file
from submissions.layouts.recognition.ink import Frame, Grid, InkMarks, enclosed_areas, find_marks, ink_strength
from submissions.layouts.recognition.line_recognition import (
    LineRecognizer,
    better_reading,
    certainty,
    corrected_words,
    is_odds_line,
    is_same_reading,
    is_unsure_line,
)
from submissions.layouts.recognition.text_lines import Straightening, TextLine, find_straightening
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around, words_in_lines

LONG_SIDE = 3300  # pixels: letters ten millimeters high on a table of two meters are then some fifteen high
SURE = 0.4  # less is noise rather than letters
DOUBTFUL = 0.7  # of a line: it may be upside down
SHAPE = 0.6  # certainty below which a word beside the text of a drawing is dice, a chip or an ornament
SHAPE_LETTERS = 2  # so many in a line may be misread from a shape
SURE_TURNED, SURER = 0.8, 0.25
TALLER, SMALLER, SPREAD = 36.0, 24.0, 1.8  # of lines read again: pixels of a tall letter; times gaps are widened


def read(content: bytes) -> Drawing:
    """Return the drawing.

    Raises:
        Refusal: `ocr-missing`, `ocr-failed`, `layout-too-large` or `layout-damaged`.
    """
    if not line_recognition.is_tesseract_installed():
        raise line_recognition.OCR_MISSING
    return read_image(*decode_picture(content, LONG_SIDE))


def read_image(image: Image.Image, page: DrawingPage, number: int = 0) -> Drawing:
    """Return the drawing on a decoded picture, which is page `number`; `page`: its stated size.

    Raises:
        Refusal: `ocr-failed` or `layout-too-large`.
    """
    strength, marks, lines = _lines(image)
    size, frames = image.size, enclosed_areas(strength)
    if straight := find_straightening(lines, size):
        frames = [_moved_frame(*frame, straight) for frame in frames]
        scale, size = page.width / size[0], straight.size
        page = DrawingPage(round(size[0] * scale, 2), round(size[1] * scale, 2))
    words = _words(LineRecognizer(strength, marks, straight), lines)
    pixels = DrawingPage(*map(float, size))
    boxes = area_boxes([PaintedFigure(frame) for frame in frames], pixels)
    shapes = tuple(PagePlace(number, box) for box in boxes)
    in_order = (replace(word, page=number) for word in ordered_words(words, frames, pixels))
    return Drawing(DrawingSource.PICTURE, (page,), tuple(in_order), shapes)


def straight_image(image: Image.Image) -> Image.Image:
    """Return the decoded picture as its words are placed on it."""
    try:
        _, _, lines = _lines(image)
    except Refusal:  # grain: nothing is read on it either
        return image
    straight = find_straightening(lines, image.size)
    return straight.image(image) if straight else image


def _lines(image: Image.Image) -> tuple[Grid, InkMarks, list[TextLine]]:
    strength = ink_strength(image)
    marks = find_marks(strength)
    return strength, marks, text_lines.find_lines(marks)


def _moved_frame(left: float, top: float, right: float, bottom: float, straight: Straightening) -> Frame:
    """Return a figure's frame, moved: its sides' middles are on its line, its corners may not be."""
    across, down = (left + right) / 2, (top + bottom) / 2
    return frame_around([straight.place(*at) for at in ((left, down), (right, down), (across, top), (across, bottom))])


def _words(recognizer: LineRecognizer, lines: Sequence[TextLine]) -> list[PlacedWord]:
    return [
        replace(word, run=place)
        for place, line in enumerate(_read(recognizer, lines), start=1)
        for word in line
        if word.certainty >= SURE
    ]


def recognize_beside(image: Image.Image, number: int, words: Sequence[Word]) -> list[Word]:
    """Return the words on a picture, in lines that are numbered after those of the words that are known already.

    Beside known words, what is hardly recognized is a shape, and so is a line of one or two letters.
    """
    strength, marks, lines = _lines(image)
    placed = _words(LineRecognizer(strength, marks), lines)
    recognized = words_in_lines(placed, number, DrawingPage(*map(float, image.size)))
    if words:
        sure = [word for word in recognized if word.certainty >= SHAPE]
        letters: Counter[int] = Counter()
        for word in sure:
            letters[word.line] += sum(map(str.isalnum, word.text))
        recognized = [word for word in sure if letters[word.line] > SHAPE_LETTERS]
    first = 1 + max((word.line for word in words), default=-1)
    return [replace(word, line=word.line + first) for word in recognized]


def _read(page: LineRecognizer, lines: Sequence[TextLine]) -> list[Sequence[PlacedWord]]:
    """Return the words of each line; unsure lines are read again, larger, and doubtful ones also upside down.

    Where only the second reading is odds, a third one decides.
    """
    line_words = _corrected(page, lines)
    unsure = [place for place, words in enumerate(line_words) if len(lines[place].marks) > 1 and is_unsure_line(words)]
    again = _corrected(replace(page, tall=TALLER, spread=SPREAD), [lines[place] for place in unsure])
    split: dict[int, Sequence[PlacedWord]] = {}  # where the readings differ on odds: the second one
    for place, words in zip(unsure, again, strict=True):
        line_words[place] = better_reading(line_words[place], words)
        if is_odds_line(words) and not is_odds_line(line_words[place]):
            split[place] = words
    third = _corrected(replace(page, tall=SMALLER, spread=SPREAD), [lines[place] for place in split])
    for (place, second), words in zip(split.items(), third, strict=True):
        if is_same_reading(second, words):
            line_words[place] = better_reading(second, words)
    # Upside down, “1 to 1” is read as “T OT”, with more certainty.
    doubtful = [
        place for place in unsure if certainty(line_words[place]) < DOUBTFUL and not is_odds_line(line_words[place])
    ]
    for place, words in zip(doubtful, _corrected(page, [lines[place].over() for place in doubtful]), strict=True):
        if certainty(words) > max(SURE_TURNED, SURER + certainty(line_words[place])):
            line_words[place] = words
    return line_words


def _corrected(page: LineRecognizer, lines: Sequence[TextLine]) -> list[Sequence[PlacedWord]]:
    return [corrected_words(words, len(line.marks)) for words, line in zip(page.read(lines), lines, strict=True)]


ORIENTATION = 0x0112  # the tag of EXIF
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
LYING = (5, 6, 7, 8)
STRIP = 256  # rows
MILLIMETERS = 25.4  # in an inch; a file without resolution counts as one pixel per millimeter


def decode_picture(content: bytes, long_side: int) -> tuple[Image.Image, DrawingPage]:
    """Return the picture without transparency, and its size in millimeters, or in pixels if it has no resolution.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    check_picture_size(content)
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as opened:
            dots = (float(dot) if dot and float(dot) > 1 else MILLIMETERS for dot in opened.info.get("dpi", (0, 0)))
            sides = (round(side * MILLIMETERS / dot, 2) for side, dot in zip(opened.size, dots, strict=True))
            page = DrawingPage(*sides)
            orientation = opened.getexif().get(ORIENTATION, 1)
            opened.draft("RGB", (long_side, long_side))
            image = _smaller(opened, long_side)
    except Refusal:
        raise
    except (OSError, ValueError, SyntaxError, TypeError) as error:
        raise damaged_file() from error
    if orientation in UPRIGHT:
        image = image.transpose(UPRIGHT[orientation])
    return image, DrawingPage(page.height, page.width) if orientation in LYING else page


def _smaller(opened: Image.Image, long_side: int) -> Image.Image:
    """Return a smaller picture; palettes, black and white and sixteen bits become shades first, to blend pixels."""
    image = opened
    if opened.mode.startswith("I"):
        image = opened.point(lambda value: value * (1 / 256)).convert("L")
    elif opened.mode in ("1", "P", "PA"):
        image = opened.convert("RGBA" if opened.has_transparency_data else "L" if opened.mode == "1" else "RGB")
    if image.has_transparency_data:
        return _on_white(image, long_side)
    image.thumbnail((long_side, long_side), reducing_gap=2.0)
    return image.convert("L" if image.mode == "L" else "RGB")


def _on_white(image: Image.Image, long_side: int) -> Image.Image:
    """Put the picture on white in strips: twice a large one, with transparency, would exceed the memory limit."""
    scale = min(1.0, long_side / max(image.size))
    whole = Image.new("RGB", (max(1, round(image.width * scale)), max(1, round(image.height * scale))), "white")
    for top in range(0, whole.height, STRIP):
        bottom = min(top + STRIP, whole.height)
        high, low = (round(side * image.height / whole.height) for side in (top, bottom))
        part = image.crop((0, high, image.width, low)).convert("RGBA")
        ground = Image.new("RGBA", part.size, "white")
        ground.alpha_composite(part)
        strip = ground.convert("RGB").resize((whole.width, bottom - top), Image.Resampling.BICUBIC, reducing_gap=2.0)
        whole.paste(strip, (0, top))
    return whole


LEADING = 1.3  # gap between two lines of one block, in their height
OVERLAP = 0.3  # of the shorter line, at least, is above or below the other


def ordered_words(words: Sequence[PlacedWord], frames: Sequence[Frame], page: DrawingPage) -> list[Word]:
    """Return the words in lines, block after block; `frames` of the areas and `page` are in the words' units."""
    groups: dict[int, list[PlacedWord]] = defaultdict(list)
    for word in words:
        groups[_area_of(word, frames)].append(word)
    lines = [line for area in sorted(groups) for block in _blocks(groups[area], page) for line in block]
    return [replace(word, line=number) for number, line in enumerate(lines) for word in line]


def _area_of(word: PlacedWord, frames: Sequence[Frame]) -> int:
    """Return the smallest area that the word's middle is in; -1 outside of all."""
    left, top, right, bottom = word.frame
    x, y = (left + right) / 2, (top + bottom) / 2
    around = [
        ((frame[2] - frame[0]) * (frame[3] - frame[1]), place)
        for place, frame in enumerate(frames)
        if frame[0] < x < frame[2] and frame[1] < y < frame[3]
    ]
    return min(around)[1] if around else -1


def _blocks(words: Sequence[PlacedWord], page: DrawingPage) -> Iterator[list[list[Word]]]:
    """Yield blocks of lines that are below each other, from the top."""
    numbered: dict[int, list[Word]] = defaultdict(list)
    for word in words_in_lines(words, 0, page):
        numbered[word.line].append(word)
    lines = list(numbered.values())
    boxes = [reduce(Box.joined, (word.box for word in line)) for line in lines]
    pairs = (
        (first, second)
        for first in range(len(lines))
        for second in range(len(lines))
        if first != second and _is_below(boxes[second], boxes[first])
    )
    blocks = [sorted(block, key=lambda line: boxes[line].top) for block in connected_groups(len(lines), pairs)]
    for block in sorted(blocks, key=lambda block: boxes[block[0]].top):
        yield [lines[line] for line in block]


def _is_below(box: Box, above: Box) -> bool:
    gap = box.top - above.top - above.height
    shared = min(box.left + box.width, above.left + above.width) - max(box.left, above.left)
    high = min(box.height, above.height)
    return -0.5 * high < gap < LEADING * high and shared > OVERLAP * min(box.width, above.width)
