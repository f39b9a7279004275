"""The wagers other than the required one, exactly, from a full shoe: insurance, a match of the player's cards with the
dealer's up card, the dealer's third card above 21, a dealer's hand of 22.

Counts come in the order of the outcomes, the lost wager last; rounds dealt (`rounds`) are counted in the
same order. Where the dealer draws after the players, the dealer's cards are as the first of a fresh shoe: whether the
dealer takes a card is settled before it is drawn. Not here: what a chapter's paytable pays (`side_wagers`).
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import comb, gcd, perm

ACE, EIGHT, TENS = 0, 7, 9  # values of cards: 0 = ace, 1 = deuce … 8 = nine, 9 = all that count ten
SUITS, COLORS = 4, 2
Ways = tuple[int, ...]

INSURANCE = ("Winning Insurance Wager", "Lost", "Not made")
MATCHES = (
    "Both cards match, both in suit",
    "Both cards match, one in suit",
    "Both cards match, none in suit",
    "One card matches, in suit",
    "One card matches, not in suit",
    "Lost",
)
MATCHED = ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0))  # cards of the same suit, of a different suit
LOST_MATCH = len(MATCHES) - 1
THIRD_CARD_WINS = ("three 8s in suit", "three 8s of a color", "a 6", "a 7", "an 8", "a 9", "a card that counts ten")
LOST_THIRD_CARD = len(THIRD_CARD_WINS)
DEALER_22_WINS = ("all cards in suit", "all cards of a color", "any other 22")
LOST_DEALER_22 = len(DEALER_22_WINS)


@dataclass(frozen=True, slots=True)
class Shoe:
    """So many full decks, of 52 cards or, without the 10s, of 48."""

    decks: int
    tens: int = 4  # ranks that count ten

    @property
    def cards(self) -> int:
        return SUITS * self.decks * (9 + self.tens)

    def of(self, value: int) -> int:
        """Cards of this value."""
        return SUITS * self.decks * (self.tens if value == TENS else 1)


def points(hard: int, ace: bool) -> int:
    """What a hand counts, one ace as 11 where that is no more than 21."""
    return hard + 10 if ace and hard <= 11 else hard


def insurance(shoe: Shoe, blackjack_stays: bool) -> tuple[Ways, int]:
    """(counts by `INSURANCE`, cycle): the dealer's first card and hole card, and the player's two.

    `blackjack_stays`: also a player who has Blackjack may make the wager.
    """
    aces, tens, cards = shoe.of(ACE), shoe.of(TENS), shoe.cards
    out_with_ten, out = (0, 0) if blackjack_stays else (2 * (aces - 1) * (tens - 1), 2 * (aces - 1) * tens)
    wins = aces * tens * (perm(cards - 2, 2) - out_with_ten)
    made = aces * (perm(cards - 1, 3) - out * (cards - 3))
    return (wins, made - wins, perm(cards, 4) - made), perm(cards, 4)


def match_up_card(shoe: Shoe) -> tuple[Ways, int]:
    """(counts by `MATCHES`, cycle): the player's two cards, for any first card of the dealer."""
    same, different = shoe.decks - 1, (SUITS - 1) * shoe.decks
    unmatched = shoe.cards - 1 - same - different
    ways = tuple(comb(same, s) * comb(different, d) * comb(unmatched, 2 - s - d) for s, d in MATCHED)
    return ways, comb(shoe.cards - 1, 2)


def third_card(shoe: Shoe) -> tuple[Ways, int]:
    """(counts by `THIRD_CARD_WINS` and lost, cycle): the dealer's first three cards, in order."""
    thirds: Counter[int] = Counter()
    for up in range(TENS + 1):
        for hole in range(TENS + 1):
            two = points(up + hole + 2, ACE in (up, hole))
            for third in range(TENS + 1):
                if two < 17 and up + hole + third + 3 > 21:
                    thirds[third] += _dealt(Counter((up, hole, third)), shoe, 1)
    suited = SUITS * perm(shoe.decks, 3)
    colored = COLORS * perm(SUITS // COLORS * shoe.decks, 3)
    wins = [suited, colored - suited, *(thirds[value] for value in (5, 6, EIGHT, 8, TENS))]
    wins[4] -= colored
    cycle = perm(shoe.cards, 3)
    return (*wins, cycle - sum(wins)), cycle


@cache
def dealer_22(shoe: Shoe) -> tuple[Ways, int]:
    """(counts by `DEALER_22_WINS` and lost, cycle): every way in which the dealer's cards come to 22."""
    hands_of_22 = _hands_of_22()
    longest = max(hand.total() for hand, _ in hands_of_22)
    suited, colored, wins = (
        sum(
            parts * orders * _dealt(hand, shoe, parts) * perm(shoe.cards - hand.total(), longest - hand.total())
            for hand, orders in hands_of_22
        )
        for parts in (SUITS, COLORS, 1)
    )
    cycle = perm(shoe.cards, longest)
    counts = (suited, colored - suited, wins - colored, cycle - wins)
    shared = gcd(*counts)
    return tuple(count // shared for count in counts), cycle // shared


def _dealt(values: Counter[int], shoe: Shoe, parts: int) -> int:
    """The deals of cards of these values, in this order, from one of `parts` equal parts of the shoe."""
    deals = 1
    for value, cards in values.items():
        deals *= perm(shoe.of(value) // parts, cards)
    return deals


@cache
def _hands_of_22() -> tuple[tuple[Counter[int], int], ...]:
    """The dealer's hands of 22 by their values, and the orders in which the values can come."""
    drawing, orders_of_22 = Counter[tuple[int, ...]]({(): 1}), Counter[tuple[int, ...]]()
    while drawing:
        grown: Counter[tuple[int, ...]] = Counter()
        for hand, orders in drawing.items():
            for value in range(TENS + 1):
                more = tuple(sorted((*hand, value)))
                total = points(sum(more) + len(more), ACE in more)
                if total == 22:
                    orders_of_22[more] += orders
                elif total < 17:
                    grown[more] += orders
        drawing = grown
    return tuple((Counter(hand), orders) for hand, orders in orders_of_22.items())
