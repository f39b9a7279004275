"""What ends a hand of blackjack and what it wins, as settlement sections say it: for `rounds`.

Scalars only. Amounts won are in halves of the required wager; places are those of the outcomes in `side`, and of the
bonuses in `payouts`, by how their suits lie.
"""

from typing import NamedTuple

from games.maths.blackjack.rules import Rules
from games.maths.blackjack.side import LOST_DEALER_22, LOST_MATCH, LOST_THIRD_CARD
from games.maths.compiled import helper

EVEN = 2  # odds of 1 to 1, in halves of the wager
NONE, SIX_SEVEN_EIGHT, THREE_SEVENS, FIVE, SIX_CARDS, SEVEN_CARDS = range(0, 18, 3)
MIXED, SUITED, OF_SPADES = range(3)
RED = 0b0110  # suits of `cards`: clubs, diamonds, hearts, spades
SPADES = 3
SIX, SEVEN, EIGHT = 5, 6, 7  # values; a rank of `cards` is less by one


class DealtRules(NamedTuple):
    """`Rules` as scalars, for the loop that deals."""

    up_card_first: bool
    attack: bool
    blackjack_pays: int
    blackjack_beats_blackjack: bool
    blackjack_insures: bool
    free_bets: bool
    one_card_aces: bool
    pays_21_at_once: bool
    winning_cards: int  # 0: no number of cards wins
    pushes_22: bool
    beats_21: bool
    bonuses: bool
    side: int  # kind of the optional wager


def dealt_rules(rules: Rules, blackjack_pays: int, side: int) -> DealtRules:
    """`blackjack_pays`: in halves; `side`: a kind of `side`."""
    return DealtRules(
        up_card_first=rules.up_card_first,
        attack=bool(rules.attack),
        blackjack_pays=blackjack_pays,
        blackjack_beats_blackjack=rules.blackjack_beats_blackjack,
        blackjack_insures=rules.blackjack_insures,
        free_bets=bool(rules.lammer),
        one_card_aces=rules.one_card_aces,
        pays_21_at_once=rules.pays_21_at_once,
        winning_cards=rules.winning_cards,
        pushes_22=rules.pushes_22,
        beats_21=rules.beats_21,
        bonuses=rules.bonuses is not None,
        side=side,
    )


@helper
def natural(own: bool, dealer: bool, pays: int, beats_dealer: bool, wagered: int) -> int:
    """A round that a Blackjack ends; `wagered`: units before the cards, of which a dealer's Blackjack takes one."""
    if own:
        return 0 if dealer and not beats_dealer else pays * wagered
    return -EVEN


@helper
def compared(own: int, dealer: int, cards: int, pushes_22: bool, beats_21: bool) -> int:
    """1, 0 or −1: a hand of at most 21 wins, ties or loses against the dealer's, neither being a Blackjack."""
    if dealer == 22 and pushes_22:
        return 0
    if dealer > 21 or own > dealer:
        return 1
    if beats_21 and own == 21 and dealer == 21 and cards > 2:
        return 1
    return 0 if own == dealer else -1


@helper
def bonus_place(total: int, cards: int, a: int, b: int, c: int) -> int:
    """Of a winning hand of the first two cards, neither doubled nor split. `a`, `b`, `c`: its first three cards."""
    if total != 21 or cards < 3:
        return NONE
    if cards >= 7:
        return SEVEN_CARDS
    if cards == 6:
        return SIX_CARDS
    if cards == 5:
        return FIVE
    if cards == 4:
        return NONE
    low, high = min(a >> 2, b >> 2, c >> 2), max(a >> 2, b >> 2, c >> 2)
    straight = low == SIX - 1 and high == EIGHT - 1 and (a >> 2) + (b >> 2) + (c >> 2) == 3 * (SEVEN - 1)
    sevens = low == SEVEN - 1 and high == SEVEN - 1
    if not (straight or sevens):
        return NONE
    lies = MIXED if a & 3 != b & 3 or b & 3 != c & 3 else OF_SPADES if a & 3 == SPADES else SUITED
    return lies + (SIX_SEVEN_EIGHT if straight else THREE_SEVENS)


@helper
def match_place(up: int, a: int, b: int) -> int:
    """The player's first two cards, each matched by its rank with the dealer's up card."""
    suited = (a == up) + (b == up)
    matched = (a >> 2 == up >> 2) + (b >> 2 == up >> 2)
    return LOST_MATCH if matched == 0 else 4 - suited if matched == 1 else 2 - suited


@helper
def third_card_place(total: int, value: int, a: int, b: int, c: int) -> int:
    """Where the dealer's third card, of this value, brings the total to `total`; `a`, `b`, `c`: the dealer's cards."""
    if total <= 21:
        return LOST_THIRD_CARD
    if a >> 2 == b >> 2 == c >> 2 == EIGHT - 1:
        if a == b == c:
            return 0
        if RED >> (a & 3) & 1 == RED >> (b & 3) & 1 == RED >> (c & 3) & 1:
            return 1
    return value - 3


@helper
def dealer_22_place(total: int, suits: int) -> int:
    """The dealer's total, and the suits of all of the dealer's cards as bits."""
    if total != 22:
        return LOST_DEALER_22
    if suits & (suits - 1) == 0:
        return 0
    return 1 if suits & RED == 0 or suits & ~RED == 0 else 2
