"""The Antes and bets on a cross as one wager: outcome rows, decisions, plain players.

Not here: the counts (`best_play`), sentences (`words`) and tables (`tables`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, WagerAnalysis
from games.maths.staged_raises.cross.best_play import DEALS, Play, best_play
from games.maths.staged_raises.cross.lines import ANTES
from games.maths.staged_raises.cross.rounds import DealtRounds
from games.maths.staged_raises.cross.tables import tables
from games.maths.staged_raises.cross.words import sentences
from games.maths.staged_raises.ladder import HIGH_PAIR, RESULTS, pays_of
from games.maths.staged_raises.streets.best_play import FOLD, ONCE, THRICE
from games.maths.wagers import LOST_NET, counted, net_of, required, row
from games.rules.model import Paytable

Bets = tuple[str, str, str]
"""What the three bets are called."""

BETS = 3
FOLDED = ("Folded with two cards", "Folded after the row's outer cards", "Folded after the column's outer cards")
DECISIONS = {THRICE: "of three Antes", ONCE: "of one Ante", FOLD: ": none, and the round is forfeited"}

NOTES = (
    "Per Ante means per one of the two equal Antes; both stand before the deal.",
    "A bet of two Antes is never better than both one and three.",
)


@dataclass(frozen=True, slots=True)
class Odds:
    """What an Ante and a Bet of one Ante win by result; whole Antes."""

    ante: tuple[int, ...]
    bet: tuple[int, ...]

    @classmethod
    def of(cls, ante: Paytable, bet: Paytable) -> "Odds":
        """From the paytables: an Ante pays every hand above the pairs that push alike, a bet pays by the hand.

        `ValueError` for odds that are no whole numbers: the kernels count whole Antes.
        """
        paid, pushed = (net_of(line.pays[0], ante) for line in ante.rows)
        antes, bets = (LOST_NET, pushed, *[paid] * (len(RESULTS) - HIGH_PAIR)), pays_of(bet)
        if any(pay.denominator != 1 for pay in (*antes, *bets)):
            raise ValueError(f"{bet.citation}: odds must be whole numbers")
        return cls(tuple(map(int, antes)), tuple(map(int, bets)))

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.array(self.ante), np.array(self.bet)


@cache
def best(odds: Odds) -> Play:
    return best_play(*odds.arrays())


@cache
def names(odds: Odds) -> dict[tuple[int, int], str]:
    """(net, wagered) → the outcome's name: the lines that end so, the commonest first."""
    lines = {key: Counter[tuple[int, int]]() for key in _ended(odds)}
    for x, y, z, across, down in np.argwhere(best(odds).ended).tolist():
        count = int(best(odds).ended[x, y, z, across, down])
        lines[_settled(odds, x, y, z, across, down)][max(across, down), min(across, down)] += count
    return {key: f"{_lines(counts)}: {_won(*key)}" for key, counts in lines.items()}


@cache
def analysis(odds: Odds, paytable: str, bets: Bets, sections: tuple[str, str, str, str]) -> WagerAnalysis:
    """Antes and bets under the best play."""
    lines = rows(odds, sections)
    share = float(100 * best(odds).equal.sum() / DEALS)
    return counted(
        "ante",
        paytable,
        lines,
        DEALS,
        required=required(lines, ANTES),
        strategy=choices(odds, bets),
        strategy_tables=tables(best(odds), *bets[:2]),
        simplified_plays=simplified_plays(odds),
        notes=(*NOTES, f"{_equal(odds, bets)} resolve to the larger wager: {share:.4f} % of all rounds."),
    )


def _equal(odds: Odds, bets: Bets) -> str:
    where = [f"the {bet}" for bet, count in zip(bets, best(odds).equal, strict=True) if count]
    return f"Equal decisions, all on {' or '.join(where)}," if where else "Equal decisions would"


def outcome_counts(odds: Odds, dealt: DealtRounds) -> dict[str, int]:
    """Outcome → rounds; an end that the analysis does not know is a `KeyError`."""
    known = names(odds)
    ended = {
        known[place - dealt.least, wagered]: int(dealt.ended[place, wagered])
        for place, wagered in zip(*(part.tolist() for part in dealt.ended.nonzero()), strict=True)
    }
    folds = zip(*(part.tolist() for part in dealt.folded.nonzero()), strict=True)
    return ended | {folded(stage, wagered): int(dealt.folded[stage, wagered]) for stage, wagered in folds}


def rows(odds: Odds, sections: tuple[str, str, str, str]) -> list[OutcomeRow]:
    """The outcome rows, the best first; `sections` settle a fold by stage, and a round played to its end."""
    lines = [
        row(names(odds)[net, wagered], count, DEALS, net, wagered, section=sections[-1])
        for (net, wagered), count in sorted(_ended(odds).items(), reverse=True)
    ]
    for stage, thrice in np.argwhere(best(odds).folded).tolist():
        wagered, count = ANTES + stage + 2 * thrice, int(best(odds).folded[stage, thrice])
        lines.append(row(folded(stage, wagered), count, DEALS, -wagered, wagered, section=sections[stage]))
    return lines


def folded(stage: int, wagered: int) -> str:
    return f"{FOLDED[stage]}, {wagered} Antes wagered"


def choices(odds: Odds, bets: Bets) -> tuple[Choice, ...]:
    """Each decision with its exact share."""
    chosen = best(odds).chosen
    return tuple(
        Choice(
            f"{bet}{'' if decision == FOLD else ' '}{name}",
            words[decision],
            Fraction(int(chosen[stage, decision]), DEALS),
        )
        for stage, (bet, words) in enumerate(zip(bets, sentences(best(odds)), strict=True))
        for decision, name in DECISIONS.items()
    )


def simplified_plays(odds: Odds) -> tuple[SimplifiedPlay, ...]:
    """Players who never fold, by what a line and a third bet are worth; and one who folds well but bets one Ante."""
    ante, line, middle = (Fraction(int(part), DEALS) for part in best(odds).worth)
    never = [
        SimplifiedPlay(
            f"Always bets {word}",
            f"Never folds; every bet is of {word}.",
            _never_folds(2 * ante, 2 * line + middle, times),
        )
        for times, word in ((ONCE, "one Ante"), (THRICE, "three Antes"))
    ]
    cautious = "Folds as the best play does; every bet is of one Ante."
    return (*never, SimplifiedPlay("Never bets more than one Ante", cautious, required(list(_one_ante(odds)), ANTES)))


def _never_folds(antes: Fraction, bets: Fraction, times: int) -> Required:
    loss, wagered = -antes - times * bets, Fraction(ANTES + BETS * times)
    return Required(loss, loss / ANTES, loss / wagered, wagered)


def _one_ante(odds: Odds) -> Iterator[OutcomeRow]:
    play = best(odds)
    for across, down in np.argwhere(play.ended.sum(axis=(0, 1, 2))).tolist():
        count = int(play.ended[:, :, :, across, down].sum())
        yield row("", count, DEALS, _settled(odds, 0, 0, 0, across, down)[0], ANTES + BETS)
    for stage in range(BETS):
        yield row("", int(play.folded[stage].sum()), DEALS, -(ANTES + stage), ANTES + stage)


def _ended(odds: Odds) -> Counter[tuple[int, int]]:
    """(net, wagered) → deals, of the rounds played to their end."""
    deals: Counter[tuple[int, int]] = Counter()
    for x, y, z, across, down in np.argwhere(best(odds).ended).tolist():
        deals[_settled(odds, x, y, z, across, down)] += int(best(odds).ended[x, y, z, across, down])
    return deals


def _settled(odds: Odds, x: int, y: int, z: int, across: int, down: int) -> tuple[int, int]:
    """Net and wagered, for bets of one Ante (0) or three (1)."""
    net = odds.ante[across] + odds.ante[down] + (1 + 2 * x) * odds.bet[across] + (1 + 2 * y) * odds.bet[down]
    return net + (1 + 2 * z) * odds.bet[max(across, down)], ANTES + BETS + 2 * (x + y + z)


def _lines(counts: Counter[tuple[int, int]]) -> str:
    return " or ".join(
        f"{RESULTS[better]} twice" if better == lesser else f"{RESULTS[better]} and {RESULTS[lesser].lower()}"
        for (better, lesser), _ in counts.most_common()
    )


def _won(net: int, wagered: int) -> str:
    result = f"wins {net}" if net > 0 else f"loses {-net}" if net else "even"
    return f"{result}, {wagered} Antes wagered"
