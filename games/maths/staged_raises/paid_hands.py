"""The hands that this family pays.

The hands are the ladder of eleven results of the paytables on five cards, from a lost hand to a royal flush, and the
three own cards as a hand of their own.

Several games pay the ladder, each with odds of its own. Not here: the ranking itself (`maths.ranking`), what three
cards are (`maths.hands`), how often each hand is dealt and folded.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import FULL_DECK, SUITS
from games.maths.hands import ROYAL, THREE_CARD_CLASSES, THREE_CARD_HANDS, set_place, three_card_classes
from games.maths.results import LOST_NET, WagerAnalysis, counted_by_table, net_of, with_lost
from games.maths.staged_raises.turns.form import PaidHands
from games.rules.errors import ParameterError
from games.rules.model import Paytable

PAIRS = comb(FULL_DECK, 2)


RESULTS = (
    "Less than a pair of 6s", "Pair of 6s to 10s", "Pair of jacks or better", "Two pair", "Three-of-a-kind",
    "Straight", "Flush", "Full house", "Four-of-a-kind", "Straight flush", "Royal flush",
)  # fmt: skip
"""As the paytables print them, lowest first."""
LOSING, PUSHING, HIGH_PAIR = range(3)
LADDER = PaidHands(pairs=("6", "J"))
"""The hands of `RESULTS` but the first."""


def pays_of(table: Paytable) -> tuple[Fraction, ...]:
    """Return the net of one unit by each result, from a paytable with a row for each that does not lose."""
    if len(table.rows) != len(RESULTS) - 1:
        raise ValueError(f"{table.citation} {table.name} has {len(table.rows)} rows, not those of {RESULTS[1:]}")
    return (LOST_NET, *(net_of(line.pays[0], table) for line in reversed(table.rows)))


OWN = 3
SPADES = SUITS.index("s")
ROYAL_OF_SPADES = "Royal of spades"
OWN_CLASSES = (*THREE_CARD_CLASSES, ROYAL_OF_SPADES)
"""Lowest first; the royal of spades apart from the other three."""
SPADES_PLACE = OWN_CLASSES.index(ROYAL_OF_SPADES)

ClassCounts = NDArray[np.int64]
"""`[class]`: how many of the hands have own cards of each of `OWN_CLASSES`."""


def own_classes() -> NDArray[np.int8]:
    """Return the class of every three cards, as its place in `OWN_CLASSES`, in the order of `three_card_hands`."""
    kinds = three_card_classes().copy()
    kinds[set_place([card for card in range(FULL_DECK) if card % 4 == SPADES][-OWN:])] = SPADES_PLACE
    return kinds


def check_rows(key: str, rows: Sequence[str]) -> None:
    """Raise `ParameterError` for a row of a class that three cards cannot be."""
    allowed = OWN_CLASSES[1:]  # a pair or better
    for name in rows:
        if name not in allowed:
            raise ParameterError(key, f"{name!r} is not a hand of three cards; allowed are {', '.join(allowed)}")


def own_counts(class_counts: ClassCounts, rows: Sequence[str], table: Paytable) -> dict[str, int]:
    """Return outcome → count; `rows`: the class of each row; a royal without a row is paid as the next lower."""
    by_class = dict(zip(OWN_CLASSES, (int(count) for count in class_counts), strict=True))
    for royal, lower in ((ROYAL_OF_SPADES, ROYAL), (ROYAL, hands.STRAIGHT_FLUSH)):
        if royal not in rows:
            by_class[lower] += by_class.pop(royal)
    counts = {line.outcome: by_class[name] for line, name in zip(table.rows, rows, strict=True)}
    return with_lost(counts, sum(by_class.values()))


def own_cards_analysis(table: Paytable, rows: Sequence[str], lost: str) -> WagerAnalysis:
    """Return the analysis of a wager that no decision touches, over every three cards once; `lost`: the subsection."""
    counts = own_counts(np.bincount(own_classes()), rows, table)
    return counted_by_table(table, counts, THREE_CARD_HANDS, lost)
