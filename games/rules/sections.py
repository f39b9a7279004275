"""The text of a chapter (`text.md`): its citations, the words of each, and its sentences.

A section is named by its citation: short in the data (`.12(d)`), in full everywhere else (`§ 687a.12(d)`).

The text is a list in Markdown: `## § 687a.12. Title`, then `- (a) …`, and two spaces deeper for each level below, so
that the depth distinguishes the letter (i) from the numeral (i). Text without a label (a paytable, a definition)
belongs to the label above it. A citation leads to its words with all that is below it. Where the regulation prints a
label twice, the plain citation leads to both, and `§ 686a.7(g)[2]` to the second.

A sentence ends with a full stop, or is an item of a list, a row of a table, or a heading. A clause that ends in a colon
introduces the sentences below it. Not here: the records that implement a sentence (`coverage`).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from games.rules.errors import RuleError
from games.rules.model import Chapter

_PLACES = re.compile(r"(?:§ (\w+))?(\.\d+)((?:\([a-zA-Z0-9]+\))*)(?:\(\{\}\))?((?:, (?:\([a-zA-Z0-9]+\))+)*)")

_STEP = re.compile(r"\([a-zA-Z0-9]+\)")


def cite(short: str, number: str) -> str:
    """Return the full citation: `.12(d)` of 687a → `§ 687a.12(d)`; `601a.2` → `§ 601a.2`; a full one stays."""
    if short.startswith("."):
        return f"§ {number}{short}"
    return short if short.startswith("§") else f"§ {short}"


def cited_places(text: str, number: str) -> Iterator[str]:
    """Yield the places that a text which is nothing but a citation names, in full: `.4(d)(1), (2)` names two.

    `({})` at the end, where the code puts in a number, is left out. Of another text, or another chapter's, none.
    """
    cited = _PLACES.fullmatch(text)
    if not cited or cited[1] not in (None, number):
        return
    yield f"§ {number}{cited[2]}{cited[3]}"
    steps = _STEP.findall(cited[3])
    for path in cited[4].split(", ")[1:]:
        same = steps[: len(steps) - len(_STEP.findall(path))]
        yield f"§ {number}{cited[2]}{''.join(same)}{path}"


_HEADING = re.compile(r"## (§ [0-9]+[a-z]?\.[0-9]+)\. (.+)")
_LABEL = re.compile(r"((?:  )*)- \(([a-z]{1,4}|[A-Z]{1,4}|[0-9]{1,2})\) .+")


def read_sections(text: str, file: str = "text.md") -> dict[str, str]:
    """Return citation → its words, in the order of the text."""
    by_citation: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    for citations, line in _lines(text, file, times):
        for citation in citations:  # none for what is above the first section
            by_citation.setdefault(citation, []).append(line)
    return {citation: dedent("\n".join(lines)).strip() for citation, lines in by_citation.items()}


def replace_section(text: str, citation: str, new: str, file: str = "text.md") -> str:
    """Return the text with other words at the citation and all below it; "" takes them out.

    A citation that is not there yet comes after the last line of what it belongs to, a new section at the end. The new
    words begin with their label, `- (d) …`, or with their heading, `## § 687a.19. Title`; `RuleError` if they do not.
    """
    lines = [(citations, line) for citations, line in _lines(text, file, Counter())]
    places = [place for place, (citations, _) in enumerate(lines) if citation in citations]
    parent = citation.rpartition("(")[0]
    if not places and not new:
        raise RuleError(file, citation, "is to be removed from the text, but it is not there")
    if not places and parent:
        above = [place for place, (citations, _) in enumerate(lines) if parent in citations]
        if not above:
            raise RuleError(file, citation, f"cannot be added: the text has no {parent}")
        places = [above[-1] + 1]
        lines.insert(places[0], ([], ""))
    start, end = (places[0], places[-1] + 1) if places else (len(lines), len(lines))
    indent = "  " * max(0, citation.count("(") - 1)
    words = [indent + line if line.strip() else "" for line in new.strip().splitlines()]
    before, after = ([line for _, line in part] for part in (lines[:start], lines[end:]))
    changed = "\n".join([*before, *(["", *words, ""] if words else []), *after]) + "\n"
    if new and citation not in read_sections(changed, file):
        label = f"- ({citation.rpartition('(')[2]} …" if parent else f"## {citation}. Title"
        raise RuleError(file, citation, f"the new words begin with {new.strip()[:30]!r}; `{label}` is allowed here")
    return changed


def cited_lines(text: str, file: str = "text.md") -> Iterator[tuple[str, str]]:
    """Yield every line of the sections, with its deepest citation: `§ 686a.7(g)[2]` if repeated."""
    return ((citations[-1], line) for citations, line in _lines(text, file, Counter()) if citations)


def _lines(text: str, file: str, times: Counter[str]) -> Iterator[tuple[list[str], str]]:
    """Yield every line with the citations that it belongs to; none above the first section."""
    section, path, belongs = "", [""], list[str]()
    for count, line in enumerate(text.splitlines(), start=1):
        if heading := _HEADING.fullmatch(line):
            section, path = heading[1], [""]
            if times[section]:
                raise RuleError(file, f"line {count}", f"the section {section} occurs twice")
            times[section] += 1
            belongs = _citations(section, path)
        elif label := _LABEL.fullmatch(line):
            depth = len(label[1]) // 2 + 1
            if not section or depth > len(path):
                raise RuleError(file, f"line {count}", f"({label[2]}) is deeper than what is above it allows")
            place = section + "".join(path[:depth]) + f"({label[2]})"
            times[place] += 1
            path = [*path[:depth], f"({label[2]})" + (f"[{times[place]}]" if times[place] > 1 else "")]
            belongs = _citations(section, path)
        yield belongs, line


def _citations(section: str, path: list[str]) -> list[str]:
    """Return the section, and each step of the path below it; a second printing also under the plain citation."""
    steps = range(1, len(path) + 1)
    marked = [section + "".join(path[:step]) for step in steps]
    plain = [re.sub(r"\[\d+\]", "", citation) for citation in marked]
    return list(dict.fromkeys(citation for pair in zip(plain, marked, strict=True) for citation in pair))


Form = Literal["sentence", "introduction", "row", "heading", "added"]
"""`introduction`: ends in a colon, and a list or a table is below. `heading`: of a section or a table. `added`: in
square brackets, which is not the regulation's text."""

# A full stop, with what closes after it, ends a sentence if a capital letter, a quotation mark or a bracket is next.
_END = re.compile(r"(?<=[.?!])(?P<close>[\"”)\]]*) +(?=[A-Z“\"\[])")
_ABBREVIATION = re.compile(r"\b(?:i\.e|e\.g|a\.m|p\.m|No|Nos|vs|Inc|Mr|Ms|Dr|St|Pa)\.[\"”)\]]*$")
_ITEM_LABEL = re.compile(r" *- \((?:[a-z]{1,4}|[A-Z]{1,4}|[0-9]{1,2})\) ")
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
    """Return every sentence of the chapter's own sections, in the order of the text."""
    own = [
        text
        for citation, text in chapter.sections.items()
        if citation.startswith(f"§ {chapter.number}.") and "(" not in citation
    ]
    return split_sentences("\n".join(own))


def split_sentences(text: str) -> tuple[PrintedSentence, ...]:
    """Return the sentences of a text in the form of `text.md` (`sections`)."""
    times: Counter[str] = Counter()
    sentences = []
    for citation, form, words in _units(text):
        times[citation] += 1
        sentences.append(PrintedSentence(citation, times[citation], words, form))
    return tuple(sentences)


def ends_of_sentences(paragraph: str) -> list[str]:
    """Return the paragraph cut at the end of each sentence; abbreviations and numbers of sections do not end one."""
    parts, start = [], 0
    for end in _END.finditer(paragraph):
        so_far = paragraph[start : end.end("close")]
        if not _ABBREVIATION.search(so_far):
            parts.append(so_far)
            start = end.end()
    return [*parts, paragraph[start:]]


def _units(text: str) -> Iterator[tuple[str, Form, str]]:
    """Yield citation, form and words of each unit; the first row of a table is its heading."""
    in_table = False
    for citation, line in cited_lines(text):
        words = _ITEM_LABEL.sub("", line).strip()
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
