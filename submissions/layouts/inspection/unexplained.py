"""Text that belongs to nothing the drawing must or may show: a person decides what it means.

Each word on the layout is part of something called for, or of customary text (`customary_text`), or its line is listed.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from games.rules.loading.drawings import load_drawing_style
from games.rules.model import Chapter
from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.customary_text import Customary
from submissions.layouts.inspection.drawing_text import DrawingText, holds
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.phrases import TokenPlace, find_phrase, token_places
from submissions.layouts.inspection.sentences import page_place, printed_text, tokens_at
from submissions.layouts.inspection.tokens import Token, phrase
from submissions.layouts.required_elements import NAME_OR_LOGO, STATED_ODDS, RequiredElement

_FEWEST_LETTERS = 3  # of a recognized word that may say something
_NOTE_MARKS = frozenset("*†‡?¿※")
_MARKED = "Print it without the sign, or explain in the Note to the Board what the sign means. The Board decides."
_MINUS = ("-", "−", "–")


def unexplained(
    sheet: DrawingText,
    customary: Customary,
    citation: str,
    accounted: Collection[TokenPlace],
    reported: Collection[int],
) -> Iterator[Difference]:
    """A difference for each line with such words.

    `accounted`: tokens that belong to something; `reported`: segments that another difference names.
    """
    named: set[int] = set()  # lines of the drawing
    for number, segment in enumerate(sheet.segments):
        line = [(number, place) for place in range(len(segment.tokens))]
        left = [place for place in line if place not in accounted]
        text = printed_text(sheet, line)
        if left and number not in reported and _says_something(tokens_at(sheet, left)) and text not in customary:
            named.add(id(segment.tokens[0].word))
            yield _difference(text, page_place(sheet, left), citation)
    for _, words in groupby(sheet.words, key=lambda word: (word.page, word.line)):
        line_words = list(words)
        text = " ".join(word.text for word in line_words)
        marked = [word for word in line_words if word.certainty == 1 and _has_mark(word.text)]
        if marked and text not in customary and not named & set(map(id, line_words)):
            message = f"“{text.strip(' .,;')}” has a sign that may change what it says. {_MARKED}"
            yield Difference(DifferenceKind.UNEXPLAINED, message, citation, "", PagePlace.of(marked))


def numbers_with_label(sheet: DrawingText, labels: Collection[PagePlace]) -> Iterator[TokenPlace]:
    """The numbers that stand with a label in a figure: the points of a field, the faces of a die."""
    figures = [figure for figure in (*sheet.figures, *sheet.frames) if any(holds(figure, label) for label in labels)]
    for number, segment in enumerate(sheet.segments):
        if all(token.number for token in segment.tokens) and any(holds(each, sheet.place(number)) for each in figures):
            yield from ((number, place) for place in range(len(segment.tokens)))


def _says_something(left: Sequence[Token]) -> bool:
    """Whether the words are more than stray signs that recognition takes for letters."""
    return any(token.certain or len(token.text) >= _FEWEST_LETTERS for token in left)


def _difference(text: str, place: PagePlace, citation: str) -> Difference:
    message = (
        f"“{text.strip(' .,;')}” is printed; the chapter and the answers do not call for it. "
        "Remove it, or explain in the Note to the Board what it means. The Board decides."
    )
    return Difference(DifferenceKind.UNEXPLAINED, message, citation, "", place)


def sign_texts(sheet: DrawingText, needed: Sequence[RequiredElement]) -> Iterator[TokenPlace]:
    """The words of the list of signs beside a reference layout."""
    for element in needed:
        if element.kind == "sign":
            for trail in find_phrase(sheet, phrase(f"{element.element} ({element.citation})")):
                yield from token_places(trail)


def customary_texts(
    chapter: Chapter, needed: Sequence[RequiredElement], wagers: Collection[str], licensee: str
) -> Customary:
    """The customary text of the chapter's drawings; `wagers`: the names of those that are offered."""
    style = load_drawing_style(chapter)
    odds = [posted for element in needed for posted in element.odds]
    columns = {column for posted in odds for _, column, _ in posted.rows if column}
    named = (element.phrases[0] for element in needed if element.key == NAME_OR_LOGO and element.phrases)
    licensee = licensee or next(named, "")
    short = {name.removesuffix(" Wager") for name in wagers}
    return Customary(
        {
            "game": {chapter.title, *chapter.title.split("/")},
            "licensee": set(_beginnings(licensee)),
            "wager": {*short, *wagers, *(f"{name} Bet" for name in short)},
            "paytable": {posted.table for posted in odds if posted.table != STATED_ODDS},
            "label": {*(spot.label for spot in style.spots), *columns},
        }
    )


def _beginnings(name: str) -> Iterator[str]:
    """The name, and its first words if they are at least two: “Keystone Riverside”."""
    words = name.split()
    yield name
    yield from (" ".join(words[:count]) for count in range(2, len(words)))


def _has_mark(text: str) -> bool:
    minus = len(text) > 1 and text.startswith(_MINUS) and text[1].isdigit()
    return minus or bool(_NOTE_MARKS & set(text))
