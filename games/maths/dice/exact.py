"""Every throw of so many dice, counted: exact chances of what is thrown. Faces are 1 to 6.

Not here: what wins and what it pays (the game), dice thrown one by one (`rounds`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, factorial, prod

FACES = range(1, 7)


def throws(dice: int) -> Iterator[tuple[Counter[int], int]]:
    """Every multiset of faces, as face → how many dice show it, with its share of the 6^dice throws."""
    for shown in combinations_with_replacement(FACES, dice):
        counts = Counter(shown)
        yield counts, factorial(dice) // prod(map(factorial, counts.values()))


def most_matches(dice: int, ranks: Sequence[int]) -> dict[tuple[int, int], int]:
    """(face that occurs most often, how often) → throws; between equals the face that is last in `ranks`."""
    by_match: Counter[tuple[int, int]] = Counter()
    for counts, ways in throws(dice):
        face = max(counts, key=lambda face: (counts[face], ranks.index(face)))
        by_match[face, counts[face]] += ways
    return dict(by_match)


def further_matches(dice: int) -> dict[int, int]:
    """How many of the dice show one given face → throws, of 6^dice."""
    return {matches: comb(dice, matches) * 5 ** (dice - matches) for matches in range(dice + 1)}
