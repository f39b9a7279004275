"""The sentences of a drawing, and their statements: the matter, what is said of it with which figures, and more words.

Sentences are the parts between full stops of lines that continue each other. The law's sentence is read by the same
table (`statements.toml`), so that the two can be compared in meaning: another figure contradicts the law; more words
may change the meaning of the sentence.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from submissions.layouts.drawing_model import connected_groups
from submissions.layouts.inspection.drawing_text import DrawingText, TokenPlace
from submissions.layouts.inspection.tokens import first_cell, phrase, places_of

_WRAPPED = 0.6  # gap between two lines of one sentence, in its letters' height; between two sentences it is wider
_BESIDE = 3.0  # gap between two parts of one line, in the same unit
_LIKE = 1.3  # ratio of the letters' heights of two parts of one text
_STOPS = (".", ";", "!", "?", "•")


def paragraphs(sheet: DrawingText, separate: Collection[int]) -> list[tuple[int, ...]]:
    """Return the segments that continue each other, in reading order; those in `separate` continue nothing."""
    pairs = (pair for pair in _neighbors(sheet) if not set(pair) & set(separate))
    groups = connected_groups(len(sheet.segments), pairs)
    return [tuple(group) for group in groups if group[0] not in separate]


def sentences(sheet: DrawingText, paragraph: Sequence[int]) -> Iterator[tuple[TokenPlace, ...]]:
    """Yield the paragraph's tokens, divided where a sentence ends."""
    sentence: list[TokenPlace] = []
    for segment in paragraph:
        line = sheet.segments[segment].tokens
        for place, token in enumerate(line):
            sentence.append((segment, place))
            last_of_word = place + 1 == len(line) or line[place + 1].word is not token.word
            if last_of_word and token.word.text.endswith(_STOPS):
                yield tuple(sentence)
                sentence = []
    if sentence:
        yield tuple(sentence)


def _neighbors(sheet: DrawingText) -> Iterator[tuple[int, int]]:
    """Yield pairs of segments of which the second continues the first."""
    for place, segment in enumerate(sheet.segments):
        for next_place, gap in ((sheet.below.get(place), _WRAPPED), (sheet.right.get(place), _BESIDE)):
            if next_place is not None:
                next_segment = sheet.segments[next_place]
                small, large = sorted((segment.size, next_segment.size))
                if large <= _LIKE * small and segment.distance(next_segment) <= gap * small:
                    yield place, next_place


_FILE = Path(__file__).with_name("statements.toml")
_NEAR = 2  # tokens after a subject in which odds belong to it without “pays”
_SOON = 5  # tokens after a subject in which a verb belongs to it whose value is all that follows
_LONGEST = 3  # tokens of a figure
_AMOUNT = 4  # digits of a number that is dollars without its sign
CHANGE_NOTHING = frozenset(("and", "the"))  # before, in or after any sentence
Said = tuple[str, str]  # what is said, with its value: ("pays", "3 to 2")


@dataclass(frozen=True, slots=True)
class Matter:
    """A matter that a sentence can be about; the fields are those of `statements.toml`, the words as tokens."""

    name: str
    subjects: tuple[tuple[str, ...], ...]
    but_not: frozenset[str]
    said: Mapping[str, str]  # word → what it says
    value: str
    neutral: frozenset[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence's statement on a matter; `additional`: places in the sentence of words beyond it."""

    matter: str
    said: frozenset[Said]
    additional: frozenset[int]


def statements_in(sentence: Sequence[str]) -> list[Statement]:
    """Return the statements of a sentence, given as tokens: on each matter at most one.

    Words that belong to another statement of the sentence say nothing more: “Blackjack pays 3 to 2, Insurance 2 to 1”.
    """
    clauses = _clauses(sentence)
    said: dict[str, set[Said]] = {}
    used: set[int] = set()
    for matter in _matters():
        for begin, end in clauses if matter.value == "odds" else [(0, len(sentence))]:
            if reading := _read(matter, sentence[begin:end]):
                said.setdefault(matter.name, set()).update(reading[0])
                used |= {begin + place for place in reading[1]}
    additional = frozenset(range(len(sentence))) - used
    return [Statement(matter, frozenset(each), additional) for matter, each in said.items()]


@cache
def statements_of(wording: str) -> tuple[Statement, ...]:
    """Return the statements of a sentence of the law."""
    return tuple(statements_in(phrase(wording)))


@cache
def _matters() -> tuple[Matter, ...]:
    return tuple(
        Matter(
            name=name,
            subjects=tuple(map(phrase, row["subject"])),
            but_not=frozenset(row.get("but_not", ())),
            said={word: key for key, words in row.get("said", {}).items() for word in words},
            value=row["value"],
            neutral=CHANGE_NOTHING | set(row["neutral"]),
        )
        for name, row in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
    )


def _clauses(sentence: Sequence[str]) -> list[tuple[int, int]]:
    """Return the sentence cut before each subject of odds that follows another's figure, as (begin, end)."""
    odds = [matter for matter in _matters() if matter.value == "odds"]
    subjects = {begin for matter in odds for _, begin in _subjects(matter, sentence)}
    begins = {0}
    subject = figure = False
    for place, word in enumerate(sentence):
        if place in subjects:
            begins |= {place} if figure else set()
            subject, figure = True, False
        elif subject and (word == "even" or any(letter.isdigit() for letter in word)):
            figure = True
    return list(pairwise([*sorted(begins), len(sentence)]))


def _read(matter: Matter, sentence: Sequence[str]) -> tuple[set[Said], set[int]] | None:
    """Return the words' statements on the matter and the words' places; None if they are on something else."""
    begins = _subjects(matter, sentence)
    subject = sorted({begin + step for words, begin in begins for step in range(len(words))})
    if not subject:
        return None
    says = {place: matter.said[word] for place, word in enumerate(sentence) if word in matter.said}
    if matter.value == "words":  # which are all that follow: what says it must come soon
        says = {place: said for place, said in says.items() if set(range(place - _SOON, place)) & set(subject)}
    said: set[Said] = set()
    used = set(subject)
    for begin, end in pairwise([*sorted(says), len(sentence)]):
        values, places = _values(matter, sentence, begin + 1, end)
        said |= {(says[begin], value) for value in values}
        used |= {begin, *places}
    if not said and matter.value == "figures" and says:  # “A dealer total of 22 will push”
        values, places = _values(matter, sentence, 0, min(says))
        said, used = {(says[min(says)], value) for value in values}, used | places
    elif not said and (matter.value == "odds" or not matter.said):
        values, places = _beside(matter, sentence, subject)
        said, used = {(next(iter(matter.said.values()), ""), value) for value in values}, used | places
    neutral = {place for place, word in enumerate(sentence) if word in matter.neutral}
    return (said, used | neutral) if said else None


def _subjects(matter: Matter, sentence: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the words of the matter's subject in the sentence, and where they begin."""
    for words in matter.subjects:
        for begin in places_of(words, sentence):
            end = begin + len(words)
            if not matter.but_not & set(sentence[end : end + 1]):
                yield words, begin


def _beside(matter: Matter, sentence: Sequence[str], subject: Sequence[int]) -> tuple[list[str], set[int]]:
    """Return the values after the subject itself, else the one before it: “Limit: $50,000”, “6 to 5 Blackjack”."""
    near = subject[-1] + 1 + _NEAR if matter.value == "odds" else len(sentence)
    values, places = _values(matter, sentence, subject[-1] + 1, near)
    if values:
        return values, places
    for begin in range(max(0, subject[0] - _LONGEST), subject[0]):
        values, places = _values(matter, sentence, begin, subject[0])
        if values and max(places) == subject[0] - 1:
            return values, places
    return [], set()


def _values(matter: Matter, sentence: Sequence[str], begin: int, end: int) -> tuple[list[str], set[int]]:
    """Return the values that begin from `begin` to before `end`, and their places."""
    if matter.value == "none":
        return [""], set()
    if matter.value == "words":
        places = {place for place in range(begin, end) if sentence[place] not in matter.neutral}
        return ([" ".join(sentence[place] for place in sorted(places))] if places else []), places
    values, used, place = [], set[int](), begin
    while place < min(end, len(sentence)):
        value, length = _figure(sentence[place:])
        if matter.value == "dollars" and value.isdigit() and len(value) >= _AMOUNT:
            value = f"${value}"
        fits = {"odds": " " in value, "dollars": value.startswith("$")}.get(matter.value, True)
        if value and fits:
            values.append(value)
            used |= set(range(place, place + length))
        place += length
    return values, used


def _figure(texts: Sequence[str]) -> tuple[str, int]:
    """Return the odds, number or amount that the tokens begin with, and its length; "" and 1 if there is none."""
    cell, length = first_cell(texts)
    number = texts[0].removesuffix("s").removesuffix("th")
    return (cell, length) if length else (number if number.isdigit() else "", 1)
