"""A picture, decoded, and its words, recognized line by line in any direction; only in the isolated process.

Every such word may be wrong, so each has a certainty. Not here: finding the lines (`ink`, `text_lines`), cutting them
out (`line_recognition`), recognizing letters (`tesseract`).
"""

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from PIL import Image, ImageFile

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, Word
from submissions.layouts.recognition import line_recognition, tesseract, text_lines
from submissions.layouts.recognition.file_limits import check_picture_size, damaged_file
from submissions.layouts.recognition.ink import find_marks, ink_strength
from submissions.layouts.recognition.text_lines import TextLine
from submissions.layouts.recognition.word_grouping import PlacedWord, words_in_lines

LONG_SIDE = 3300  # pixels: letters ten millimeters high on a table of two meters are then some fifteen high
SURE = 0.4  # less is noise rather than letters
DOUBTFUL = 0.7  # of a line: it may be upside down
SHAPE = 0.6  # certainty below which a word beside the text of a drawing is dice, a chip or an ornament
SHAPE_LETTERS = 2  # so many in a line may be misread from a shape
SURE_TURNED, SURER = 0.8, 0.25
RUN_IN = re.compile(r"(\d[\d,]*)?(to|for)([\dlI|]+[.,]?)?")
ONES_OR_DIGITS = re.compile(r"[\dlI|]+[.,]?")
ONE_LOOKALIKES = str.maketrans("lI|", "111")
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


def read(content: bytes) -> Drawing:
    """The drawing.

    Raises:
        Refusal: `ocr-missing`, `ocr-failed`, `layout-too-large` or `layout-damaged`.
    """
    if not tesseract.is_installed():
        raise tesseract.MISSING
    image, page = decode_picture(content, LONG_SIDE)
    return Drawing(DrawingSource.PICTURE, (page,), tuple(recognize_words(image, 0)))


def decode_picture(content: bytes, long_side: int) -> tuple[Image.Image, DrawingPage]:
    """The picture without transparency, and its size in millimeters, or in pixels if it has no resolution.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    check_picture_size(content)
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as opened:
            page = _size(opened)
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


def _size(opened: Image.Image) -> DrawingPage:
    dots = opened.info.get("dpi", (0, 0))
    across, down = (float(dot) if dot and float(dot) > 1 else MILLIMETERS for dot in dots)
    return DrawingPage(round(opened.width * MILLIMETERS / across, 2), round(opened.height * MILLIMETERS / down, 2))


def _smaller(opened: Image.Image, long_side: int) -> Image.Image:
    """Palettes, pure black and white and sixteen bits have no shades between two pixels: they become shades first."""
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
    """Strip by strip: a large picture, twice and with its transparency, would exceed the memory limit."""
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


def recognize_words(image: Image.Image, number: int) -> list[Word]:
    """The words on a picture, which is page `number` of the drawing."""
    strength = ink_strength(image)
    marks = find_marks(strength)
    lines = text_lines.find_lines(marks)
    read = _read(line_recognition.LineRecognizer(strength, marks), lines)
    words = [
        replace(word, run=place)
        for place, line in enumerate(read, start=1)
        for word in correct_odds(line)
        if word.certainty >= SURE
    ]
    return words_in_lines(words, number, DrawingPage(*map(float, image.size)))


def recognize_beside(image: Image.Image, number: int, words: Sequence[Word]) -> list[Word]:
    """The words on a picture, in lines that are numbered after those of the words that are known already.

    Beside known words, what is hardly recognized is a shape, and so is a line of one or two letters.
    """
    recognized = recognize_words(image, number)
    if words:
        sure = [word for word in recognized if word.certainty >= SHAPE]
        letters: Counter[int] = Counter()
        for word in sure:
            letters[word.line] += sum(map(str.isalnum, word.text))
        recognized = [word for word in sure if letters[word.line] > SHAPE_LETTERS]
    first = 1 + max((word.line for word in words), default=-1)
    return [replace(word, line=word.line + first) for word in recognized]


def _read(page: line_recognition.LineRecognizer, lines: Sequence[TextLine]) -> list[Sequence[PlacedWord]]:
    """The words of each line; doubtful lines are also read upside down."""
    line_words: list[Sequence[PlacedWord]] = list(page.read(lines))
    doubtful = [
        place
        for place, words in enumerate(line_words)
        if len(lines[place].marks) > 1 and line_recognition.certainty(words) < DOUBTFUL
    ]
    for place, words in zip(doubtful, page.read([lines[place].over() for place in doubtful]), strict=True):
        if line_recognition.certainty(words) > max(SURE_TURNED, SURER + line_recognition.certainty(line_words[place])):
            line_words[place] = words
    return line_words


def correct_odds(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """The words of one line with frequent errors around odds corrected: “4tol” becomes “4 to 1”.

    Only what can be nothing else is corrected; the certainty remains.
    """
    parts = [part for word in words for part in _parts(word)]
    befores = ["", *(part.text for part in parts)]
    return [
        replace(part, text=part.text.translate(ONE_LOOKALIKES))
        if before in ("to", "for") and ONES_OR_DIGITS.fullmatch(part.text)
        else part
        for before, part in zip(befores, parts, strict=False)
    ]


def _parts(word: PlacedWord) -> Iterator[PlacedWord]:
    """The word, divided before and after “to” or “for”; its parts share one frame."""
    match = RUN_IN.fullmatch(word.text)
    groups = [group for group in match.groups() if group] if match else [word.text]
    ends = [sum(map(len, groups[:count])) / len(word.text) for count in range(len(groups) + 1)]
    for text, (begin, end) in zip(groups, pairwise(ends), strict=True):
        yield replace(word, text=text, begin=_between(word, begin), end=_between(word, end))


def _between(word: PlacedWord, share: float) -> tuple[float, float, float]:
    (x, y, angle), (right, low, _) = word.begin, word.end
    return x + share * (right - x), y + share * (low - y), angle
