"""What ends a hand of blackjack and what it wins, chapter by chapter, as the settlement sections say: for `rounds`.

Scalars only. Amounts won are in halves of the required wager; places are those of the outcomes in `side`.
"""

from games.maths.blackjack.side import BUST_IT, MATCH, PUSH_22
from games.maths.compiled import helper

DOUBLE_ATTACK, FREE_BET, DOUBLE_BACK, SPANISH = range(4)
GAMES = {"581": DOUBLE_ATTACK, "590": FREE_BET, "591": DOUBLE_BACK, "635a": SPANISH}

EVEN, THREE_TO_TWO, TWO_TO_ONE, THREE_TO_ONE = 2, 3, 4, 6  # odds, in halves of the wager
LOST_MATCH, LOST_BUST_IT, LOST_PUSH_22 = len(MATCH) - 1, len(BUST_IT) - 1, len(PUSH_22) - 1
RED = 0b0110  # suits of `cards`: clubs, diamonds, hearts, spades
SPADES = 3
SIX, SEVEN, EIGHT = 5, 6, 7  # values; a rank of `cards` is less by one


@helper
def natural(game: int, own: bool, dealer: bool, wagered: int) -> int:
    """A round that a Blackjack ends; `wagered`: Bet and Double Attack Wager together (581), else 1."""
    if game == DOUBLE_ATTACK:
        if own:
            return 0 if dealer else EVEN * wagered  # § 581.7(h)(1), (o)(1)(iii)
        return -EVEN  # § 581.7(o)(1)(ii)(A), (o)(2): a Double Attack Wager is returned
    if not own:
        return -EVEN  # §§ 590.7(g)(2), 591.7(h), 635a.7(o)
    if game == FREE_BET:
        return 0 if dealer else THREE_TO_TWO  # § 590.7(g)(1), (h)(1)
    return TWO_TO_ONE if game == DOUBLE_BACK else THREE_TO_TWO  # §§ 591.7(f), 635a.7(n)(3)


@helper
def compared(game: int, own: int, dealer: int, cards: int) -> int:
    """1, 0 or −1: a hand of at most 21 wins, ties or loses against the dealer's, neither being a Blackjack."""
    if dealer == 22 and game in (FREE_BET, DOUBLE_BACK):
        return 0  # §§ 590.7(n)(1), 591.7(q)(1)
    if dealer > 21 or own > dealer:
        return 1
    if game == SPANISH and own == 21 and dealer == 21 and cards > 2:
        return 1  # § 635a.7(n)(4)
    return 0 if own == dealer else -1


@helper
def bonus(total: int, cards: int, a: int, b: int, c: int) -> int:
    """What a winning hand of the first two cards wins at Spanish 21, neither doubled nor split: § 635a.12(a), (b).

    `a`, `b`, `c`: its first three cards.
    """
    if total != 21 or cards < 3:
        return EVEN
    if cards >= 7:
        return THREE_TO_ONE
    if cards == 6:
        return TWO_TO_ONE
    if cards == 5:
        return THREE_TO_TWO
    if cards == 4:
        return EVEN
    low, high = min(a >> 2, b >> 2, c >> 2), max(a >> 2, b >> 2, c >> 2)
    straight = low == SIX - 1 and high == EIGHT - 1 and (a >> 2) + (b >> 2) + (c >> 2) == 3 * (SEVEN - 1)
    sevens = low == SEVEN - 1 and high == SEVEN - 1
    if not (straight or sevens):
        return EVEN
    if a & 3 != b & 3 or b & 3 != c & 3:
        return THREE_TO_TWO
    return THREE_TO_ONE if a & 3 == SPADES else TWO_TO_ONE


@helper
def match_place(up: int, a: int, b: int) -> int:
    """Match-the-Dealer, by rank, each of the player's first two cards: § 635a.7(f)."""
    suited = (a == up) + (b == up)
    matched = (a >> 2 == up >> 2) + (b >> 2 == up >> 2)
    return LOST_MATCH if matched == 0 else 4 - suited if matched == 1 else 2 - suited


@helper
def bust_it_place(total: int, value: int, a: int, b: int, c: int) -> int:
    """Bust It, where the dealer's third card, of this value, brings the total to `total`: § 581.7(m)(2).

    `a`, `b`, `c`: the dealer's three cards.
    """
    if total <= 21:
        return LOST_BUST_IT
    if a >> 2 == b >> 2 == c >> 2 == EIGHT - 1:
        if a == b == c:
            return 0
        if RED >> (a & 3) & 1 == RED >> (b & 3) & 1 == RED >> (c & 3) & 1:
            return 1
    return value - 3


@helper
def push_22_place(total: int, suits: int) -> int:
    """Push 22: the dealer's total, and the suits of all of the dealer's cards as bits: § 590.12(c)."""
    if total != 22:
        return LOST_PUSH_22
    if suits & (suits - 1) == 0:
        return 0
    return 1 if suits & RED == 0 or suits & ~RED == 0 else 2
