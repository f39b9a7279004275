"""Words made comparable: without case, dashes, ligatures, quotation marks; numbers and odds in one notation.

“Four-of-a-Kind” and “four of a kind”, “3:2”, “3-2”, “1½ to 1” and “3 to 2”, “$50,000” and “$50,000.00” become the same
tokens. The payout in a cell of odds is read from tokens: “6 to 1”, “Push”, “$5,000/100% of meter”.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from submissions.layouts.drawing_model import Box, Word

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\ufe58\ufe63\uff0d"), "-")
_QUOTES = dict.fromkeys(map(ord, "'\"`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u2032\u2033\u00b4"), None)
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_PIECE = re.compile(rf"\$?{_NUMBER}%?[a-z]*|[a-z][a-z0-9]*|[-:/]")
_ZERO_CENTS = re.compile(r"\.0+(?=$|%)")
_NOWHERE = Box(0, 0, 0, 0)
_SEPARATORS = ("-", ":")
_LEADS = ("to", "for", *_SEPARATORS)  # from what is paid to what is staked
PAYS = ("pays", "pay", "paid")
_PLURAL = 3  # letters of a word that may have an “s” more
_LABEL_WORDS = ("wager", "wagers", "bet", "bets")  # one is a player's, several may be a place for all
_POSSESSIVE = re.compile(r"['\u2018\u2019\u02bc\u00b4`]s\W*$", re.IGNORECASE)
_LONG = 5  # letters of a word in which recognition may have misread one
_TO_NINETEEN = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMERALS = {
    **{word: str(number) for number, word in enumerate(_TO_NINETEEN, start=1)},
    **{word: f"{number}0" for number, word in enumerate(_TENS, start=2)},
    "hundred": "100",
    "thousand": "1000",
}
_MARKS = dict.fromkeys(map(ord, "\u2122\u00ae\u2120\u00a9"), None)  # trademark and copyright signs


@dataclass(frozen=True, slots=True)
class Token:
    """A comparable word. `certain`: it is text in the file. `broken`: a dash at its end may divide it."""

    text: str
    word: Word
    certain: bool
    broken: bool = False

    @property
    def number(self) -> bool:
        return self.text.isdigit()


def tokens(words: Iterable[Word]) -> tuple[Token, ...]:
    """Return the tokens of the words of one line, in their order."""
    pieces = [
        Token(_ZERO_CENTS.sub("", piece.replace(",", "")), word, word.certainty >= 1, text.rstrip().endswith("-"))
        for word in words
        for text in (flat_text(word.text),)
        for piece in _PIECE.findall(text)
    ]
    return tuple(_merged(_odds_in_figures(_odds(_halves(pieces)))))


@cache
def phrase(text: str) -> tuple[str, ...]:
    """Return the tokens of a text that is searched for."""
    return tuple(token.text for token in tokens([Word(word, 0, _NOWHERE, 0) for word in text.split()]))


def name_of(name: str) -> tuple[str, ...]:
    """Return the tokens of the name of a wager or an outcome without “Wager”."""
    words = phrase(name)
    return tuple(word for word in words if word not in ("wager", "wagers")) or words


def matches(token: Token, text: str) -> bool:
    """Return whether the token is that text, in the singular or the plural; “wager” is not “wagers”."""
    short, long = sorted((token.text, text), key=len)
    plural = long == f"{short}s" and short.isalpha() and len(short) >= _PLURAL and not short.endswith("s")
    return token.text == text or (plural and short not in _LABEL_WORDS) or _is_misread(token, text)


def _is_misread(token: Token, text: str) -> bool:
    """Return True if the token is that text with one letter more, less or other: of a long recognized word."""
    short, long = sorted((token.text, text), key=len)
    if token.certain or len(short) < _LONG or not (short + long).isalpha() or len(long) - len(short) > 1:
        return False
    same = next((place for place, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def matches_name(token: Token, text: str) -> bool:
    """Return whether the token is that word of a proper name, also with “'s”; an added or missing “s” is not."""
    printed = token.text.removesuffix("s") if _POSSESSIVE.search(token.word.text) else token.text
    if text in (printed, token.text):
        return True
    return _is_misread(token, text) and printed.replace("s", "") != text.replace("s", "")


def same_number(token: Token, text: str) -> bool:
    """Return whether one is the other's numeral: “4” and “four”."""
    return _NUMERALS.get(text) == token.text or _NUMERALS.get(token.text) == text


def places_of(words: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Return the places where the texts have these words, one after the other."""
    wanted = tuple(words)
    return [place for place in range(len(texts)) if tuple(texts[place : place + len(wanted)]) == wanted]


def flat_text(text: str) -> str:
    """Return the text in small letters, without accents, quotation marks and trademark signs."""
    text = re.sub(r"(?<!\d)½", "0.5", text).replace("½", ".5")
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES | _MARKS)).casefold().translate(_DASHES | _QUOTES)
    text = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    text = re.sub(r"(?<=\d)(to|for)(?=\d)", r" \1 ", text.replace("&", " and "))
    return re.sub(r"\bn\s*/\s*a\b", "na", text)


def _halves(pieces: Sequence[Token]) -> list[Token]:
    """Return “1 ½ to 1” and “1 1/2 to 1” as “3 to 2”."""
    read: list[Token] = []
    place = 0
    while place < len(pieces):
        texts = [piece.text for piece in pieces[place : place + 4]]
        half = 1 if texts[0] == "0.5" else 3 if texts[:3] == ["1", "/", "2"] and texts[3:] and texts[3] in _LEADS else 0
        if half and read and read[-1].text == "-":
            read.pop()
        whole = read.pop().text if half and read and read[-1].number else "0"
        read.append(replace(pieces[place], text=f"{whole}.5") if half else pieces[place])
        place += half or 1
    return _doubled(read)


def _doubled(pieces: list[Token]) -> list[Token]:
    """Return odds that have a half in whole numbers: “1.5 to 1” is “3 to 2”."""
    for place in range(len(pieces) - 2):
        paid, leads, staked = pieces[place : place + 3]
        if paid.text.endswith(".5") and paid.text[:-2].isdigit() and leads.text in _LEADS and staked.number:
            pieces[place] = replace(paid, text=str(2 * int(paid.text[:-2]) + 1))
            pieces[place + 2] = replace(staked, text=str(2 * int(staked.text)))
    return pieces


def _odds(pieces: Sequence[Token]) -> list[Token]:
    """Return the tokens with a dash or colon between numbers read as “to”, without one that leads to the odds."""
    remaining = []
    for place, token in enumerate(pieces):
        if token.text == "/":
            remaining += [replace(token, text="to")] if _is_fraction_paid(pieces, place) else []
        elif token.text not in _SEPARATORS:
            remaining.append(token)
        elif 0 < place < len(pieces) - 1 and pieces[place - 1].number and pieces[place + 1].number:
            leads = place + 2 < len(pieces) and pieces[place + 2].text in ("to", "for", *_SEPARATORS)
            remaining += [] if leads else [replace(token, text="to")]
    return remaining


def _is_fraction_paid(pieces: Sequence[Token], place: int) -> bool:
    """Return True for “Pays 6/5”; “24/7”, “1/10” and “11/22/2026” are not odds."""
    around = [pieces[side] for side in (place - 1, place + 1) if 0 < side < len(pieces)]
    return len(around) == 2 and all(token.number for token in around) and pieces[place - 2].text in PAYS


def _odds_in_figures(pieces: Sequence[Token]) -> list[Token]:
    """Return “Three to two” as “3 to 2”; elsewhere a number in words stays as it is."""
    written = list(pieces)
    for place in range(1, len(pieces) - 1):
        sides = (place - 1, place + 1)
        numbers = all(pieces[side].number or pieces[side].text in _NUMERALS for side in sides)
        if pieces[place].text in ("to", "for") and numbers:
            for side in sides:
                written[side] = replace(pieces[side], text=_NUMERALS.get(pieces[side].text, pieces[side].text))
    return written


def _merged(pieces: Sequence[Token]) -> list[Token]:
    """Return the tokens with a number that a space divides ("4 00") as one token."""
    merged: list[Token] = []
    for token in pieces:
        if merged and merged[-1].number and token.number and len(token.text) > 1 and not token.text.strip("0"):
            merged[-1] = replace(merged[-1], text=merged[-1].text + token.text)
        else:
            merged.append(token)
    return merged


_NOT_POSSIBLE = ("na",)  # the outcome cannot occur
_WORDS = {("even", "money"): "1 to 1", ("push",): "push", ("pushes",): "push", ("loss",): "loss", ("loses",): "loss"}
_SMALL = ("of", "the")
_METERS = ("meter", "jackpot", "mega", "major", "minor", "progressive")
_BETWEEN = ("envy", "bonus", "and")  # words between two cells of a row


def odds_cells(texts: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the cells that the tokens begin with, and the number of their tokens."""
    cells: list[str] = []
    read = 0
    while True:
        between = _while(texts[read:], _BETWEEN) if cells else 0
        cell, length = first_cell(texts[read + between :])
        if not length:
            return tuple(cells), read
        cells += [cell] if cell not in _NOT_POSSIBLE else []
        read += between + length


@cache
def odds_cell(words: str) -> str:
    """Return the text as one cell; its tokens if it is not one cell."""
    cells, _ = odds_cells(phrase(words))
    return cells[0] if len(cells) == 1 else " ".join(phrase(words))


def cell_ends(texts: Sequence[str]) -> Iterator[int]:
    """Yield the numbers of tokens after which a cell ends."""
    place = 0
    while place < len(texts):
        _, length = first_cell(texts[place:])
        place += length or 1
        if length:
            yield place


def first_cell(texts: Sequence[str]) -> tuple[str, int]:
    """Return the one cell that the tokens begin with, and the number of its tokens; 0 if there is none."""
    if len(texts) >= 3 and texts[0].isdigit() and texts[1] in ("to", "for") and texts[2].isdigit():
        return " ".join(texts[:3]), 3
    for words, cell in _WORDS.items():
        if tuple(texts[: len(words)]) == words:
            return cell, len(words)
    if texts and texts[0] in _NOT_POSSIBLE:
        return texts[0], 1
    return _money(texts)


def _money(texts: Sequence[str]) -> tuple[str, int]:
    """Return the dollars, share of a meter, or both, that the tokens begin with, and the number of their tokens."""
    length = 1 if texts and texts[0].startswith("$") else 0
    if len(texts) > length and texts[length].endswith("%"):
        share = length + 1 + _while(texts[length + 1 :], _SMALL)
        meters = _while(texts[share:], _METERS)
        length = share + meters if meters else length
    return " ".join(text for text in texts[:length] if text not in _SMALL), length


def _while(texts: Sequence[str], words: Sequence[str]) -> int:
    return next((place for place, text in enumerate(texts) if text not in words), len(texts))
