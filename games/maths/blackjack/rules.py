"""How hands of a blackjack game are played and compared, as data, and the arrays that follow from it.

Not here: how a hand is played out (`player`), what the paytable pays (`payouts`), where a chapter says so (`sections`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import HandClasses, HandFlags, ValueCounts
from games.maths.blackjack.hands import CARDS, HANDS, TEN, TOTAL
from games.maths.parameters import ParameterError

SUITS = 4
MOST_HANDS = 8
"""No player splits on beyond so many hands, though answers may allow it: one pair in ten thousand could."""
MOST_UNITS = 16
"""Times the required wager that all hands of a round can have at stake, at most."""


@dataclass(frozen=True, slots=True)
class BonusRows:
    """Rows of the required wager's paytable for a 21 on the hand first dealt, neither doubled nor split.

    Those of certain three cards are by how their suits lie: mixed, the same, all spades.
    """

    six_seven_eight: tuple[str, str, str]
    three_sevens: tuple[str, str, str]
    five_cards: str
    six_cards: str
    seven_cards: str  # or more


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a game does otherwise than the plain one; `ParameterError` for what no game of the family can have."""

    tens: int = 4  # ranks that count ten: three where the 10s are removed
    hands: int = 4  # at most, by splitting, where no answer says how many
    blackjack_row: str = ""  # of the paytable; "" = paid as any win
    blackjack_beats_blackjack: bool = False
    blackjack_insures: bool = True  # a player's Blackjack is still in play when insurance is offered
    pays_21_at_once: bool = False  # a player's 21 wins before the dealer draws
    winning_cards: int = 0  # so many cards that do not exceed 21 win before the dealer draws; 0 = no number does
    beats_21: bool = False  # a player's 21 of three or more cards beats the dealer's
    bonuses: BonusRows | None = None
    pushes_22: bool = False  # the dealer's 22 returns the wagers still in play
    up_card_first: bool = False  # the dealer's first card is dealt before the player's
    attack: str = ""  # the name of a wager as large as the required one that may follow the dealer's first card
    any_time: bool = False  # doubling and surrender on any number of cards, surrender after doubling
    one_card_aces: bool = False  # split aces get one card each and are not split again
    rescue: bool = False  # the doubled part may be taken back, the rest forfeited
    lammer: str = ""  # the name of what the house stakes to double a hard 9, 10 or 11 and to split a pair but of tens
    second_chance: str = ""  # the name of a wager that, above 21, draws a card that is subtracted

    def __post_init__(self) -> None:
        for key, problem in _faults(self):
            raise ParameterError(key, problem)

    @property
    def most_hands(self) -> int:
        """That an answer can allow."""
        return min(MOST_HANDS, MOST_UNITS // ((4 if self.second_chance else 2) * (2 if self.attack else 1)))


def _faults(rules: Rules) -> Iterator[tuple[str, str]]:
    if rules.tens not in (3, 4):
        yield "tens", f"{rules.tens}: three or four ranks count ten"
    if not 2 <= rules.hands <= rules.most_hands:
        yield "hands", f"{rules.hands}: must be from 2 to {rules.most_hands} for at most {MOST_UNITS} units at stake"
    if rules.winning_cards and not 4 <= rules.winning_cards <= 20:
        yield "winning_cards", f"{rules.winning_cards}: must be from 4 to 20, for a doubled hand has three"
    if rules.attack and not rules.up_card_first:
        yield "attack", "follows the dealer's first card alone: needs `up_card_first`"
    if rules.bonuses and not rules.beats_21:
        yield "bonuses", "are paid for every 21 of three or more cards: need `beats_21`"
    if rules.bonuses and (rules.pays_21_at_once or rules.winning_cards):
        yield "bonuses", "are not paid at once: neither `pays_21_at_once` nor `winning_cards` goes with them"
    if rules.lammer and (rules.any_time or rules.one_card_aces or rules.rescue or rules.second_chance or rules.attack):
        without = "`any_time`, `one_card_aces`, `rescue`, `second_chance` and `attack`"
        yield "lammer", f"is not a wager that a player could give up or add to: remove {without}"


@dataclass(frozen=True, slots=True)
class Table:
    """The rules as one table plays them: how many decks, into how many hands a pair may be split."""

    decks: int
    hands: int


def shoe_of(rules: Rules, decks: int) -> ValueCounts:
    """Cards of each value."""
    return np.array([SUITS * decks] * TEN + [SUITS * decks * rules.tens])


def hands_over(rules: Rules) -> HandFlags:
    """Hands of at most 21 to which no card can be drawn: a 21, or the number of cards that wins."""
    over = np.equal(TOTAL, 21)
    if rules.winning_cards:
        over |= (TOTAL <= 21) & (rules.winning_cards <= CARDS)
    return over


def classes(rules: Rules) -> HandClasses:
    """Hand → how it is compared: 0 = at most 16, 1 to 5 = 17 to 21, `WON`, `LOST`."""
    compared = np.clip(TOTAL.astype(np.int64) - 16, 0, 5).astype(np.int8)
    compared[HANDS:] = LOST
    twenty_ones = np.flatnonzero(TOTAL == 21)
    compared[twenty_ones[(CARDS[twenty_ones] > 2) & rules.beats_21 | rules.pays_21_at_once]] = WON
    if rules.winning_cards:
        compared[(TOTAL <= 21) & (rules.winning_cards <= CARDS)] = WON
    return compared


WON, LOST = 6, 7


def results(rules: Rules) -> NDArray[np.int8]:
    """[class of the player's hand, the dealer's end] → 1 won, 0 tied, −1 lost."""
    against = np.zeros((8, 7), dtype=np.int8)
    for mine in range(WON):
        against[mine] = [np.sign(mine - theirs) for theirs in range(1, 6)] + [1 - rules.pushes_22, 1]
    against[WON], against[LOST] = 1, -1
    return against
