"""The second table of the cross game: four ranks with each fifth, suits renamed, bets refused, all rounds settled."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from games import registry
from games.maths.cards import cards
from games.runs.dealing import deal_block
from games.second import cross
from tests.games.lazy import lazy_chapter

CRISS_CROSS = lazy_chapter("592")


def test_four_ranks_have_a_place_of_their_own_in_any_order():
    fours = list(combinations_with_replacement(range(13), 4))
    assert sorted(cross.place_of_ranks(*four) for four in fours) == list(range(1_820))
    for four in fours[::7]:
        assert len({cross.place_of_ranks(*order) for order in permutations(four)}) == 1


@pytest.mark.parametrize(
    ("outer", "own", "expected"),
    [
        ("Kc 2d", "Ac Qd", "Kc 2d"),
        ("Kc 2d", "Ad Qc", "Kd 2c"),
        ("Kh 2s", "As Qh", "Kd 2c"),
        ("Kh 2d", "As Qs", "Ks 2h"),  # the others follow in their order: clubs, diamonds and hearts
        ("Kc 2d", "As Qh", "Kh 2s"),
    ],
)
def test_suits_are_called_by_those_of_the_own_cards(outer, own, expected):
    suits = [card % 4 for card in sorted(cards(own), reverse=True)]
    assert [cross.renamed(card, *suits) for card in cards(outer)] == list(cards(expected))


def test_a_bet_that_the_text_does_not_allow_is_refused():
    first, second = registry.play("592").game.strategy(CRISS_CROSS, {})
    with pytest.raises(ValueError, match="not one of"):
        registry.table("592").deal(CRISS_CROSS, {}, (np.full_like(first, 4), second), (1, 0, 0))


def test_every_round_is_settled_once_on_each_wager():
    tally = deal_block(CRISS_CROSS, {"five_card_bonus_wager": True}, 5, 0, 20_000)
    assert [sum(outcomes.values()) for outcomes in tally.values()] == [20_000] * 2
