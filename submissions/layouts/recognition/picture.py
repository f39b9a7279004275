"""The words of a picture, recognized line by line in any direction, and its areas; only in the isolated process.

Every such word may be wrong, so each has a certainty. Words and areas have their places on the straight picture. Not
here: decoding (`picture_file`), finding the lines (`ink`, `text_lines`), straightening (`straightening`), cutting lines
out (`line_recognition`), recognizing letters (`tesseract`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource, PagePlace, Word
from submissions.layouts.recognition import tesseract, text_lines
from submissions.layouts.recognition.enclosed_areas import Frame, enclosed_areas
from submissions.layouts.recognition.figures import PaintedFigure, area_boxes
from submissions.layouts.recognition.ink import Grid, InkMarks, find_marks, ink_strength
from submissions.layouts.recognition.line_recognition import LineRecognizer, certainty
from submissions.layouts.recognition.picture_file import decode_picture
from submissions.layouts.recognition.reading_errors import agreed, corrected, is_odds, is_same, is_unsure
from submissions.layouts.recognition.straightening import Straightening, find_straightening
from submissions.layouts.recognition.text_lines import TextLine
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around, words_in_lines
from submissions.layouts.recognition.word_order import ordered_words

LONG_SIDE = 3300  # pixels: letters ten millimeters high on a table of two meters are then some fifteen high
SURE = 0.4  # less is noise rather than letters
DOUBTFUL = 0.7  # of a line: it may be upside down
SHAPE = 0.6  # certainty below which a word beside the text of a drawing is dice, a chip or an ornament
SHAPE_LETTERS = 2  # so many in a line may be misread from a shape
SURE_TURNED, SURER = 0.8, 0.25
TALLER, SMALLER, SPREAD = 36.0, 24.0, 1.8  # of lines read again: pixels of a tall letter; times gaps are widened


def read(content: bytes) -> Drawing:
    """The drawing.

    Raises:
        Refusal: `ocr-missing`, `ocr-failed`, `layout-too-large` or `layout-damaged`.
    """
    if not tesseract.is_installed():
        raise tesseract.MISSING
    return read_image(*decode_picture(content, LONG_SIDE))


def read_image(image: Image.Image, page: DrawingPage, number: int = 0) -> Drawing:
    """The drawing on a decoded picture, which is page `number`; `page`: its stated size.

    Raises:
        Refusal: `ocr-failed` or `layout-too-large`.
    """
    strength, marks, lines = _lines(image)
    size, frames = image.size, enclosed_areas(strength)
    if straight := find_straightening(lines, size):
        frames = [_moved_frame(frame, straight) for frame in frames]
        scale, size = page.width / size[0], straight.size
        page = DrawingPage(round(size[0] * scale, 2), round(size[1] * scale, 2))
    words = _words(LineRecognizer(strength, marks, straight), lines)
    pixels = DrawingPage(*map(float, size))
    boxes = area_boxes([PaintedFigure(frame) for frame in frames], pixels)
    shapes = tuple(PagePlace(number, box) for box in boxes)
    in_order = (replace(word, page=number) for word in ordered_words(words, frames, pixels))
    return Drawing(DrawingSource.PICTURE, (page,), tuple(in_order), shapes)


def straight_picture(content: bytes, long_side: int) -> Image.Image:
    """The picture as its words are placed on it.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    return straight_image(decode_picture(content, long_side)[0])


def straight_image(image: Image.Image) -> Image.Image:
    """The decoded picture as its words are placed on it."""
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


def _moved_frame(frame: Frame, straight: Straightening) -> Frame:
    """Of a figure: its sides' middles are on its line, its corners may not be."""
    left, top, right, bottom = frame
    across, down = (left + right) / 2, (top + bottom) / 2
    return frame_around([straight.place(*at) for at in ((left, down), (right, down), (across, top), (across, bottom))])


def recognize_words(image: Image.Image, number: int) -> list[Word]:
    """The words on a picture, which is page `number` of the drawing."""
    strength, marks, lines = _lines(image)
    words = _words(LineRecognizer(strength, marks), lines)
    return words_in_lines(words, number, DrawingPage(*map(float, image.size)))


def _words(recognizer: LineRecognizer, lines: Sequence[TextLine]) -> list[PlacedWord]:
    return [
        replace(word, run=place)
        for place, line in enumerate(_read(recognizer, lines), start=1)
        for word in line
        if word.certainty >= SURE
    ]


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


def _read(page: LineRecognizer, lines: Sequence[TextLine]) -> list[Sequence[PlacedWord]]:
    """The words of each line; unsure lines are read again, larger, and doubtful ones also upside down.

    Where only the second reading is odds, a third one decides.
    """
    line_words = _corrected(page, lines)
    unsure = [place for place, words in enumerate(line_words) if len(lines[place].marks) > 1 and is_unsure(words)]
    again = _corrected(replace(page, tall=TALLER, spread=SPREAD), [lines[place] for place in unsure])
    split: dict[int, Sequence[PlacedWord]] = {}  # where the readings differ on odds: the second one
    for place, words in zip(unsure, again, strict=True):
        line_words[place] = agreed(line_words[place], words)
        if is_odds(words) and not is_odds(line_words[place]):
            split[place] = words
    third = _corrected(replace(page, tall=SMALLER, spread=SPREAD), [lines[place] for place in split])
    for (place, second), words in zip(split.items(), third, strict=True):
        if is_same(second, words):
            line_words[place] = agreed(second, words)
    # Upside down, “1 to 1” is read as “T OT”, with more certainty.
    doubtful = [place for place in unsure if certainty(line_words[place]) < DOUBTFUL and not is_odds(line_words[place])]
    for place, words in zip(doubtful, _corrected(page, [lines[place].over() for place in doubtful]), strict=True):
        if certainty(words) > max(SURE_TURNED, SURER + certainty(line_words[place])):
            line_words[place] = words
    return line_words


def _corrected(page: LineRecognizer, lines: Sequence[TextLine]) -> list[Sequence[PlacedWord]]:
    return [corrected(words, len(line.marks)) for words, line in zip(page.read(lines), lines, strict=True)]
