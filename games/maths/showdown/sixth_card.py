"""Which hands one deal can give to two wagers: the best four of five cards, and the class with a sixth card.

For a payout limit, which asks what can be won in the same round. Not here: what either pays (`bonuses`).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import high_part, low_part
from games.maths.showdown.deck import OWN
from games.maths.showdown.four_cards import best_four, card_bit, suited
from games.maths.showdown.orbits import orbits
from games.maths.showdown.six_cards import CLASSES, six_cards, with_diamonds

Ints = NDArray[np.int64]
Small = NDArray[np.int16]
Ranking = tuple[Ints, Small, Small, Small, Small]


@cache
def deals() -> dict[tuple[int, int], tuple[int, ...]]:
    """(value of the best four of five, class of the six) → six cards that are both, the sixth card last.

    Suits are interchangeable but for the six-card royal flush, which is shown in diamonds: an orbit's first suit is
    the one with the highest cards, and exchanged with diamonds here.
    """
    hands = orbits(OWN).cards ^ 1
    examples = np.full((len(best_four(OWN).strengths), CLASSES), -1, np.int64)
    _look(hands, best_four(OWN).tables, six_cards().tables, examples)
    return {
        (int(value), int(six_class)): (
            *map(int, hands[examples[value, six_class] // FULL_DECK]),
            int(examples[value, six_class] % FULL_DECK),
        )
        for value, six_class in np.argwhere(examples >= 0)
    }


@kernel
def _look(hands: Ints, five: Ranking, six: Ranking, examples: Ints) -> None:
    """`examples[value, class]` = a hand's place × 52 + its sixth card."""
    keys, low, high, by_ranks, by_suit = five
    _, six_low, six_high, six_ranks, six_suit = six
    for hand in range(len(hands)):
        key, bits = 0, 0
        for card in hands[hand]:
            key += keys[card]
            bits |= 1 << card_bit(card)
        value = max(by_ranks[low[low_part(key)] + high[high_part(key)]], by_suit[suited(key, bits)])
        for card in range(FULL_DECK):
            if bits >> card_bit(card) & 1 == 0:
                all_six, six_bits = key + keys[card], bits | 1 << card_bit(card)
                place = six_low[low_part(all_six)] + six_high[high_part(all_six)]
                class_of_six = with_diamonds(max(six_ranks[place], six_suit[suited(all_six, six_bits)]), six_bits)
                examples[value, class_of_six] = hand * FULL_DECK + card
