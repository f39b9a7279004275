"""Requirements that a table of conditions cannot say: one small function each, shared by the chapters.

A check is given the chapter, the requirement and the answers to the lines that are asked. It returns None where the
requirement is met, else the words that fill the braces of the requirement's message and fix.

The bounds of a payout limit need the most that one patron can win in a round at the minimum wagers. `largest_wins` are
the largest payouts of the covered wagers. They need not fall in the same round, so their sum is an upper bound, known
at once; `largest_round` is the deal that wins most, by the chapter's mathematics. Shares of a progressive meter and
Envy Bonuses are not counted.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from itertools import combinations

from games.rules.lists import format_tables, parse_amounts, parse_steps, parse_tables
from games.rules.model import Answers, Chapter, Pay, Paytable, Requirement, Wager
from games.rules.phrases import in_words

EVEN = Pay(odds=Fraction(1), per="to", printed="1 to 1")  # of a wager that has no paytable


@dataclass(frozen=True, slots=True)
class Win:
    """The largest payout of one covered wager."""

    wager: str
    whole: str  # key of the wager that it is a part of, or its own
    stake: Decimal
    pay: Pay

    @property
    def amount(self) -> Fraction:
        return net_win(self.pay, Fraction(self.stake))

    def __str__(self) -> str:
        return f"{self.wager} of ${self.stake:,} at {self.pay.printed}"


def largest_wins(chapter: Chapter, requirement: Requirement, answers: Answers) -> tuple[Win, ...] | None:
    """Return the wins of the covered wagers offered; None if a minimum or a paytable is not answered."""
    table_minimum = requirement.options[1]
    wins = []
    for key in requirement.covers:
        wager = chapter.wager(key)
        if not _offered(chapter, wager, answers):
            continue
        tables, minimum = _tables(chapter, wager, answers), answers.get(wager.minimum or table_minimum)
        if tables is None or (minimum is None and not any(table.wager_amount for table in tables)):
            return None
        wins.append(_largest(wager, tables, Decimal(str(minimum or 0)), requirement.leaves_out))
    return tuple(wins)


def largest_round(
    chapter: Chapter, requirement: Requirement, answers: Answers, wins: Iterable[Win]
) -> tuple[Decimal, str]:
    """Return the most that one deal wins by the covered wagers, whose `wins` are known, and the deal in words.

    `ValueError` where a part of a wager has a minimum of its own, which no chapter has, and for a chapter whose play
    has no `largest_round`, which the registry refuses.
    """
    if chapter.largest_round is None:
        raise ValueError(f"the play of chapter {chapter.number} has no `largest_round`")
    stakes: dict[str, Fraction] = {}
    for win in wins:
        if stakes.setdefault(win.whole, Fraction(win.stake)) != win.stake:
            raise ValueError(f"{win.wager} has another minimum than the wager that it is a part of")
    most = chapter.largest_round(chapter, answers, stakes, requirement.leaves_out)
    return _in_cents(most.amount), str(most)


def _in_cents(amount: Fraction) -> Decimal:
    """Return dollars and cents, rounded up."""
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return exact.quantize(Decimal("0.01"), rounding=ROUND_CEILING)


def total(wins: Iterable[Win]) -> Decimal:
    """Return the sum of the wins in dollars and cents, rounded up."""
    return _in_cents(sum((win.amount for win in wins), Fraction(0)))


def net_win(pay: Pay, stake: Fraction) -> Fraction:
    """Return the cell's win without the stake: odds `for` include it, a dollar amount does not depend on it."""
    if pay.odds is not None:
        return stake * (pay.odds - 1 if pay.per == "for" else pay.odds)
    return Fraction(pay.amount or 0)


def _offered(chapter: Chapter, wager: Wager, answers: Answers) -> bool:
    whole = chapter.wager(wager.part_of) if wager.part_of else wager
    return all(candidate.required or answers.get(candidate.offered_by) is True for candidate in (wager, whole))


def _tables(chapter: Chapter, wager: Wager, answers: Answers) -> tuple[Paytable, ...] | None:
    """Return the paytable in use, if there is any; None where it is still to be chosen.

    A part of a wager that has no paytable of its own is paid by that of the whole (683a's Raise by the Ante's).
    """
    if wager.part_of and not chapter.tables_of(wager.key):
        return _tables(chapter, chapter.wager(wager.part_of), answers)
    if not wager.paytable_option or not chapter.tables_of(wager.key):
        return chapter.tables_of(wager.key)
    chosen = answers.get(wager.paytable_option)
    return tuple(table for table in chapter.tables_of(wager.key) if table.name == chosen) or None


def _largest(wager: Wager, tables: tuple[Paytable, ...], minimum: Decimal, left_out: tuple[str, ...]) -> Win:
    stake = next((table.wager_amount for table in tables if table.wager_amount), minimum)
    cells = [pay for table in tables for row in table.rows if row.outcome not in left_out for pay in row.pays]
    most = max(cells or [EVEN], key=lambda pay: net_win(pay, Fraction(stake)))
    return Win(wager.name, wager.part_of or wager.key, stake, most)


Check = Callable[[Chapter, Requirement, Answers], Mapping[str, str] | None]


def tables_differ(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {tables}, {one} and {other} if a table is named under two of the requirement's options."""
    named = {key: parse_tables(str(answers[key])) for key in requirement.options if answers.get(key) is not None}
    for first, second in combinations(named, 2):
        if both := named[first] & named[second]:
            return {"tables": format_tables(both), "one": str(answers[first]), "other": str(answers[second])}
    return None


def bet_fits_paytable(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {table}, {printed}, {bet} and {fitting} if the paytable is for another bet than that asked."""
    bet_option, table_option = requirement.options
    if answers.get(bet_option) is None or answers.get(table_option) is None:
        return None  # found unanswered already
    bet = Decimal(str(answers[bet_option]))
    wager = chapter.option(table_option).wager
    table = chapter.paytable(wager, str(answers[table_option]))
    if table.wager_amount == bet:
        return None
    fitting = [candidate.name for candidate in chapter.tables_of(wager) if candidate.wager_amount == bet]
    return {"table": table.name, "printed": f"${table.wager_amount}", "bet": f"${bet}", "fitting": ", ".join(fitting)}


FLOOR = Decimal(50_000)  # "not less than $50,000", the same in every chapter
_NAMED = "the amount in the regulation, as one patron cannot win more than that per round at the minimum wager"

_MOST = "the most that one patron can win per round at the minimum wagers"


def payout_limit_floor(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {limit}, {bound} and {because} if the limit is below $50,000 or the most that one patron could win."""
    wins = largest_wins(chapter, requirement, answers)
    bound = _payout_bound(chapter, requirement, answers, wins or ())  # $50,000 bind before the rest is answered
    if bound and wins is None:
        bound["because"] = "the amount in the regulation"
    return bound if bound and Decimal(str(answers[requirement.options[0]])) < bound.amount else None


def payout_limit_ceiling(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {limit}, {bound} and {because} if the limit exceeds $50,000 or the most that one patron could win."""
    wins = largest_wins(chapter, requirement, answers)
    bound = None if wins is None else _payout_bound(chapter, requirement, answers, wins)
    return bound if bound and Decimal(str(answers[requirement.options[0]])) > bound.amount else None


class _Bound(dict[str, str]):
    """The words of a payout limit's bound, and its amount."""

    amount: Decimal


def _payout_bound(chapter: Chapter, requirement: Requirement, answers: Answers, wins: tuple[Win, ...]) -> _Bound | None:
    """Return the bound of the payout limit; None if the limit is not answered, which is found already."""
    limit = requirement.options[0]
    if answers.get(limit) is None:
        return None
    amount, because = FLOOR, _NAMED
    if total(wins) > FLOOR:  # else no deal can win more, and none has to be looked for
        most, deal = largest_round(chapter, requirement, answers, wins)
        if most > FLOOR:
            amount, because = most, f"{_MOST} ({deal})"
    bound = _Bound(limit=in_words(chapter, limit, answers[limit]), bound=in_words(chapter, limit, str(amount)))
    bound["because"] = because
    bound.amount = amount
    return bound


def one_amount_each(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {count} and {problem} unless the second option lists as many amounts as the first one counts."""
    count, listed = (answers.get(key) for key in requirement.options)
    if count is None or listed is None:
        return None  # found unanswered already
    try:
        number = len(parse_amounts(str(listed)))
    except ValueError as error:
        return {"count": str(count), "problem": str(error)}
    return None if number == count else {"count": str(count), "problem": f"the amounts listed are {number}"}


def rake_steps_rise(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """Return {problem} if the steps of an incremental rake cannot be read or do not rise."""
    listed = answers.get(requirement.options[0])
    if listed is None:
        return None  # not asked, or found unanswered already
    try:
        parse_steps(str(listed))
    except ValueError as error:
        return {"problem": str(error)}
    return None


CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        tables_differ,
        bet_fits_paytable,
        payout_limit_floor,
        payout_limit_ceiling,
        one_amount_each,
        rake_steps_rise,
    )
}
