"""The second laboratory settles every outcome that the exact side reports, and the amounts are equal."""

from __future__ import annotations

import pytest

from games import registry
from games.rules.wagers_in_play import covering
from games.runs.dealing import settled_amounts
from games.runs.engine import analyze

TABLES = [number for number, folder in registry.folders().items() if (folder / registry.SECOND).exists()]


@pytest.mark.parametrize("number", TABLES)
def test_both_sides_settle_every_outcome_of_every_paytable_alike(number):
    chapter = registry.chapter(number)
    for answers in covering(chapter):
        settled = settled_amounts(chapter, answers)
        for wager in analyze(chapter, answers).wagers:
            exact = {row.outcome: (row.wagered, row.net) for row in wager.outcomes}
            second = settled[wager.key]
            assert {outcome: second.get(outcome) for outcome in exact} == exact, (wager.key, wager.paytable)
