"""Cards as numbers and as names."""

from __future__ import annotations

import pytest

from games.maths import cards


def test_names_and_numbers_go_both_ways():
    for card in range(cards.JOKER_DECK):
        assert cards.card(cards.name(card)) == card
    assert cards.cards("2c As Jk") == (0, 51, 52)
    assert cards.names((0, 51, 52)) == "2c As Jk"


@pytest.mark.parametrize("name", ["", "1s", "As ", "aS", "10s", "joker"])
def test_card_refuses_a_name_that_is_none(name):
    with pytest.raises(ValueError, match="is not a card; allowed are"):
        cards.card(name)
