"""Parameters that no blackjack game can have are refused when a chapter's `play.py` is loaded, by their key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.maths.blackjack.rules import Rules, payouts
from games.maths.blackjack.side_wagers import DEALER_22, MATCH, SideWager
from games.registry import chapter
from games.rules.errors import ParameterError
from tests.games.maths.blackjack_games import GAMES, RULES


@pytest.mark.parametrize(
    ("number", "changes", "key"),
    [
        ("590", {"tens": 5}, "tens"),
        ("590", {"hands": 1}, "hands"),
        ("590", {"hands": 9}, "hands"),
        ("591", {"hands": 5}, "hands"),
        ("581", {"hands": 5}, "hands"),
        ("590", {"winning_cards": 3}, "winning_cards"),
        ("590", {"winning_cards": 22}, "winning_cards"),
        ("581", {"up_card_first": False}, "attack"),
        ("635a", {"beats_21": False}, "bonuses"),
        ("635a", {"pays_21_at_once": True}, "bonuses"),
        ("635a", {"winning_cards": 5}, "bonuses"),
        ("590", {"any_time": True}, "lammer"),
        ("590", {"one_card_aces": True}, "lammer"),
        ("590", {"rescue": True}, "lammer"),
        ("590", {"second_chance": "Second Chance Wager"}, "lammer"),
        ("590", {"attack": "Second Wager", "up_card_first": True}, "lammer"),
    ],
)
def test_rules_that_no_game_can_have_are_refused(number: str, changes: dict[str, object], key: str) -> None:
    with pytest.raises(ParameterError) as refused:
        replace(RULES[number], **changes)  # type: ignore[arg-type]
    assert refused.value.key == key
    assert refused.value.problem


def test_a_game_cites_what_its_rules_have_and_nothing_else() -> None:
    game = GAMES["590"]
    with pytest.raises(ParameterError, match=r"sections\.winning_cards: is missing"):
        replace(game, rules=replace(game.rules, winning_cards=5))
    with pytest.raises(ParameterError, match=r"sections\.free_double: \.10\(a\)\(1\): the rules do not have it"):
        replace(game, rules=Rules(blackjack_row="Player Blackjack"))
    with pytest.raises(ParameterError, match=r"decks: 0: must be at least one"):
        replace(game, decks=0)


def test_an_optional_wager_has_the_rows_of_its_kind() -> None:
    with pytest.raises(ParameterError, match=r"side\.rows: has 2 rows; it needs 3: all cards in suit"):
        SideWager("push_22", DEALER_22, ".7(n)", ("Same suit 22", "Other 22"))
    with pytest.raises(ParameterError, match=r"side\.kind: 7: must be one of"):
        SideWager("push_22", 7, ".7(n)", ())
    with pytest.raises(ParameterError, match=r"side\.wager: `insurance` is a wager of its own"):
        replace(GAMES["591"], side=SideWager("insurance", MATCH, ".7", ("same", "different")))


def test_a_row_that_the_paytable_lacks_is_named() -> None:
    (table,) = chapter("590").tables_of("blackjack")
    with pytest.raises(ParameterError, match="rules: `Blackjack` is not in Payout odds of `blackjack`"):
        payouts(replace(RULES["590"], blackjack_row="Blackjack"), table)
