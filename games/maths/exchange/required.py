"""Ante, Bet and Options fees as one analysis: every round counted.

Rounds without a draw in which the dealer is not forced are counted over all deals (`no_draw`), the others too, once
(`drawn`). For stakes or odds of which no counts are shipped the others are dealt from every start (`estimate`): the
error stated is that of this part, taken from the spread of rounds that began with the same combination and draw, which
is never less than that of rounds from the same cards.
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
from games.maths.exchange.drawn import cycle, rounds_from, shipped
from games.maths.exchange.drawn_counting import DRAWS
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
    """All rounds: parts `[way, combination, second]`, each with the number of rounds that a count of 1 is one of.

    `by_start[start, …]`, where the last part is dealt: its rounds by how they began, of `DEALT_CYCLE`.
    """

    no_draw: NoDrawCounts
    parts: tuple[tuple[Ints, int], ...]
    by_start: Ints | None = None

    def chance(self, count: Callable[[Ints], int]) -> Fraction:
        return sum((Fraction(count(ends), cycle) for ends, cycle in self.parts), Fraction(0))


@cache
def round_counts(terms: Terms) -> RoundCounts:
    """The rounds under the strategy: shipped or kept on disk. `ValueError` if the counts shipped are not of all rounds
    that `no_draw` says begin so: the strategy has changed since."""
    arrays = cached_arrays("exchange-no-draw", _no_draw_arrays)
    no_draw = NoDrawCounts(arrays["decisions"].astype(np.int64), arrays["bet"].astype(np.int64))
    counted = (_counted(no_draw, terms), CYCLE)
    known = shipped(terms)
    if known is None:
        name = "-".join(map(str, ("exchange-dealt", *terms.odds, *terms.stakes.forcing)))
        dealt = cached_arrays(name, lambda: {"ends": deal_on(terms)})["ends"].astype(np.int64)
        return RoundCounts(no_draw, (counted, (dealt.sum(axis=0), DEALT_CYCLE)), dealt)
    ends = np.sum(list(known.values()), axis=0)
    parts = tuple((ends[drawn], cycle(drawn)) for drawn in range(DRAWS))
    for drawn, begun in starts_by_draw(no_draw).items():
        if int(ends[drawn].sum()) != begun * rounds_from(drawn):
            raise ValueError(f"the counts shipped are not of all {begun} deals in which {drawn} cards are drawn")
    return RoundCounts(no_draw, (counted, *parts))


def starts_by_draw(no_draw: NoDrawCounts) -> dict[int, int]:
    """How many cards are drawn → the deals, of `DEALS`, in which the strategy says so."""
    exchanged = {
        number: sum(int(no_draw.decisions[keep]) for keep in range(BET) if keep.bit_count() == 5 - number)
        for number in (2, 3, 4)
    }
    return {1: int(no_draw.decisions[SIXTH])} | exchanged


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
        method="exact" if totals.by_start is None else "estimate",
        outcomes=rows,
        hold=-mean / wagered,
        hit_frequency=sum((row.probability or Fraction(0) for row in rows if row.net > 0), Fraction(0)),
        standard_deviation=sqrt(squares - mean**2),
        largest_win=max(row.net for row in rows),
        standard_error=None
        if totals.by_start is None
        else _error(totals.by_start, ends, float(-mean / wagered)) / float(wagered),
        required=Required(-mean, -mean, -mean / wagered, wagered),
        strategy=_choices(totals, terms),
        strategy_tables=words.strategy_tables(terms),
        simplified_plays=_simplified_plays(totals.no_draw, terms, instant),
        notes=(_method(totals), *notes),
    )


def _net(row: OutcomeRow) -> Fraction:
    return row.net


def _wagered(row: OutcomeRow) -> Fraction:
    return row.wagered


def _error(by_start: Ints, ends: tuple[End, ...], hold: float) -> float:
    """The standard error of the loss per round, in Antes."""
    values = np.array([float(end.net) + hold * float(end.wagered) for end in ends])
    variance = 0.0
    for began in by_start:
        counts = np.array([end.count(began) for end in ends])
        if counts.any():
            variance += counts @ (values - values @ counts / counts.sum()) ** 2
    return sqrt(variance) / DEALT_CYCLE


def _choices(totals: RoundCounts, terms: Terms) -> tuple[Choice, ...]:
    """How often each decision is taken."""
    starts, drawn = totals.no_draw.decisions, starts_by_draw(totals.no_draw)
    first = {
        words.INSTANT: int(starts[INSTANT]),
        words.BET: int(starts[BET]),
        words.SIXTH: drawn[1],
        "Exchange two": drawn[2],
        "Exchange three": drawn[3],
        "Exchange four": drawn[4],
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


def _method(totals: RoundCounts) -> str:
    if totals.by_start is None:
        return (
            "All rounds are counted, with every draw, every hand of the dealer and every card for a forced dealer; "
            "nothing is estimated."
        )
    ends, cycle_counted = totals.parts[0]
    return (
        f"Exact for the {float(100 * Fraction(int(ends.sum()), cycle_counted)):.2f} % of rounds without a draw in "
        f"which the dealer is not forced. The others are estimated: {int(totals.by_start.sum()):,} rounds, {TIMES} "
        f"from every start, dealt from streams of {GENERATOR} that no simulation uses."
    )
