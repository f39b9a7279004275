"""The rules of one blackjack game, as data.

How hands are played and compared, the payouts of wins, the names of outcomes, and where a chapter says so, without its
number: ".7(e)(1)".

Hands of 21 with odds of their own depend on suits. Not here: how a hand is played out (`player`) and how likely an
outcome is (`exact`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack import hands
from games.maths.blackjack.hands import ALL_HANDS, CARDS, COUNTS, HANDS, TEN, TOTAL, HandClasses, HandFlags, ValueCounts
from games.maths.results import net_of
from games.rules.errors import ParameterError
from games.rules.model import Paytable

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
    additional: tuple[tuple[int, str], ...] = ()  # least dollars wagered, row of what suited 7s are paid in addition


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules in which a game differs from the plain one; `ParameterError` for any that no game can have."""

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
        """Most hands that an answer can allow."""
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
    """Return the number of cards of each value."""
    return np.array([SUITS * decks] * TEN + [SUITS * decks * rules.tens])


def hands_over(rules: Rules) -> HandFlags:
    """Return hands of at most 21 to which no card can be drawn: a 21, or the number of cards that wins."""
    over = np.equal(TOTAL, 21)
    if rules.winning_cards:
        over |= (TOTAL <= 21) & (rules.winning_cards <= CARDS)
    return over


def classes(rules: Rules) -> HandClasses:
    """Return hand → its class in comparisons: 0 = at most 16, 1 to 5 = 17 to 21, `WON`, `LOST`."""
    compared = np.clip(TOTAL.astype(np.int64) - 16, 0, 5).astype(np.int8)
    compared[HANDS:] = LOST
    twenty_ones = np.flatnonzero(TOTAL == 21)
    compared[twenty_ones[(CARDS[twenty_ones] > 2) & rules.beats_21 | rules.pays_21_at_once]] = WON
    if rules.winning_cards:
        compared[(TOTAL <= 21) & (rules.winning_cards <= CARDS)] = WON
    return compared


WON, LOST = 6, 7


def results(rules: Rules) -> NDArray[np.int8]:
    """Return [class of the player's hand, the dealer's end] → 1 won, 0 tied, −1 lost."""
    against = np.zeros((8, 7), dtype=np.int8)
    for mine in range(WON):
        against[mine] = [np.sign(mine - theirs) for theirs in range(1, 6)] + [1 - rules.pushes_22, 1]
    against[WON], against[LOST] = 1, -1
    return against


LIES = 3  # how the suits of a bonus lie: mixed, the same, all spades
NO_BONUS, SIX_SEVEN_EIGHT, THREE_SEVENS = 0, 1, 2
BONUSES = 6  # these, 21 of five, of six and of more cards
SEVEN = 6


class Payouts(NamedTuple):
    """The payouts of wins, in halves of the required wager."""

    blackjack: int
    bonus: tuple[tuple[int, ...], ...]  # bonus × how the suits lie
    additional: tuple[tuple[int, int], ...]  # least dollars wagered, dollars paid in addition


def payouts(rules: Rules, table: Paytable) -> Payouts:
    """Return the payouts of the required wager's paytable.

    `ParameterError` where it lacks a row that the rules name, `ValueError` where it pays other than in halves, or a win
    not 1 to 1.
    """
    paid = {row.outcome: net_of(row.pays[0], table) for row in table.rows}
    rows = _rows_of(rules.bonuses)
    in_addition = rules.bonuses.additional if rules.bonuses else ()
    named = (rules.blackjack_row, *(name for names in rows for name in names), *(name for _, name in in_addition))
    for name in named:
        if name and name not in paid:
            raise ParameterError("rules", f"`{name}` is not in {table.name} of `{table.wager}`")
    if wrong := {name: pays for name, pays in paid.items() if name not in named and pays != 1}:
        raise ValueError(f"{table.citation}: a win pays {wrong}, the analysis knows 1 to 1")
    bonus = ((2,) * LIES, *(tuple(_halves(paid[name]) for name in names) for names in rows))
    amounts = {row.outcome: int(row.pays[0].amount or 0) for row in table.rows}
    additional = tuple((least, amounts[name]) for least, name in in_addition)
    return Payouts(_halves(paid[rules.blackjack_row]) if rules.blackjack_row else 2, bonus, additional)


def _rows_of(bonuses: BonusRows | None) -> tuple[tuple[str, ...], ...]:
    """Return the rows of each bonus by how the suits lie; the number of a bonus is one more than its place."""
    if bonuses is None:
        return ()
    many = (bonuses.five_cards, bonuses.six_cards, bonuses.seven_cards)
    return (bonuses.six_seven_eight, bonuses.three_sevens, *((row,) * LIES for row in many))


def _halves(odds: Fraction) -> int:
    if (2 * odds).denominator != 1:
        raise ValueError(f"{odds}: the analysis counts in halves of a wager")
    return int(2 * odds)


def bonus_of() -> HandClasses:
    """Return hand → its bonus."""
    bonus = np.zeros(ALL_HANDS, dtype=np.int8)
    for hand in range(HANDS):
        if TOTAL[hand] == 21 and CARDS[hand] == 3 and COUNTS[hand].max() == 1 and COUNTS[hand, 5:8].sum() == 3:
            bonus[hand] = SIX_SEVEN_EIGHT
        elif CARDS[hand] == 3 and COUNTS[hand, SEVEN] == 3:
            bonus[hand] = THREE_SEVENS
        elif TOTAL[hand] == 21 and CARDS[hand] >= 5:
            bonus[hand] = THREE_SEVENS + min(CARDS[hand], 7) - 4
    return bonus


def suits_lie(decks: int) -> NDArray[np.float64]:
    """Return [the dealer shows a 7, bonus, lie of the suits] → chance, the values of the hand being given.

    The suits of different values are independent of each other; of three 7s, the one shown is missing.
    """
    same = np.zeros((2, BONUSES))
    same[:, SIX_SEVEN_EIGHT] = 1 / SUITS**2
    for shown in (0, 1):
        in_suit = sum(perm(decks - (shown if suit == 0 else 0), 3) for suit in range(SUITS))
        same[shown, THREE_SEVENS] = in_suit / perm(SUITS * decks - shown, 3)
    return np.stack([1 - same, same * (SUITS - 1) / SUITS, same / SUITS], axis=-1)


def suited_sevens(decks: int, ranks: int) -> float:
    """Return the chance of three 7s of one suit against a 7, for a player who draws to every pair of them."""
    dealt = perm(SUITS * decks - 1, 3) / perm(ranks * SUITS * decks - 1, 3) / ranks
    return float(dealt * suits_lie(decks)[1, THREE_SEVENS, 1:].sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Insurance:
    """The Insurance Wager."""

    made: str
    won: str
    lost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The required wager against the dealer's hand."""

    won: str
    tied: str
    lost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The procedure, step by step; "" for what a game does not have."""

    first_card: str
    second_card: str
    up_card: str
    hole_card: str
    reader: str
    insurance: Insurance
    blackjack: str
    split_card: str  # the second card of a split hand
    turns: str  # the hole card
    dealer_draws: str
    third_card: str = ""  # of the dealer; "" = as any card that the dealer draws
    settled: Settlement
    additional: str = ""  # fixed payouts for suited sevens, in addition to the paytable's odds
    # what the player decides, or what ends a hand
    stand: str
    hit: str
    double: str
    split: str
    surrender: str
    free_double: str = ""
    rescue: str = ""
    second_chance: str = ""
    attack: str = ""
    winning_cards: str = ""

    def decision(self, what: int) -> str:
        """Return the section of a decision of `hands`, else that of drawing: with 21 or more no card may be drawn."""
        return {
            hands.STAND: self.stand,
            hands.DOUBLE: self.double,
            hands.SPLIT: self.split,
            hands.SURRENDER: self.surrender,
            hands.FREE_DOUBLE: self.free_double,
            hands.RESCUE: self.rescue,
            hands.SECOND_CHANCE: self.second_chance,
        }.get(what, self.hit)


def outcome_name(net: int, wagered: int) -> str:
    """Return the outcome that wins `net` halves of the required wager after `wagered` of it were put up in all.

    >>> name(-3, 2)
    'Loses 3/2, wagered 2'
    """
    amount = Fraction(abs(net), 2)
    verb = "Even" if net == 0 else f"{'Wins' if net > 0 else 'Loses'} {amount}"
    return f"{verb}, wagered {wagered}"
