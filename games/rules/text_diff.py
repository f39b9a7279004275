"""Two versions of a text, word by word: what stayed, what was deleted, what was inserted.

Not here: which texts are compared (`chapter_diff`), marking the words on a page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_WORD = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, slots=True)
class TextPart:
    """Words in a row with the white space between them; all parts but the deleted ones are the later text."""

    change: Literal["same", "deleted", "inserted"]
    words: str


def word_diff(before: str, after: str) -> tuple[TextPart, ...]:
    """The parts in the order of the text, a replaced word deleted first; nothing for two empty texts."""
    return tuple(_parts(_WORD.findall(before), _WORD.findall(after)))


def _parts(was: list[str], now: list[str]) -> Iterator[TextPart]:
    for change, start, end, new_start, new_end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if change == "equal":
            yield TextPart("same", "".join(was[start:end]))
            continue
        if start < end:
            yield TextPart("deleted", "".join(was[start:end]))
        if new_start < new_end:
            yield TextPart("inserted", "".join(now[new_start:new_end]))
