"""Answers and paytables in words, for pages, documents and messages.

An answer, a doubtful text as a message quotes it, the hands that a paytable pays (“a pair of jacks or better”). Not
here: the sentences of a guide (`guide.toml`).
"""

import re
import reprlib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from games.rules.model import Answer, Answers, Chapter, Option, Pay, Paytable
from games.rules.words import PAYTABLE_WORDS

NOT_ANSWERED = "not answered"


def in_words(chapter: Chapter, option: Option | str, answer: Answer) -> str:
    """Return the answer as a reader would say it: Yes, $50,000.00, the label of a choice, the name of a file."""
    line = chapter.option(option) if isinstance(option, str) else option
    if answer is None or answer == "":
        return NOT_ANSWERED
    if isinstance(answer, bool):
        return "Yes" if answer else "No"
    if isinstance(answer, Mapping):
        return f"{answer.get('name', 'attachment')} ({_size(answer.get('size'))})"
    if line.kind == "choice":
        return next((choice.label for choice in line.choices if choice.value == answer), str(answer))
    if line.kind == "money":
        return _dollars(str(answer))
    return f"{answer} %" if line.kind == "percent" else str(answer)


def with_required_parts(chapter: Chapter, key: str) -> str:
    """Return a wager with the parts that every player must make too: “Ante, Blind and Raise Wagers”."""
    parts = [part.name for part in chapter.wagers if part.part_of == key and part.required]
    names = [chapter.wager(key).name, *parts]
    if len(names) == 1 or not all(name.endswith(" Wager") for name in names):
        return names[0]
    *most, last = (name.removesuffix(" Wager") for name in names)
    return f"{', '.join(most)} and {last} Wagers"


def _dollars(answer: str) -> str:
    """Return the amount as `$50,000.00`; text of a draft that is not an amount yet is shown unchanged."""
    try:
        return f"${Decimal(answer):,.2f}"
    except InvalidOperation:
        return answer


def _size(size: str | int | None) -> str:
    if not isinstance(size, int):
        return "size unknown"
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{max(1, round(size / 1000))} kB"


class Filled(dict[str, object]):
    """The fillers of a message's braces: the words of a check, and any option's answer by its key."""

    def __init__(self, chapter: Chapter, answers: Answers, words: Mapping[str, object] | None = None) -> None:
        super().__init__(words or {})
        self._chapter = chapter
        self._answers = answers

    def __missing__(self, key: str) -> str:
        return in_words(self._chapter, key, self._answers.get(key))


_LONGEST_SHOWN = 60


def hidden_sign(text: str) -> str | None:
    """Return the first control, formatting or unassigned character ("U+202E at place 7"), save line breaks and tabs."""
    for place, sign in enumerate(text, start=1):
        if sign not in "\n\r\t" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn"):
            return f"U+{ord(sign):04X} at place {place}"
    return None


def quoted_answer(answer: object) -> str:
    """Return an answer for a message: short, in quotation marks, without anything that could disturb the line."""
    text = answer if isinstance(answer, str) else _bounded(answer)
    visible = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: _LONGEST_SHOWN + 1]
    )
    return f"“{visible[:_LONGEST_SHOWN]}…”" if len(visible) > _LONGEST_SHOWN else f"“{visible}”"


def _bounded(answer: object) -> str:
    """Return a representation that stays short however long or deep the answer is."""
    try:
        return reprlib.repr(answer)
    except ValueError:  # an integer of thousands of digits
        return "a very long number"


NOT_IN_THE_TEXT = "Not in the source text"  # begins the name of a paytable that stands in for one that is not at hand
_GAP_IN_NUMBER = re.compile(r"(?<=\d) (?=\d)")  # left by the Code's conversion: "4 00 to 1"
HAND_OF_ITS_PAYTABLE = "a hand of its paytable"
AMOUNT_OF_ITS_PAYTABLE = "the amount of its paytable"
_WITHOUT_ARTICLE = ("a ", "two ", "three of", "three-of", "four of", "four-of", "five of", "five-of", "four aces")
_WITH_AN = ("a", "e", "i", "o")


def lowest_paid(paytable: Paytable | None) -> str:
    """Return the lowest row that is paid: “three-of-a-kind or better”; of no paytable, “a hand of its paytable”."""
    paid = [row.outcome for row in paytable.rows if any(map(_pays, row.pays))] if paytable else []
    if not paid:
        return HAND_OF_ITS_PAYTABLE
    lowest = with_article(paid[-1])
    return lowest if len(paid) == 1 or "or better" in lowest else f"{lowest} or better"


def returned_rows(paytable: Paytable | None) -> str:
    """Return the rows that return the wager: “two pair or a pair of 10s or better”."""
    rows = [row.outcome for row in paytable.rows if any(pay.push for pay in row.pays)] if paytable else []
    return ", or ".join(map(with_article, rows)) or HAND_OF_ITS_PAYTABLE


def amount_wagered(paytable: Paytable | None) -> str:
    """Return the amount of the wager, where the paytable is for one: “$5”."""
    if paytable is None or paytable.wager_amount is None:
        return AMOUNT_OF_ITS_PAYTABLE
    return f"${paytable.wager_amount:,}"


def with_article(outcome: str) -> str:
    """Return the outcome within a sentence: “a pair”, “an ace”, “three-of-a-kind”."""
    words = outcome.lower()
    if words.startswith(_WITHOUT_ARTICLE):
        return words
    return f"an {words}" if words.startswith(_WITH_AN) else f"a {words}"


def _pays(pay: Pay) -> bool:
    return pay.odds is not None or pay.amount is not None or pay.meter is not None


def posted_payout(pay: Pay) -> str:
    """Return the payout as layout, sign and guide post it: as printed, without a gap inside a number."""
    return _GAP_IN_NUMBER.sub("", pay.printed)


def in_the_text(paytable: Paytable) -> bool:
    """Return True if the text at hand prints the paytable; else it is that of general use."""
    return not paytable.name.startswith(NOT_IN_THE_TEXT)


def rows_in_use(chapter: Chapter, paytables: Mapping[str, str]) -> dict[str, object]:
    """Return the fillers of `{from:wager}` and its like (`PAYTABLE_WORDS`); `paytables`: wager → paytable in use."""
    say = (lowest_paid, returned_rows, amount_wagered)
    return {word: _RowsInUse(chapter, paytables, words) for word, words in zip(PAYTABLE_WORDS, say, strict=True)}


@dataclass(frozen=True, slots=True)
class _RowsInUse:
    """Becomes words when a sentence is formatted: the wager is the format."""

    chapter: Chapter
    paytables: Mapping[str, str]
    say: Callable[[Paytable | None], str]

    def __format__(self, wager: str) -> str:
        name = self.paytables.get(wager)
        return self.say(self.chapter.paytable(wager, name) if name else None)
