"""The reading grade of what people read (Flesch-Kincaid); `python -m tests.health.readability` prints the table,
and with `--write` puts it into docs/readability.md.

The grade is the number of school years that a text asks of its reader: 0.39 × words per sentence + 11.8 × syllables per
word − 15.59. A text has at least `SENTENCE` words; shorter ones are labels, for which the formula means nothing. A file
of less than `PAGE` words of such texts is graded together with the small ones of its folder.

Left out: code, values, citations and addresses (each counts as one short word), and what quotes the regulation.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from textstat import textstat

from tests.health.files import ROOT
from tests.health.read_texts import (
    NEUTRAL,
    Text,
    chapter_texts,
    document_texts,
    help_texts,
    message_texts,
    template_texts,
    web_texts,
)

CEILINGS = ROOT / "tests/health/readability.toml"
PAGE_OF_GRADES = ROOT / "docs/readability.md"
SENTENCE, PAGE = 4, 60
CITATION = re.compile(r"(?:58 Pa\. Code )?§§? ?\w+(?:[.-]\w+)*(?:\(\w+\))*|58 Pa\. Code|4 Pa\.C\.S\.|\bPa\.[BC]\.")
ADDRESS = re.compile(
    r"(?:https?:/|\b\w+)?/[\w/<>-]*(?:\.[\w/-]+)*|\b[\w-]+\.(?:toml|py|md|html|yaml|json|pdf|svg|csv|xlsx)\b"
)
SHORTENED = re.compile(r"\b(?:e\.g|i\.e|a\.m|p\.m|U\.S|No|cf)\.", re.IGNORECASE)
DECIMAL = re.compile(r"\d[\d.,:]*\d|\d")
ROW = re.compile(r"^\| ([^|]+) \| \d+ \| (-?[\d.]+|–) \| \S+ \| (\d+|–) \|", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a unit: words, Flesch-Kincaid grade (school years), longest sentence (words) and that sentence."""

    words: int
    grade: float
    longest: int
    sentence: str


@cache
def measured() -> dict[str, Figures]:
    """Unit (a file, a heading of messages, or the small files of a folder) → its figures."""
    found = [*template_texts(), *web_texts(), *message_texts(), *help_texts(), *document_texts(), *chapter_texts()]
    return {unit: figures(texts) for unit, texts in sorted(_units(found).items())}


def figures(texts: Sequence[str]) -> Figures:
    """The figures of these texts together."""
    sentences = [sentence for text in texts for sentence in re.split(r"(?<=[.!?]) ", text)]
    longest = max(sentences, key=lambda sentence: len(sentence.split()))
    grade = round(textstat.flesch_kincaid_grade(" ".join(texts)), 1)
    return Figures(_words(texts), grade, len(longest.split()), longest)


def plain(text: str) -> str:
    """The text as it is graded: citations, addresses and numbers are one short word, and it ends like a sentence."""
    text = ADDRESS.sub(NEUTRAL, CITATION.sub(NEUTRAL, text))
    text = SHORTENED.sub(lambda match: match[0].replace(".", ""), text)
    text = re.sub("[…“”]", "", DECIMAL.sub("1", text)).strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def limits(unit: str) -> tuple[float, int]:
    """The grade and the longest sentence that a unit may have: the ceiling in the data, or the limit of its kind."""
    data = _ceilings()
    kind = data["limits"]["documents" if unit.endswith(".md") else "pages"]
    return data["grade"].get(unit, kind["grade"]), data["longest"].get(unit, kind["longest"])


def table() -> str:
    """A row for each unit: words, grade before and now, longest sentence before and now."""
    page = PAGE_OF_GRADES.read_text(encoding="utf-8") if PAGE_OF_GRADES.exists() else ""
    then = {unit: found for unit, *found in ROW.findall(page)}
    rows = [
        f"| {unit} | {now.words} | {' | '.join(_beside(then.get(unit, ['–', '–']), now))} |"
        for unit, now in measured().items()
    ]
    heads = "| Text | Words | Grade before | Grade after | Longest sentence before, words | After |"
    return "\n".join((heads, "| --- | ---: | ---: | ---: | ---: | ---: |", *rows))


def _beside(then: Sequence[str], now: Figures) -> tuple[str, ...]:
    return then[0], str(now.grade), then[1], str(now.longest)


@cache
def _ceilings() -> dict[str, dict[str, Any]]:
    return tomllib.loads(CEILINGS.read_text(encoding="utf-8"))


def _units(found: Iterable[Text]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = defaultdict(list)
    for text in found:
        if len(text.words.split()) >= SENTENCE:
            files[text.source].append(plain(text.words))
    units: dict[str, list[str]] = defaultdict(list)
    for name, texts in files.items():
        units[name if _words(texts) >= PAGE else _folder(name)] += texts
    return units


def _folder(name: str) -> str:
    if name.endswith(".py"):
        return "help of commands, small ones"
    return name if ":" in name else f"{PurePosixPath(name).parent}, small files"


def _words(texts: Iterable[str]) -> int:
    return sum(len(text.split()) for text in texts)


def write_page() -> None:
    """Put the table of now into docs/readability.md; the columns "before" stay."""
    page = PAGE_OF_GRADES.read_text(encoding="utf-8")
    head = page.partition("| Text |")[0]
    PAGE_OF_GRADES.write_text(f"{head}{table()}\n", encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_page()
    else:
        sys.stdout.write(f"{table()}\n")
