"""The payout in a cell of odds, read from tokens: “6 to 1”, “Push”, “$5,000/100% of meter”, in one notation."""

from collections.abc import Iterator, Sequence
from functools import cache

from submissions.layouts.inspection.tokens import phrase

_NOT_POSSIBLE = ("na",)  # the outcome cannot occur
_WORDS = {("even", "money"): "1 to 1", ("push",): "push", ("pushes",): "push", ("loss",): "loss", ("loses",): "loss"}
_SMALL = ("of", "the")
_METERS = ("meter", "jackpot", "mega", "major", "minor", "progressive")
_BETWEEN = ("envy", "bonus", "and")  # words between two cells of a row


def amounts(texts: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The cells that the tokens begin with, and the number of their tokens."""
    cells: list[str] = []
    read = 0
    while True:
        between = _while(texts[read:], _BETWEEN) if cells else 0
        cell, length = first_cell(texts[read + between :])
        if not length:
            return tuple(cells), read
        cells += [cell] if cell not in _NOT_POSSIBLE else []
        read += between + length


@cache
def amount(words: str) -> str:
    """The text as one cell; its tokens if it is not one cell."""
    cells, _ = amounts(phrase(words))
    return cells[0] if len(cells) == 1 else " ".join(phrase(words))


def ends(texts: Sequence[str]) -> Iterator[int]:
    """The numbers of tokens after which a cell ends."""
    place = 0
    while place < len(texts):
        _, length = first_cell(texts[place:])
        place += length or 1
        if length:
            yield place


def first_cell(texts: Sequence[str]) -> tuple[str, int]:
    """The one cell that the tokens begin with, and the number of its tokens; 0 if there is none."""
    if len(texts) >= 3 and texts[0].isdigit() and texts[1] in ("to", "for") and texts[2].isdigit():
        return " ".join(texts[:3]), 3
    for words, cell in _WORDS.items():
        if tuple(texts[: len(words)]) == words:
            return cell, len(words)
    if texts and texts[0] in _NOT_POSSIBLE:
        return texts[0], 1
    return _money(texts)


def _money(texts: Sequence[str]) -> tuple[str, int]:
    """Dollars, a share of a meter, or both."""
    length = 1 if texts and texts[0].startswith("$") else 0
    if len(texts) > length and texts[length].endswith("%"):
        share = length + 1 + _while(texts[length + 1 :], _SMALL)
        meters = _while(texts[share:], _METERS)
        length = share + meters if meters else length
    return " ".join(text for text in texts[:length] if text not in _SMALL), length


def _while(texts: Sequence[str], words: Sequence[str]) -> int:
    return next((place for place, text in enumerate(texts) if text not in words), len(texts))
