"""Ante, Bet and Options fees as one analysis: what is counted and what is estimated, together.

Rounds without a draw in which the dealer is not forced are counted over all deals (`no_draw`); the others are dealt
from every start (`estimate`). The error stated is that of the second part. It is taken from the spread of rounds that
began with the same combination and draw, which is never less than that of rounds from the same cards.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.disk_cache import cached_arrays
from games.maths.exchange import rules as ways
from games.maths.exchange import words
from games.maths.exchange.combinations import ACE_KING, COMBINATIONS, NOTHING, PAIR, ROYAL_FLUSH, STRAIGHT_FLUSH
from games.maths.exchange.ends import AFTER_DRAW, WAYS, End, all_ends
from games.maths.exchange.estimate import TIMES, deal_on
from games.maths.exchange.no_draw import BEATEN, DEALS, HIDDEN, NOT_QUALIFIED, TIED, WON, NoDrawCounts, count_no_draw
from games.maths.exchange.rules import Sections
from games.maths.exchange.strategy import BET, FOLD, INSTANT, SIXTH
from games.maths.exchange.terms import Terms
from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, WagerAnalysis
from games.maths.streams import GENERATOR

CYCLE: Final = DEALS * HIDDEN
DEALT_CYCLE: Final = TIMES * DEALS  # every round dealt has the weight of the same number of deals
Ints = NDArray[np.int64]

_RESULTS: Final = {
    NOT_QUALIFIED: ways.NOT_QUALIFIED, TIED: ways.TIED, BEATEN: ways.BEATEN, WON: ways.WON,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """`counted` of `CYCLE` and `dealt_counts` of `DEALT_CYCLE`, both `[way, combination, second]`; they add up to all
    rounds. `by_start[start, …]` are those dealt by how they began."""

    no_draw: NoDrawCounts
    counted: Ints
    by_start: Ints

    @property
    def dealt_counts(self) -> Ints:
        total: Ints = self.by_start.sum(axis=0)
        return total

    def chance(self, count: Callable[[Ints], int]) -> Fraction:
        return Fraction(count(self.counted), CYCLE) + Fraction(count(self.dealt_counts), DEALT_CYCLE)


@cache
def round_counts(terms: Terms) -> RoundCounts:
    """The rounds under the strategy: kept on disk."""
    arrays = cached_arrays("exchange-no-draw", _no_draw_arrays)
    no_draw = NoDrawCounts(arrays["decisions"].astype(np.int64), arrays["bet"].astype(np.int64))
    name = "-".join(map(str, ("exchange-dealt", *terms.odds, *terms.stakes.forcing)))
    dealt = cached_arrays(name, lambda: {"ends": deal_on(terms)})["ends"]
    return RoundCounts(no_draw, _counted(no_draw, terms), dealt.astype(np.int64))


def _no_draw_arrays() -> dict[str, Ints]:
    no_draw = count_no_draw()
    return {"decisions": no_draw.decisions, "bet": no_draw.bet}


def _counted(no_draw: NoDrawCounts, terms: Terms) -> Ints:
    """The rounds folded, paid at once, or bet with a hand that never forces the dealer."""
    ends = np.zeros((WAYS, len(COMBINATIONS), len(COMBINATIONS)), dtype=np.int64)
    ends[ways.FOLDED, NOTHING, NOTHING] = no_draw.decisions[FOLD] * HIDDEN
    for first in (STRAIGHT_FLUSH, ROYAL_FLUSH):
        ends[ways.INSTANT, first, NOTHING] = no_draw.bet[:, first].sum()
    paid = np.array(terms.odds)
    never_forces = paid[:, None] + paid[None, :] < terms.stakes.least_forcing
    for result, way in _RESULTS.items():
        ends[way] = no_draw.bet[1, :, :, result] * never_forces
    return ends


def required_wager(
    paytable: str, terms: Terms, instant: dict[int, Fraction], sections: Sections, notes: tuple[str, ...]
) -> WagerAnalysis:
    """The Ante Wager with all that follows it; `instant` = what a royal and a straight flush pay on it."""
    totals = round_counts(terms)
    ends = all_ends(terms, instant, sections)
    rows = tuple(
        OutcomeRow(end.outcome, totals.chance(end.count), end.net, end.wagered, None, end.pays, end.section)
        for end in ends
    )
    mean, wagered = (
        sum(((row.probability or 0) * part(row) for row in rows), Fraction(0)) for part in (_net, _wagered)
    )
    squares = sum(((row.probability or 0) * row.net**2 for row in rows), Fraction(0))
    return WagerAnalysis(
        wager="ante",
        paytable=paytable,
        method="estimate",
        outcomes=rows,
        hold=-mean / wagered,
        hit_frequency=sum((row.probability or Fraction(0) for row in rows if row.net > 0), Fraction(0)),
        standard_deviation=sqrt(squares - mean**2),
        largest_win=max(row.net for row in rows),
        standard_error=_error(totals, ends, float(-mean / wagered)) / float(wagered),
        required=Required(-mean, -mean, -mean / wagered, wagered),
        strategy=_choices(totals, terms),
        strategy_tables=words.strategy_tables(terms),
        simplified_plays=_simplified_plays(totals.no_draw, terms, instant),
        notes=(_counted_share(totals), *notes),
    )


def _net(row: OutcomeRow) -> Fraction:
    return row.net


def _wagered(row: OutcomeRow) -> Fraction:
    return row.wagered


def _error(totals: RoundCounts, ends: tuple[End, ...], hold: float) -> float:
    """The standard error of the loss per round, in Antes."""
    values = np.array([float(end.net) + hold * float(end.wagered) for end in ends])
    variance = 0.0
    for began in totals.by_start:
        counts = np.array([end.count(began) for end in ends])
        if counts.any():
            variance += counts @ (values - values @ counts / counts.sum()) ** 2
    return sqrt(variance) / DEALT_CYCLE


def _choices(totals: RoundCounts, terms: Terms) -> tuple[Choice, ...]:
    """How often each decision is taken: the first exactly, those after a draw as estimated."""
    starts = totals.no_draw.decisions
    exchanged = {
        number: sum(int(starts[keep]) for keep in range(BET) if keep.bit_count() == 5 - number) for number in (2, 3, 4)
    }
    first = {
        words.INSTANT: int(starts[INSTANT]),
        words.BET: int(starts[BET]),
        words.SIXTH: int(starts[SIXTH]),
        "Exchange two": exchanged[2],
        "Exchange three": exchanged[3],
        "Exchange four": exchanged[4],
        words.FOLD: int(starts[FOLD]),
    }
    after: dict[str, Callable[[Ints], int]] = {
        words.BET_AFTER_DRAW: lambda ends: int(ends[ways.NOT_QUALIFIED + AFTER_DRAW :].sum()),
        words.FOLD_AFTER_DRAW: lambda ends: int(ends[ways.FOLDED_AFTER_DRAW].sum()),
    }
    if terms.stakes.force_fee is not None:
        after[words.FORCE] = lambda ends: sum(int(ends[way].sum()) for way in _FORCED)
    sentences = words.sentences(terms)
    return (
        *(Choice(decision, sentences[decision], Fraction(count, DEALS)) for decision, count in first.items()),
        *(Choice(decision, sentences[decision], totals.chance(count)) for decision, count in after.items()),
    )


_FORCED: Final = tuple(way + after for after in (0, AFTER_DRAW) for way in ways.FORCED)


def _simplified_plays(no_draw: NoDrawCounts, terms: Terms, instant: dict[int, Fraction]) -> tuple[SimplifiedPlay, ...]:
    """Exact: of a player who neither draws nor forces the dealer, and is paid at once for a straight flush."""
    rest = "; the player never draws, never forces the dealer, and declares a straight flush or a royal flush"
    rules = (
        ("Bets a pair or better", "Bets with a pair or better, folds all else", PAIR),
        ("Bets an ace-king or better", "Bets with an ace-king or better, folds all else", ACE_KING),
        ("Bets every hand", "Bets every hand", NOTHING),
    )
    return tuple(
        SimplifiedPlay(name, when + rest, _simplified(no_draw, terms, instant, least)) for name, when, least in rules
    )


def _simplified(no_draw: NoDrawCounts, terms: Terms, instant: dict[int, Fraction], least: int) -> Required:
    odds, bet = terms.odds, terms.stakes.bet
    loss = wagered = Fraction(0)
    bets = no_draw.bet.sum(axis=0)
    for first, second in np.ndindex(bets.shape[:2]):
        results = [int(count) for count in bets[first, second]]
        chance = Fraction(sum(results), CYCLE)
        if first in instant:
            loss -= chance * instant[first]
        elif first < least:
            loss += chance
        else:
            wins = bet * (odds[first] + odds[second]) * results[WON] + results[NOT_QUALIFIED]
            loss += Fraction((1 + bet) * results[BEATEN] - wins, CYCLE)
            wagered += bet * chance
    return Required(loss, loss, loss / (1 + wagered), 1 + wagered)


def _counted_share(totals: RoundCounts) -> str:
    counted = Fraction(int(totals.counted.sum()), CYCLE)
    return (
        f"Exact for the {float(100 * counted):.2f} % of rounds without a draw in which the dealer is not forced. "
        f"The others are estimated: {int(totals.dealt_counts.sum()):,} rounds, {TIMES} from every start, dealt from "
        f"streams of {GENERATOR} that no simulation uses."
    )
