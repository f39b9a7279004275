"""Rounds of a cross, dealt and settled card by card in the order in which it is dealt and decided.

The independent test of `best_play`: it shares with it the encoding and the ranking of cards and the decisions on the
first two bets. The third bet has too many cases for a table: the player of a round looks at the 46 cards unseen.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from games.compiled import helper, kernel
from games.maths.cards import FULL_DECK, RANKS
from games.maths.ranking import HANDS, HIGH, LOW, WILD, card_key, flush_part, high_part, low_part, standard
from games.maths.staged_raises.cross.best_play import ANTES, FOLD, ONCE, THRICE, Play
from games.maths.staged_raises.paid_hands import LADDER, LOSING, RESULTS, place_2
from games.streams import advance, below, start

TOP, LEFT, RIGHT, BOTTOM, OWN, _, MIDDLE = range(7)
"""Where a round's cards lie in the deck, once shuffled as good as in the order in which they are dealt: so the cards
that no player has seen before the third bet are those from `MIDDLE` on."""
CARDS_DEALT, UNSEEN = 7, 46
FIELD, FIELD_MASK = 4, 15  # bits of what is said of each rank, all ranks in one number
FOUR_OF_EACH = sum(4 << FIELD * rank for rank in range(len(RANKS)))
NEVER_LOSES = 1 << FIELD * len(RANKS)
ANY_FIFTH = card_key(WILD, 0)
STAGES = 3
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the cards and bets of the last one.

    `ended[net + least, wagered]`, both in Antes times `unit`; `folded[stage, wagered]`; `five[result]` of the five
    community cards. `last` are the cross and the player's two cards, `bets`: −1 = none was asked.
    """

    ended: Ints
    least: int
    folded: Ints
    five: Ints
    bets: Ints
    last: tuple[int, ...]


def deal_rounds(play: Play, ante: Ints, bet: Ints, stream: tuple[int, int, int]) -> DealtRounds:
    """Return the rounds of stream (seed, block, rounds); `ante` and `bet`: their nets by result, in whole numbers."""
    most = ANTES + STAGES * THRICE
    least, largest = -most * int(bet[LOSING]), ANTES * int(ante.max()) + STAGES * THRICE * int(bet.max())
    shapes = ((least + largest + 1, most + 1), (STAGES, most), len(RESULTS), STAGES)
    ended, folded, five, bets = (np.zeros(shape, np.int64) for shape in shapes)
    deck = np.arange(FULL_DECK)
    tables = (standard().keys, LADDER.results(), LOW, HIGH, _fifths())
    _deal(*stream, tables, (play.first, play.second), (ante, bet), deck, least, (ended, folded, five, bets))
    return DealtRounds(ended, least, folded, five, bets, tuple(deck[:CARDS_DEALT].tolist()))


@cache
def _fifths() -> Ints:
    """Return the result of each rank added to four ranks, not of one suit, as `FIELD` bits a rank.

    `NEVER_LOSES` is added where none of them loses. The four ranks are placed as `Ranking.values` are, with a wild card
    for the fifth.
    """
    table = np.zeros(HANDS, np.int64)
    made, low, high = LADDER.results().tolist(), LOW.tolist(), HIGH.tolist()
    ranks = [card_key(rank, 0) for rank in range(len(RANKS))]
    for four in combinations_with_replacement(range(len(RANKS)), 4):
        key = sum(ranks[rank] for rank in four)
        left = [rank for rank in range(len(RANKS)) if four.count(rank) < 4]
        by_rank = {rank: made[low[low_part(key + ranks[rank])] + high[high_part(key + ranks[rank])]] for rank in left}
        packed = sum(result << FIELD * rank for rank, result in by_rank.items())
        loses = LOSING in by_rank.values()
        table[low[low_part(key + ANY_FIFTH)] + high[high_part(key + ANY_FIFTH)]] = packed + (not loses) * NEVER_LOSES
    return table


@helper
def _renamed(card: int, first: int, second: int) -> int:
    """Return the card, where the first suit is called 0, the second 1 and the others follow."""
    suit = card % 4
    if suit == first:
        return card - suit
    if suit == second:
        return card - suit + 1
    if first == second:
        return card - (1 if suit > first else 0) + 1
    return card - (1 if suit > first else 0) - (1 if suit > second else 0) + 2


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    tables: tuple[Ints, NDArray[np.int8], NDArray[np.int16], NDArray[np.int16], Ints],
    decisions: tuple[NDArray[np.int8], NDArray[np.int8]],
    pays: tuple[Ints, Ints],
    deck: Ints,
    least: int,
    tallies: tuple[Ints, Ints, Ints, Ints],
) -> None:
    keys, result_of, low, high, fifths = tables
    first, second = decisions
    ante, bet = pays
    ended, folded, five, bets = tallies
    lost = -bet[LOSING]
    staked = np.zeros((THRICE + 1, len(RESULTS)), np.int64)  # what an Ante and so large a Bet on its line win
    for size in range(THRICE + 1):
        for result in range(len(RESULTS)):
            staked[size, result] = ante[result] + size * bet[result]
    across_bet = down_bet = middle_bet = -1
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]
        top, left, right, bottom, middle = deck[TOP], deck[LEFT], deck[RIGHT], deck[BOTTOM], deck[MIDDLE]
        key = keys[top] + keys[left] + keys[middle] + keys[right] + keys[bottom]
        five[result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]] += 1
        across_bet = down_bet = middle_bet = -1

        # the first bet, on the two own cards
        a, b = max(deck[OWN], deck[OWN + 1]), min(deck[OWN], deck[OWN + 1])
        suited = a % 4 == b % 4
        begin = (a // 4 * len(RANKS) + b // 4) if suited else (b // 4 * len(RANKS) + a // 4)
        across_bet = first[begin]
        if across_bet == FOLD:
            folded[0, ANTES] += 1
            continue

        # the second bet, also on the row's outer cards
        c, d = _renamed(left, a % 4, b % 4), _renamed(right, a % 4, b % 4)
        down_bet = second[begin, place_2(max(c, d), min(c, d))]
        if down_bet == FOLD:
            folded[1, ANTES + across_bet] += 1
            continue

        # the third bet, also on the column's outer cards
        own = keys[a] + keys[b]
        row, column = own + keys[left] + keys[right], own + keys[top] + keys[bottom]
        wagered = ANTES + across_bet + down_bet
        in_row, in_column = row + ANY_FIFTH, column + ANY_FIFTH
        in_row = fifths[low[low_part(in_row)] + high[high_part(in_row)]]
        in_column = fifths[low[low_part(in_column)] + high[high_part(in_column)]]
        middle_bet = THRICE
        if in_row | in_column < NEVER_LOSES:
            lines = third = 0  # what the two lines and a third bet of one Ante win with the 46 cards unseen
            if suited and (a % 4 == left % 4 == right % 4 or a % 4 == top % 4 == bottom % 4):
                for place in range(MIDDLE, FULL_DECK):
                    key = row + keys[deck[place]]
                    across = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                    key = column + keys[deck[place]]
                    down = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                    lines += staked[across_bet, across] + staked[down_bet, down]
                    third += bet[max(across, down)]
            else:  # without four of one suit the cards of a rank do alike: how many of them are left is looked at
                left_over = FOUR_OF_EACH
                for place in range(MIDDLE):
                    left_over -= 1 << FIELD * (deck[place] // 4)
                for rank in range(len(RANKS)):
                    ways = left_over >> FIELD * rank & FIELD_MASK
                    across, down = in_row >> FIELD * rank & FIELD_MASK, in_column >> FIELD * rank & FIELD_MASK
                    lines += ways * (staked[across_bet, across] + staked[down_bet, down])
                    third += ways * bet[max(across, down)]
            middle_bet = THRICE if third >= 0 else ONCE
            if lines + middle_bet * third < -wagered * lost * UNSEEN:
                middle_bet = FOLD
                folded[2, wagered] += 1
                continue

        # the two lines, and the better of them
        key = row + keys[middle]
        across = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
        key = column + keys[middle]
        down = result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
        net = staked[across_bet, across] + staked[down_bet, down] + middle_bet * bet[max(across, down)]
        ended[least + net, wagered + middle_bet] += 1
    bets[0], bets[1], bets[2] = across_bet, down_bet, middle_bet
