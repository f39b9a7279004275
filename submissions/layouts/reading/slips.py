"""Slips of recognition around odds: “to” and “for” run into their numbers, and a 1 is taken for an l.

“4tol” is read as “4 to 1”. Only what can be nothing else is mended; how sure it is stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from submissions.layouts.reading.pieces import Piece

RUN_IN = re.compile(r"(\d[\d,]*)?(to|for)([\dlI|]+[.,]?)?")
ONES = str.maketrans("lI|", "111")


def mended(words: Sequence[Piece]) -> list[Piece]:
    """The words of one line."""
    parts = [part for word in words for part in _parts(word)]
    befores = ["", *(part.text for part in parts)]
    return [
        replace(part, text=part.text.translate(ONES)) if before in ("to", "for") and _one(part.text) else part
        for before, part in zip(befores, parts, strict=False)
    ]


def _one(text: str) -> bool:
    return re.fullmatch(r"[\dlI|]+[.,]?", text) is not None


def _parts(word: Piece) -> Iterator[Piece]:
    """The word, divided before and after “to” or “for”; its parts stand in one frame."""
    found = RUN_IN.fullmatch(word.text)
    groups = [group for group in found.groups() if group] if found else [word.text]
    ends = [sum(map(len, groups[:count])) / len(word.text) for count in range(len(groups) + 1)]
    for text, (begin, end) in zip(groups, pairwise(ends), strict=True):
        yield replace(word, text=text, begin=_between(word, begin), end=_between(word, end))


def _between(word: Piece, share: float) -> tuple[float, float, float]:
    (x, y, angle), (right, low, _) = word.begin, word.end
    return x + share * (right - x), y + share * (low - y), angle
