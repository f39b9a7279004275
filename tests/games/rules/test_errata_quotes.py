"""Each word that an errata note proposes to amend is printed in the section, or on the form, that the note names.

`for “X” read “Y”`, `after “X” insert “Y”`, `before “X” insert “Y”`, `delete “X”`: X is looked for, Y is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from games.registry import chapter, chapters, errata
from games.rules.model import Chapter

EXCEPTIONS = {
    ("588.rate-unprinted", "rate of progression"): "it is in the section's title, which the wording says",
    ("688a.titles", "; payout limitation"): "it is also in the table of sections, which no file of the chapter has",
}
"""Reading and words → why they are not where the note says that they are."""
FORM = "official form"
_CITATION = re.compile(r"§ (\w+\.\d+)((?:\(\w+\))*)((?:(?:,| and|, and) (?:\(\w+\))+)*)")
_LABELS = re.compile(r"(?:\(\w+\))+")
_QUOTED = re.compile(r"“([^”]+)”")
_PRINTED = re.compile(r"\b(?:for|after|before|delete)(?: the row)?$")


@dataclass(frozen=True)
class Printed:
    """Words that a wording takes for printed, and where: citations, or the official form."""

    words: str
    places: tuple[str, ...]


def printed_words(wording: str, sections: frozenset[str]) -> Iterator[Printed]:
    """The words of a proposed wording that are to be amended, each with the places named last before it."""
    places: tuple[str, ...] = ()
    end, deletes = 0, False
    for quoted in _QUOTED.finditer(wording):
        before = wording[end : quoted.start()].strip()
        places, end = named_places(before, sections) or places, quoted.end()
        again = deletes and before == "and"
        if _PRINTED.search(before) or again:
            yield Printed(quoted[1], places)
        deletes = again or before.endswith("delete")


def named_places(words: str, sections: frozenset[str]) -> tuple[str, ...]:
    """The citations in the words; “§ 1a.2(b)(1) and (2)” is two. The form, where they name it."""
    if FORM in words:
        return (FORM,)
    places: list[str] = []
    for match in _CITATION.finditer(words):
        section, labels, further = match.groups()
        places.append(f"§ {section}{labels}")
        places += [_sibling(section, labels, tail, sections) for tail in _LABELS.findall(further)]
    return tuple(places)


def _sibling(section: str, labels: str, tail: str, sections: frozenset[str]) -> str:
    """The citation that `tail` stands for: it takes the place of the last labels that leave a section of the text."""
    parts = re.findall(r"\(\w+\)", labels)
    candidates = [f"§ {section}{''.join(parts[:depth])}{tail}" for depth in reversed(range(len(parts)))]
    return next((each for each in candidates if each in sections), candidates[0])


def plain(text: str) -> str:
    """Without the marks of quotation and emphasis that wordings leave out; the cells of a row as `Pair: Push`."""
    text = text.replace("’", "'").replace("–", "-").replace("—", "-").replace(" | ", ": ")
    return re.sub(r"\s+", " ", re.sub(r"[“”\"*]", "", text))


def form_words(of: Chapter) -> str:
    """What the options have of the official form: questions and citations as printed, and those of the chapter."""
    return " ".join(
        part
        for option in of.options
        for part in (option.question, option.as_printed, option.citation, option.cited_as_printed)
        if part
    )


def missing_words(of: Chapter) -> Iterator[tuple[str, str]]:
    """(reading, words) of the chapter's notes that are not in every place that the note names."""
    texts = {citation: plain(text) for citation, text in of.sections.items()}
    texts[FORM] = plain(form_words(of))
    for note in errata(of.number).notes:
        for printed in printed_words(note.proposed, frozenset(of.sections)):
            words = plain(printed.words)
            if not printed.places or not all(words in texts.get(place, "") for place in printed.places):
                yield note.reading, printed.words


def test_words_to_amend_are_printed_where_the_note_says() -> None:
    assert {missing for each in chapters() for missing in missing_words(chapter(each.number))} == set(EXCEPTIONS)


@pytest.mark.parametrize(
    ("wording", "expected"),
    [
        ("In § 1a.2(b)(1) and (2), for “x” read “y”.", [("x", ("§ 1a.2(b)(1)", "§ 1a.2(b)(2)"))]),
        ("In § 1a.2(b)(1)(i) and (2)(i), for “x” read “y”.", [("x", ("§ 1a.2(b)(1)(i)", "§ 1a.2(b)(2)(i)"))]),
        ("In § 1a.2(b), after “x” insert “y”; in § 1a.3, delete “v” and “w”.",
         [("x", ("§ 1a.2(b)",)), ("v", ("§ 1a.3",)), ("w", ("§ 1a.3",))]),
        ("In § 1a.3, for the row “x: y” read “z”; add the row “v”.", [("x: y", ("§ 1a.3",))]),
        ("On the official form, for “x” read “y”.", [("x", (FORM,))]),
        ("In § 1a.3, add: “x”", []),
    ],
)  # fmt: skip
def test_words_to_amend_are_found_in_a_wording(wording: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    sections = frozenset({"§ 1a.2(b)(1)", "§ 1a.2(b)(2)", "§ 1a.2(b)(1)(i)", "§ 1a.2(b)(2)(i)", "§ 1a.3"})
    assert [(each.words, each.places) for each in printed_words(wording, sections)] == expected


def test_every_amendment_is_looked_at() -> None:
    for each in chapters():
        for note in errata(each.number).notes:
            marks = re.findall(r"\b(?:for|after|before|delete) “", note.proposed)
            assert len(list(printed_words(note.proposed, frozenset(each.sections)))) >= len(marks), note.reading
