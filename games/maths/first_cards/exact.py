"""Every way to draw three cards from a shoe, counted by points; the best decision after the first card.

A composition says how many cards of each point value the shoe contains. Not here: what wins (`required`) and
what it pays (`game`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb

Composition = Mapping[int, int]
"""Points of a card → number of such cards in the shoe."""


def ways_to_total(shoe: Composition, cards: int) -> Counter[int]:
    """Total points → number of sets of `cards` cards that have them."""
    ways = {(0, 0): 1}  # (cards taken, points) → ways, point value by point value
    for points, available in shoe.items():
        grown: Counter[tuple[int, int]] = Counter()
        for (taken, total), count in ways.items():
            for more in range(cards - taken + 1):
                grown[taken + more, total + more * points] += count * comb(available, more)
        ways = grown
    return Counter({total: count for (taken, total), count in ways.items() if taken == cards and count})


def after_first(shoe: Composition) -> dict[int, Counter[int]]:
    """Points of the first card → total of three → number of deals (a first card, then a set of two)."""
    totals = {}
    for points, available in shoe.items():
        rest = {**shoe, points: available - 1}
        totals[points] = Counter({points + two: available * ways for two, ways in ways_to_total(rest, 2).items()})
    return totals


def best_decisions(
    deals: Mapping[int, Counter[int]], decisions: Iterable[str], net: Callable[[str, int], int]
) -> dict[int, str]:
    """First card's points → the decision that wins most on average; of equals, the one named first."""
    offered = tuple(decisions)

    def worth(decision: str, totals: Counter[int]) -> Fraction:
        return Fraction(sum(ways * net(decision, total) for total, ways in totals.items()), totals.total())

    return {first: max(offered, key=lambda decision: worth(decision, totals)) for first, totals in deals.items()}
