"""The form of a game of turned cards: its deck and cards, the decisions, and the results of its hands.

Records that a chapter fills; what no game can have is refused. Not here: what the wagers are called (`wagers`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import FULL_DECK, JOKER_DECK, RANKS, card
from games.maths.ranking import CLASS_BITS, Ranking, standard, with_wilds
from games.rules.errors import ParameterError

WITH_JOKER = (*hands.STANDARD[:-1], hands.FIVE_OF_A_KIND, hands.ROYAL_FLUSH)
"""Classes of a deck with a wild joker, lowest first, where a paytable pays a royal flush the most."""

ResultTable = NDArray[np.int8]
"""`[hand]`, placed as `Ranking.values` are: the result that five cards are paid as, 0 = they lose."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The player's options before a community card turns up: to raise one of several numbers of Antes, or to pass."""

    raises: tuple[int, ...]  # Antes, the smallest first
    may_check: bool = False  # else a player who does not raise folds

    def __post_init__(self) -> None:
        """Raise `ParameterError` for raises that nobody could make."""
        if not self.raises or self.raises[0] < 1 or any(low >= high for low, high in pairwise(self.raises)):
            allowed = "whole numbers of Antes from 1 up, the smallest first"
            raise ParameterError("stages.raises", f"{self.raises}; allowed are {allowed}")


@dataclass(frozen=True, slots=True)
class PaidHands:
    """The hands that do not lose: pairs from a least rank up, then every class above a pair."""

    pairs: tuple[str, ...]  # the least rank of each row of pairs, lowest first: ("6", "J")
    joker: bool = False  # a 53rd card, wild
    classes: tuple[str, ...] = hands.STANDARD  # lowest first

    def __post_init__(self) -> None:
        """Raise `ParameterError` for classes that the deck lacks, and for pairs that are not pairs or out of order."""
        known = WITH_JOKER if self.joker else hands.STANDARD
        if set(self.classes) != set(known) or self.classes[: hands.STANDARD.index(hands.THREE)] != hands.STANDARD[:3]:
            deck = "53 cards with a wild joker" if self.joker else "52 cards"
            raise ParameterError("hands.classes", f"{self.classes}; {deck} make, in an order of its own, {known}")
        if not self.pairs or any(rank not in RANKS for rank in self.pairs):
            raise ParameterError("hands.pairs", f"{self.pairs}; allowed are ranks of {RANKS}, at least one")
        if any(RANKS.index(low) >= RANKS.index(high) for low, high in pairwise(self.pairs)):
            raise ParameterError("hands.pairs", f"{self.pairs} do not rise")

    @property
    def deck(self) -> int:
        return JOKER_DECK if self.joker else FULL_DECK

    @property
    def winning(self) -> tuple[str, ...]:
        """The class of each result from 1 up."""
        return (hands.PAIR,) * len(self.pairs) + self.classes[hands.STANDARD.index(hands.TWO_PAIRS) :]

    def ranking(self) -> Ranking:
        return with_wilds(self.classes, None, True) if self.joker else standard()

    def results(self) -> ResultTable:
        """Return the result of every hand."""
        return _results(self)


@cache
def _results(paid: PaidHands) -> ResultTable:
    ranking = paid.ranking()
    values, pair = ranking.values, paid.classes.index(hands.PAIR)
    above = (values >> CLASS_BITS) - pair + len(paid.pairs)
    least = [ranking.value(lowest_pair(rank)) for rank in paid.pairs]
    return np.where(values >> CLASS_BITS > pair, above, np.searchsorted(least, values, side="right")).astype(np.int8)


def lowest_pair(rank: str) -> list[int]:
    """Return the lowest five cards with a pair of the rank."""
    kickers = [kicker for kicker in RANKS if kicker != rank][:3]
    return [card(name) for name in (f"{rank}c", f"{rank}d", f"{kickers[0]}h", f"{kickers[1]}s", f"{kickers[2]}c")]


@dataclass(frozen=True, slots=True)
class Form:
    """Own cards, then one decision before each community card; the best five of all cards are paid."""

    own: int
    stages: tuple[Stage, ...]
    hands: PaidHands
    raises_once: bool  # a raise ends the decisions; else another one is due at the next stage

    def __post_init__(self) -> None:
        """Raise `ParameterError` for numbers of cards that are not enumerated, or where nobody ever decides."""
        if self.cards not in (5, 6) or self.own < 1 or not self.stages:
            problem = f"{self.own} own cards and {len(self.stages)} community cards; both make five or six"
            raise ParameterError("stages", problem)
        if self.raises_once and any(not stage.may_check for stage in self.stages[:-1]):
            raise ParameterError(
                "stages.may_check", "before the last stage of a game with one raise, a player may check"
            )

    @property
    def cards(self) -> int:
        """Own and community cards."""
        return self.own + len(self.stages)

    @property
    def deck(self) -> int:
        return self.hands.deck

    def sets(self, stage: int) -> int:
        """Return the number of sets of cards that may be seen at the stage."""
        return comb(self.deck, self.own + stage)

    def ways(self, stage: int) -> int:
        """Return the number of ways in which the other community cards follow those seen at the stage."""
        return perm(self.deck - self.own - stage, len(self.stages) - stage)

    @property
    def cycle(self) -> int:
        """Deals: sets of own cards with every order of the community cards."""
        return self.sets(0) * self.ways(0)

    def raised_before(self, stage: int) -> tuple[int, ...]:
        """Return the Antes that a player who decides at the stage may have raised so far, ascending."""
        totals = {0}
        for earlier in self.stages[:stage]:
            passed = totals if earlier.may_check else set()
            raised = {total + size for total in totals for size in earlier.raises}
            totals = passed if self.raises_once else passed | raised
        return tuple(sorted(totals))

    @property
    def totals(self) -> tuple[int, ...]:
        """The Antes that may have been raised by a player who stays to the end, descending."""
        raised = {
            total + size
            for stage, decision in enumerate(self.stages)
            for total in self.raised_before(stage)
            for size in decision.raises
            if self.raises_once or stage == len(self.stages) - 1
        }
        unraised = self.raised_before(len(self.stages) - 1) if self.stages[-1].may_check else ()
        return tuple(sorted({*raised, *unraised}, reverse=True))

    def columns(self) -> Mapping[tuple[int, int], int]:
        """Return (stage, Antes raised before) → the column of the stage's decisions."""
        return {
            (stage, raised): column
            for stage in range(len(self.stages))
            for column, raised in enumerate(self.raised_before(stage))
        }
