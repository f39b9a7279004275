"""Figures of a wager for a Board's mathematician: the actual hold after n rounds, the loss per hour, the jackpots.

All of it follows from a wager's row as `games.maths.export` writes it, which is also what a filing freezes: nothing is
counted or dealt. Moments are exact; floats are only their roots and the tails of the normal distribution.

A round is one player's part in a round of play, always with the same amount of each wager that the assumed strategy
makes. Rounds are taken to be independent; players against the same dealer's hand are not quite, and wagers of different
amounts spread more. The actual hold is the win ÷ all money wagered, not ÷ the drop.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, erfc, sqrt
from typing import Any

from games.maths.results import CONFIDENCE

LEVELS = (95, 99)
TABLE_ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)
MOST_ROUNDS = 10**12
COCHRAN = 25
"""Rounds for each unit of squared skewness from which a 95 % interval by the normal distribution is wrong in at most
6 of 100 cases: W. G. Cochran, *Sampling Techniques*, 3rd edition (1977), section 2.15."""

WagerRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HoldSpread:
    """How far the actual hold of one wager is from its theoretical hold; both are shares of all money wagered."""

    hold: Fraction
    average_wagered: Fraction  # per round, in units
    deviation: float  # of the actual hold of one round; after n rounds it is divided by √n
    skewness: float  # of the same

    @property
    def fewest_rounds(self) -> int:
        """Return the number of rounds from which the normal distribution describes the actual hold, by `COCHRAN`."""
        return max(1, ceil(COCHRAN * self.skewness**2))

    def interval(self, rounds: int, confidence: int) -> tuple[float, float]:
        """Return the limits between which the actual hold is in so many per cent of the cases."""
        half = CONFIDENCE[confidence] * self.deviation / sqrt(rounds)
        return float(self.hold) - half, float(self.hold) + half

    def table(self, numbers: Iterable[int] = TABLE_ROUNDS) -> list[tuple[int, list[float], bool]]:
        """Return (rounds, the limits of each of `LEVELS`, whether the normal distribution describes them) by rounds."""
        return [
            (
                rounds,
                [limit for level in LEVELS for limit in self.interval(rounds, level)],
                rounds >= self.fewest_rounds,
            )
            for rounds in numbers
        ]

    def distance(self, rounds: int, actual: Fraction) -> float:
        """Return how many standard errors an actual hold is above the theoretical hold: z."""
        return float(actual - self.hold) * sqrt(rounds) / self.deviation

    def loss_per_hour(self, wager: Fraction, rounds_per_hour: Fraction) -> Fraction:
        """Return a player's expected loss in dollars, at a wager of so many dollars per unit."""
        return self.hold * self.average_wagered * wager * rounds_per_hour


def hold_spread(row: WagerRow) -> HoldSpread | None:
    """Return the spread of a wager; None if its chances are not known, or its result never differs.

    The actual hold is a ratio of two sums. Its spread is that of won − hold × wagered, ÷ the average wagered, which is
    exact for one amount wagered and of first order in 1 ÷ √n where amounts differ, as in the simulation.
    """
    outcomes = row.get("outcomes") or ()
    if not outcomes or any(outcome.get("probability") is None for outcome in outcomes):
        return None
    hold = hold_of(row)
    rows = [
        (Fraction(outcome["probability"]), Fraction(outcome["net"]), Fraction(outcome.get("wagered", 1)))
        for outcome in outcomes
    ]
    average = sum((chance * wagered for chance, _, wagered in rows), Fraction(0))
    won = [(chance, -net - hold * wagered) for chance, net, wagered in rows]
    mean = sum((chance * amount for chance, amount in won), Fraction(0))
    square = sum((chance * (amount - mean) ** 2 for chance, amount in won), Fraction(0))
    cube = sum((chance * (amount - mean) ** 3 for chance, amount in won), Fraction(0))
    if not square:
        return None
    return HoldSpread(hold, average, sqrt(square) / float(average), float(cube) / float(square) ** 1.5)


def hold_of(row: WagerRow) -> Fraction:
    """Return the theoretical hold as a share of all money wagered, exact where the row has the fraction."""
    return Fraction(row["hold_fraction"]) if row.get("hold_fraction") else Fraction(str(row["hold_pct"])) / 100


def two_sided_p(distance: float) -> float:
    """Return the chance of a result at least so many standard errors away, to either side."""
    return erfc(abs(distance) / sqrt(2))


def unusual_sentences(spread: HoldSpread, rounds: int, actual: Fraction) -> str:
    """Return in words how unusual an actual hold is after so many rounds."""
    distance = spread.distance(rounds, actual)
    side = "above" if distance >= 0 else "below"
    low, high = (_percent(limit) for limit in spread.interval(rounds, 95))
    sentences = (
        f"After {rounds:,} rounds, an actual hold of {_percent(actual)} of all money wagered is {abs(distance):.2f} "
        f"standard errors {side} the theoretical hold of {_percent(spread.hold)}. By chance alone, the actual hold is "
        f"this far or farther from it in {_share_in_words(two_sided_p(distance))} such periods. In 95 of 100, it is "
        f"from {low} to {high}."
    )
    if rounds < spread.fewest_rounds:
        sentences += (
            f" These figures are not reliable: for this wager, the normal distribution needs {spread.fewest_rounds:,} "
            "rounds or more."
        )
    return sentences


def _share_in_words(share: float) -> str:
    if share >= 0.01:
        return f"{100 * share:.0f} of 100"
    return f"{10_000 * share:.0f} of 10,000" if share >= 0.0001 else "fewer than 1 of 10,000"


def _percent(share: Fraction | float) -> str:
    return f"{float(100 * share):.4f} %".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Jackpot:
    """An outcome that is paid all of a meter. Meter figures are None where a term is not known."""

    outcome: str
    pays: str
    rounds_between: Fraction  # on average, counted in wagers of all players together
    wager: Fraction | None = None  # dollars
    average_meter: Fraction | None = None  # dollars on the meter when it is won
    meter_deviation: float | None = None


METER = re.compile(r"(\d+)% (?:of meter|\w+ jackpot)")
"""The words of a cell that pays of a meter: "10% of meter", "$5,000/100% of meter", "100% major jackpot"."""


def jackpots(row: WagerRow) -> list[Jackpot]:
    """Return the jackpots of a progressive wager, none for any other wager.

    Where a paytable has several meters, no record says how the rate of progression is divided among them: what is on
    one when it is won is not known.
    """
    paid = [
        (outcome, Fraction(outcome["probability"]), Fraction(int(match[1]), 100))
        for outcome in row.get("outcomes") or ()
        if outcome.get("probability") and (match := METER.search(outcome.get("pays") or ""))
    ]
    won = [(outcome, chance) for outcome, chance, share in paid if share == 1]
    terms = row.get("progressive") or {}
    coefficient = Fraction(terms.get("meter_coefficient") or 0)
    if len(won) != 1 or not coefficient:
        return [Jackpot(outcome["outcome"], outcome["pays"], 1 / chance) for outcome, chance in won]
    (outcome, chance), parts = won[0], [(likely, share) for _, likely, share in paid if share < 1]
    wager = sum((likely * share for _, likely, share in paid), Fraction(0)) / coefficient
    jackpot = Jackpot(outcome["outcome"], outcome["pays"], 1 / chance, wager)
    if terms.get("rate") is None or not Fraction(terms["reset"]):
        return [jackpot]
    average, deviation = meter_when_won(Fraction(terms["reset"]), Fraction(terms["rate"]) * wager, chance, parts)
    return [Jackpot(jackpot.outcome, jackpot.pays, jackpot.rounds_between, wager, average, deviation)]


def meter_when_won(
    reset: Fraction, added: Fraction, chance: Fraction, parts: Iterable[tuple[Fraction, Fraction]] = ()
) -> tuple[Fraction, float]:
    """Return mean and standard deviation of a meter when all of it is won; dollars.

    It begins at `reset`. Each round adds `added` and then wins all of it with `chance`; each of `parts` is the chance
    of an outcome that is paid a share of the meter, and that share, which is taken from the meter. (The long-run return
    counts no other money for such payouts, either.) So the mean from a meter of m is a·m + b, and the mean square
    c·m² + d·m + e: one round later each of them is the same function of the new meter.
    """
    parts = list(parts)
    taken = sum((likely * share for likely, share in parts), Fraction(0))
    of_square = sum((likely * (1 - (1 - share) ** 2) for likely, share in parts), Fraction(0))
    a, c = chance / (chance + taken), chance / (chance + of_square)
    b = a * added / chance
    d = 2 * c * added / (chance + taken)
    e = (c * added**2 + d * added * (1 - chance - taken)) / chance
    mean = a * reset + b
    return mean, sqrt(c * reset**2 + d * reset + e - mean**2)
