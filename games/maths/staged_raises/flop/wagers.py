"""An Ante with one raise, the wager on the three own cards, and a pool of the players: rows, strategy, plain plays.

Not here: the counts (`made`), the sentences (`words`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import RANKS, cards
from games.maths.parameters import ParameterError
from games.maths.ranking import standard
from games.maths.results import OutcomeRow, SimplifiedPlay, WagerAnalysis
from games.maths.staged_raises.bonus_wagers import LOST_OUTCOME
from games.maths.staged_raises.flop.made import FLOPS, made_by_flop
from games.maths.staged_raises.flop.words import Plays, choices, fold_table, with_article
from games.maths.staged_raises.own_cards import ClassCounts, check_rows, own_classes, own_counts
from games.maths.three_cards import HANDS, classes, hands_in_order
from games.maths.wagers import LOST_NET, counted, net_of, required, row
from games.rules.model import Paytable

CYCLE = HANDS * FLOPS
WINNING = tuple(reversed(hands.STANDARD[1:]))  # the classes of a paytable's rows; the last is a pair of `least` or more
INITIAL, ALL = 1, 2  # Antes: the Ante wins 1 to 1, the raise is equal to it
FOLDED = "Folded"

EndCounts = NDArray[np.int64]
"""`[folded, class]`: deals of `CYCLE`, or rounds, by the best five cards; class 0 is no winning hand."""
Advantage = NDArray[np.int64]
"""`[place of three cards]`: by how much the raise is worth more than the fold, over all flops, in parts of an Ante."""


@dataclass(frozen=True, slots=True)
class RequiredWagers:
    """The Ante and the raise: what the raise is called, the rank of the least pair that wins, who settles what."""

    raised: str  # "Flop Wager"
    least: str  # "J"
    decided: str  # the subsection on the raise or the fold
    settled: str

    def __post_init__(self) -> None:
        """`ParameterError` for a rank that no card has."""
        if self.least not in RANKS:
            raise ParameterError("least", f"{self.least!r} is not a rank; allowed are those of {RANKS}")

    def least_value(self) -> int:
        """The lowest value of a winning hand."""
        kickers = [rank for rank in RANKS if rank != self.least][:3]
        return standard().value(cards(f"{self.least}c {self.least}d {kickers[0]}h {kickers[1]}s {kickers[2]}c"))

    def plays(self, table: Paytable) -> Plays:
        """The best decision by hand; where both are equal, the larger wager."""
        return self._advantage(table) >= 0

    def counts(self, ends: EndCounts, table: Paytable) -> dict[str, int]:
        """Outcome → count."""
        wins = zip(table.rows, WINNING, strict=True)
        counts = {f"Wins with {line.outcome}": int(ends[0, hands.STANDARD.index(name)]) for line, name in wins}
        return counts | {f"{self.raised} lost": int(ends[0, 0]), FOLDED: int(ends[1].sum())}

    def rows(self, plays: Plays, table: Paytable) -> list[OutcomeRow]:
        """The outcome rows under the decisions."""
        made = made_by_flop(self.least_value())
        counts = self.counts(np.array([made[plays].sum(axis=0), made[~plays].sum(axis=0)]), table)
        nets = dict(zip(counts, [*reversed(_nets(table)), Fraction(-INITIAL)], strict=True))
        named = f"Ante 1 to 1, {self.raised.removesuffix(' Wager')}"
        pays = dict(zip(counts, (f"{named} {line.pays[0].printed}" for line in table.rows), strict=False))
        return [
            row(outcome, count, CYCLE, nets[outcome], INITIAL, "", self.decided)
            if outcome == FOLDED
            else row(outcome, count, CYCLE, nets[outcome], ALL, pays.get(outcome, ""), self.settled)
            for outcome, count in counts.items()
        ]

    def analysis(self, table: Paytable, notes: tuple[str, ...]) -> WagerAnalysis:
        """The required wagers under the best play."""
        plays = self.plays(table)
        rows = self.rows(plays, table)
        equal = int((self._advantage(table) == 0).sum())
        return counted(
            "ante",
            "",
            rows,
            CYCLE,
            required=required(rows, INITIAL),
            strategy=choices(plays, self.raised),
            strategy_tables=(fold_table(plays, self.raised),),
            simplified_plays=self._simplified_plays(table),
            notes=(*notes, f"Hands with which both decisions are of equal worth: {equal or 'none'}."),
        )

    def _advantage(self, table: Paytable) -> Advantage:
        return _advantage(self.least_value(), _nets(table))

    def _simplified_plays(self, table: Paytable) -> tuple[SimplifiedPlay, ...]:
        least = RANKS.index(self.least)
        high_or_made = (classes() > 0) | np.array([hand[-1] // 4 >= least for hand in hands_in_order()])
        card = with_article(least)
        plain = {
            f"Always places the {self.raised}": ("Never folds.", np.ones(HANDS, np.bool_)),
            f"Needs {card} or a made hand": (
                f"Folds without {card} or higher, a pair, a straight or a flush.",
                high_or_made,
            ),
            "Needs a pair": ("Folds without a pair, a straight, a flush or better of three cards.", classes() > 0),
        }
        return tuple(
            SimplifiedPlay(name, when, required(self.rows(plays, table), INITIAL))
            for name, (when, plays) in plain.items()
        )


def _nets(table: Paytable) -> tuple[Fraction, ...]:
    """What Ante and raise win together, by class: the lowest represents all that loses."""
    return (Fraction(-ALL), *(1 + net_of(line.pays[0], table) for line in reversed(table.rows)))


@cache
def _advantage(least: int, nets: tuple[Fraction, ...]) -> Advantage:
    unit = lcm(*(net.denominator for net in nets))
    return np.asarray(made_by_flop(least) @ np.array([int((net + INITIAL) * unit) for net in nets]))


@dataclass(frozen=True, slots=True)
class OwnCardsWager:
    """An optional wager on the three own cards: the class of each row, and the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def __post_init__(self) -> None:
        """`ParameterError` for a row of a class that three cards cannot be."""
        check_rows("own_cards.rows", self.rows)

    def counts(self, class_counts: ClassCounts, table: Paytable) -> dict[str, int]:
        """Outcome → count."""
        return own_counts(class_counts, self.rows, table)

    def analysis(self, table: Paytable) -> WagerAnalysis:
        """Every three cards once."""
        counts = self.counts(np.bincount(own_classes()), table)
        pays = {line.outcome: line.pays[0] for line in table.rows}
        lines = [
            row(outcome, counts[outcome], HANDS, net_of(pay, table), pays=pay.printed) for outcome, pay in pays.items()
        ]
        lost = row(LOST_OUTCOME, counts[LOST_OUTCOME], HANDS, LOST_NET, section=self.lost)
        return counted(table.wager, table.name, [*lines, lost], HANDS)


@dataclass(frozen=True, slots=True)
class Pool:
    """What the players wager among each other: the house wins or loses nothing by it."""

    section: str
    notes: tuple[str, ...]
    outcome: str = "Paid whole to the players"

    def analysis(self, wager: str) -> WagerAnalysis:
        return counted(wager, "", [row(self.outcome, 1, 1, 0, section=self.section)], 1, notes=self.notes)

    def counts(self, rounds: int) -> Mapping[str, int]:
        return {self.outcome: rounds}
