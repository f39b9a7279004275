"""Odds that a drawing prints and that belong to nothing it must or may show: another wager's, another outcome's."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from submissions.layouts.drawing_model import PagePlace
from submissions.layouts.inspection.drawing_text import DrawingText
from submissions.layouts.inspection.findings import Difference, DifferenceKind
from submissions.layouts.inspection.phrases import TokenPlace
from submissions.layouts.inspection.sentences import page_place, printed_text
from submissions.layouts.inspection.tokens import Token

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
    """The lines with odds, outside the `known` segments and the tokens that are accounted for."""
    lines_with_odds = []
    for place, segment in enumerate(sheet.segments):
        line = [(place, token) for token in range(len(segment.tokens))]
        left = [segment.tokens[token] for _, token in line if (place, token) not in accounted]
        if place not in known and _has_odds(left):
            text = printed_text(sheet, line).strip(" .,;")
            lines_with_odds.append(
                UnknownOdds(place, text, page_place(sheet, line), all(token.certain for token in left))
            )
    return lines_with_odds


def _has_odds(tokens: Sequence[Token]) -> bool:
    return any(_are_odds(tokens, begin) for begin in range(len(tokens)))


def _are_odds(tokens: Sequence[Token], begin: int) -> bool:
    """Whether “3 to 2” or “even money” is there; “1-6” is a range, and “11-28-2026” a date."""
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
