"""Tables by form: the same as working out each hand, for hands with no five cards of a suit.

Not found here: a house way that is wrong by form and by card alike, since both follow `rule_table`; a hand so rare that
900 have none like it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb, prod

import pytest

from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.two_hands import setting
from games.maths.two_hands.setting import (
    HOUSE_WAYS,
    RUN_BITS,
    dealer_setting,
    high_of,
    low_of,
    rule_table,
    shape,
)
from tests.games.maths.two_hands import slow
from tests.games.maths.two_hands.arranged import Arranged, random_hands


@cache
def without_flush() -> list[list[int]]:
    return [seven for seven in random_hands(900, seed=9) if not flush_part(int(KEYS[seven].sum()))]


def number(cards: list[int]) -> int:
    key = int(KEYS[cards].sum())
    return int(forms(len(cards)).low[low_part(key)] + forms(len(cards)).high[high_part(key)])


@pytest.mark.parametrize(("size", "count"), [(6, 18_395 + 6_175), (7, 49_205 + 18_395)])
def test_every_form_has_its_number_and_the_hands_of_all_forms_are_those_of_the_deck(size: int, count: int) -> None:
    assert len(forms(size).ranks) == count
    hands = 0
    for place, ranks in enumerate(forms(size).ranks.tolist()):
        used: Counter[int] = Counter()
        cards = []
        for rank in ranks:
            cards.append(4 * rank + used[rank])
            used[rank] += 1
        assert number(cards) == place
        hands += prod(comb(4 if rank < 13 else 1, times) for rank, times in used.items())
    assert hands == comb(53, size)


def test_front_has_the_settings_that_no_other_beats() -> None:
    known = setting.form_tables()
    for seven in without_flush()[:50]:
        every = set(slow.settings(seven))
        best = {one for one in every if not any(a >= one[0] and b >= one[1] and (a, b) != one for a, b in every)}
        row = [code for code in known.fronts[number(seven)].tolist() if code]
        assert len(row) == len(best)
        values = [(int(known.highs[high_of(code)]), int(known.lows[low_of(code)])) for code in row]
        assert values == sorted(values, reverse=True)
        assert [low for _, low in values] == sorted(low for _, low in values)
        arranged = Arranged(seven)
        assert set(values) <= set(zip(arranged.highs.tolist(), arranged.lows.tolist(), strict=True))


@pytest.mark.parametrize("way", HOUSE_WAYS)
def test_dealer_by_form_sets_as_by_card(way: str) -> None:
    known, place = setting.form_tables(), list(HOUSE_WAYS).index(way)
    for seven in without_flush():
        arranged = Arranged(seven)
        form, lead = shape(arranged.cards)
        run = 1 if arranged.met & RUN_BITS else 0
        line, chosen = dealer_setting(form, run, lead, rule_table(way), arranged.highs, arranged.lows)
        code = int(known.codes[place, number(seven)])
        assert known.lines[place, number(seven)] == line
        assert known.highs[high_of(code)] == arranged.highs[chosen]
        assert known.lows[low_of(code)] == arranged.lows[chosen]
