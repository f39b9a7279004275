"""The order of a picture's words: lines stay in their area, and lines below each other stay together.

A picture has no order of its own, as the text of a file has; without one, a line of one column would be continued by a
line of the next.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from submissions.layouts.drawing_model import Box, DrawingPage, Word
from submissions.layouts.recognition.blocks import connected_groups
from submissions.layouts.recognition.enclosed_areas import Frame
from submissions.layouts.recognition.word_grouping import PlacedWord, words_in_lines

LEADING = 1.3  # gap between two lines of one block, in their height
OVERLAP = 0.3  # of the shorter line, at least, is above or below the other


def ordered_words(words: Sequence[PlacedWord], frames: Sequence[Frame], page: DrawingPage) -> list[Word]:
    """The words in lines, block after block; `frames` of the areas and `page` are in the words' units."""
    groups: dict[int, list[PlacedWord]] = defaultdict(list)
    for word in words:
        groups[_area_of(word, frames)].append(word)
    lines = [line for area in sorted(groups) for block in _blocks(groups[area], page) for line in block]
    return [replace(word, line=number) for number, line in enumerate(lines) for word in line]


def _area_of(word: PlacedWord, frames: Sequence[Frame]) -> int:
    """The smallest area that the word's middle is in; -1 outside of all."""
    left, top, right, bottom = word.frame
    x, y = (left + right) / 2, (top + bottom) / 2
    around = [
        ((frame[2] - frame[0]) * (frame[3] - frame[1]), place)
        for place, frame in enumerate(frames)
        if frame[0] < x < frame[2] and frame[1] < y < frame[3]
    ]
    return min(around)[1] if around else -1


def _blocks(words: Sequence[PlacedWord], page: DrawingPage) -> Iterator[list[list[Word]]]:
    """Lines that are below each other, from the top."""
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
