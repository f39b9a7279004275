"""The player's decisions: fold, bet, buy a sixth card or exchange; then fold or bet; then force.

The whole strategy is here, as tables and a few rules; the counts follow it, and the dealt rounds follow the tables that
`decisions_as_data` makes of it. It was found by dealing every option from some 90,000 starts and averaging over hands
of a kind; from 1,400 further starts, 8,000 rounds each, the best first decision start by start won 0.0001 ± 0.0004
Antes more. It looks at one's own cards, those exchanged, and the dealer's up card. Not here: the same in words
(`required`), what hands win.

A first decision is a number: the places of the cards kept, as five bits, for an exchange; or one of those below.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper, kernel
from games.maths.cards import RANKS
from games.maths.exchange.rules import Forcing

KEEP_ALL: Final = 31  # bet
SIXTH, FOLD, INSTANT = 32, 33, 34
ACTIONS: Final = 35
BET: Final = KEEP_ALL

HIGHEST_CARD: Final = {
    "A": ("23456789TJK", "23456789TJQ"),
    "K": ("23456789T", "23456789TJQ"),
    "Q": ("23456", "2345678"),
    "J": ("2345", "234567"),
    "T": ("2345", "23456"),
    "9": ("23", "234"),
    "8": ("", "23"),
}
"""With nothing else to keep: the highest card → the up cards against which it is kept and four are exchanged, where
the up card's rank is not among one's own cards, and where it is. Against all others the hand is folded."""

TWO, FOUR, SEVEN, EIGHT, TEN, JACK, KING, ACE = (RANKS.index(name) for name in "2478TJKA")


def highest_card_table() -> Ints:
    """Return [matched, highest card] → the up cards of `HIGHEST_CARD`, one bit per rank."""
    table = np.zeros((2, len(RANKS)), dtype=np.int64)
    for highest, columns in HIGHEST_CARD.items():
        for matched, up_cards in enumerate(columns):
            table[matched, RANKS.index(highest)] = sum(1 << RANKS.index(up) for up in up_cards)
    return table


@helper
def straights_one_short(ranks: int) -> int:
    """Return the number of straights that lack one rank only, 2 = two or more; −1 if there is a straight."""
    line = ranks << 1 | ranks >> ACE  # an ace is below the 2, too
    lacks, lacks_more = 0, 0  # the lowest ranks of straights that lack a rank at least, two at least: as bits
    for place in range(5):
        missing = ~(line >> place)
        lacks_more |= lacks & missing
        lacks |= missing
    if lacks & 0x3FF != 0x3FF:
        return -1
    lacks_one = ~lacks_more & 0x3FF
    return 0 if lacks_one == 0 else 1 if lacks_one & (lacks_one - 1) == 0 else 2


@kernel
def first_decision(own: Ints, up: int, highest_card: Ints) -> int:
    """Return the decision with five cards that face the up card."""
    ranks, counts, suits = 0, 0, 0
    for place in range(5):
        ranks |= 1 << (own[place] >> 2)
        counts += 1 << 4 * (own[place] >> 2)
        suits += 1 << 4 * (own[place] & 3)
    likeness, suit, group, kind = 0, 0, 0, 0  # cards alike, for each card; the longest suit; the cards of a kind
    for place in range(5):
        like = counts >> 4 * (own[place] >> 2) & 15
        likeness += like
        if like > 1:
            group |= 1 << place
            kind = own[place] >> 2
        if suits >> 4 * (own[place] & 3) & 15 > suits >> 4 * suit & 15:
            suit = own[place] & 3
    suited = suits >> 4 * suit & 15
    straights = straights_one_short(ranks)
    matched = ranks >> (up >> 2) & 1
    ace_king = ranks >> KING == 3
    if likeness == 17:  # four-of-a-kind
        return BET
    if likeness == 13:  # full house
        return BET if matched else SIXTH
    if suited == 5 or straights < 0:
        return INSTANT if suited == 5 and straights < 0 else SIXTH
    if likeness == 11:  # three-of-a-kind
        return BET if up >> 2 == kind else SIXTH if ace_king else group
    if likeness == 9:  # two pair
        return BET
    if suited == 4 or straights > 1:
        return SIXTH
    if likeness == 7:
        return _with_a_pair(own, ranks, group, kind, up >> 2, matched, straights)
    return _without_a_pair(own, ranks, suit, suited, up >> 2, matched, straights, highest_card)


@kernel
def _with_a_pair(own: Ints, ranks: int, pair: int, rank: int, up: int, matched: int, straights: int) -> int:
    if straights:
        return SIXTH
    if up <= rank or (matched and rank >= (JACK if up >= KING else EIGHT)):
        return BET
    if ranks >> KING == 3:
        if matched or rank >= FOUR:
            return BET
        mask = 0
        for place in range(5):
            if own[place] >> 2 >= KING:
                mask |= 1 << place
        return mask
    if ranks >> KING and rank >= TEN and up < KING and not matched:
        return BET
    return pair


@kernel
def _without_a_pair(
    own: Ints, ranks: int, suit: int, suited: int, up: int, matched: int, straights: int, highest_card: Ints
) -> int:
    highest, lowest_suited, highest_suited = 0, ACE, 0
    of_suit, of_ace_king, top = 0, 0, 0
    for place in range(5):
        rank = own[place] >> 2
        if rank >= KING:
            of_ace_king |= 1 << place
        if rank >= highest:
            highest, top = rank, place
        if own[place] & 3 == suit:
            of_suit |= 1 << place
            lowest_suited, highest_suited = min(lowest_suited, rank), max(highest_suited, rank)
    span = highest_suited - lowest_suited if suited == 3 else ACE
    royal = suited == 3 and lowest_suited >= TEN
    if ranks >> KING == 3:
        if straights and up >= KING:
            return SIXTH
        return of_suit if royal and of_suit & of_ace_king == of_ace_king else of_ace_king
    if royal or (highest < ACE and (span == 2 or (highest_suited == KING and span <= 4))):
        return of_suit
    if highest < KING and span == 3 and up <= SEVEN:
        return of_suit
    second = -1
    for place in range(5):
        if place != top and (second < 0 or own[place] >> 2 > own[second] >> 2):
            second = place
    if own[second] >> 2 >= TEN and own[second] & 3 == own[top] & 3 and up <= TEN:
        return 1 << top | 1 << second
    return 1 << top if highest_card[matched, highest] >> up & 1 else FOLD


@kernel
def bets_after_draw(combination: int, cards: Ints, count: int, up: int, seen: int) -> bool:
    """Return True if `count` cards are bet after a draw.

    `combination` is their number (0 = nothing, 1 = ace-king, 2 = one pair …), `seen` the number of cards of the up
    card's rank among all that one has held.
    """
    if combination > 2:
        return True
    ranks, twos = 0, 0
    for place in range(count):
        ranks |= 1 << (cards[place] >> 2)
        twos += 1 if cards[place] >> 2 == TWO else 0
    if combination == 2:
        return twos < 2 or seen > 0 or up >> 2 >= KING
    if combination == 1 and up >> 2 >= KING:
        return ranks >> JACK & 3 != 0
    return seen > 1 - combination and up >> 2 < KING


@helper
def forces(odds: int, wins: int, losses: int, unseen: int, forcing: Forcing) -> bool:
    """Return True if it is right to force the dealer: of `unseen` next cards `wins` win, `losses` lose.

    The fee and the Ante's win stand against the Bet Wager at `odds` in all, and the Antes at stake.
    """
    bet, fee, _ = forcing
    return bet * odds * wins - (1 + bet) * losses >= (1 + fee) * unseen


HELD_AFTER_DRAW: Final = (
    (0, (0, 1, 2, 3, 5)),
    (1, (0, 1, 2, KING, ACE)),
    (1, (0, 1, JACK, KING, ACE)),
    (2, (TWO, TWO, 1, 2, 3)),
    (3, (FOUR, FOUR, EIGHT, EIGHT, TEN)),
)
"""Combination and ranks, an example of each line of the decision after a draw: nothing, ace-king, ace-king with a queen
or jack, a pair of 2s, more."""
ALIKE: Final = 4  # cards of a rank
Decisions = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_], tuple[int, int, int, int]]
"""`line[ranks, suits]`, `first[line, up rank]`, `after[line of HELD_AFTER_DRAW, up rank, cards of that rank seen]`, and
when to force.

Five cards are taken in rising order. Their ranks are numbered by the sum of the binomials of (rank + place) over
(place + 1), their suits by which cards share one, as such patterns first occur among all suits of five cards in base 4,
the first card's lowest; what no hand has is bet. When to force: the least odds in all, and (a, b, c) where a × odds ×
cards that win − b × cards that lose must reach c × cards unseen.
"""


@cache
def decisions_as_data(forcing: Forcing) -> Decisions:
    """Return the whole strategy as a table that rounds are dealt by."""
    ranks = sorted(combinations_with_replacement(range(ACE + 1), 5), key=lambda chosen: chosen[::-1])
    patterns = dict.fromkeys(_pattern([code >> 2 * place & 3 for place in range(5)]) for code in range(4**5))
    first = np.full((len(ranks), len(patterns), ACE + 1), BET, np.uint8)
    _decide_all(np.array(ranks), np.array(list(patterns)), highest_card_table(), first)
    after = np.zeros((len(HELD_AFTER_DRAW), ACE + 1, ALIKE), np.bool_)
    for line, (combination, example) in enumerate(HELD_AFTER_DRAW):
        cards = 4 * np.array(example)
        for up, seen in np.ndindex(after.shape[1:]):
            after[line, up, seen] = bets_after_draw(combination, cards, len(cards), 4 * up, seen)
    bet, fee, least = forcing
    lines: dict[bytes, int] = {}
    numbers = [lines.setdefault(line, len(lines)) for line in first.view(f"V{ACE + 1}").ravel().tolist()]
    table = np.array(numbers, np.uint8).reshape(first.shape[:2])
    return table, np.array(list(map(list, lines)), np.uint8), after, (least, bet, 1 + bet, 1 + fee)


def _pattern(suits: Sequence[int]) -> tuple[int, ...]:
    """Return the suits numbered in the order in which they occur: 0, 1 …."""
    names = list(dict.fromkeys(suits))
    return tuple(map(names.index, suits))


@kernel
def _decide_all(ranks: Ints, patterns: Ints, highest_card: Ints, first: NDArray[np.uint8]) -> None:
    own = np.empty(5, np.int64)
    for row in range(len(ranks)):
        for pattern in range(len(patterns)):
            possible = True
            for place in range(5):
                own[place] = 4 * ranks[row, place] + patterns[pattern, place]
                for earlier in range(place):
                    possible &= own[earlier] != own[place]
            if possible:
                for up in range(ACE + 1):
                    first[row, pattern, up] = first_decision(own, 4 * up, highest_card)
