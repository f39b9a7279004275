"""The words of a picture's lines, recognized by Tesseract (Debian package `tesseract-ocr`), each with its certainty.

The lines are cut out, leveled and scaled to one size, one below the other on sheets. Only a line's own marks are drawn,
black on white, without anything that frames, crosses or surrounds them. Frequent errors of recognition are corrected
where the letters can be nothing else, and two readings of a line are compared.
"""

import csv
import io
import math
import os
import re
import shutil
import subprocess
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from PIL import Image, ImageFilter

from submissions.core.errors import Refusal
from submissions.layouts.recognition.ink import Grid, InkMarks
from submissions.layouts.recognition.text_lines import Straightening, TextLine
from submissions.layouts.recognition.word_grouping import PlacedWord, frame_around, step_between

TESSERACT_SECONDS = 20  # for one sheet; it takes two or three on an idle machine
DASHES = "-\u2013\u2014"
OCR_MISSING = Refusal("ocr-missing")
OCR_FAILED = Refusal("ocr-failed/unreadable")


@dataclass(frozen=True, slots=True)
class RecognizedWord:
    """A word and its frame on the sheet, in pixels."""

    text: str
    left: int
    top: int
    wide: int
    high: int
    certainty: float  # 0 to 1


def is_tesseract_installed() -> bool:
    return shutil.which("tesseract") is not None


def recognize_sheet(sheet: Image.Image) -> list[RecognizedWord]:
    """Return the words of a sheet that is one column of lines.

    Raises:
        Refusal: `ocr-failed`.
    """
    sent = io.BytesIO()
    sheet.save(sent, "PNG", compress_level=1, dpi=(300, 300))
    command = ["tesseract", "stdin", "stdout", "--psm", "6", "-l", "eng", "-c", "tessedit_do_invert=0", "tsv"]
    only = {"PATH": os.environ.get("PATH", ""), "OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}
    try:
        ended = subprocess.run(command, input=sent.getvalue(), capture_output=True, timeout=TESSERACT_SECONDS, env=only)
    except (subprocess.TimeoutExpired, OSError) as error:
        raise OCR_FAILED from error
    if ended.returncode:
        raise OCR_FAILED
    rows = csv.DictReader(io.StringIO(ended.stdout.decode(errors="replace")), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = []
    for row in rows:
        if any(letter.isalnum() or letter in DASHES for letter in row["text"]):
            left, top, wide, high = (int(row[key]) for key in ("left", "top", "width", "height"))
            certainty = max(0.0, float(row["conf"])) / 100
            words.append(RecognizedWord(row["text"].strip(), left, top, wide, high, certainty))
    return words


TALL = 30.0  # pixels of a tall letter on the sheet
LARGER = 6.0  # times, at most
MARGIN, BETWEEN = 40, 14
WIDEST = 6000
AT_A_TIME = 2
EDGE = 4  # pixels around a line's marks
EM = 0.73  # a tall letter, of the letters' size


@dataclass(frozen=True, slots=True)
class LineRecognizer:
    """A picture's ink and marks, from which lines are cut. Words get their places on the straight picture, if any."""

    strength: Grid
    marks: InkMarks
    straight: Straightening | None = None
    tall: float = TALL
    spread: float = 1.0  # times the gaps between words are widened

    def read(self, lines: Sequence[TextLine]) -> list[list[PlacedWord]]:
        """Return the words of each line."""
        lines = [replace(line, gaps=tuple((at, self.spread * wider) for at, wider in line.gaps)) for line in lines]
        half = [lines[0::2], lines[1::2]]
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            halves = list(pool.map(self._sheet, half))
        return [halves[place % 2][place // 2] for place in range(len(lines))]

    def _sheet(self, lines: Sequence[TextLine]) -> list[list[PlacedWord]]:
        if not lines:
            return []
        strips = [self.strip(line) for line in lines]
        tops = [BETWEEN + sum(strip.height + BETWEEN for strip in strips[:place]) for place in range(len(strips))]
        size = max(strip.width for strip in strips) + 2 * MARGIN, tops[-1] + strips[-1].height + BETWEEN
        sheet = Image.new("L", size, 255)
        for strip, top in zip(strips, tops, strict=True):
            sheet.paste(strip, (MARGIN, top))
        words: list[list[PlacedWord]] = [[] for _ in lines]
        for seen in recognize_sheet(sheet):
            place = max(0, bisect_right(tops, seen.top + seen.high / 2) - 1)
            words[place].append(self._piece(lines[place], seen, tops[place]))
        return words

    def strip(self, line: TextLine) -> Image.Image:
        """Return the line, level, its tall letters of one height."""
        boxes = self.marks.boxes[line.marks]
        left, top = (max(0, int(side) - EDGE) for side in boxes[:, :2].min(axis=0))
        right, bottom = (int(side) + EDGE for side in boxes[:, 2:].max(axis=0))
        own = self.strength[top:bottom, left:right]
        drawn = self._drawn(line, own, left, top)
        scale = self._scale(line)
        wide, high = (max(1, math.ceil(side * scale)) for side in (line.right - line.left, line.bottom - line.top))
        cos, sin = math.cos(line.angle), math.sin(line.angle)
        x, y = line.place(line.left, line.top)
        back = (cos / scale, -sin / scale, x - left, sin / scale, cos / scale, y - top)
        level = drawn.transform((wide, high), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC, fillcolor=255)
        return _spaced(
            level, [(round((place - line.left) * scale), round(wider * scale)) for place, wider in line.gaps]
        )

    def _drawn(self, line: TextLine, own: Grid, left: int, top: int) -> Image.Image:
        mask = np.zeros(own.shape, np.uint8)
        across, down, _ = self.marks.pixels(line.marks)
        mask[down - top, across - left] = 1
        near = np.asarray(Image.fromarray(mask).filter(ImageFilter.MaxFilter(3)))
        full = max(1.0, float(np.quantile(own[mask == 1], 0.8)))
        return Image.fromarray((255 - np.minimum(255, own * near * (255 / full))).astype(np.uint8))

    def _piece(self, line: TextLine, seen: RecognizedWord, top: int) -> PlacedWord:
        """Return the word with its place on the picture."""
        scale = self._scale(line)
        left, right = (_unspaced(line, side - MARGIN, scale) for side in (seen.left, seen.left + seen.wide))
        high, low = (line.top + (side - top) / scale for side in (seen.top, seen.top + seen.high))
        begin, end = self._place(line, left, line.baseline), self._place(line, right, line.baseline)
        angle = math.atan2(end[1] - begin[1], end[0] - begin[0]) if self.straight else line.angle
        return PlacedWord(
            text=seen.text,
            begin=(*begin, angle),
            end=(*end, angle),
            size=line.tall / EM,
            frame=frame_around([self._place(line, x, y) for x in (left, right) for y in (high, low)]),
            certainty=seen.certainty,
        )

    def _scale(self, line: TextLine) -> float:
        return min(LARGER, self.tall / line.tall, WIDEST / max(1.0, line.right - line.left))

    def _place(self, line: TextLine, x: float, y: float) -> tuple[float, float]:
        place = line.place(x, y)
        return self.straight.place(*place) if self.straight else place


def _spaced(level: Image.Image, gaps: list[tuple[int, int]]) -> Image.Image:
    """Widen the gaps between the words, so that recognition does not miss a space."""
    sheet = Image.new("L", (level.width + sum(wider for _, wider in gaps), level.height), 255)
    left = moved = 0
    for right, wider in (*gaps, (level.width, 0)):
        sheet.paste(level.crop((left, 0, right, level.height)), (left + moved, 0))
        left, moved = right, moved + wider
    return sheet


def _unspaced(line: TextLine, side: float, scale: float) -> float:
    """Return a place on the strip of a line as a place in the line."""
    place = line.left + side / scale
    for gap, wider in line.gaps:
        if place > gap + wider / 2:
            place -= min(wider, place - gap)
    return place


def certainty(words: Sequence[PlacedWord]) -> float:
    """Return the certainty of a line, by its letters, so that one good letter does not outweigh a bad line."""
    letters = sum(len(word.text) for word in words)
    return sum(word.certainty * len(word.text) for word in words) / letters if letters else 0.0


RUN_IN = re.compile(r"(\d[\d,]*|[lI|])?(to|for)([\dlIi|]+[.,]?)?")
ONES_OR_DIGITS = re.compile(r"[\dlIi|]+[.,]?")
ONE_LOOKALIKES = str.maketrans("lIi|", "1111")
ZEROS = re.compile(r"[oO0]{3}")
ONE_TWICE = ("il", "ll", "Il", "lI", "l1", "1l", "i1", "1i", "|l", "l|")  # of a mark that is a “1”
NEVER_WORDS = {"lf": "If", "lt": "It", "ls": "Is", "ln": "In", "ts": "is"}  # often a small L for a capital I
UNSURE = 0.85  # of a line: it is read again
LIKELY = 0.6  # … which adds to the first one
BETTER = 0.1  # by so much a second reading is surer, if it replaces the first
ODDS = re.compile(r"\$?\d[\d,]* (to|for) \d+")
PART_OF_ODDS = re.compile(r"(\S{1,6} )?(to|for|\S{1,2})( \S{1,3})?|[\d,]+")


def corrected_words(words: Sequence[PlacedWord], marks: int) -> list[PlacedWord]:
    """Return the words of one line with frequent errors corrected: “4tol” becomes “4 to 1”, “dealer s” “dealer's”.

    Only what can be nothing else is corrected; the certainty remains. `marks`: of the line.
    """
    if words and words[-1].text in ONE_TWICE and sum(len(word.text) for word in words) == marks + 1:
        words = [*words[:-1], replace(words[-1], text="1")]
    parts = [part for word in words for part in _parts(word)]
    befores, afters = ["", *(part.text for part in parts)], [*(part.text for part in parts[1:]), ""]
    with_ones = [
        replace(part, text=part.text.translate(ONE_LOOKALIKES))
        if (before in ("to", "for") or after in ("to", "for")) and ONES_OR_DIGITS.fullmatch(part.text)
        else replace(part, text=NEVER_WORDS.get(part.text, part.text))
        for before, part, after in zip(befores, parts, afters, strict=False)
    ]
    return _ended(_possessives(_thousands(with_ones)))


def _thousands(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """Replace “1 ooo” before “to” or “for” with “1,000”: the comma was not recognized."""
    joined = [*words]
    for place, (first, zeros, after) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if first.text.isdigit() and ZEROS.fullmatch(zeros.text) and after.text in ("to", "for"):
            joined[place : place + 2] = [_joined(first, zeros, f"{first.text},000")]
            break  # a line has its odds once
    return joined


def _joined(first: PlacedWord, second: PlacedWord, text: str) -> PlacedWord:
    frame = frame_around([first.frame[:2], first.frame[2:], second.frame[:2], second.frame[2:]])
    return replace(first, text=text, end=second.end, frame=frame, certainty=min(first.certainty, second.certainty))


def is_unsure_line(words: Sequence[PlacedWord]) -> bool:
    """Return whether a line needs a second reading: nothing, little or part of odds was recognized, or unsurely."""
    text = _text(words)
    return certainty(words) < UNSURE or bool(PART_OF_ODDS.fullmatch(text) and not is_odds_line(words))


def is_odds_line(words: Sequence[PlacedWord]) -> bool:
    """Return whether the line is odds and nothing else."""
    return bool(ODDS.fullmatch(_text(words)))


def is_same_reading(first: Sequence[PlacedWord], second: Sequence[PlacedWord]) -> bool:
    """Return whether both recognized something, and the same letters."""
    return bool(first) and _text(first).replace(" ", "") == _text(second).replace(" ", "")


def better_reading(first: Sequence[PlacedWord], second: Sequence[PlacedWord]) -> Sequence[PlacedWord]:
    """Return the better of two readings of a line; each confirms the other if they are the same."""
    sure, again = certainty(first), certainty(second)
    if is_same_reading(first, second):
        better = first if len(first) >= len(second) else second  # a missed space joins two words
        return [replace(word, certainty=max(word.certainty, 1 - (1 - sure) * (1 - again))) for word in better]
    left_out = _text(second).startswith(_text(first)) and again > LIKELY
    completed = is_odds_line(second) and not is_odds_line(first) and (left_out or again > UNSURE)
    return second if completed or again > sure + BETTER else first


def _text(words: Sequence[PlacedWord]) -> str:
    return " ".join(word.text for word in words)


def _possessives(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """Join an “s” that stands alone to the word before: its apostrophe was not recognized."""
    joined: list[PlacedWord] = []
    for word in words:
        if joined and word.text == "s" and joined[-1].text[-1].isalpha():
            joined[-1] = _joined(joined[-1], word, f"{joined[-1].text}'s")
        else:
            joined.append(word)
    return joined


def _ended(words: Sequence[PlacedWord]) -> list[PlacedWord]:
    """End each word where the next one begins, at the latest: the frame of “to” may reach over the “1” after it."""
    ended = [*words]
    for place, (word, after) in enumerate(pairwise(words)):
        if step_between(word.end, after.begin)[0] < 0 < step_between(word.begin, after.begin)[0]:
            ended[place] = replace(word, end=after.begin)
    return ended


def _parts(word: PlacedWord) -> Iterator[PlacedWord]:
    """Yield the word, divided before and after “to” or “for”; its parts share one frame."""
    match = RUN_IN.fullmatch(word.text)
    groups = [group for group in match.groups() if group] if match else [word.text]
    ends = [sum(map(len, groups[:count])) / len(word.text) for count in range(len(groups) + 1)]
    for text, (begin, end) in zip(groups, pairwise(ends), strict=True):
        yield replace(word, text=text, begin=_between(word, begin), end=_between(word, end))


def _between(word: PlacedWord, share: float) -> tuple[float, float, float]:
    (x, y, angle), (right, low, _) = word.begin, word.end
    return x + share * (right - x), y + share * (low - y), angle
