"""The sentences of a chapter's text, each with its citation and its number there.

A sentence is what ends with a full stop, an item of a list, a row of a table, or a heading. A clause that ends in a
colon introduces what is below it. Not here: what implements a sentence (`coverage`).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from games.rules.model import Chapter
from games.rules.sections import cited_lines

Form = Literal["sentence", "introduction", "row", "heading", "added"]
"""`introduction`: ends in a colon, and a list or a table is below. `heading`: of a section or a table. `added`: in
square brackets, which is not the regulation's text."""

# A full stop, with what closes after it, ends a sentence if a capital letter, a quotation mark or a bracket is next.
_END = re.compile(r"(?<=[.?!])(?P<close>[\"”)\]]*) +(?=[A-Z“\"\[])")
_ABBREVIATION = re.compile(r"\b(?:i\.e|e\.g|a\.m|p\.m|No|Nos|vs|Inc|Mr|Ms|Dr|St|Pa)\.[\"”)\]]*$")
_LABEL = re.compile(r" *- \((?:[a-z]{1,4}|[A-Z]{1,4}|[0-9]{1,2})\) ")
_NAME = re.compile(r"(\*+)[^*]+\1\.?")
_RULE = re.compile(r"\|[\s|:-]+\|")


@dataclass(frozen=True, slots=True)
class PrintedSentence:
    """One sentence as printed. `ordinal` counts from 1 within the citation itself, without what is below it."""

    citation: str
    ordinal: int
    text: str
    form: Form

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of a row of a table."""
        return tuple(cell.strip() for cell in self.text.split(" | "))


def chapter_sentences(chapter: Chapter) -> tuple[PrintedSentence, ...]:
    """Every sentence of the chapter's own sections, in the order of the text."""
    own = [
        text
        for citation, text in chapter.sections.items()
        if citation.startswith(f"§ {chapter.number}.") and "(" not in citation
    ]
    return split_sentences("\n".join(own))


def split_sentences(text: str) -> tuple[PrintedSentence, ...]:
    """The sentences of a text in the form of `text.md` (`sections`)."""
    times: Counter[str] = Counter()
    sentences = []
    for citation, form, words in _units(text):
        times[citation] += 1
        sentences.append(PrintedSentence(citation, times[citation], words, form))
    return tuple(sentences)


def ends_of_sentences(paragraph: str) -> list[str]:
    """The paragraph cut at the end of each sentence; what follows an abbreviation or a section's number is not one."""
    parts, start = [], 0
    for end in _END.finditer(paragraph):
        so_far = paragraph[start : end.end("close")]
        if not _ABBREVIATION.search(so_far):
            parts.append(so_far)
            start = end.end()
    return [*parts, paragraph[start:]]


def _units(text: str) -> Iterator[tuple[str, Form, str]]:
    """Citation, form and words of each unit; the first row of a table is its heading."""
    in_table = False
    for citation, line in cited_lines(text):
        words = _LABEL.sub("", line).strip()
        if _RULE.fullmatch(words):
            continue
        if words.startswith("|"):
            row = " | ".join(cell.strip() for cell in words.strip("|").split("|"))
            yield citation, "row" if in_table else "heading", row
            in_table = True
            continue
        in_table = False
        if not words:
            continue
        if words.startswith("## "):
            yield citation, "heading", words.removeprefix("## ")
        elif words.startswith("[") and words.endswith("]"):
            yield citation, "added", words
        else:
            for part in ends_of_sentences(words):
                yield citation, _form(part), part


def _form(words: str) -> Form:
    if _NAME.fullmatch(words):
        return "heading"
    return "introduction" if words.endswith(":") else "sentence"
