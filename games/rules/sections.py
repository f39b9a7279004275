"""From the text of a chapter (`text.md`) to every citation and its words.

The text is a list in Markdown: `## § 687a.12. Title`, then `- (a) …`, and two spaces deeper for each level
below, so that the depth distinguishes the letter (i) from the numeral (i). What has no label (a paytable, a
definition) belongs to what is above it.

A citation leads to its words with all that is below it. Where the regulation prints a label twice,
the plain citation leads to both, and `§ 686a.7(g)[2]` to the second.
"""

import re
from collections import Counter
from collections.abc import Iterator
from textwrap import dedent

from games.rules.errors import RuleError

_HEADING = re.compile(r"## (§ [0-9]+[a-z]?\.[0-9]+)\. (.+)")
_LABEL = re.compile(r"((?:  )*)- \(([a-z]{1,4}|[A-Z]{1,4}|[0-9]{1,2})\) .+")


def read_sections(text: str, file: str = "text.md") -> dict[str, str]:
    """Citation → its words, in the order of the text."""
    by_citation: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    for citations, line in _lines(text, file, times):
        for citation in citations:  # none for what is above the first section
            by_citation.setdefault(citation, []).append(line)
    return {citation: dedent("\n".join(lines)).strip() for citation, lines in by_citation.items()}


def replace_section(text: str, citation: str, new: str, file: str = "text.md") -> str:
    """The text with other words at the citation and all below it; "" takes them out.

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
    """Every line of the sections, with the citation that it belongs to: the deepest, `§ 686a.7(g)[2]` if repeated."""
    return ((citations[-1], line) for citations, line in _lines(text, file, Counter()) if citations)


def _lines(text: str, file: str, times: Counter[str]) -> Iterator[tuple[list[str], str]]:
    """Every line with the citations that it belongs to; none above the first section."""
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
    """The section, and each step of the path below it; a second printing also under the plain citation."""
    steps = range(1, len(path) + 1)
    marked = [section + "".join(path[:step]) for step in steps]
    plain = [re.sub(r"\[\d+\]", "", citation) for citation in marked]
    return list(dict.fromkeys(citation for pair in zip(plain, marked, strict=True) for citation in pair))
