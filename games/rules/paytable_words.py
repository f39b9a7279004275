"""What a paytable pays and returns, in the words of a sentence: “a pair of jacks or better”, “a pair of 6s to 10s”.

A guide says with these words from which hand on a wager wins. Also a payout as it is posted. Not here: the sentences
(`guide.toml`), the printed table.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.rules.model import Chapter, Pay, Paytable
from games.rules.words import PAYTABLE_WORDS

NOT_IN_THE_TEXT = "Not in the source text"  # begins the name of a paytable that stands in for one that is not at hand
_GAP_IN_NUMBER = re.compile(r"(?<=\d) (?=\d)")  # left by the Code's conversion: "4 00 to 1"
HAND_OF_ITS_PAYTABLE = "a hand of its paytable"
AMOUNT_OF_ITS_PAYTABLE = "the amount of its paytable"
_WITHOUT_ARTICLE = ("a ", "two ", "three of", "three-of", "four of", "four-of", "five of", "five-of", "four aces")
_WITH_AN = ("a", "e", "i", "o")


def lowest_paid(paytable: Paytable | None) -> str:
    """The lowest row that is paid: “three-of-a-kind or better”; of no paytable, “a hand of its paytable”."""
    paid = [row.outcome for row in paytable.rows if any(map(_pays, row.pays))] if paytable else []
    if not paid:
        return HAND_OF_ITS_PAYTABLE
    lowest = with_article(paid[-1])
    return lowest if len(paid) == 1 or "or better" in lowest else f"{lowest} or better"


def returned(paytable: Paytable | None) -> str:
    """The rows that return the wager: “two pair or a pair of 10s or better”."""
    rows = [row.outcome for row in paytable.rows if any(pay.push for pay in row.pays)] if paytable else []
    return ", or ".join(map(with_article, rows)) or HAND_OF_ITS_PAYTABLE


def amount_wagered(paytable: Paytable | None) -> str:
    """The amount of the wager, where the paytable is for one: “$5”."""
    if paytable is None or paytable.wager_amount is None:
        return AMOUNT_OF_ITS_PAYTABLE
    return f"${paytable.wager_amount:,}"


def with_article(outcome: str) -> str:
    """The outcome within a sentence: “a pair”, “an ace”, “three-of-a-kind”."""
    words = outcome.lower()
    if words.startswith(_WITHOUT_ARTICLE):
        return words
    return f"an {words}" if words.startswith(_WITH_AN) else f"a {words}"


def _pays(pay: Pay) -> bool:
    return pay.odds is not None or pay.amount is not None or pay.meter is not None


def posted(pay: Pay) -> str:
    """The payout as layout, sign and guide post it: as printed, without a gap inside a number."""
    return _GAP_IN_NUMBER.sub("", pay.printed)


def in_the_text(paytable: Paytable) -> bool:
    """Whether the text at hand prints the paytable; else it is that of general use."""
    return not paytable.name.startswith(NOT_IN_THE_TEXT)


def rows_in_use(chapter: Chapter, paytables: Mapping[str, str]) -> dict[str, object]:
    """What fills `{from:wager}` and its like (`PAYTABLE_WORDS`); `paytables`: wager → name of the paytable in use."""
    say = (lowest_paid, returned, amount_wagered)
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
