"""Each player's seven cards against each dealer's, by inclusion–exclusion over the cards that two hands share.

The dealer's two hands are a point (place of the high hand, place of the low hand). What a player does is a sum of
points too, each with the number of dealers below it in both: a player who sees the dealer's hands beats both with some
setting of the front, and the dealers below at least one setting are those below each, less those below two neighbors
at once. A player loses to the dealers not below the highest high hand nor below the highest low hand. Points of one
kind are a sheet. Hands that are set alike are met once, with their number. Not here: what the sums mean
(`seven_pairs`), the tables of hands (`seven_suited`).
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.compiled import kernel
from games.maths.forms import KEYS, forms
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.two_hands import seven_forms, seven_suited
from games.maths.two_hands.house_ways import HOUSE_WAYS
from games.maths.two_hands.seven_forms import SEVEN, Ints, Values, high_of, low_of
from games.maths.two_hands.seven_suited import all_hands
from games.maths.two_hands.suits import next_cards, orbit_size

SHEETS: Final = 4  # and one for each house way
WHOLE_FRONT, BEST_OF_BOTH, TOP_HIGH, TOP_LOW = range(SHEETS)  # which points of a player a sheet has
SUMS: Final = 4
BELOW_BOTH, BELOW_HIGH, BELOW_LOW, ALL = range(SUMS)  # of the dealers, in which of the two hands they are below a point


def counted(deck: Ints, sizes: Iterable[int]) -> dict[str, NDArray[np.generic]]:
    """`sums[term; dealer's house way, last the dealers who are ace high; sheet; sum]`: the terms for sets of so many
    shared cards, which add up to all deals; and `lines[house way, line]`, which the term of none counts.

    `deck` has rising cards, of each rank all four suits or none, and the joker; fewer than 53 serve tests.
    """
    hands, numbers = all_hands(), forms(SEVEN)
    ways, highs, lows = len(HOUSE_WAYS), len(seven_forms.tables().highs), len(seven_forms.tables().lows)
    lines = np.zeros((ways, max(len(rules) for rules in HOUSE_WAYS.values())), np.int64)
    dealers, below = (np.zeros((highs + 1, lows + 1, ways + 1), np.int32) for _ in range(2))
    terms = []
    for size in sizes:
        sums = np.zeros((ways + 1, SHEETS + ways, SUMS), np.int64)
        by_number = (KEYS, numbers.low, numbers.high, seven_suited.places(), len(numbers.ranks))
        by_hand = (hands.fronts, hands.ace_high, hands.codes, hands.lines)
        _count(size, deck, *by_number, *by_hand, dealers, below, sums, lines)
        terms.append(sums)
    return {"sums": np.stack(terms), "lines": lines}


@kernel
def _count(
    size: int,
    deck: Ints,
    keys: Ints,
    low: Values,
    high: Values,
    suits: Values,
    first_suited: int,
    fronts: Values,
    ace_highs: NDArray[np.bool_],
    codes: Values,
    followed: Values,
    dealers: Values,
    below: Values,
    sums: Ints,
    lines: Ints,
) -> None:
    """The term of inclusion–exclusion for sets of `size` shared cards: added where it is even, else subtracted."""
    picked, cards, rest = np.arange(size), np.zeros(7, np.int64), np.zeros(len(deck), np.int64)
    more, ways, left = 7 - size, len(codes), len(deck) - size
    chosen, so_far, added = np.zeros(more, np.int64), np.zeros(more + 1, np.int64), np.zeros(sums.shape, np.int64)
    times, alike = np.zeros(len(fronts), np.int32), np.zeros(len(fronts), np.int32)  # hands, distinguished by form
    met, rows = np.zeros(len(dealers), np.bool_), np.zeros(len(dealers), np.int64)
    while True:
        for place in range(size):
            cards[place] = deck[picked[place]]
        weight = orbit_size(cards[:size]) * (1 if size % 2 == 0 else -1)
        if weight == 0:
            if not next_cards(picked, len(deck)):
                return
            continue
        taken, unshared = 0, 0
        so_far[0] = 0
        for card in deck:
            if taken < size and cards[taken] == card:
                so_far[0] += keys[card]
                taken += 1
            else:
                rest[unshared] = card
                unshared += 1

        # All hands that contain the shared cards, in lexicographic order of the rest.
        different, changed = 0, 0
        for place in range(more):
            chosen[place] = place
        while changed >= 0:
            for place in range(changed, more):
                cards[size + place] = rest[chosen[place]]
                so_far[place + 1] = so_far[place] + keys[cards[size + place]]
            key = so_far[more]
            if flush_part(key) == 0:
                form = low[low_part(key)] + high[high_part(key)]
            else:
                suit, beside = seven_suited.suited(cards)
                form = first_suited + suits[suit] + beside
            if times[form] == 0:
                alike[different] = form
                different += 1
            times[form] += 1
            changed = more - 1
            while changed >= 0 and chosen[changed] == left - more + changed:
                changed -= 1
            if changed >= 0:
                chosen[changed] += 1
                for after in range(changed + 1, more):
                    chosen[after] = chosen[after - 1] + 1

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
        if not next_cards(picked, len(deck)):
            return


@kernel
def _sum_up(rows: Ints, dealers: Values, below: Values) -> None:
    """Fill `below[row, low hand, kind]`: the dealers whose high hand is in the rows before and whose low hand is lower;
    in the last column, those with any low hand."""
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
    """How many of the rising rows are below this high hand."""
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
