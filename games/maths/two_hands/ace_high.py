"""How often the dealer, and both the dealer and a player, are dealt an ace-high hand of seven cards: exact.

An ace-high hand has no pair, no straight and no flush, and an ace or the joker. Here the deals are counted by ranks,
common and not, and by the suits' lengths: 8.25 * 10^15 deals of seven cards to each without dealing one.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from games.maths.cards import ACE
from games.maths.two_hands.ranking import RUNS

DEALS: Final = comb(53, 7) * comb(46, 7)

Suits = tuple[tuple[int, int], ...]  # per suit how many cards (the dealer, the player) has; sorted, suits being alike


@dataclass(frozen=True, slots=True)
class AceHigh:
    """Numbers of deals, of `DEALS`, by who has an ace-high hand."""

    both: int
    dealer_with_joker: int  # only the dealer
    dealer_no_joker: int

    @property
    def not_dealer(self) -> int:
        return DEALS - self.both - self.dealer_with_joker - self.dealer_no_joker


@cache
def count() -> AceHigh:
    natural_alone = len(_ranks(False)) * _suitings(0, 7, 0, 4, 0)
    joker_alone = len(_ranks(True)) * _suitings(0, 6, 0, 3, 0)
    both_natural = _together(False, False)
    one_joker = _together(True, False)  # the dealer has it; as often the player
    return AceHigh(
        both=both_natural + 2 * one_joker,
        dealer_with_joker=joker_alone * comb(46, 7) - one_joker,
        dealer_no_joker=natural_alone * comb(46, 7) - both_natural - one_joker,
    )


@cache
def _ranks(joker: bool) -> tuple[int, ...]:
    """Sets of ranks, as bits, without a straight: an ace and six others, or six others beside the joker."""
    ace = 0 if joker else 1 << ACE
    runs = [sum(1 << rank for rank in run) for run in RUNS]
    sets = (sum(1 << rank for rank in other_ranks) | ace for other_ranks in combinations(range(ACE), 6))
    return tuple(ranks for ranks in sets if max((run & ranks).bit_count() for run in runs) + joker < 5)


def _together(dealer_joker: bool, player_joker: bool) -> int:
    dealers, players = _ranks(dealer_joker), _ranks(player_joker)
    common = Counter((dealer & player).bit_count() for dealer in dealers for player in players)
    dealt, longest = (6, 3) if dealer_joker else (7, 4)
    taken, other_longest = (6, 3) if player_joker else (7, 4)
    return sum(
        pairs * _suitings(shared, dealt - shared, taken - shared, longest, other_longest)
        for shared, pairs in common.items()
    )


def _suitings(shared: int, dealer: int, player: int, dealer_longest: int, player_longest: int) -> int:
    """Ways to give suits to the ranks that both have, only the dealer, only the player, with no suit too long."""
    states: Counter[Suits] = Counter({((0, 0),) * 4: 1})
    for gains in ((1, 1),) * shared + ((1, 0),) * dealer + ((0, 1),) * player:
        states = _dealt(states, *gains)
    return sum(
        ways
        for suits, ways in states.items()
        if all(mine <= dealer_longest and theirs <= player_longest for mine, theirs in suits)
    )


def _dealt(states: Counter[Suits], dealer: int, player: int) -> Counter[Suits]:
    """One more rank: to the dealer, to the player, or to both in different suits."""
    after: Counter[Suits] = Counter()
    for suits, ways in states.items():
        for first in range(4):
            for second in range(4) if dealer and player else (first,):
                if dealer and player and first == second:
                    continue
                grown = [list(lengths) for lengths in suits]
                grown[first][0] += dealer
                grown[second][1] += player
                after[tuple(sorted((mine, theirs) for mine, theirs in grown))] += ways
    return after
