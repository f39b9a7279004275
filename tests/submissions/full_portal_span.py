"""Over which time the submissions of a full portal are spread, and how many there are of each game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

FIRST_DAY = date(2023, 1, 9)


@dataclass(frozen=True, slots=True)
class Span:
    """How many submissions there are of each game, from which day, and how far apart; each is filed twice."""

    amendments: int = 5
    first_day: date = FIRST_DAY
    apart: timedelta = timedelta(days=270)

    def day(self, place: int) -> date:
        return self.first_day + (place % self.amendments) * self.apart


YEARS = Span()
DECADE = Span(amendments=20, first_day=date(2016, 12, 5), apart=timedelta(days=182))
