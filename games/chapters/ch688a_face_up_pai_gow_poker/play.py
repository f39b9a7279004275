"""Face Up Pai Gow Poker: hands set in two against the dealer's exposed hands (family `pai_gow`).

Here: which analysis belongs to which wager, and which paytables and house way the answers choose. The required
wager's "paytable" is the key of a house way (§ 688a.11(a)).
"""

from __future__ import annotations

from typing import Final

from games.maths.pai_gow.estimate import required_wager, tally
from games.maths.pai_gow.exact import ace_high_wager, hand_wager
from games.maths.pai_gow.rounds import play
from games.maths.published import compare_published
from games.maths.results import Tally, WagerAnalysis
from games.rules.model import Answers, Chapter, HouseWay, Paytable, Wager

BLOCK_ROUNDS: Final = 5_000_000
FILING_ROUNDS: Final = 50_000_000

_ANALYSES: Final = {"ace_high": ace_high_wager, "fortune": hand_wager, "progressive": hand_wager}


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered; what the answers leave open (all of it without answers) under each choice there is."""
    given = answers or {}
    ways = [way for way in chapter.house_ways if given.get("house_way") in (None, way.key)]
    tables = [
        table
        for wager in chapter.wagers
        if not wager.required and (answers is None or given.get(wager.offered_by) is True)
        for table in chapter.tables_of(wager.key)
        if given.get(wager.paytable_option) in (None, table.name)
    ]
    found = [*map(required_wager, ways), *(_ANALYSES[table.wager](table) for table in tables)]
    return tuple(compare_published(chapter, analysis) for analysis in found)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle rounds of stream (seed, block); `ValueError` where house way or paytable is not answered."""
    offered = [wager for wager in chapter.wagers if not wager.required and answers.get(wager.offered_by) is True]
    tables = {wager.key: _table(chapter, wager, answers) for wager in offered}
    return tally(play(seed, block, rounds, _house_way(chapter, answers).key), tables)


def _table(chapter: Chapter, wager: Wager, answers: Answers) -> Paytable:
    name = answers.get(wager.paytable_option)
    tables = chapter.tables_of(wager.key)
    if found := next((table for table in tables if table.name == name), None):
        return found
    raise ValueError(
        f"688a: the {wager.name} is offered, but `{wager.paytable_option}` is {name!r}; answer it with one of "
        f"{', '.join(table.name for table in tables)} (§ 688a.12)"
    )


def _house_way(chapter: Chapter, answers: Answers) -> HouseWay:
    key = answers.get("house_way")
    if found := next((way for way in chapter.house_ways if way.key == key), None):
        return found
    raise ValueError(
        f"688a: `house_way` is {key!r}; answer how the dealer sets his hands with one of "
        f"{', '.join(way.key for way in chapter.house_ways)} (§ 688a.11(a))"
    )
