"""Rounds of a cross, dealt and settled card by card in the order in which it is dealt and decided.

The independent test of `best_play`: it shares with it the encoding and the ranking of cards and the decisions on the
first two bets. The third bet has too many cases for a table: the player of a round looks at the 46 cards unseen.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK, RANKS
from games.maths.compiled import helper, kernel
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part, standard
from games.maths.staged_raises.cross.best_play import ANTES, Play
from games.maths.staged_raises.ladder import LOSING, RESULTS, results
from games.maths.staged_raises.places import place_2
from games.maths.staged_raises.streets.best_play import FOLD, ONCE, THRICE
from games.maths.streams import advance, below, start

TOP, LEFT, RIGHT, BOTTOM, OWN, _, MIDDLE = range(7)
"""Where a round's cards lie in the deck, once shuffled as good as in the order in which they are dealt: so the cards
that no player has seen before the third bet are those from `MIDDLE` on."""
CARDS_DEALT, UNSEEN = 7, 46
SIX = RANKS.index("6")
STAGES = 3
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds: `ended[net + least, wagered]`, both in Antes times `unit`; `folded[stage, wagered]`;
    `five[result]` of the five community cards. `bets` are those of the last round, −1 = none was asked."""

    ended: Ints
    least: int
    folded: Ints
    five: Ints
    bets: Ints


def deal_rounds(
    play: Play, ante: Ints, bet: Ints, stream: tuple[int, int, int], deck: Ints | None = None
) -> DealtRounds:
    """Rounds of stream (seed, block, rounds); `ante` and `bet` are what each wins by result, in whole numbers.

    `deck` then holds the cards of the last round: the cross, the player's two cards.
    """
    most = ANTES + STAGES * THRICE
    least, largest = -most * int(bet[LOSING]), ANTES * int(ante.max()) + STAGES * THRICE * int(bet.max())
    ended = np.zeros((least + largest + 1, most + 1), np.int64)
    dealt = DealtRounds(
        ended, least, np.zeros((STAGES, most), np.int64), np.zeros(len(RESULTS), np.int64), np.zeros(3, np.int64)
    )
    tables = (standard().keys, results(), LOW, HIGH)
    tallies = (dealt.ended, dealt.folded, dealt.five, dealt.bets)
    _deal(*stream, tables, (play.first, play.second), (ante, bet), new_deck() if deck is None else deck, least, tallies)
    return dealt


def new_deck() -> Ints:
    return np.arange(FULL_DECK)


@helper
def _renamed(card: int, first: int, second: int) -> int:
    """The card, where the first suit is called 0, the second 1 and the others follow."""
    suit = card % 4
    if suit == first:
        return card - suit
    if suit == second:
        return card - suit + 1
    if first == second:
        return card - (1 if suit > first else 0) + 1
    return card - (1 if suit > first else 0) - (1 if suit > second else 0) + 2


@helper
def _made(a: int, b: int, c: int, d: int) -> bool:
    """Whether a pair of 6s or better is there already: the line cannot lose, so folding is worse than staying, and the
    third bet cannot lose either."""
    a, b, c, d = a // 4, b // 4, c // 4, d // 4
    return (a >= SIX and a in (b, c, d)) or (b >= SIX and b in (c, d)) or (c >= SIX and c == d)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    tables: tuple[Ints, NDArray[np.int8], NDArray[np.int16], NDArray[np.int16]],
    decisions: tuple[NDArray[np.int8], NDArray[np.int8]],
    pays: tuple[Ints, Ints],
    deck: Ints,
    least: int,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    keys, result_of, low, high = tables
    first, second = decisions
    ante, bet = pays
    ended, folded, five, bets = tallies
    lost = -bet[LOSING]
    staked = np.zeros((THRICE + 1, len(RESULTS)), np.int64)  # what an Ante and so large a Bet on its line win
    for size in range(THRICE + 1):
        staked[size] = ante + size * bet
    left = np.full(len(RANKS), 4)  # cards of each rank that are unseen
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        key = keys[deck[TOP]] + keys[deck[LEFT]] + keys[deck[MIDDLE]] + keys[deck[RIGHT]] + keys[deck[BOTTOM]]
        five[result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]] += 1
        bets[:] = -1

        # the first bet, on the two own cards
        a, b = max(deck[OWN], deck[OWN + 1]), min(deck[OWN], deck[OWN + 1])
        suited = a % 4 == b % 4
        begin = (a // 4 * len(RANKS) + b // 4) if suited else (b // 4 * len(RANKS) + a // 4)
        bets[0] = first[begin]
        if bets[0] == FOLD:
            folded[0, ANTES] += 1
            continue

        # the second bet, also on the row's outer cards
        c, d = _renamed(deck[LEFT], a % 4, b % 4), _renamed(deck[RIGHT], a % 4, b % 4)
        bets[1] = second[begin, place_2(max(c, d), min(c, d))]
        if bets[1] == FOLD:
            folded[1, ANTES + bets[0]] += 1
            continue

        # the third bet, also on the column's outer cards
        own = keys[a] + keys[b]
        row, column = own + keys[deck[LEFT]] + keys[deck[RIGHT]], own + keys[deck[TOP]] + keys[deck[BOTTOM]]
        wagered = ANTES + bets[0] + bets[1]
        bets[2] = THRICE
        if not (_made(a, b, deck[LEFT], deck[RIGHT]) or _made(a, b, deck[TOP], deck[BOTTOM])):
            # without four of one suit the cards of a rank do alike: how many of them are left is looked at
            flush = suited and (
                a % 4 == deck[LEFT] % 4 == deck[RIGHT] % 4 or a % 4 == deck[TOP] % 4 == deck[BOTTOM] % 4
            )
            for place in range(MIDDLE):
                left[deck[place] // 4] -= 1
            lines, middle = 0, 0
            for step in range(UNSEEN if flush else len(RANKS)):
                card, ways = (deck[MIDDLE + step], 1) if flush else (4 * step, left[step])
                key = row + keys[card]
                across = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                key = column + keys[card]
                down = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                lines += ways * (staked[bets[0], across] + staked[bets[1], down])
                middle += ways * bet[max(across, down)]
            for place in range(MIDDLE):
                left[deck[place] // 4] += 1
            bets[2] = THRICE if middle >= 0 else ONCE
            if lines + bets[2] * middle < -wagered * lost * UNSEEN:
                bets[2] = FOLD
                folded[2, wagered] += 1
                continue

        # the two lines, and the better of them
        key = row + keys[deck[MIDDLE]]
        across = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
        key = column + keys[deck[MIDDLE]]
        down = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
        net = staked[bets[0], across] + staked[bets[1], down] + bets[2] * bet[max(across, down)]
        ended[least + net, wagered + bets[2]] += 1
