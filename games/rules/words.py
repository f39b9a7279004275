"""The words of a chapter for layout, payout sign and gaming guide, a record each.

Not here: the rules (`model`), how the files are read (`loading/words`, `loading/labels`, `loading/guides`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter

from games.rules.model import ALWAYS, Condition

AREAS = ("area", "card_area")
"""The kinds of layout elements that have labels."""
PAYTABLE_WORDS = ("from", "returned", "amount")
"""What a sentence may say of the paytable in use: `{from:ante}`, `{returned:ante}`, `{amount:ante}`."""


@dataclass(frozen=True, slots=True)
class OddsSentence:
    """Odds that the chapter states in a sentence."""

    outcome: str
    pays: str
    citation: str


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of areas, devices and odds, by the key of the element, wager or option."""

    areas: Mapping[str, tuple[str, ...]]  # a label for each area of the element; () if nothing is to be read there
    odds: Mapping[str, OddsSentence]
    suggested: Mapping[str, str]  # words that the element may show, or its name
    progressive: Mapping[str, str]  # how the answer is called beneath a progressive paytable


@dataclass(frozen=True, slots=True)
class Sentence:
    """Plain words with the sections and the interpretation notes that they follow.

    `{option}` is replaced by its answer in words, `{from:wager}`, `{returned:wager}` and `{amount:wager}` by what the
    wager's paytable in use says (`paytable_words`).
    """

    words: str
    at: tuple[str, ...]
    condition: Condition = ALWAYS
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSentence:
    """What the guide says of an answer under “At this table”; `answer` is None for a sentence on any answer.

    `{option}` is replaced by its answer as entered. Of several sentences for one option, the first applies whose
    options are all answered, and of whose `unless` none is answered Yes.
    """

    option: str
    words: str
    answer: bool | None = None
    unless: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedPayout:
    """The payout of a wager that no paytable has: `1 to 1`, or words if it is not paid by odds."""

    wager: str
    pays: str
    at: tuple[str, ...]
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideText:
    """The text of a game for its players. `object` is None if `missing` has a reason."""

    missing: str
    object: Sentence | None
    steps: tuple[Sentence, ...]
    fixed: tuple[FixedPayout, ...]
    notices: tuple[tuple[str, Sentence], ...]  # (key of an element of the layout, its text)
    at_this_table: tuple[TableSentence, ...]
    beneath: tuple[tuple[str, Sentence], ...] = ()  # (key of a wager, what is printed beneath its paytable)
    sizes: tuple[tuple[str, Sentence], ...] = ()  # (key of a wager, its size, once the answers that it names are known)
    player_may: tuple[str, ...] = ()  # keys of wagers at every table that a player need not place
    no_sentence: Mapping[str, str] = field(default_factory=dict)  # interpretation note → why no sentence is needed


@dataclass(frozen=True, slots=True)
class CommonWords:
    """What one chapter uses of the words that many chapters share; the fields are as in `Labels` and `GuideText`."""

    names: Mapping[str, str] = field(default_factory=dict)
    progressive: Mapping[str, str] = field(default_factory=dict)
    at_this_table: tuple[TableSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class ChapterWords:
    """Everything that the papers of one chapter say and its rules do not."""

    labels: Labels
    guide: GuideText
    digest: str  # SHA-256 of the two data files and of the common words in use


def named_options(words: str) -> frozenset[str]:
    """The options whose answers the words contain, in braces."""
    return frozenset(name for name, _ in _placeholders(words) if name not in PAYTABLE_WORDS)


def named_wagers(words: str) -> frozenset[str]:
    """The wagers of whose paytables the words contain rows: `{from:ante}`."""
    return frozenset(wager for name, wager in _placeholders(words) if name in PAYTABLE_WORDS)


def _placeholders(words: str) -> list[tuple[str, str]]:
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(words) if name is not None]
