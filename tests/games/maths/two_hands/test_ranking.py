"""§ 688a.6 against the slow evaluator, and its unusual places by name.

Not found here: a wrong reading of § 688a.6 that the slow evaluator shares, such as the joker's rank in a flush; a hand
so rare that 200 deals have none like it.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from games.maths.two_hands.ranking import high_value, low_value
from tests.games.maths.two_hands import slow
from tests.games.maths.two_hands.arranged import Arranged, random_hands

pytestmark = pytest.mark.proof


def value(text: str) -> int:
    cards = slow.cards(text)
    rest = [card for card in cards if card != slow.JOKER]
    suited = len({card % 4 for card in rest}) == 1
    return high_value([card // 4 for card in rest], slow.JOKER in cards, suited)


def test_values_of_all_settings_rank_as_the_slow_evaluator_does() -> None:
    seen: dict[slow.Hand, set[int]] = {}
    for seven in random_hands(200, seed=6):
        arranged = Arranged(seven)
        cards = [int(card) for card in arranged.cards]
        for place, two in enumerate(combinations(cards, 2)):
            five = [card for card in cards if card not in two]
            seen.setdefault(slow.high(five), set()).add(int(arranged.highs[place]))
            seen.setdefault(slow.low(two), set()).add(int(arranged.lows[place]))
    assert all(len(values) == 1 for values in seen.values())
    ordered = [min(seen[hand]) for hand in sorted(seen)]
    assert len(ordered) > 1000
    assert all(lower < higher for lower, higher in pairwise(ordered))


def test_legal_settings_are_those_whose_high_hand_is_not_below_the_low_hand() -> None:
    for seven in random_hands(60, seed=11):
        arranged = Arranged(seven)
        assert int((arranged.highs >= arranged.lows).sum()) == len(slow.settings(seven))


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("As Ac Ad Ah Jk", "As Ks Qs Js Ts"),  # .6(b)(1), (2)
        ("Ks Qs Js Ts Jk", "As 2s 3s 4s 5s"),
        ("As 2s 3s 4s 5s", "Ks Qs Js Ts 9s"),  # .6(b)(3): the highest straight flush
        ("2s 3s 4s 5s Jk", "Ks Qs Js Ts 9s"),  # the joker takes the place that ranks highest
        ("2s 3s 4s 5s 6s", "Ac Ad Ah As Kc"),
        ("As Kd Qc Jh Ts", "Ac 2d 3h 4s 5c"),  # .6(b)(7): the second highest straight
        ("Ac 2d 3h 4s 5c", "Kd Qc Jh Ts 9d"),
        ("2c 3d 4h 5s 6c", "Ac Ad Ah Ks Qc"),
        ("As Ts 8s 5s Jk", "As Qs Js 9s 8s"),  # the joker of a flush is its highest missing card, here the king
        ("Ac Ad 9h 8s Jk", "Kc Kd Kh Qs Jc"),  # else it is an ace
    ],
)
def test_hands_that_rank_in_the_unusual_order_of_the_section(higher: str, lower: str) -> None:
    assert value(higher) > value(lower)
    assert slow.high(slow.cards(higher)) > slow.high(slow.cards(lower))


def test_joker_with_four_nines_is_an_ace() -> None:
    assert value("9c 9d 9h 9s Jk") == value("9c 9d 9h 9s Ac")


def test_low_pair_is_above_every_low_hand_without_one() -> None:
    assert low_value(0, 0) > low_value(12, 11)
    assert low_value(12, 13) == low_value(12, 12)  # an ace and the joker
