"""A table of the second laboratory: what it is given, and what it reports of the rounds that it deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from games.rules.model import Answers, Chapter

Stream = tuple[int, int, int]
"""(seed, block, rounds): the random numbers follow from seed and block alone."""


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a wager ends, and the number of rounds in which it did; amounts in units of the wager."""

    outcome: str  # the printed row, or the words under which the exact side reports such rounds
    wagered: Fraction
    won: Fraction  # net: −`wagered` where all is lost
    rounds: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """Rounds dealt and settled: every ending of each wager, also those that no round had, and the last round."""

    endings: Mapping[str, Sequence[Ending]]  # key of the wager's analysis → its endings
    last: tuple[int, ...]  # cards (faces of dice, events) of the last round, in the order of the game's table


class Table(Protocol):
    """The table of one game."""

    def deal(self, chapter: Chapter, answers: Answers, strategy: Any, stream: Stream) -> Dealt:
        """Deal the rounds of the stream and settle every wager offered; with no rounds, only the amounts are stated.

        `strategy`: the decisions of the player (and of a dealer who has any), as the game's `strategy` returns them.
        """
