"""The other readings of the house way of six cards: how they set, and the holds that stand beside the readings.

Not found here: hands of other forms than the eleven that are set here.
"""

from __future__ import annotations

import pytest

from games.maths.cards import cards
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.two_hands import other_readings
from games.maths.two_hands.pairs import suited_ranks
from games.maths.two_hands.ranking import OTHERWISE, high_value
from games.maths.two_hands.six_cards import (
    JOKER_KEPT,
    PAIRS_DIVIDED,
    PAIRS_KEPT,
    REGULATION,
    low_of,
    settings,
)
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof

CHAPTER = lazy_chapter("588")
LOWS = "23456789TJQKA*"  # the joker is the last


def low_hand(hand: str, way: int) -> str:
    held = sorted(cards(hand))
    key, tables, way_of_all = int(sum(int(KEYS[card]) for card in held)), forms(6), settings(way)
    if flush_part(key):
        return LOWS[low_of(int(way_of_all.by_suit[suited_ranks(held)]))]
    return LOWS[low_of(int(way_of_all.by_form[tables.low[low_part(key)] + tables.high[high_part(key)]]))]


@pytest.mark.parametrize(
    ("hand", "way", "as_read", "otherwise"),
    [
        ("Ks Kd 9h 7c 5d 3s", PAIRS_DIVIDED, "9", "K"), ("Ks Kd 9h 9c 5d 3s", PAIRS_DIVIDED, "5", "K"),
        ("Ks Kd Kh 9c 9d 3s", PAIRS_DIVIDED, "3", "9"), ("Ks Kd Kh 9c 7d 3s", PAIRS_DIVIDED, "9", "9"),
        ("9s 9d 8h 7c 6d 5s", PAIRS_KEPT, "9", "8"), ("5s 5d 6h 7c 8d 9s", PAIRS_KEPT, "5", "9"),
        ("As 9s 7s 4s 2s Ad", PAIRS_KEPT, "A", "9"), ("As Kd 9h 7c 5d 3s", PAIRS_KEPT, "K", "K"),
        ("9s 8d 7h 6c 5d Jk", JOKER_KEPT, "*", "9"), ("Ks 9s 7s 4s 2s Jk", JOKER_KEPT, "*", "K"),
        ("Ks Qd 9h 7c 5d Jk", JOKER_KEPT, "K", "K"),
    ],
)  # fmt: skip
def test_low_hands_under_the_other_readings(hand: str, way: int, as_read: str, otherwise: str) -> None:
    assert (low_hand(hand, REGULATION), low_hand(hand, way)) == (as_read, otherwise)


@pytest.mark.parametrize("name", ["house-way-sets", "house-way-order", "house-way-joker"])
def test_holds_beside_the_readings_are_those_counted(name: str) -> None:
    """Not found here: an error of the count itself, which `test_six_pairs` would find."""
    best, house_way = (f"{float(100 * loss):.3f}" for loss in other_readings.HOLDS[name]().values())
    (reading,) = (reading for reading in CHAPTER.readings if reading.id == f"588.{name}")
    assert f"with the best setting would be {best} instead of 3.947 percent" in reading.reading.replace(" then ", " ")
    assert f"y the house way it would be {house_way} instead of 6.210 percent" in reading.reading


def test_the_joker_of_a_flush_as_an_ace_beside_the_ace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flush of ace, king, queen, 9 and joker: as read a jack; else above the natural ace, king, queen, jack, 9."""
    with_ace, natural = ([12, 11, 10, 7], True, True), ([12, 11, 10, 9, 7], False, True)
    assert high_value(*with_ace) == high_value(*natural)
    monkeypatch.setattr(OTHERWISE, "flush_joker_is_an_ace", True)
    assert high_value(*with_ace) > high_value(*natural)
    assert high_value([11, 10, 7, 5], True, True) == high_value([12, 11, 10, 7, 5], False, True)
