"""Each player's two hands set against each dealer's, among hands that are known by their codes: one walk.

Hands are counted by high and low hand; going up the high hands, the number of dealers below and above follows from
running sums, without a look at single pairs. Not here: which hands may meet (`six_pairs`), setting (`six_cards`).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.compiled import kernel
from games.maths.two_hands.six_cards import LOWS, REGULATION, Codes, Ints, high_of, low_of

ENDS: Final = 7
WIN, HIGH_WINS, LOW_WINS, BOTH_LOWER, LOW_COPY, HIGH_COPY, BOTH_COPY = range(ENDS)
"""How the player's two hands compare to the dealer's. The three copies lose; a tie where one hand wins."""
TALLIES: Final = 4
QUALIFIED_WIN, QUALIFIED_LOSS, QUALIFIED, ALL_DEALS = range(TALLIES)


@kernel
def sort_hands(codes: Codes, players: Codes, dealers: Codes, touched: Ints, seen: NDArray[np.bool_]) -> int:
    """Count the hands by high and low hand; `touched` has the high hands that occur, rising. Returns their number."""
    number = 0
    for hand in range(len(codes)):
        for way in range(codes.shape[1]):
            code = codes[hand, way]
            place = high_of(code)
            players[way, place, low_of(code)] += 1
            if way == REGULATION:
                dealers[place, min(low_of(code), ACE)] += 1
            if not seen[place]:
                seen[place] = True
                touched[number] = place
                number += 1
    if number < len(seen) // 8:
        touched[:number].sort()
        return number
    number = 0
    for place in range(len(seen)):
        if seen[place]:
            touched[number] = place
            number += 1
    return number


@kernel
def compare(
    players: Codes, dealers: Codes, touched: Ints, least: int, weight: int, ends: Ints, qualified: Ints
) -> None:
    """Set every player's hands against every dealer's, from the lowest high hand up, `weight` times."""
    below, all_lows, weak = np.zeros(LOWS, np.int64), np.zeros(LOWS, np.int64), np.zeros(LOWS, np.int64)
    for place in touched:
        for low in range(LOWS):
            all_lows[low] += dealers[place, low]
            weak[low] += dealers[place, low] if place < least else 0
    dealt, strong = all_lows.sum(), all_lows.sum() - weak.sum()
    lower = 0  # dealers' high hands below the player's
    for place in touched:
        alike = dealers[place].sum()
        low_wins, wins, copies, strong_lower, weak_lower = 0, 0, 0, 0, 0  # dealers' low hands below the player's
        for low in range(LOWS):
            same_low, same_both = all_lows[low], dealers[place, low]
            for way in range(len(players)):
                hands = players[way, place, low]
                if hands:
                    times = hands * weight
                    ends[way, WIN] += times * wins
                    ends[way, HIGH_WINS] += times * (lower - wins)
                    ends[way, LOW_WINS] += times * (low_wins - wins)
                    ends[way, BOTH_COPY] += times * same_both
                    ends[way, HIGH_COPY] += times * (alike - copies - same_both)
                    ends[way, LOW_COPY] += times * (same_low - below[low] - same_both)
                    lost = dealt - lower - low_wins + wins
                    ends[way, BOTH_LOWER] += times * (lost - (alike - copies) - (same_low - below[low] - same_both))
                    if way == REGULATION:
                        strong_wins = wins - weak_lower if place >= least else 0
                        strong_lost = lost if place >= least else strong - strong_lower
                        qualified[QUALIFIED_WIN, place, low] += times * strong_wins
                        qualified[QUALIFIED_LOSS, place, low] += times * strong_lost
                        qualified[QUALIFIED, place, low] += times * strong
                        qualified[ALL_DEALS, place, low] += times * dealt
            low_wins += same_low
            wins += below[low]
            copies += same_both
            weak_lower += weak[low]
            strong_lower += same_low - weak[low]
        for low in range(LOWS):
            below[low] += dealers[place, low]
        lower += alike
