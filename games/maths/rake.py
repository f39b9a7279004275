"""The rake from a pot or for an hour, in games without a house wager, by the schedule filed.

Not here: how a list of steps is read (`rules.lists`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.rules import lists
from games.rules.model import Answers, Chapter

POTS = tuple(map(Fraction, (5, 10, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500)))  # dollars, to be compared
POTS_PER_HOUR = (25, 30, 35)
ASSUMED = (
    "For each size, the table shows the rake of a pot of exactly that size. The number of pots per hour is assumed."
)
DEPENDS = "The schedule depends on players or limits, as filed in words; the table shows it without that."
NOT_ROUNDED = "Whether a share is rounded to whole chips is not said; it is shown to the cent."
PER_PLAYER = "The charge is taken as that of each player."
Steps = Sequence[tuple[Fraction, Fraction]]
"""(size of the pot, rake collected in all from there on), rising."""


@dataclass(frozen=True, slots=True)
class PotTaken:
    """The rake from a pot of one size, in dollars."""

    pot: Fraction
    rake: Fraction
    contributions: Fraction  # to jackpots, which go back to players
    per_hour: tuple[Fraction, ...]  # the rake, were all pots so large; for each of `Rake.pots_per_hour`


@dataclass(frozen=True, slots=True)
class Rake:
    """The players' costs of a game without a house wager, by the schedule filed, in dollars."""

    schedule: str  # in words
    pots_per_hour: tuple[int, ...]  # assumed, to compute an hour's rake
    pots: tuple[PotTaken, ...]
    largest: Fraction | None  # rake of one pot; None = it grows with the pot
    reached_at: Fraction | None  # the smallest pot that it is taken from
    by_players: tuple[tuple[int, Fraction], ...] = ()  # players → dollars per hour, for a time charge
    notes: tuple[str, ...] = ()


def by_steps(steps: Steps, pot: Fraction) -> Fraction:
    """Return the rake of the last step that the pot has reached."""
    return max((rake for size, rake in steps if size <= pot), default=Fraction(0))


def by_share(share: Fraction, most: Fraction | None, pot: Fraction) -> Fraction:
    """Return a share of the pot, up to `most`."""
    return share * pot if most is None else min(share * pot, most)


@dataclass(frozen=True, slots=True)
class Game:
    """A game of players against each other, as the rest of the portal meets it: only its rake is computed."""

    players: range  # at a table
    contributions: tuple[str, ...]  # the answers that say how many dollars of a pot go to jackpots

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> tuple[()]:
        """Return no analysis: no wager is made against the house."""
        return ()

    def rake(self, chapter: Chapter, answers: Answers) -> Rake | None:
        """Return the rake by the filed schedule; None as long as it is not answered."""
        kind = answers.get("rake_kind")
        depends = (DEPENDS,) if answers.get("rake_by_players") else ()
        if kind == "incremental" and answers.get("rake_steps"):
            return self._of_steps(answers, depends)
        if kind == "percentage" and answers.get("rake_percentage"):
            return self._of_share(answers, depends)
        if kind == "time" and answers.get("time_charge"):
            charge = _number(answers, "time_charge")
            hours = tuple((players, charge * players) for players in self.players)
            return Rake("A time charge", (), (), Fraction(0), None, hours, (PER_PLAYER, *depends))
        return None

    def _of_steps(self, answers: Answers, depends: tuple[str, ...]) -> Rake:
        steps = [(Fraction(size), Fraction(taken)) for size, taken in lists.parse_steps(str(answers["rake_steps"]))]
        pots = self._pots(answers, dict(steps), lambda pot: by_steps(steps, pot))
        last, most = steps[-1]
        words = "Fixed amounts at fixed sizes of the pot"
        return Rake(words, POTS_PER_HOUR, pots, most, last, notes=(ASSUMED, *depends))

    def _of_share(self, answers: Answers, depends: tuple[str, ...]) -> Rake:
        share = _number(answers, "rake_percentage") / 100
        most = _number(answers, "rake_maximum") if answers.get("rake_maximum") else None
        last = most / share if most is not None and share else None
        pots = self._pots(answers, [last] if last else [], lambda pot: by_share(share, most, pot))
        words = f"{float(100 * share):g} % of the pot"
        return Rake(words, POTS_PER_HOUR, pots, most, last, notes=(ASSUMED, *depends, NOT_ROUNDED))

    def _pots(
        self, answers: Answers, sizes: Iterable[Fraction], taken: Callable[[Fraction], Fraction]
    ) -> tuple[PotTaken, ...]:
        """Return a row for each pot that is compared, and for each of these sizes."""
        contributions = sum((_number(answers, key) for key in self.contributions), Fraction(0))
        rows = ((pot, taken(pot)) for pot in sorted({*POTS, *sizes}))
        return tuple(  # what is not in a pot is not taken
            PotTaken(pot, rake, min(contributions, pot - rake), tuple(rake * pots for pots in POTS_PER_HOUR))
            for pot, rake in rows
        )


def _number(answers: Answers, key: str) -> Fraction:
    return Fraction(str(answers.get(key) or 0))
