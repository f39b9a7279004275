"""When a raise is made, as a list of hands that a sentence can name: "a pair of 8s or better; three of one suit; …".

The clauses are chosen one after another, each where it leaves the fewest deals decided otherwise. What they still miss
is counted, for the sentence to say. A joker counts as a card of every suit and of every straight.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, FIVE, JOKER, RANK_NAMES

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TWO_PAIRS = ACE + 1  # the level of two pairs, three-of-a-kind and more, above that of any pair
MOST_CLAUSES = 8
LEAST_GAIN = 0.002  # of all raises: a clause that adds fewer is not worth its words
STRICTNESS = (0.3, 1, 3, 10, 30)  # how much more a wrong raise counts than a right one, shares compared

Features = Mapping[str, NDArray[np.int8]]
"""By name, an array `[case]`; see `features`."""
Bools = NDArray[np.bool_]
"""`[case]`"""
Weights = NDArray[np.int64]
"""`[case]`: the orders in which it is met."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Hands of which each named feature is at least so much."""

    least: tuple[tuple[str, int], ...]

    def fits(self, features: Features) -> Bools:
        """By case."""
        fits = np.ones(len(features["pair"]), np.bool_)
        for name, value in self.least:
            fits &= features[name] >= value
        return fits

    def words(self) -> str:
        """Without an article where it names several cards."""
        if not self.least:
            return "any cards"
        return "".join(_words(name, value, first=not place) for place, (name, value) in enumerate(self.least))


ANY = Clause(())


def all_sets(size: int, deck: int) -> NDArray[np.int8]:
    """Every set of so many cards `[place, card]`, cards rising, in the order of places."""
    sets = np.zeros((1, 0), np.int8)
    for number in range(1, size + 1):
        tops = range(number - 1, deck)
        lower = np.concatenate([sets[: comb(top, number - 1)] for top in tops])
        highest = np.repeat(np.array(tops, np.int8), [comb(top, number - 1) for top in tops])
        sets = np.column_stack((lower, highest))
    return sets


def features(sets: NDArray[np.int8]) -> Features:
    """Compute what the clauses test: `pair` (its rank; `TWO_PAIRS`; −1), `joker`, the highest ranks `top1`, `top2` and
    the third (−1 = none), and how many cards can make a `flush`, a `straight` or a `straight flush`."""
    joker = (sets == JOKER).any(axis=1)
    ranks, suits = np.where(sets == JOKER, -1, sets // 4), np.where(sets == JOKER, -1, sets % 4)
    counts = np.stack([(ranks == rank).sum(axis=1, dtype=np.int8) for rank in range(ACE + 1)])
    paired = np.where(counts > 1, np.arange(ACE + 1, dtype=np.int8)[:, None], np.int8(-1)).max(axis=0)
    better = (counts > 2).any(axis=0) | ((counts > 1).sum(axis=0) > 1)
    down = -np.sort(-ranks, axis=1)
    seen = {
        "pair": np.where(better, np.int8(TWO_PAIRS), paired),
        "joker": joker.astype(np.int8),
        "flush": np.stack([(suits == suit).sum(axis=1, dtype=np.int8) for suit in range(4)]).max(axis=0) + joker,
        "straight": _straight(ranks) + joker,
        "straight flush": np.stack([_straight(np.where(suits == s, ranks, -1)) for s in range(4)]).max(axis=0) + joker,
    }
    seen |= {f"top{place + 1}": down[:, place] for place in range(min(3, down.shape[1]))}
    return {name: values.astype(np.int8) for name, values in seen.items()}


def _straight(ranks: NDArray[np.int8]) -> NDArray[np.int8]:
    """The most different ranks that belong to one straight; −1 is no rank."""
    bits = np.bitwise_or.reduce(np.where(ranks < 0, 0, np.int16(1) << np.maximum(ranks, 0).astype(np.int16)), axis=1)
    bit_counts = np.array([int(each).bit_count() for each in range(1 << (ACE + 1))], np.int8)
    straights = [sum(1 << rank for rank in hands.straight_ranks(top)) for top in range(FIVE, ACE + 1)]
    return np.asarray(np.stack([bit_counts[bits & straight] for straight in straights]).max(axis=0))


def candidates(size: int, *, joker: bool) -> Iterator[Clause]:
    """Every clause on so many cards."""
    ranks = range(ACE + 1)
    yield from (Clause((("pair", level),)) for level in range(TWO_PAIRS + 1))
    alone = [("joker", 1)] if joker else []
    alone += [(name, count) for name in ("straight flush", "flush", "straight") for count in range(3, size + 1)]
    for least in alone:
        yield Clause((least,))
        yield from (Clause((least, ("top1", rank))) for rank in ranks)
        yield from (Clause((least, ("top2", rank))) for rank in ranks)
    yield from (Clause(((f"top{place}", rank),)) for place in range(1, min(3, size) + 1) for rank in ranks)


def clauses_of(seen: Features, raises: Bools, weights: Weights, size: int) -> tuple[Clause, ...]:
    """The clauses after which the fewest deals are decided otherwise, of several lists: the more a wrong raise counts,
    the narrower are the clauses."""
    codes = sum((values.astype(np.int64) + 1) << 4 * place for place, values in enumerate(seen.values()))
    _, first, alike = np.unique(codes, return_index=True, return_inverse=True)
    cases = {name: values[first] for name, values in seen.items()}  # alike in all that the clauses look at
    raised, passed = (
        np.bincount(alike, (weights * mask).astype(np.float64), len(first)).astype(np.float64)
        for mask in (raises, ~raises)
    )
    if not passed.sum() or not raised.sum():
        return (ANY,) if raised.sum() else ()
    clauses = list(candidates(size, joker=bool(seen["joker"].any())))
    fits = np.stack([clause.fits(cases) for clause in clauses])
    lists = [_covering(fits, raised, passed * factor * raised.sum() / passed.sum()) for factor in STRICTNESS]

    def mistakes(chosen: Sequence[int]) -> float:
        said = fits[list(chosen)].any(axis=0)
        return float(raised[~said].sum() + passed[said].sum())

    return tuple(clauses[place] for place in min(lists, key=mistakes))


def _covering(fits: NDArray[np.bool_], raised: NDArray[np.float64], passed: NDArray[np.float64]) -> list[int]:
    """Places among `fits[clause, case]`, each chosen for the most that it adds: right raises less wrong ones."""
    chosen: list[int] = []
    left = raised - passed
    while len(chosen) < MOST_CLAUSES:
        gains = fits @ left
        best = int(gains.argmax())
        if gains[best] < LEAST_GAIN * raised.sum():
            break
        chosen.append(best)
        left = np.where(fits[best], 0.0, left)
    return chosen


def fits_any(clauses: Sequence[Clause], seen: Features, cases: int) -> Bools:
    """Whether any clause fits, by case."""
    fits = np.zeros(cases, np.bool_)
    for clause in clauses:
        fits |= clause.fits(seen)
    return fits


def _words(name: str, value: int, *, first: bool) -> str:
    card = RANK_NAMES[min(value, ACE)]
    article = "an" if card in ("8", "ace") else "a"
    match name:
        case "pair":
            pair = "two pairs or better" if value == TWO_PAIRS else f"a pair of {card}s or better"
            return "a pair or better" if value == 0 else pair
        case "joker":
            return "the joker"
        case "flush" | "straight" | "straight flush":
            return f"{NUMBERS[value]} cards of one {'suit' if name == 'flush' else name}"
        case "top1":
            return f"{'' if first else ' with '}{article} {card}{'' if value == ACE else ' or higher'}"
        case _:
            many = f"{NUMBERS[int(name[-1])]} cards of {card}{'' if value == ACE else ' or higher'}"
            return many if first else f" with {many}"
