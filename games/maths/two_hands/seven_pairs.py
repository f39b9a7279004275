"""Player's and dealer's seven cards against each other, counted over all C(53, 7) × C(46, 7) deals: exact.

The terms of inclusion–exclusion (`pairs`) take some minutes of one core, so they are shipped (`SHIPPED`). When a house
way or the ranking of hands changes, they are refused and counted again; `python -m games.maths.two_hands.seven_pairs`
then writes the file.

The dealer's two hands are a point (place of the high hand, place of the low hand). What a player does is a sum of
points too, each with the number of dealers below it in both: a player who sees the dealer's hands beats both with some
setting of the front, and the dealers below at least one setting are those below each, less those below two neighbors at
once. A player loses to the dealers not below the highest high hand nor below the highest low hand. Points of one kind
are a sheet.

Seven cards of which five or more share a suit are tables of their own: such a hand is worth what the ranks of its suit,
with or without the joker, and the ranks of the at most two other cards make of it. Not here: all other hands
(`setting`), what the counts come to (`seven_wagers`), single rounds (`seven_game`).
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import JOKER, JOKER_DECK
from games.maths.enumerations import cached_arrays, next_cards, orbit_size
from games.maths.ranking import KEYS, forms
from games.maths.two_hands.pairs import RANKS, HandTables, beside_number, count_hands_with
from games.maths.two_hands.ranking import high_table, low_table
from games.maths.two_hands.setting import (
    FORM_FRONT,
    HOUSE_WAYS,
    SETTINGS,
    SEVEN_CARDS,
    Values,
    form_tables,
    high_of,
    low_of,
    rule_table,
    set_hands,
)

SHIPPED: Final = Path(__file__).with_suffix(".json")
PLAYS: Final = 4
ANSWERS, HOUSE_WAY, HIGHEST_HIGH, HIGHEST_LOW = range(PLAYS)  # how the player sets


@dataclass(frozen=True, slots=True)
class Ends:
    """Deals by their ends under one house way, of `seven_wagers.DEALS`.

    By how the player sets (`ANSWERS` …): (won, lost); those with a dealer who is ace high apart, as the hands would
    compare.
    """

    settled: tuple[tuple[int, int], ...]
    pushed: tuple[tuple[int, int], ...]
    pushes: int  # the dealer is ace high
    lines: tuple[int, ...]  # of C(53, 7) hands, those set by each line of the house way


@cache
def count_deals(house_way: str) -> Ends:
    """Return every deal counted, from the terms shipped; else, for other rules, counted here, and kept."""
    terms = shipped() or cached_arrays("seven_pairs", _all_terms)
    sums, all_lines = cast(Ints, terms["sums"]).sum(axis=0), cast(Ints, terms["lines"])
    way, ways = list(HOUSE_WAYS).index(house_way), len(HOUSE_WAYS)
    lines = tuple(int(hands) for hands in all_lines[way, : len(HOUSE_WAYS[house_way])])
    won_lost, pushed = (compared(sums[dealer], SHEETS + way) for dealer in (way, ways))
    return Ends(won_lost, pushed, int(sums[ways, BEST_OF_BOTH, ALL]), lines)


def compared(sums: Ints, own: int) -> tuple[tuple[int, int], ...]:
    """Return (won, lost) for each play, from the sums of the sheets; `own` is the sheet of the house way."""
    sheets = ((WHOLE_FRONT, BEST_OF_BOTH), (own, own), (TOP_HIGH, TOP_HIGH), (TOP_LOW, TOP_LOW))
    won_lost = []
    for wins, losses in sheets:
        both, high, low, every = (int(total) for total in sums[losses])
        won_lost.append((int(sums[wins, BELOW_BOTH]), every - high - low + both))
    return tuple(won_lost)


def rules_digest() -> str:
    """Return the digest of all that the counts depend on but the programs: the house ways and the ranking of hands."""
    digest = hashlib.sha256()
    tables: list[NDArray[np.signedinteger[Any]]] = [high_table(), low_table(), *map(rule_table, HOUSE_WAYS)]
    for table in tables:
        digest.update(repr(table.shape).encode() + table.astype("<i8").tobytes())
    return digest.hexdigest()


def _all_terms() -> dict[str, NDArray[np.generic]]:
    return count_terms(np.arange(JOKER_DECK), range(SEVEN_CARDS + 1))


def shipped() -> dict[str, NDArray[np.generic]] | None:
    """Return the terms that `main` has written; None if they are of other rules."""
    terms = json.loads(SHIPPED.read_text("utf-8"))
    if terms["rules"] != rules_digest():
        return None
    return {"sums": np.array(terms["sums"], dtype=np.int64), "lines": np.array(terms["lines"], dtype=np.int64)}


SHEETS: Final = 4  # and one for each house way
WHOLE_FRONT, BEST_OF_BOTH, TOP_HIGH, TOP_LOW = range(SHEETS)  # which points of a player a sheet has
SUMS: Final = 4
BELOW_BOTH, BELOW_HIGH, BELOW_LOW, ALL = range(SUMS)  # of the dealers, in which of the two hands they are below a point


def count_terms(deck: Ints, sizes: Iterable[int]) -> dict[str, NDArray[np.generic]]:
    """Return the terms for sets of shared cards of these sizes, which add up to all deals, and `lines`.

    `sums[term; dealer's house way, last the dealers who are ace high; sheet; sum]`, and `lines[house way, line]`, which
    the term of no shared cards counts. `deck` has rising cards, of each rank all four suits or none, and the joker;
    fewer than 53 serve tests.
    """
    hands, tables = all_hands(), forms(SEVEN_CARDS)
    numbers = (KEYS, tables.low, tables.high, len(tables.ranks) + suited_places())
    ways, highs, lows = len(HOUSE_WAYS), len(form_tables().highs), len(form_tables().lows)
    lines = np.zeros((ways, max(len(rules) for rules in HOUSE_WAYS.values())), np.int64)
    dealers, below = (np.zeros((highs + 1, lows + 1, ways + 1), np.int32) for _ in range(2))
    terms = []
    for size in sizes:
        sums = np.zeros((ways + 1, SHEETS + ways, SUMS), np.int64)
        by_hand = (hands.fronts, hands.ace_high, hands.codes, hands.lines)
        _count(size, deck, numbers, *by_hand, dealers, below, sums, lines)
        terms.append(sums)
    return {"sums": np.stack(terms), "lines": lines}


@kernel
def _count(
    size: int,
    deck: Ints,
    numbers: HandTables,
    fronts: Values,
    ace_highs: NDArray[np.bool_],
    codes: Values,
    followed: Values,
    dealers: Values,
    below: Values,
    sums: Ints,
    lines: Ints,
) -> None:
    """Add the term of inclusion–exclusion for sets of `size` shared cards if `size` is even, else subtract it."""
    picked, cards, ways = np.arange(size), np.zeros(7, np.int64), len(codes)
    added, more_sets = np.zeros(sums.shape, np.int64), True
    times, alike = np.zeros(len(fronts), np.int32), np.zeros(len(fronts), np.int32)  # hands, distinguished by form
    met, rows = np.zeros(len(dealers), np.bool_), np.zeros(len(dealers), np.int64)
    while more_sets:
        for place in range(size):
            cards[place] = deck[picked[place]]
        weight = orbit_size(cards[:size]) * (1 if size % 2 == 0 else -1)
        more_sets = next_cards(picked, len(deck))
        if weight == 0:
            continue
        different = count_hands_with(cards, size, deck, numbers, times, alike)

        # All of them as the dealer's hands, then each as the player's.
        number = 0
        for form in alike[:different]:
            for way in range(1 if ace_highs[form] else ways):
                place = high_of(codes[way, form])
                dealers[place, low_of(codes[way, form]), ways if ace_highs[form] else way] += times[form]
                if not met[place]:
                    met[place] = True
                    rows[number] = place
                    number += 1
            if size == 0:
                for way in range(ways):
                    lines[way, followed[way, form]] += times[form]
        rows[:number].sort()
        _sum_up(rows[:number], dealers, below)
        added[:] = 0
        for form in alike[:different]:
            _meet(fronts[form], codes[:, form], rows[:number], below, times[form], added)
            times[form] = 0
        sums += weight * added
        for place in rows[:number]:
            dealers[place] = 0
            met[place] = False


@kernel
def _sum_up(rows: Ints, dealers: Values, below: Values) -> None:
    """Fill `below[row, low hand, kind]`.

    It has the dealers whose high hand is in the rows before and whose low hand is lower; in the last column, those with
    any low hand.
    """
    lows, kinds = below.shape[1] - 1, below.shape[2]
    running = np.zeros(kinds, np.int32)
    below[0] = 0
    for row in range(len(rows)):
        running[:] = 0
        for low in range(lows + 1):
            for kind in range(kinds):
                below[row + 1, low, kind] = below[row, low, kind] + running[kind]
                running[kind] += dealers[rows[row], low, kind]


@kernel
def _row(rows: Ints, high: int) -> int:
    """Return the number of the rising rows that are below this high hand."""
    first, last = 0, len(rows)
    while first < last:
        middle = (first + last) >> 1
        if rows[middle] < high:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def _meet(shown: Values, sets: Values, rows: Ints, below: Values, times: int, added: Ints) -> None:
    """Set a player's hands, by the front and by each house way, against all dealers, `times` times."""
    kinds, every, last = below.shape[2], below.shape[1] - 1, 0
    for setting in range(len(shown)):
        if shown[setting] == 0:
            break
        row, last = _row(rows, high_of(shown[setting])), setting
        for kind in range(kinds):
            both = np.int64(below[row, low_of(shown[setting]), kind])
            if setting:
                both -= below[row, low_of(shown[setting - 1]), kind]
            added[kind, WHOLE_FRONT, BELOW_BOTH] += times * both
    for sheet in range(BEST_OF_BOTH, SHEETS + len(sets)):
        if sheet < SHEETS:
            high = high_of(shown[last if sheet == TOP_LOW else 0])
            low = low_of(shown[0 if sheet == TOP_HIGH else last])
        else:
            high, low = high_of(sets[sheet - SHEETS]), low_of(sets[sheet - SHEETS])
        row = _row(rows, high)
        for kind in range(kinds):
            added[kind, sheet, BELOW_BOTH] += times * np.int64(below[row, low, kind])
            added[kind, sheet, BELOW_HIGH] += times * np.int64(below[row, every, kind])
            added[kind, sheet, BELOW_LOW] += times * np.int64(below[len(rows), low, kind])
            added[kind, sheet, ALL] += times * np.int64(below[len(rows), every, kind])


BESIDE: Final = (RANKS + 1) * (RANKS + 2) // 2  # two ranks or fewer: the 13 stands for none
LONGEST: Final = 4, 5, 6, 7  # cards of the suit; four with the joker
FRONT: Final = SETTINGS + 1  # of seven cards of a suit each setting may be on the front; the rest of a row is 0


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands without a flush, by form, then the others, by `suited_places` + number of the cards beside it."""

    fronts: Values
    ace_high: NDArray[np.bool_]
    codes: Values  # [house way, hand]: the dealer's two hands
    lines: Values  # [house way, hand]: the line that sets them


@cache
def suited_places() -> Ints:
    """Return `[ranks of the suit as bits]`: where the hands of the suit begin."""
    begin = np.zeros(1 << RANKS, np.int64)
    for place, ranks in enumerate(_suits()):
        begin[sum(1 << rank for rank in ranks)] = place * BESIDE
    return begin


def _suits() -> list[tuple[int, ...]]:
    return [ranks for size in LONGEST for ranks in combinations(range(RANKS), size)]


@cache
def all_hands() -> Hands:
    """Return all hands under every house way, in the order of `HOUSE_WAYS`."""
    known, suited_hands = form_tables(), len(_suits()) * BESIDE
    numbers, dealt = [], []
    for place, ranks in enumerate(_suits()):
        for beside, beside_cards, joker in _beside(SEVEN_CARDS - len(ranks)):
            numbers.append(place * BESIDE + int(beside_number(*beside)))
            dealt.append(sorted((*(4 * rank + 3 for rank in ranks), *beside_cards, *joker)))
    fronts = np.zeros((suited_hands, FRONT), np.int32)
    codes, lines = np.zeros((2, len(HOUSE_WAYS), suited_hands), np.int32)
    fronts[numbers], codes[:, numbers], lines[:, numbers] = set_hands(np.array(dealt), FRONT, suited=True)
    return Hands(
        np.concatenate([np.pad(known.fronts, ((0, 0), (0, FRONT - FORM_FRONT))), fronts]),
        np.concatenate([known.ace_high, np.zeros(suited_hands, np.bool_)]),
        np.concatenate([known.codes, codes], axis=1),
        np.concatenate([known.lines, lines], axis=1),
    )


def _beside(more_cards: int) -> list[tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]]:
    """Return (two ranks, the cards of other suits, the joker) for each way to fill up seven cards."""
    hands: list[tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]] = []
    for joker in (), (JOKER,):
        size = more_cards - len(joker)
        for first in range(RANKS) if 1 <= size <= 2 else (RANKS,) if size == 0 else ():
            for second in range(first, RANKS) if size == 2 else (RANKS,):
                ranks = [(rank, suit) for suit, rank in enumerate((first, second)) if rank < RANKS]
                hands.append(((first, second), tuple(4 * rank + suit for rank, suit in ranks), joker))
    return hands


def main() -> None:
    """Count all deals, and write the terms beside this module."""
    content = {"rules": rules_digest()} | {name: array.tolist() for name, array in _all_terms().items()}
    SHIPPED.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
