"""The house ways as the kernels follow them: one row for each line of a chapter's `house_ways.toml`.

Here live the conditions; the words that a dealer follows are in that file, under the same `when`. Not here:
how a row is applied (`setting.dealer_setting`).

A row fits by the shape of the seven cards, the rank of the largest group (of pairs, the higher) and whether a
straight or better is there; it sets the highest low hand that leaves a high hand of at least `keep`. A row with
`low_at_least` fits only if the low hand can then be that high.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.two_hands.ranking import (
    FIVE_ACES,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    THREE_OF_A_KIND,
    TWO_PAIR,
    low_value,
)

# Shapes: 16 * size of the largest group + 4 * size of the second + number of further pairs (`setting.shape`).
NO_PAIR, ONE_PAIR, TWO_PAIRS, THREE_PAIRS = 20, 36, 40, 41
THREE, THREE_AND_PAIR, THREE_AND_TWO_PAIRS, THREE_TWICE = 52, 56, 57, 60
FOUR, FOUR_AND_PAIR, FOUR_AND_THREE, FIVE, FIVE_AND_PAIR = 68, 72, 76, 84, 88
SHAPES: Final = (
    *(NO_PAIR, ONE_PAIR, TWO_PAIRS, THREE_PAIRS, THREE, THREE_AND_PAIR, THREE_AND_TWO_PAIRS, THREE_TWICE),
    *(FOUR, FOUR_AND_PAIR, FOUR_AND_THREE, FIVE, FIVE_AND_PAIR),
)

DEUCE, SIX, SEVEN, TEN, JACK, KING = 0, 4, 5, 8, 9, 11
WITH_ACE: Final = low_value(ACE, DEUCE)
WITH_KING: Final = low_value(KING, DEUCE)
ANY_RANK: Final = (DEUCE, ACE)


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a house way. Ranges include both ends; `run`: None = with or without a straight or better."""

    when: str
    shapes: tuple[int, int]
    keep: int = HIGH_CARD
    lead: tuple[int, int] = ANY_RANK
    run: bool | None = None
    low_at_least: int = 0

    def row(self) -> tuple[int, ...]:
        run = (0, 1) if self.run is None else (int(self.run), int(self.run))
        return (*self.shapes, *run, *self.lead, self.keep << 20, self.low_at_least)


def _only(shape: int) -> tuple[int, int]:
    return shape, shape


_FOUR_WITH_MORE: Final = (
    Rule("Four-of-a-kind and three-of-a-kind", _only(FOUR_AND_THREE), FULL_HOUSE),
    Rule("Four-of-a-kind and a pair", _only(FOUR_AND_PAIR), FOUR_OF_A_KIND),
)
_FULL: Final = (
    Rule("Three-of-a-kind twice", _only(THREE_TWICE), THREE_OF_A_KIND),
    Rule("Full house", (THREE_AND_PAIR, THREE_AND_TWO_PAIRS), THREE_OF_A_KIND),
)
_THREE: Final = (
    Rule("Three aces", _only(THREE), PAIR, _only(ACE)),
    Rule("Three-of-a-kind, kings or lower", _only(THREE), THREE_OF_A_KIND, (DEUCE, KING)),
)
_THREE_PAIR: Final = Rule("Three pair", _only(THREE_PAIRS), TWO_PAIR)
_ONE_PAIR: Final = (Rule("One pair", _only(ONE_PAIR), PAIR), Rule("No pair", _only(NO_PAIR)))

HOUSE_WAYS: Final[dict[str, tuple[Rule, ...]]] = {
    "traditional": (
        Rule("Five aces and a pair of kings", _only(FIVE_AND_PAIR), FIVE_ACES, low_at_least=low_value(KING, KING)),
        Rule("Five aces", (FIVE, FIVE_AND_PAIR), THREE_OF_A_KIND),
        *_FOUR_WITH_MORE,
        Rule("Four-of-a-kind, jacks to aces", _only(FOUR), PAIR, (JACK, ACE)),
        Rule("Four-of-a-kind, 7s to 10s, with an ace", _only(FOUR), FOUR_OF_A_KIND, (SEVEN, TEN), None, WITH_ACE),
        Rule("Four-of-a-kind, 7s to 10s, without an ace", _only(FOUR), PAIR, (SEVEN, TEN)),
        Rule("Four-of-a-kind, 2s to 6s", _only(FOUR), FOUR_OF_A_KIND, (DEUCE, SIX)),
        *_FULL,
        Rule("Three-of-a-kind with a straight or better", _only(THREE), STRAIGHT, run=True),
        *_THREE,
        _THREE_PAIR,
        Rule("Two pair, the higher jacks to aces", _only(TWO_PAIRS), PAIR, (JACK, ACE)),
        Rule("Two pair, the higher 7s to 10s, with an ace", _only(TWO_PAIRS), TWO_PAIR, (SEVEN, TEN), None, WITH_ACE),
        Rule("Two pair, the higher 7s to 10s, without an ace", _only(TWO_PAIRS), PAIR, (SEVEN, TEN)),
        Rule(
            *("Two pair, the higher 3s to 6s, with an ace or king", _only(TWO_PAIRS), TWO_PAIR),
            *((DEUCE, SIX), None, WITH_KING),
        ),
        Rule("Two pair, the higher 3s to 6s, without an ace or king", _only(TWO_PAIRS), PAIR, (DEUCE, SIX)),
        Rule("A straight or better, with one pair or none", (NO_PAIR, ONE_PAIR), STRAIGHT, run=True),
        *_ONE_PAIR,
    ),
    "simplified": (
        Rule("Five aces", (FIVE, FIVE_AND_PAIR), THREE_OF_A_KIND),
        *_FOUR_WITH_MORE,
        Rule("Four-of-a-kind, 7s to aces", _only(FOUR), PAIR, (SEVEN, ACE)),
        Rule("Four-of-a-kind, 2s to 6s", _only(FOUR), FOUR_OF_A_KIND, (DEUCE, SIX)),
        *_FULL,
        _THREE_PAIR,
        Rule("Two pair, kings or lower, with an ace", _only(TWO_PAIRS), TWO_PAIR, (DEUCE, KING), None, WITH_ACE),
        Rule("Two pair, any other", _only(TWO_PAIRS), PAIR),
        Rule("A straight or better", (NO_PAIR, THREE), STRAIGHT, run=True),
        *_THREE,
        *_ONE_PAIR,
    ),
}


@cache
def rule_table(key: str) -> NDArray[np.int64]:
    """The rows of the house way filed under `key`, in its order, for `setting.dealer_setting`."""
    return np.array([rule.row() for rule in HOUSE_WAYS[key]], dtype=np.int64)
