"""What the house takes from a pot or for an hour: games without a house wager (chapter 637a).

Not here: which answers say so (`play.py`), how a list of steps is read (`rules.amounts`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

POTS = tuple(map(Fraction, (5, 10, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500)))  # dollars, to be compared
POTS_PER_HOUR = (25, 30, 35)
Steps = Sequence[tuple[Fraction, Fraction]]
"""(size of the pot, rake collected in all from there on), rising."""


@dataclass(frozen=True, slots=True)
class PotTaken:
    """What the house takes from a pot of one size. Dollars."""

    pot: Fraction
    rake: Fraction
    contributions: Fraction  # to jackpots, which go back to players
    per_hour: tuple[Fraction, ...]  # the rake, were all pots so large; for each of `Rake.pots_per_hour`


@dataclass(frozen=True, slots=True)
class Rake:
    """What a game without a house wager costs its players, by the schedule filed. Dollars."""

    schedule: str  # in words
    pots_per_hour: tuple[int, ...]  # assumed, to compute an hour's rake
    pots: tuple[PotTaken, ...]
    largest: Fraction | None  # rake of one pot; None = it grows with the pot
    reached_at: Fraction | None  # the smallest pot that it is taken from
    by_players: tuple[tuple[int, Fraction], ...] = ()  # players → dollars per hour, for a time charge
    notes: tuple[str, ...] = ()


def by_steps(steps: Steps, pot: Fraction) -> Fraction:
    """The rake of the last step that the pot has reached."""
    return max((rake for size, rake in steps if size <= pot), default=Fraction(0))


def by_share(share: Fraction, most: Fraction | None, pot: Fraction) -> Fraction:
    """A share of the pot, up to `most`."""
    return share * pot if most is None else min(share * pot, most)


def pot_taken(pot: Fraction, rake: Fraction, contributions: Fraction) -> PotTaken:
    """The row of one size of the pot; what is not in a pot is not taken."""
    return PotTaken(pot, rake, min(contributions, pot - rake), tuple(rake * pots for pots in POTS_PER_HOUR))
