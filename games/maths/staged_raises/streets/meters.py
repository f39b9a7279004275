"""The terms of a progressive of one or several jackpots: which answers its meters start from."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from games.rules.model import Answers, Pay, Paytable, Row


@dataclass(frozen=True, slots=True)
class Meters:
    """The lines that ask for the terms. The meter is that of the first row; other jackpots count as their resets."""

    rate: str  # the line that says the rate of progression, in percent
    resets: Mapping[str, str]  # jackpot, "" where there is one → the line that says its reset amount, in dollars
    note: str

    def at_reset(self, table: Paytable, answers: Answers) -> Paytable:
        """The table with the rate and the reset amounts answered."""
        rate = answers.get(self.rate)
        return replace(
            table,
            rows=tuple(replace(line, pays=(self._pay(line, table.rows[0], answers),)) for line in table.rows),
            seed=self._reset(table.rows[0].pays[0].jackpot, answers),
            rate=None if rate is None else Fraction(str(rate)) / 100,
        )

    def notes(self, table: Paytable, answers: Answers) -> tuple[str, ...]:
        """What the figures leave out, as far as the answers and the table's jackpots make it so."""
        jackpots = list(dict.fromkeys(line.pays[0].jackpot for line in table.rows if line.pays[0].meter is not None))
        notes = [self.note]
        if any(answers.get(self.resets[jackpot]) is None for jackpot in jackpots):
            notes.append("No reset amount is answered: each meter without one counts as empty.")
        if len(jackpots) > 1:
            other_jackpots = ", ".join(jackpots[1:])
            notes.append(f"The meter is that of the {jackpots[0]}. Taken at the reset amount: {other_jackpots}.")
        return tuple(notes)

    def _pay(self, line: Row, first: Row, answers: Answers) -> Pay:
        pay = line.pays[0]
        if pay.meter is None or pay.jackpot == first.pays[0].jackpot:
            return pay
        share = Decimal(pay.meter.numerator) / pay.meter.denominator
        return replace(pay, meter=None, amount=share * self._reset(pay.jackpot, answers))

    def _reset(self, jackpot: str, answers: Answers) -> Decimal:
        """Dollars; an amount that is not answered counts as nothing."""
        return Decimal(str(answers.get(self.resets[jackpot]) or 0))
