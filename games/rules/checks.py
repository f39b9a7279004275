"""Requirements that a table of conditions cannot say: one small function each, shared by the chapters.

A check is given the chapter, the requirement and the answers to the lines that are asked. It returns None where
the requirement is met, else the words that fill the braces of the requirement's message and fix.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import combinations

from games.rules.amounts import amounts, steps
from games.rules.model import Answers, Chapter, Requirement
from games.rules.phrases import in_words
from games.rules.tables import format_tables, parse_tables
from games.rules.winnings import Win, largest_round, largest_wins, total

Check = Callable[[Chapter, Requirement, Answers], Mapping[str, str] | None]


def tables_differ(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """No table is named under two of the requirement's options: {tables}, {one} and {other}."""
    named = {key: parse_tables(str(answers[key])) for key in requirement.options if answers.get(key) is not None}
    for first, second in combinations(named, 2):
        if both := named[first] & named[second]:
            return {"tables": format_tables(both), "one": str(answers[first]), "other": str(answers[second])}
    return None


def bet_fits_paytable(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """The paytable is one for the bet asked of the player: {table}, {printed}, {bet} and {fitting}."""
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
    """The limit is not less than $50,000 or the most that one patron could win: {limit}, {bound} and {because}."""
    wins = largest_wins(chapter, requirement, answers)
    bound = _payout_bound(chapter, requirement, answers, wins or ())  # $50,000 bind before the rest is answered
    if bound and wins is None:
        bound["because"] = "the amount in the regulation"
    return bound if bound and Decimal(str(answers[requirement.options[0]])) < bound.amount else None


def payout_limit_ceiling(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """The limit does not exceed $50,000 or the most that one patron could win: {limit}, {bound} and {because}."""
    wins = largest_wins(chapter, requirement, answers)
    bound = None if wins is None else _payout_bound(chapter, requirement, answers, wins)
    return bound if bound and Decimal(str(answers[requirement.options[0]])) > bound.amount else None


class _Bound(dict[str, str]):
    """The words of a payout limit's bound, and its amount."""

    amount: Decimal


def _payout_bound(chapter: Chapter, requirement: Requirement, answers: Answers, wins: tuple[Win, ...]) -> _Bound | None:
    """None where the limit is not answered, which is found already."""
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
    """The second option lists as many amounts as the first one counts: {count} and {problem}."""
    count, listed = (answers.get(key) for key in requirement.options)
    if count is None or listed is None:
        return None  # found unanswered already
    try:
        number = len(amounts(str(listed)))
    except ValueError as error:
        return {"count": str(count), "problem": str(error)}
    return None if number == count else {"count": str(count), "problem": f"the amounts listed are {number}"}


def rake_steps_rise(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """The steps of an incremental rake can be read, and rise: {problem}."""
    listed = answers.get(requirement.options[0])
    if listed is None:
        return None  # not asked, or found unanswered already
    try:
        steps(str(listed))
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
