"""Text that a drawing prints beyond what it must show: customary text, and surplus text as differences.

Customary words of layouts are data: names, courtesy and notes (`customary_text.toml`), which state nothing about play,
and labels of areas and devices (`customary_labels.toml`). The chapters require an area or a device and prescribe no
words for it: customary words in a figure of their own name the place, and other words there are for a person to judge.
Without any, the place is missing.

Surplus text belongs to wagers that are not offered, elements that are not required, or another game; it is odds of
another wager or outcome; or it is neither part of something called for nor customary: then a person decides what it
means, as with lines that may be letters, several of one height beside each other, which no text accounts for.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from games.registry import folders, title_of
from games.registry import words as words_of
from games.rules.drawings import load_drawing_style
from games.rules.evaluate import effective, judge
from games.rules.model import Answers, Chapter, Wager
from games.rules.words import AREAS
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import (
    LABEL_SUFFIXES,
    DrawingText,
    TokenPlace,
    Trail,
    holds,
    token_places,
)
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.tokens import Token, flat_text, name_of, phrase, places_of
from submissions.layouts.required_elements import MUST_BE_ON_LAYOUT, NAME_OR_LOGO, STATED_ODDS, RequiredElement

_TEXT_FILE = Path(__file__).with_name("customary_text.toml")
_LONGEST_NAME = 5  # words
_MOST_WORDS = 40  # of a text; a longer one is never customary
_SPLIT = re.compile(r"\s+")
_AROUND = " .,;:!?()[]|/•·★☆+=×±-–—\"'“”‘’…<>_"
_DOTS = re.compile(r"\b([a-z])\.(?=[a-z]\b)")  # “u.s.”
_INCHES = re.compile(r"(?<=\d)[\"″”]")
Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Customary:
    """The customary texts of one drawing. `names`: by class (“wager”, “game”), the names that stand for it."""

    names: Mapping[str, Collection[str]]

    def __contains__(self, text: str) -> bool:
        """Return whether the text consists of customary phrases, and of nothing else."""
        printed = [word for word in _SPLIT.split(text) if _bare(word)]
        words = [_bare(word) for word in printed]
        if not words or len(words) > _MOST_WORDS:
            return not words
        alone = any(len(words) in self._ends(printed, words, 0, phrase) for phrase in _texts("alone"))
        return alone or self._consists(printed, words)

    def _consists(self, printed: Sequence[str], words: Sequence[str]) -> bool:
        reached = {0}
        for begin in range(len(words)):
            if begin in reached:
                for phrase in _texts("phrases"):
                    reached |= self._ends(printed, words, begin, phrase)
        return len(words) in reached

    def _ends(self, printed: Sequence[str], words: Sequence[str], begin: int, phrase: Phrase) -> set[int]:
        """Return the places where the phrase ends if it begins there; none if it does not."""
        ends = {begin}
        for part in phrase:
            ends = {end for start in ends for end in self._after(printed, words, start, part)}
        return ends

    def _after(self, printed: Sequence[str], words: Sequence[str], start: int, part: str) -> set[int]:
        if start >= len(words):
            return set()
        if not part.startswith("<"):
            return {start + 1} if words[start] == part else set()
        kind = part[1:-1]
        if kind == "name":
            return set(_name_ends(printed, words, start))
        if kind in self.names:
            own = self._names_by_class[kind]
            return {start + len(name) for name in own if tuple(words[start : start + len(name)]) == name}
        return {start + 1} if re.fullmatch(_data()["classes"][kind], words[start]) else set()

    @cached_property
    def _names_by_class(self) -> dict[str, set[Phrase]]:
        return {
            kind: {tuple(filter(None, map(_bare, _SPLIT.split(name)))) for name in names if name}
            for kind, names in self.names.items()
        }


def _bare(word: str) -> str:
    """Return the word in small letters, without marks; “” if it is only punctuation."""
    return _DOTS.sub(r"\1", flat_text(_INCHES.sub("in", word)).strip()).strip(_AROUND)


def _name_ends(printed: Sequence[str], words: Sequence[str], start: int) -> list[int]:
    ends = []
    for place in range(start, min(start + _LONGEST_NAME, len(words))):
        first = printed[place].lstrip("“\"'(&")[:1]
        if words[place] in _data()["not_names"] or not (first.isupper() or words[place] == "and") or first.isdigit():
            break
        ends.append(place + 1)
    return ends


@cache
def _texts(group: str) -> tuple[Phrase, ...]:
    return tuple(tuple(text.split()) for texts in _data()[group].values() for text in texts)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_TEXT_FILE.read_text(encoding="utf-8"))


_LABELS_FILE = Path(__file__).with_name("customary_labels.toml")
_SAYS_NOTHING = frozenset((*LABEL_SUFFIXES, "cards", "card", "line", "hand", "s"))  # in every second label
NAMED = (*AREAS, "box", "device")  # kinds of elements that are known by a label alone in its lines


def customary_trails(
    sheet: DrawingText,
    lacking: Sequence[RequiredElement],
    needed: Sequence[RequiredElement],
    taken: Collection[int],
) -> dict[str, list[Trail]]:
    """Return the places of each element's customary words by its key, outside the segments in `taken`.

    Words that are the label of another element needed are that one's. Those of an area are in a figure or between
    lines.
    """
    own = {phrase(text) for element in needed if element.kind in NAMED for text in element.texts}
    wanted = {element.key: [words for words in _customary(element) if words not in own] for element in lacking}
    labels = sheet.find_labels(sorted({words for each in wanted.values() for words in each}), taken)
    trails: dict[str, list[Trail]] = {}
    used: set[Trail] = set()
    for element in sorted(lacking, key=lambda each: -each.times):  # those of every seat first
        places = [trail for words in wanted[element.key] for trail in labels[words] if trail not in used]
        if element.kind in AREAS:
            at = [(trail, sheet.place_of(trail)) for trail in places]
            places = [
                trail
                for trail, place in at
                if sheet.figure_of(place) or any(holds(line, place) for line in sheet.lines)
            ]
        if places:
            trails[element.key] = places
            used |= set(places)
    return trails


def similar_words(
    sheet: DrawingText, element: RequiredElement, accounted: Collection[TokenPlace]
) -> tuple[str, PagePlace] | None:
    """Return words in figures that may name a missing area, and their first place; None without such words.

    Such words are accounted for by nothing and share one with the area's label, in as many figures as there are to be
    areas; or they are on the matter, between the lines: “Insurance pays 2 to 1”.
    """
    customary = _customary(element)
    texts = (*map(phrase, element.texts), *customary)
    words = {word for text in texts for word in text if not word.isdigit()} - _SAYS_NOTHING
    for text, places in _strange_words(sheet, accounted).items():
        if len(places) == element.times and words & set(phrase(text)):
            return text, places[0]
    if element.times > 1:
        return None
    for number, segment in enumerate(sheet.segments):
        line = tuple(token.text for token in segment.tokens)
        begins = any(line[: len(each)] == each for each in customary)
        if begins and sheet.between_lines(sheet.place(number)):
            return sheet.text(number), sheet.place(number)
    return None


def _strange_words(sheet: DrawingText, accounted: Collection[TokenPlace]) -> Mapping[str, list[PagePlace]]:
    """Return the words in a figure of the size of a betting area, if nothing accounts for all of them → the figures."""
    inside: dict[PagePlace, list[int]] = defaultdict(list)
    for number in range(len(sheet.segments)):
        if figure := sheet.figure_of(sheet.place(number)):
            inside[figure].append(number)
    strange: dict[str, list[PagePlace]] = defaultdict(list)
    for figure, segments in inside.items():
        places = {place for number in segments for place in sheet.places_in(number)}
        if not places <= set(accounted):
            strange[" ".join(map(sheet.text, segments))].append(figure)
    return strange


def _customary(element: RequiredElement) -> list[Phrase]:
    """Return the customary labels of the element, each once."""
    texts = (label for text in element.texts for label in _labels().get(text, ()) if element.kind in NAMED)
    return list(dict.fromkeys(map(phrase, texts)))


@cache
def _labels() -> Mapping[str, Sequence[str]]:
    labels: Mapping[str, Sequence[str]] = tomllib.loads(_LABELS_FILE.read_text(encoding="utf-8"))["labels"]
    return labels


_SECTION = re.compile(r"§ \w+\.\d+")


class Surplus(NamedTuple):
    """Text printed in excess, and all segments that show it."""

    difference: Difference
    segments: frozenset[int]


Unwanted = tuple[tuple[str, ...], str, str, str]  # words, message, citation, wager


def offered_wagers(chapter: Chapter, answers: Answers) -> list[Wager]:
    """Return the wagers that the answers offer, with those that belong to them."""
    offered = set(judge(chapter, effective(chapter, answers)).offered)
    return [wager for wager in chapter.wagers if {wager.key, wager.part_of} & offered]


def not_offered(
    sheet: DrawingText, chapter: Chapter, answers: Answers, needed: Sequence[RequiredElement], taken: frozenset[int]
) -> Iterator[Surplus]:
    """Yield one for each name, label or inscription, at its first place; segments in `taken` are skipped."""
    judged = judge(chapter, effective(chapter, answers))
    offered = {wager.key for wager in offered_wagers(chapter, answers)}
    known = _known(chapter, offered, needed)
    used = set(taken)
    unwanted = _unwanted(chapter, offered, {element.key for element in judged.layout}, needed)
    for words, what, citation, wager in sorted(unwanted, key=lambda row: -len(row[0])):  # longest words first
        if any(places_of(words, text) for text in known):
            continue
        inscription = what.startswith("Inscription")
        trails = sheet.find_phrase(words, used) if inscription else sheet.find_labels((words,), used)[words]
        if trails:
            segments = frozenset(span.segment for trail in trails for span in trail)
            used |= segments
            difference = Difference(DifferenceKind.NOT_OFFERED, what, citation, wager, sheet.place_of(trails[0]))
            yield Surplus(difference, segments)


def _unwanted(
    chapter: Chapter, offered: set[str], wanted: set[str], needed: Sequence[RequiredElement]
) -> Iterator[Unwanted]:
    """Yield the names of wagers and the words of elements that are not called for, and of other games."""
    for wager in chapter.wagers:
        if wager.key not in offered:
            message = f"“{wager.name.removesuffix(' Wager')}” is printed; the {wager.name} is not offered"
            yield name_of(wager.name), message, wager.citation, wager.key
    for element in chapter.layout:
        if element.key in wanted or element.kind not in MUST_BE_ON_LAYOUT:
            continue
        is_area = element.kind in AREAS
        labels = words_of(chapter).labels.areas[element.key] if is_area else (element.wording,)
        for words in filter(None, labels):
            message = f"{'Area' if is_area else 'Inscription'} “{words}” is printed; the answers do not require it"
            yield phrase(words), message, element.citation, element.wager
    section = next((match[0] for element in needed if (match := _SECTION.match(element.citation))), chapter.number)
    for title in sorted({title_of(number) for number in folders()} - {chapter.title}):
        yield phrase(title), f"“{title}” is printed; this is a layout of {chapter.title}", section, ""


def _known(chapter: Chapter, offered: set[str], needed: Sequence[RequiredElement]) -> list[tuple[str, ...]]:
    """Return the words that the drawing must or may show."""
    said = [text for element in needed for text in (*element.phrases, element.suggested) if text]
    rows = [row[0] for element in needed for odds in element.odds for row in odds.rows]
    names = [wager.name for wager in chapter.wagers if wager.key in offered]
    return [phrase(text) for text in (*said, *rows, *names, chapter.title)]


_ODDS = 3  # tokens
_CODE = re.compile(r"[A-Za-z]|[-:]0\d")  # within a word: the number of a drawing, as KRC-590-001


class UnknownOdds(NamedTuple):
    """A segment with such odds as it is printed; `certain`: its letters are text in the file."""

    segment: int
    printed: str
    place: PagePlace
    certain: bool

    def difference(self, citation: str) -> Difference:
        message = f"“{self.printed}” is printed; no paytable or wager chosen has these odds"
        return Difference(DifferenceKind.UNKNOWN_ODDS, message, citation, "", self.place)


def unknown_odds(sheet: DrawingText, known: Collection[int], accounted: Collection[TokenPlace]) -> list[UnknownOdds]:
    """Return the lines with odds, outside the `known` segments and the tokens that are accounted for."""
    lines_with_odds = []
    for place in range(len(sheet.segments)):
        left = sheet.tokens_at(each for each in sheet.places_in(place) if each not in accounted)
        if place not in known and any(_are_odds(left, begin) for begin in range(len(left))):
            text, is_certain = sheet.text(place).strip(" .,;"), all(token.certain for token in left)
            page_place = sheet.place_at(sheet.places_in(place))
            lines_with_odds.append(UnknownOdds(place, text, page_place, is_certain))
    return lines_with_odds


def _are_odds(tokens: Sequence[Token], begin: int) -> bool:
    """Return whether “3 to 2” or “even money” is there; “1-6” is a range, and “11-28-2026” a date."""
    texts = [token.text for token in tokens[begin : begin + _ODDS]]
    if texts[:2] == ["even", "money"]:
        return True
    if len(texts) < _ODDS or not texts[0].isdigit() or texts[1] not in ("to", "for") or not texts[2].isdigit():
        return False
    if tokens[begin + 1].word.text.lower().strip() in ("to", "for"):
        return True
    after_number = begin > 0 and tokens[begin - 1].number
    word = tokens[begin].word
    part_of_code = word is tokens[begin + 2].word and _CODE.search(word.text)
    return not after_number and not part_of_code and int(texts[0]) > int(texts[2])


_FEWEST_LETTERS = 3  # of a recognized word that may say something
_NOTE_MARKS = frozenset("*†‡?¿※")
_NOT_CALLED_FOR = (
    "the chapter and the answers do not call for it. "
    "Remove it, or explain in the Note to the Board what it means. The Board decides."
)
_MARKED = "Print it without the sign, or explain in the Note to the Board what the sign means. The Board decides."
_MINUS = ("-", "−", "–")


def unexplained(
    sheet: DrawingText,
    customary: Customary,
    citation: str,
    accounted: Collection[TokenPlace],
    reported: Collection[int],
) -> Iterator[Difference]:
    """Yield a difference for each line with such words.

    `accounted`: tokens that belong to something; `reported`: segments that another difference names.
    """
    named: set[int] = set()  # lines of the drawing
    for number, segment in enumerate(sheet.segments):
        left = [place for place in sheet.places_in(number) if place not in accounted]
        # Recognition takes stray signs for letters.
        says = any(token.certain or len(token.text) >= _FEWEST_LETTERS for token in sheet.tokens_at(left))
        if says and number not in reported and (text := sheet.text(number)) not in customary:
            named.add(id(segment.tokens[0].word))
            message = f"“{text.strip(' .,;')}” is printed; {_NOT_CALLED_FOR}"
            yield Difference(DifferenceKind.UNEXPLAINED, message, citation, "", sheet.place_at(left))
    for _, words in groupby(sheet.words, key=lambda word: (word.page, word.line)):
        line_words = list(words)
        text = " ".join(word.text for word in line_words)
        marked = [word for word in line_words if word.certainty == 1 and _has_mark(word.text)]
        if marked and text not in customary and not named & set(map(id, line_words)):
            message = f"“{text.strip(' .,;')}” has a sign that may change what it says. {_MARKED}"
            yield Difference(DifferenceKind.UNEXPLAINED, message, citation, "", PagePlace.of(marked))


def numbers_with_label(sheet: DrawingText, labels: Collection[PagePlace]) -> Iterator[TokenPlace]:
    """Yield the numbers that stand with a label in a figure: the points of a field, the faces of a die."""
    figures = [figure for figure in (*sheet.figures, *sheet.frames) if any(holds(figure, label) for label in labels)]
    for number, segment in enumerate(sheet.segments):
        if all(token.number for token in segment.tokens) and any(holds(each, sheet.place(number)) for each in figures):
            yield from sheet.places_in(number)


def sign_texts(sheet: DrawingText, needed: Sequence[RequiredElement]) -> Iterator[TokenPlace]:
    """Yield the words of the list of signs beside a reference layout."""
    for element in needed:
        if element.kind == "sign":
            for trail in sheet.find_phrase(phrase(f"{element.element} ({element.citation})")):
                yield from token_places(trail)


def customary_texts(
    chapter: Chapter, needed: Sequence[RequiredElement], wagers: Collection[str], licensee: str
) -> Customary:
    """Return the customary text of the chapter's drawings; `wagers`: the names of those that are offered."""
    style = load_drawing_style(chapter)
    odds = [posted for element in needed for posted in element.odds]
    columns = {column for posted in odds for _, column, _ in posted.rows if column}
    named = (element.phrases[0] for element in needed if element.key == NAME_OR_LOGO and element.phrases)
    licensee = licensee or next(named, "")
    words = licensee.split()
    beginnings = (" ".join(words[:count]) for count in range(2, len(words)))  # “Keystone Riverside”
    short = {name.removesuffix(" Wager") for name in wagers}
    return Customary(
        {
            "game": {chapter.title, *chapter.title.split("/")},
            "licensee": {licensee, *beginnings},
            "wager": {*short, *wagers, *(f"{name} Bet" for name in short)},
            "paytable": {posted.table for posted in odds if posted.table != STATED_ODDS},
            "label": {*(spot.label for spot in style.spots), *columns},
        }
    )


def _has_mark(text: str) -> bool:
    minus = len(text) > 1 and text.startswith(_MINUS) and text[1].isdigit()
    return minus or bool(_NOTE_MARKS & set(text))


_HIGH = 0.06  # of the page's height, at most
_NARROW = 1.5  # of a letter's height: it is not wider
_LIKE = 0.1  # of the height, by which heights and tops of two letters may differ
_GAP = 1.5  # of the height, between two letters
_MAY_BE_LETTERS = (
    "The lines here may be letters, but the file has no text for them. "
    "Print them as text, or explain in the Note to the Board what they are. The Board decides."
)


def drawn_letters(sheet: DrawingText, citation: str) -> Iterator[Difference]:
    """Yield a difference at the first of each group of such lines."""
    low = [line for line in sheet.lines if line.box.height < _HIGH]
    ratio = {line.page: sheet.pages[line.page].width / sheet.pages[line.page].height for line in low}
    letters = (line for line in low if line.box.width * ratio[line.page] < _NARROW * line.box.height)
    lines = sorted(letters, key=lambda line: line.box.left)
    named: set[int] = set()
    for number, line in enumerate(lines):
        box, high = line.box, line.box.height
        partners = {
            id(later)
            for later in lines[number + 1 :]
            if later.page == line.page
            and max(abs(later.box.height - high), abs(later.box.top - box.top)) < _LIKE * high
            and 0 < (later.box.left - box.left - box.width) * ratio[line.page] < _GAP * high
        }
        if partners and id(line) not in named:
            yield Difference(DifferenceKind.UNEXPLAINED, _MAY_BE_LETTERS, citation, "", line)
        named |= partners
