"""One changed cell that would give the Board's figure of a required wager, found by analyzing the changed paytable.

The best play of a required wager changes with its paytable, so no cell of it can be solved from the chance of its
outcome, as `games.maths.verdicts` does for wagers without decisions. Tried are odds of at most two digits and zeros,
up to five times what is printed and down to a fifth of it; where a row pushes, 1 to 1. Nothing is tried where a
required wager has no paytable. What is found is entered in the chapter's data (`changed_cells` of a `[[published]]`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from games import registry
from games.maths.results import Required
from games.maths.verdicts import LARGEST_CHANGE, PrintedShare, Verdict, printed_share
from games.rules.model import DENOMINATORS, ChangedCell, Chapter, Pay, Paytable, Published

LOSSES = ("loss_per_ante", "loss_per_initial", "loss_per_total_wagered")  # in the order of `DENOMINATORS`
NOT_SAID = "not said"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell with which the figure is the printed one to all its digits; `distance` of the hold from it, a share."""

    cell: ChangedCell
    distance: Fraction


def is_searched(chapter: Chapter, figure: Published) -> bool:
    """Whether it is the hold or payback of a required wager, and not reproduced."""
    verdicts = [
        each.verdict
        for row in registry.play(chapter.number).analyze(chapter, {})
        if row.wager == figure.wager and row.required and figure.paytable in ("", row.paytable)
        for each in row.published
        if each.figure == f"{figure.value}% {figure.measure}"
    ]
    return bool(verdicts) and Verdict.REPRODUCED not in verdicts


def search(chapter: Chapter, figure: Published) -> tuple[ChangedCell, ...]:
    """Of every cell and denominator the plainest odds that give the figure; () where none do."""
    printed = printed_share(figure)
    required = [wager.key for wager in chapter.wagers if figure.wager in (wager.key, wager.part_of)]
    plainest: dict[tuple[str, str, str], Candidate] = {}
    for paytable in chapter.paytables:
        if paytable.wager in required and (figure.paytable in ("", paytable.name) or _is_only(chapter, paytable)):
            for each in _tried(chapter, figure, printed, paytable):
                place = (each.cell.wager, each.cell.outcome, each.cell.denominator)
                plainest[place] = min(plainest.get(place, each), each, key=_plainness)
    return tuple(each.cell for each in plainest.values())


def hold_with(chapter: Chapter, figure: Published, cell: ChangedCell) -> Fraction:
    """The hold of the required wager, a share of the cell's denominator, with the cell changed."""
    table, place = next(
        (table, place)
        for table in chapter.paytables
        for place, row in enumerate(table.rows)
        if table.wager == cell.wager and row.outcome == cell.outcome
        if figure.paytable in ("", table.name) or _is_only(chapter, table)
    )
    return _loss(
        _required(chapter, figure, table, place, Pay(odds=Fraction(cell.odds), per=cell.per)), cell.denominator
    )


def _is_only(chapter: Chapter, paytable: Paytable) -> bool:
    return len(chapter.tables_of(paytable.wager)) == 1


def _tried(chapter: Chapter, figure: Published, printed: PrintedShare, table: Paytable) -> Iterator[Candidate]:
    names = DENOMINATORS if figure.denominator == NOT_SAID else (figure.denominator,)
    for place, row in enumerate(table.rows):
        for pay in _plain_pays(row.pays[0]):
            required = _required(chapter, figure, table, place, pay)
            for name in names:
                payback = 1 - _loss(required, name)
                if printed.is_met_by(payback):
                    cell = ChangedCell(table.wager, row.outcome, int(pay.odds or 0), pay.per or "to", name)
                    yield Candidate(cell, abs(payback - printed.payback))


def _required(chapter: Chapter, figure: Published, table: Paytable, place: int, pay: Pay) -> Required:
    """The required wager with the row at `place` paid so."""
    row = replace(table.rows[place], pays=(pay,))
    changed = replace(table, rows=(*table.rows[:place], row, *table.rows[place + 1 :]))
    tables = tuple(changed if each is table else each for each in chapter.paytables)
    analyses = registry.play(chapter.number).analyze(replace(chapter, paytables=tables), {})
    return next(
        row.required
        for row in analyses
        if row.wager == figure.wager and row.required and figure.paytable in ("", row.paytable)
    )


def _loss(required: Required, denominator: str) -> Fraction:
    return Fraction(getattr(required, LOSSES[DENOMINATORS.index(denominator)]))


def _plain_pays(pay: Pay) -> list[Pay]:
    """What is tried in place of a cell, the printed odds left out; nothing for an amount or a share of a meter."""
    if pay.push:
        return [Pay(odds=Fraction(1), per="to")]
    if pay.odds is None:
        return []
    low, high = pay.odds / LARGEST_CHANGE, pay.odds * LARGEST_CHANGE
    plain = {Fraction(digits * 10**zeros) for digits in range(1, 100) for zeros in range(5)}
    return [Pay(odds=odds, per=pay.per) for odds in sorted(plain) if low <= odds <= high and odds != pay.odds]


def _plainness(candidate: Candidate) -> tuple[int, Fraction]:
    return len(str(candidate.cell.odds).rstrip("0")), candidate.distance
