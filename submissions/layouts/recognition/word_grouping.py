"""Letters grouped to words and words to lines, alike for all kinds of files once their letters have places.

Lengths are in the page's own units, y downwards; only the finished words are shares of the page. Letters may run in
any direction and along a curve. Where letters come from: `svg`, `pdf`, `picture`.
"""

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from submissions.layouts.drawing_model import Box, DrawingPage, Word

ASCENT, DESCENT = 0.74, 0.22  # of a letter's size, above and below its baseline
WITHIN_WORD = 0.4  # sizes between two letters of one word at most, where the file itself marks spaces
WITHIN_WORD_APART = 0.16  # … of two runs: each letter may be a text of its own, and a space is 0.2 to 0.3 sizes wide
WITHIN_LINE = 0.9  # sizes between two words of one line
COLUMNS = 3.0  # … before a number: an outcome and its odds may stand in two columns
ASIDE = 0.4  # sizes off the line's direction
TURN = 0.6  # from one letter to the next along a curve
STRAIGHT = 0.06
NARROWEST, FEW_LETTERS = 0.15, 3  # of its size a letter is wide on average at least, in a word of so many
DROPPED = dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0xFEFF))
LIGATURES = {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
Point = tuple[float, float, float]  # x, y, angle


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter or space; x and y of the beginning of its baseline. Letters of one run are in one line of the file."""

    text: str
    x: float
    y: float
    angle: float  # of its baseline, in radians, clockwise
    advance: float
    size: float
    run: int = 0
    legible: bool = True  # not mirrored, squeezed or slanted beyond reading

    @property
    def begin(self) -> Point:
        return self.x, self.y, self.angle

    @property
    def end(self) -> Point:
        return (
            self.x + self.advance * math.cos(self.angle),
            self.y + self.advance * math.sin(self.angle),
            self.angle,
        )


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word: the beginning and end of its baseline, and the frame around it (left, top, right, bottom)."""

    text: str
    begin: Point
    end: Point
    size: float
    frame: tuple[float, float, float, float]
    run: int = 0
    certainty: float = 1.0
    legible: bool = True


def group_letters(letters: Iterable[Letter]) -> list[PlacedWord]:
    """Return the words of these letters, which come in the file's order."""
    words: list[list[Letter]] = [[]]
    for letter in letters:
        text = letter.text.translate(DROPPED).translate(LIGATURES)
        if not text or text.isspace():
            words.append([])
            continue
        if words[-1] and not _same_word(words[-1][-1], letter):
            words.append([])
        words[-1].append(letter)
    return [_piece(word) for word in words if word]


def _same_word(last: Letter, letter: Letter) -> bool:
    along, aside, turn = step_between(last.end, letter.begin)
    size = max(last.size, letter.size)
    room = WITHIN_WORD if last.run == letter.run else WITHIN_WORD_APART
    return -WITHIN_WORD * size * 1.5 < along < room * size and aside < ASIDE * size and turn < TURN


def step_between(end: Point, begin: Point) -> tuple[float, float, float]:
    """Return the step from an end to the next beginning: along and across its direction; the turn in radians."""
    dx, dy, angle = begin[0] - end[0], begin[1] - end[1], end[2]
    turn = abs((begin[2] - angle + math.pi) % (2 * math.pi) - math.pi)
    return dx * math.cos(angle) + dy * math.sin(angle), abs(dy * math.cos(angle) - dx * math.sin(angle)), turn


def _piece(word: Sequence[Letter]) -> PlacedWord:
    first, last = word[0], word[-1]
    room = NARROWEST * sum(letter.size for letter in word[:-1])  # letters lie on each other: no typeface is that narrow
    is_pressed_together = len(word) >= FEW_LETTERS and math.dist((first.x, first.y), (last.x, last.y)) < room
    return PlacedWord(
        text="".join(letter.text.translate(DROPPED).translate(LIGATURES) for letter in word),
        begin=first.begin,
        end=last.end,
        size=max(letter.size for letter in word),
        frame=frame_around([corner for letter in word for corner in _corners(letter)]),
        run=first.run,
        legible=all(letter.legible for letter in word) and not is_pressed_together,
    )


def _corners(letter: Letter) -> list[tuple[float, float]]:
    cos, sin = math.cos(letter.angle), math.sin(letter.angle)
    return [
        (letter.x + along * cos - across * sin, letter.y + along * sin + across * cos)
        for along in (0.0, letter.advance)
        for across in (-ASCENT * letter.size, DESCENT * letter.size)
    ]


def frame_around(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def box_on_page(place: tuple[float, float, float, float], page: DrawingPage) -> Box:
    """Return a frame in the units of a page as shares of the page."""
    left, top, right, bottom = place
    width, height = page.width or 1.0, page.height or 1.0
    shares = (left / width, top / height, (right - left) / width, (bottom - top) / height)
    return Box(*(round(share, 5) for share in shares))


def words_in_lines(words: Sequence[PlacedWord], number: int, page: DrawingPage) -> list[Word]:
    """Return a page's words in lines, in the file's order, which keeps wrapped text together; `page` in their units."""
    return [
        Word(piece.text, number, box_on_page(piece.frame, page), place, round(piece.certainty, 3))
        for place, line in enumerate(_lines(words))
        for piece in line
    ]


def _lines(words: Sequence[PlacedWord]) -> list[list[PlacedWord]]:
    """Join words that are next to each other in the file, then lines that begin where another ends."""
    lines: list[list[PlacedWord]] = []
    for piece in words:
        if lines and _continues(lines[-1][-1], piece, TURN):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return _joined(lines)


def _continues(last: PlacedWord, piece: PlacedWord, turn: float) -> bool:
    along, aside, turned = step_between(last.end, piece.begin)
    size = max(last.size, piece.size)
    if aside > ASIDE * size or turned > turn or size > 2 * min(last.size, piece.size) or along < -0.5 * size:
        return False
    room = COLUMNS if piece.text[0].isdigit() or piece.text.lower() == "even" else WITHIN_LINE
    return along < room * size or bool(piece.run and piece.run == last.run)


def _joined(lines: list[list[PlacedWord]]) -> list[list[PlacedWord]]:
    if not lines:
        return []
    cell = COLUMNS * max(piece.size for line in lines for piece in line) or 1.0
    begins: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        begins[int(line[0].begin[0] // cell), int(line[0].begin[1] // cell)].append(index)
    after: dict[int, int] = {}
    taken: set[int] = set()
    for index, line in enumerate(lines):
        x, y = int(line[-1].end[0] // cell), int(line[-1].end[1] // cell)
        near = [later for dx in (-1, 0, 1) for dy in (-1, 0, 1) for later in begins.get((x + dx, y + dy), ())]
        fits = [later for later in near if later not in taken and index not in _chain(later, after)]  # no circles
        fits = [later for later in fits if _continues(line[-1], lines[later][0], STRAIGHT)]
        if fits:
            after[index] = min(fits, key=lambda later: abs(step_between(line[-1].end, lines[later][0].begin)[0]))
            taken.add(after[index])
    return [
        [piece for part in _chain(index, after) for piece in lines[part]]
        for index in range(len(lines))
        if index not in taken
    ]


def _chain(index: int, after: dict[int, int]) -> list[int]:
    chain = [index]
    while chain[-1] in after:
        chain.append(after[chain[-1]])
    return chain
