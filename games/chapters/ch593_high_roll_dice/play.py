"""High Roll Dice: wagers on the face that occurs most among ten dice, and how often; a second roll of the others.

Each die value and each circle is a wager of its own, with a hold of its own: reading `a-wager-on-each-circle`.
"""

from games.maths.dice.game import DiceWager, TenDiceGame, TenDiceSections, by_face, by_matches, by_second_roll
from games.play import Play

KINDS = {
    "Two-of-a-kind": 2, "Three-of-a-kind": 3, "Four-of-a-kind": 4, "Five-of-a-kind": 5, "Six-of-a-kind": 6,
    "Seven-of-a-kind": 7, "Eight-of-a-kind": 8, "Nine-of-a-kind": 9, "Ten-of-a-kind": 10,
    "Three of a kind": 3, "Four of a kind": 4,
}  # fmt: skip

GAME = TenDiceGame(
    wagers={
        "pip_street": DiceWager(by_face, "§ 593.4(f)(1)"),
        "like_kind": DiceWager(by_matches, "§ 593.4(f)(2)"),
        # reading `millionaire-fixed-prizes`
        "millionaire_row": DiceWager(by_matches, "§ 593.4(f)(3)", amount="millionaire_row_bet"),
        # Goes with the circles that the player has, one of them or all: reading `one-extra-roll-wager`.
        "extra_roll": DiceWager(
            by_second_roll, "§ 593.4(h)", beside="like_kind", beside_all="every circle, two to eight"
        ),
    },
    faces={"Two": 2, "Three": 3, "Four": 4, "Five": 5, "Six": 6, "One/ace": 1},
    kinds=KINDS,
    spots="every die value, every circle and the extra-roll sensor",
    sections=TenDiceSections(
        wagers="§ 593.2(e)",
        first_roll="§ 593.4(b)",
        announced="§ 593.4(d), (e)",
        second_roll="§ 593.4(g)",
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000)
