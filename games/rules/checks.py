"""Requirements that a table of conditions cannot say: one small function each, shared by the chapters.

A check is given the chapter, the requirement and the answers to the lines that are asked. It returns None where
the requirement is met, else the words that fill the braces of the requirement's message and fix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from itertools import combinations

from games.rules.model import Answers, Chapter, Requirement
from games.rules.tables import in_ranges, table_numbers

Check = Callable[[Chapter, Requirement, Answers], Mapping[str, str] | None]


def tables_differ(chapter: Chapter, requirement: Requirement, answers: Answers) -> Mapping[str, str] | None:
    """No table is named under two of the requirement's options: {tables}, {one} and {other}."""
    named = {key: table_numbers(str(answers[key])) for key in requirement.options if answers.get(key) is not None}
    for one, other in combinations(named, 2):
        if both := named[one] & named[other]:
            return {"tables": in_ranges(both), "one": str(answers[one]), "other": str(answers[other])}
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
    fitting = [one.name for one in chapter.tables_of(wager) if one.wager_amount == bet]
    return {"table": table.name, "printed": f"${table.wager_amount}", "bet": f"${bet}", "fitting": ", ".join(fitting)}


CHECKS: Mapping[str, Check] = {check.__name__: check for check in (tables_differ, bet_fits_paytable)}
