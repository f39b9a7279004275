"""The house ways: the words that a dealer follows and the code that follows them are the same."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.maths.two_hands import setting
from games.maths.two_hands.setting import HOUSE_WAYS, RUN_BITS, dealer_setting, rule_table, shape
from games.registry import chapter
from tests.games.maths.two_hands import dealer, slow
from tests.games.maths.two_hands.arranged import Arranged, random_hands

KEYS = ("traditional", "simplified")
SHAPES = (
    *(setting.NO_PAIR, setting.ONE_PAIR, setting.TWO_PAIRS, setting.THREE_PAIRS, setting.THREE),
    *(setting.THREE_AND_PAIR, setting.THREE_AND_TWO_PAIRS, setting.THREE_TWICE, setting.FOUR),
    *(setting.FOUR_AND_PAIR, setting.FOUR_AND_THREE, setting.FIVE, setting.FIVE_AND_PAIR),
)


def set_by_code(seven: list[int], way: str) -> tuple[str, tuple[int, int], bool]:
    """(line, ranks of the low hand, whether the setting is legal)."""
    arranged = Arranged(seven)
    form, lead = shape(arranged.cards)
    run = 1 if arranged.met & RUN_BITS else 0
    rule, chosen = dealer_setting(form, run, lead, rule_table(way), arranged.highs, arranged.lows)
    two = list(combinations((int(card) for card in arranged.cards), 2))[chosen]
    ranks = sorted((min(card // 4, 12) for card in two), reverse=True)
    legal = bool(arranged.highs[chosen] >= arranged.lows[chosen])
    return HOUSE_WAYS[way][rule].when, (ranks[0], ranks[1]), legal


@pytest.mark.parametrize("way", KEYS)
def test_every_line_of_the_words_is_a_line_of_the_code(way: str) -> None:
    (words,) = (found for found in chapter("688a").house_ways if found.key == way)
    assert [when for when, _ in words.rules] == [rule.when for rule in HOUSE_WAYS[way]] == list(dealer.WAYS[way])


def test_house_ways_filed_are_house_ways_in_code() -> None:
    assert tuple(way.key for way in chapter("688a").house_ways) == KEYS == tuple(HOUSE_WAYS)


@pytest.mark.proof
@pytest.mark.parametrize("way", KEYS)
def test_dealer_in_code_sets_as_the_slow_dealer_reads(way: str) -> None:
    """Not found here: an error in a hand so rare that 1,200 have none like it."""
    used = set()
    fours = [
        slow.cards(f"{rank}c {rank}d {rank}h {rank}s 6d 5h {last}") for rank in "2789TJQK" for last in ("4s", "Ac")
    ]
    for seven in [*random_hands(1200, seed=688), *fours]:
        when, low, legal = set_by_code(seven, way)
        assert (when, low) == dealer.sets(seven, way), seven
        assert legal
        used.add(when)
    unused = {rule.when for rule in HOUSE_WAYS[way]} - used
    assert unused <= {"Five aces and a pair of kings"}


@pytest.mark.parametrize("way", KEYS)
@pytest.mark.parametrize("form", SHAPES)
def test_every_shape_has_a_line_for_every_rank_with_or_without_a_straight(way: str, form: int) -> None:
    for lead in range(13):
        for run in (0, 1):
            lines = [
                rule
                for rule in HOUSE_WAYS[way]
                if rule.shapes[0] <= form <= rule.shapes[1]
                and rule.lead[0] <= lead <= rule.lead[1]
                and rule.run in (None, bool(run))
                and not rule.low_at_least
            ]
            assert lines, (form, lead, run)


@pytest.mark.parametrize(
    ("way", "cards", "low"),
    [
        ("traditional", "Ac Ad Ah As Jk Kc Kd", "KK"),
        ("simplified", "Ac Ad Ah As Jk Kc Kd", "AA"),
        ("traditional", "8c 8d 8h 8s Ac 5d 4h", "A5"),
        ("simplified", "8c 8d 8h 8s Ac 5d 4h", "88"),
        ("traditional", "9c 9d 4h 4s Ac Kd 2h", "AK"),
        ("traditional", "Qc Qd 4h 4s Ac Kd 2h", "44"),
        ("simplified", "Qc Qd 4h 4s Ac Kd 2h", "AK"),
        ("traditional", "9c 9d 8h 8s 7c 6d 5h", "88"),  # two pair break the straight
        ("traditional", "9c 9d 8h 7s 6c 5d Ah", "A9"),  # one pair does not
        ("traditional", "Kc Kd Kh Qs Qc 2d 2h", "QQ"),
        ("traditional", "Jc Jd 9h 7s 5c 3d Jk", "A9"),  # the joker is an ace
    ],
)
def test_dealer_sets_the_low_hand(way: str, cards: str, low: str) -> None:
    expected = tuple(slow.LETTERS.index(letter) for letter in low)
    assert set_by_code(slow.cards(cards), way)[1] == expected
