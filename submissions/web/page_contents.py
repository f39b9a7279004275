"""The table of contents of a long page, made of the headings that the page has: it works without script.

A heading with an id is an entry. `data-contents` gives a long heading a short entry; empty, it leaves the heading out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

FEWEST = 3  # entries; with fewer there is nothing to choose from
_HEADING = re.compile(r"<h([23])\b([^>]*)>(.*?)</h\1>", re.DOTALL)
_ID = re.compile(r'\bid="([^"]+)"')
_ENTRY = re.compile(r'\bdata-contents="([^"]*)"')


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A heading: its id and its text (already escaped, as in the page)."""

    target: str
    text: SafeString


def entries_of(html: str, deepest: int = 2) -> list[ContentsEntry]:
    """The entries of a part of a page; `deepest` is the lowest level of headings, 2 or 3. Too few are none."""
    entries = list(_entries(html, deepest))
    return entries if len(entries) >= FEWEST else []


def _entries(html: str, deepest: int) -> Iterator[ContentsEntry]:
    for level, attributes, content in _HEADING.findall(html):
        target, entry = _ID.search(attributes), _ENTRY.search(attributes)
        text = entry[1] if entry else " ".join(strip_tags(content).split())
        if target and text and int(level) <= deepest:
            yield ContentsEntry(target[1], mark_safe(text))
