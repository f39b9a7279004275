"""The Antes and Bets of Criss-Cross Poker as one wager: outcome rows, decisions in words, plain players.

Not here: the counts (`cross`), the Down Bet's tables (`cross_tables`), odds and sections (`play.py`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay
from games.maths.staged_raises.cross import ANTES, DEALS, Play, best_play
from games.maths.staged_raises.ladder import RESULTS
from games.maths.staged_raises.streets import FOLD, ONCE, THRICE
from games.maths.wagers import required, row

BETS = ("Across Bet", "Down Bet", "Middle Bet")
FOLDED = ("Folded with two cards", "Folded after the row's outer cards", "Folded after the column's outer cards")
DECISIONS = {THRICE: "of three Antes", ONCE: "of one Ante", FOLD: ": none, and the round is forfeited"}
WORDS = (
    {
        THRICE: "A pair, or queen and jack of one suit",
        ONCE: "Any other hand",
        FOLD: "Two different cards from 2 to 5, of two suits",
    },
    {
        THRICE: "A pair, or two of one suit from jack up, but where the tables say otherwise",
        ONCE: "Any other hand, but where the tables say otherwise",
        FOLD: "Some hands with a card from 2 to 5 whose row makes nothing of it: the tables say which",
    },
    {
        THRICE: "Count the 46 cards unseen: the odds of the better line for each that makes one, nothing for a pair of "
        "6s to 10s, less one for each other card: not below nothing. So with a pair of 6s or better in either line",
        ONCE: "The count is below nothing",
        FOLD: "It is, and all wagers together, counted so, lose more than the 46 times what is placed already",
    },
)
"""What the enumeration finds, by stage; the tests compare the first two."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What an Ante and a Bet of one Ante win by result; whole Antes."""

    ante: tuple[int, ...]
    bet: tuple[int, ...]

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


def choices(odds: Odds) -> tuple[Choice, ...]:
    chosen = best(odds).chosen
    return tuple(
        Choice(
            f"{bet}{'' if decision == FOLD else ' '}{name}",
            words[decision],
            Fraction(int(chosen[stage, decision]), DEALS),
        )
        for stage, (bet, words) in enumerate(zip(BETS, WORDS, strict=True))
        for decision, name in DECISIONS.items()
    )


def equal_share(odds: Odds) -> float:
    """The share of rounds in which a decision is as good as another, in per cent."""
    return float(100 * best(odds).equal.sum() / DEALS)


def simplified_plays(odds: Odds) -> tuple[SimplifiedPlay, ...]:
    """Players who never fold, by what a line and a Middle Bet are worth; and one who folds well but bets one Ante."""
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
    loss, wagered = -antes - times * bets, Fraction(ANTES + len(BETS) * times)
    return Required(loss, loss / ANTES, loss / wagered, wagered)


def _one_ante(odds: Odds) -> Iterator[OutcomeRow]:
    play = best(odds)
    for across, down in np.argwhere(play.ended.sum(axis=(0, 1, 2))).tolist():
        count = int(play.ended[:, :, :, across, down].sum())
        yield row("", count, DEALS, _settled(odds, 0, 0, 0, across, down)[0], ANTES + len(BETS))
    for stage in range(len(BETS)):
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
    return net + (1 + 2 * z) * odds.bet[max(across, down)], ANTES + len(BETS) + 2 * (x + y + z)


def _lines(counts: Counter[tuple[int, int]]) -> str:
    return " or ".join(
        f"{RESULTS[better]} twice" if better == lesser else f"{RESULTS[better]} and {RESULTS[lesser].lower()}"
        for (better, lesser), _ in counts.most_common()
    )


def _won(net: int, wagered: int) -> str:
    result = f"wins {net}" if net > 0 else f"loses {-net}" if net else "even"
    return f"{result}, {wagered} Antes wagered"
