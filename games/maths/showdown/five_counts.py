"""Every five cards of a deck with wild cards, counted by how a paytable may look at them: with wilds, as plain cards,
joker replaced.

Not here: the dealer's hand (`five_hidden`), what is paid (`five_bonuses`).
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import FULL_DECK, JOKER
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.showdown.deck import NATURAL, OWN, WILD_JOKER, Deck
from games.maths.showdown.five_rounds import RankingTables
from games.maths.showdown.four_cards import card_bit
from games.maths.showdown.orbits import orbit_of
from games.maths.showdown.strategy import OTHER_CARDS, DecisionTable, Strategy

REPLACEMENTS = FULL_DECK + 1 - OWN  # cards that may replace the joker, or would
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HandCounts:
    """`by_kind[kind, class with wilds, class as plain cards]`, of the deck's hands, by the kind of wild card in them
    (with the joker there is no plain class: any); `replaced[folded, plain class]`, of `REPLACEMENTS` times as many, the
    joker replaced by another card."""

    by_kind: Ints
    replaced: Ints


@cache
def count_hands(deck: Deck, classes: tuple[str, ...], strategy: Strategy) -> HandCounts:
    """Count every hand; the strategy says which the player folds."""
    ranking, plain = deck.ranking(classes), standard()
    by_kind = np.zeros((WILD_JOKER + 1, len(classes), len(hands.STANDARD)), np.int64)
    replaced = np.zeros((2, len(hands.STANDARD)), np.int64)
    tables = (ranking.keys, ranking.values, plain.keys, plain.values, LOW, HIGH)
    _count(deck.size, deck.kinds(), tables, strategy.table, by_kind, replaced)
    return HandCounts(by_kind, replaced)


@kernel
def _count(
    cards: int, kinds: Ints, tables: RankingTables, decisions: DecisionTable, by_kind: Ints, replaced: Ints
) -> None:
    keys, values, plain_keys, plain_values, low, high = tables
    decision_of, mixed, decision_of_mixed = decisions
    for a in range(cards):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = keys[a] + keys[b] + keys[c] + keys[d]
                    plain_three = plain_keys[b] + plain_keys[c] + plain_keys[d]
                    four_kind = max(kinds[a], kinds[b], kinds[c], kinds[d])
                    for e in range(d):
                        key, kind = four + keys[e], max(four_kind, kinds[e])
                        value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                        decision = decision_of[value]
                        if decision == OTHER_CARDS:
                            bits = 0
                            for card in (a, b, c, d, e):
                                if kinds[card] == NATURAL:
                                    bits |= 1 << card_bit(card)
                            decision = decision_of_mixed[np.searchsorted(mixed, orbit_of(bits))]
                        folded = 0 if decision > 0 else 1
                        if a != JOKER:
                            key = plain_three + plain_keys[a] + plain_keys[e]
                            plain = class_of(plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
                            by_kind[kind, class_of(value), plain] += 1
                            replaced[folded, plain] += REPLACEMENTS
                            continue
                        by_kind[kind, class_of(value), 0] += 1
                        for new in range(JOKER):
                            if new != b and new != c and new != d and new != e:
                                key = plain_three + plain_keys[e] + plain_keys[new]
                                plain = class_of(
                                    plain_values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                                )
                                replaced[folded, plain] += 1
