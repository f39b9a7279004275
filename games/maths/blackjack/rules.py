"""What differs between the four blackjack games, as data; each line names its section.

Not here: how a hand is played out (`player`), what the paytable pays (`payouts`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.hands import CARDS, HANDS, TEN, TOTAL
from games.rules.model import Answers

SUITS = 4
MOST_HANDS = 8
"""No player splits on beyond so many hands, though some answers of 635a allow it: one pair in ten thousand could."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One game. A section is given without its chapter: `.7(o)(1)`."""

    number: str  # of the chapter
    wager: str  # key of the required wager
    won: str  # sections that settle a hand
    tied: str
    lost: str
    surrender: str
    default_decks: int  # where no answers are given
    ten_ranks: int = 4  # ranks that count ten: three where the 10s are removed
    hands: int = 4  # at most, by splitting
    blackjack_row: str = ""  # of the paytable; "" = paid as any win
    blackjack_beats_blackjack: bool = False
    pays_21_at_once: bool = False  # a player's 21 wins before the dealer draws
    beats_21: bool = False  # a player's 21 of three or more cards beats the dealer's, and may earn a bonus
    pushes_22: bool = False  # the dealer's 22 returns the wagers still in play
    attack: bool = False  # a Double Attack Wager may follow the up card
    any_time: bool = False  # doubling and surrender on any number of cards, surrender after doubling
    one_card_aces: bool = False  # split aces get one card each and are not split again
    rescue: bool = False  # the doubled part may be taken back, the rest forfeited
    free_bets: bool = False  # hard 9, 10 and 11 are doubled, pairs but tens split with a lammer
    second_chance: bool = False  # above 21 a wager more draws a card that is subtracted


RULES = {
    "581": Rules(
        number="581",
        wager="bet",
        won=".7(o)(1)(i)",
        tied=".7(o)(1)(iii)",
        lost=".7(o)(1)(ii)",
        surrender=".9(b)",
        default_decks=8,  # § 581.3(a)
        ten_ranks=3,
        attack=True,  # § 581.6(e)
        any_time=True,  # §§ 581.9(a), 581.10(a)
        one_card_aces=True,  # § 581.11(e)
    ),
    "590": Rules(
        number="590",
        wager="blackjack",
        won=".7(o)",
        tied=".7(p)",
        lost=".7(q)",
        surrender=".9(a)",
        default_decks=6,
        blackjack_row="Player Blackjack",  # § 590.12(a)
        pushes_22=True,  # § 590.7(n)(1)
        free_bets=True,  # §§ 590.10(a)(1), 590.11(b)(2)
    ),
    "591": Rules(
        number="591",
        wager="blackjack",
        won=".7(s)(1)",
        tied=".7(s)(2)",
        lost=".7(s)(3)",
        surrender=".9(a)",
        default_decks=8,
        hands=2,  # § 591.11(a)
        blackjack_row="Player Blackjack",  # § 591.12(a)
        blackjack_beats_blackjack=True,  # § 591.7(f)
        pays_21_at_once=True,  # § 591.7(m)
        pushes_22=True,  # § 591.7(q)(1)
        second_chance=True,  # § 591.7(l)
    ),
    "635a": Rules(
        number="635a",
        wager="spanish_21",
        won=".7(n)",
        tied=".7(o)",
        lost=".7(o)",
        surrender=".9(a)",
        default_decks=6,
        ten_ranks=3,
        hands=MOST_HANDS,  # § 635a.11(c): as answered
        blackjack_row="Blackjack",  # § 635a.12(a)
        blackjack_beats_blackjack=True,  # § 635a.7(n)(3)
        beats_21=True,  # § 635a.7(n)(4)
        rescue=True,  # § 635a.10(d)
    ),
}


@dataclass(frozen=True, slots=True)
class Table:
    """The rules as one table plays them: how many decks, into how many hands a pair may be split."""

    decks: int
    hands: int


DEFAULT_ADDITIONAL_SPLITS = 3


def table_of(rules: Rules, answers: Answers | None) -> Table:
    """By the answers; where they are silent, the game's default."""
    given = answers or {}
    decks = int(str(given.get("number_of_decks") or rules.default_decks))
    if rules.hands != MOST_HANDS:
        return Table(decks, rules.hands)
    more = given.get("additional_splits")
    return Table(decks, min(MOST_HANDS, 2 + (DEFAULT_ADDITIONAL_SPLITS if more is None else int(str(more)))))


def shoe_of(rules: Rules, decks: int) -> NDArray[np.int64]:
    """Cards of each value."""
    return np.array([SUITS * decks] * TEN + [SUITS * decks * rules.ten_ranks])


def classes(rules: Rules) -> NDArray[np.int8]:
    """Hand → how it is compared: 0 = at most 16, 1 to 5 = 17 to 21, `WON`, `LOST`."""
    compared = np.clip(TOTAL.astype(np.int64) - 16, 0, 5).astype(np.int8)
    compared[HANDS:] = LOST
    twenty_ones = np.flatnonzero(TOTAL == 21)
    compared[twenty_ones[(CARDS[twenty_ones] > 2) & rules.beats_21 | rules.pays_21_at_once]] = WON
    return compared


WON, LOST = 6, 7


def results(rules: Rules) -> NDArray[np.int8]:
    """[class of the player's hand, the dealer's end] → 1 won, 0 tied, −1 lost."""
    against = np.zeros((8, 7), dtype=np.int8)
    for mine in range(WON):
        against[mine] = [np.sign(mine - theirs) for theirs in range(1, 6)] + [1 - rules.pushes_22, 1]
    against[WON], against[LOST] = 1, -1
    return against
