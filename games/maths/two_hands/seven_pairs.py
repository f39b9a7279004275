"""Player's and dealer's seven cards against each other, counted over all C(53, 7) × C(46, 7) deals: exact.

Two hands of one deck share no card. The pairs that share none are counted by inclusion–exclusion over the sets of
shared cards, as for six cards (`six_pairs`), one canonical set for each orbit of the suits (`seven_counting`). That
takes some minutes, so the terms of the sum are shipped (`SHIPPED`). Not here: what the counts come to
(`seven_against_dealer`), the tables of hands (`seven_suited`), single rounds (`rounds`).
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import JOKER_DECK
from games.maths.disk_cache import cached_arrays
from games.maths.two_hands.house_ways import HOUSE_WAYS, rule_table
from games.maths.two_hands.ranking import high_table, low_table
from games.maths.two_hands.seven_counting import (
    ALL,
    BELOW_BOTH,
    BEST_OF_BOTH,
    SHEETS,
    TOP_HIGH,
    TOP_LOW,
    WHOLE_FRONT,
    counted,
)
from games.maths.two_hands.seven_forms import SEVEN, Ints

SHIPPED: Final = Path(__file__).with_suffix(".json")
PLAYS: Final = 4
ANSWERS, HOUSE_WAY, HIGHEST_HIGH, HIGHEST_LOW = range(PLAYS)  # how the player sets


@dataclass(frozen=True, slots=True)
class Ends:
    """Under one house way, of `ace_high.DEALS`, by how the player sets (`ANSWERS` …): (won, lost); those with a
    dealer who is ace high apart, as the hands would compare."""

    settled: tuple[tuple[int, int], ...]
    pushed: tuple[tuple[int, int], ...]
    pushes: int  # the dealer is ace high
    lines: tuple[int, ...]  # of C(53, 7) hands, those set by each line of the house way


@cache
def count(house_way: str) -> Ends:
    """Every deal counted, from the terms that are shipped; counted here, and kept, where these are of other rules."""
    terms = shipped() or cached_arrays("seven_pairs", lambda: counted(np.arange(JOKER_DECK), range(SEVEN + 1)))
    sums, all_lines = cast(Ints, terms["sums"]).sum(axis=0), cast(Ints, terms["lines"])
    way, ways = list(HOUSE_WAYS).index(house_way), len(HOUSE_WAYS)
    lines = tuple(int(hands) for hands in all_lines[way, : len(HOUSE_WAYS[house_way])])
    won_lost, pushed = (compared(sums[dealer], SHEETS + way) for dealer in (way, ways))
    return Ends(won_lost, pushed, int(sums[ways, BEST_OF_BOTH, ALL]), lines)


def compared(sums: Ints, own: int) -> tuple[tuple[int, int], ...]:
    """(won, lost) for each play, from the sums of the sheets; `own` is the sheet of the house way."""
    sheets = ((WHOLE_FRONT, BEST_OF_BOTH), (own, own), (TOP_HIGH, TOP_HIGH), (TOP_LOW, TOP_LOW))
    won_lost = []
    for wins, losses in sheets:
        both, high, low, every = (int(total) for total in sums[losses])
        won_lost.append((int(sums[wins, BELOW_BOTH]), every - high - low + both))
    return tuple(won_lost)


def rules_digest() -> str:
    """Of all that the counts depend on but the programs: the house ways and the ranking of hands."""
    digest = hashlib.sha256()
    tables: list[NDArray[np.signedinteger[Any]]] = [high_table(), low_table(), *map(rule_table, HOUSE_WAYS)]
    for table in tables:
        digest.update(repr(table.shape).encode() + table.astype("<i8").tobytes())
    return digest.hexdigest()


def shipped() -> dict[str, NDArray[np.generic]] | None:
    """The terms that `python -m games.maths.two_hands.seven_terms` has written; None if they are of other rules."""
    terms = json.loads(SHIPPED.read_text("utf-8"))
    if terms["rules"] != rules_digest():
        return None
    return {"sums": np.array(terms["sums"], dtype=np.int64), "lines": np.array(terms["lines"], dtype=np.int64)}
