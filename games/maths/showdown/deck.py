"""The cards of a game, every five of them up to a renaming of suits, and every hand beside the hands that it may meet.

Hands are in their order. Both counts give the hidden hands that each may meet, and all strategies start from them.

An orbit is all sets that renaming the suits turns into each other: 134,459 orbits represent all 2,598,960 five-card
hands. Its name is that of its canonical set: four suits, thirteen bits of ranks each, in falling order. Not here: how
cards get their value (`ranking`, `four_cards`), the counts (`five_counts`, `four_cards`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, helper
from games.maths import hands
from games.maths.cards import ACE, DEUCE, FULL_DECK, JOKER
from games.maths.ranking import Ranking, standard, with_wilds
from games.rules.errors import ParameterError

RANKS, SUITS = 13, 4

_SIZES = np.array([24, 12, 12, 4, 12, 6, 4, 1])
"""The number of sets in an orbit, by which neighbors among its four suits are alike: bits 0 to 2."""


@dataclass(frozen=True, slots=True)
class Orbits:
    """Sets of cards, one of each orbit: `names` in rising order, `cards` of the set, `sizes` of the orbits."""

    names: Ints
    cards: Ints
    sizes: Ints


@helper
def orbit_name(a: int, b: int, c: int, d: int) -> int:
    """Return the name of the orbit of a set with these four suits, in any order."""
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return ((a << RANKS | b) << RANKS | c) << RANKS | d


@helper
def orbit_of(bits: int) -> int:
    """Return the name of the orbit of a set of cards, given as 52 bits, suit by suit."""
    suit = (1 << RANKS) - 1
    return orbit_name(bits & suit, bits >> RANKS & suit, bits >> 2 * RANKS & suit, bits >> 3 * RANKS)


@cache
def orbits(cards: int) -> Orbits:
    """Return every set of `cards` cards, made from the sets that have one card less."""
    masks = np.zeros((1, SUITS), np.int64)
    for _ in range(cards):
        masks = _with_one_more(masks)
    alike = [masks[:, suit] == masks[:, suit + 1] for suit in range(SUITS - 1)]
    bits = masks[:, :, None] >> np.arange(RANKS) & 1
    _, suits, ranks = np.nonzero(bits)
    return Orbits(
        _names(masks),
        (4 * ranks + suits).reshape(len(masks), cards),
        _SIZES[alike[0] + 2 * alike[1] + 4 * alike[2]],
    )


def _with_one_more(masks: Ints) -> Ints:
    """Return the suits, in falling order, of all sets that have one card more."""
    grown = []
    for suit in range(SUITS):
        for rank in range(RANKS):
            more = masks[masks[:, suit] >> rank & 1 == 0]
            more[:, suit] |= 1 << rank
            grown.append(-np.sort(-more, axis=1))
    _, first = np.unique(_names(every := np.concatenate(grown)), return_index=True)
    return every[first]


def _names(masks: Ints) -> Ints:
    """Return the names of sets whose suits are in falling order."""
    return masks @ (1 << RANKS * np.arange(SUITS)[::-1])


OWN = 5  # cards of the player's
NO_CARD = -1  # in place of a wild card
NATURAL, WILD_RANK, WILD_JOKER = range(3)


@dataclass(frozen=True, slots=True)
class Deck:
    """52 cards, or 53 with a joker; the joker and the cards of the `wild_rank`, if any, represent any other."""

    wild_rank: int | None = None
    joker: bool = False

    def __post_init__(self) -> None:
        if self.wild_rank is not None and self.wild_rank not in range(ACE + 1):
            raise ParameterError("deck.wild_rank", f"{self.wild_rank} is not a rank; allowed are 0 (2) to {ACE} (ace)")

    @property
    def size(self) -> int:
        return FULL_DECK + self.joker

    @property
    def wilds(self) -> int:
        return 4 * (self.wild_rank is not None) + self.joker

    @property
    def natural_ranks(self) -> tuple[int, ...]:
        return tuple(rank for rank in range(ACE + 1) if rank != self.wild_rank)

    @property
    def classes(self) -> tuple[str, ...]:
        """Classes of five cards, in the usual order."""
        wild = (hands.FIVE_OF_A_KIND,) * (self.wilds > 0) + (hands.FIVE_WILDS,) * (self.wilds == OWN)
        return hands.STANDARD + wild

    @property
    def hands(self) -> int:
        """The player's."""
        return comb(self.size, OWN)

    @property
    def dealer_hands(self) -> int:
        """Five cards of those that the player's five leave."""
        return comb(self.size - OWN, OWN)

    def kinds(self) -> Ints:
        """Return the kind of each card: `NATURAL`, `WILD_RANK`, `WILD_JOKER`."""
        kinds = np.full(FULL_DECK + 1, NATURAL, np.int64)
        if self.wild_rank is not None:
            kinds[4 * self.wild_rank : 4 * self.wild_rank + 4] = WILD_RANK
        kinds[JOKER] = WILD_JOKER
        return kinds

    def ranking(self, classes: tuple[str, ...]) -> Ranking:
        """Return five cards under this order of classes, which without wild cards is that of `ranking.standard`."""
        return with_wilds(classes, self.wild_rank, self.joker) if self.wilds else standard()


FULL = Deck()
DEUCES_AND_JOKER = Deck(DEUCE, joker=True)


@cache
def own_hands(deck: Deck) -> Orbits:
    """Return every five cards of the deck, an orbit each by their natural cards; wild cards are `NO_CARD`."""
    names, cards, sizes = [], [], []
    for wilds in range(min(deck.wilds, OWN) + 1):
        natural = orbits(OWN - wilds)
        possible = (natural.cards // 4 != (-1 if deck.wild_rank is None else deck.wild_rank)).all(axis=1)
        names.append(natural.names[possible])
        cards.append(np.pad(natural.cards[possible], ((0, 0), (0, wilds)), constant_values=NO_CARD))
        sizes.append(natural.sizes[possible] * comb(deck.wilds, wilds))
    order = np.argsort(np.concatenate(names))
    return Orbits(np.concatenate(names)[order], np.concatenate(cards)[order], np.concatenate(sizes)[order])


Strength = tuple[int, ...]
"""The place of a class, and the ranks that decide between two hands of it, the weightiest first."""
Hand = tuple[str | int, ...]
"""A class by its name, and as many of the deciding ranks as matter: `(PAIR, ACE)` are all pairs of aces."""
Rows = dict[Hand, str]
"""Hand → the row of a paytable; of several hands that fit, the one with the most ranks."""
ALL_CLASSES = (*hands.STANDARD, hands.FIVE_OF_A_KIND, hands.FIVE_WILDS)


def rows_named(*names: str) -> Rows:
    """Return rows named as the classes are, but for capitals, "Two pair" too; `ParameterError` for any other."""
    usual = {name.lower(): name for name in ALL_CLASSES} | {"two pair": hands.TWO_PAIRS}
    if unknown := [name for name in names if name.lower() not in usual]:
        raise ParameterError("rows", f"{unknown[0]!r} is not a class; say which hands take it")
    return {(usual[name.lower()],): name for name in names}


@dataclass(frozen=True, slots=True, eq=False)
class HandOrder:
    """An order of hands: `strengths[value]`, rising; the names of the classes, lowest first; cards of a hand."""

    cards: int
    classes: tuple[str, ...]
    strengths: Mapping[int, Strength]

    @property
    def size(self) -> int:
        """One more than the highest value."""
        return max(self.strengths) + 1

    def strength(self, hand: Hand) -> Strength:
        """Return the beginning that all strengths of the hand share; `ValueError` if there is no such hand."""
        name, *ranks = hand
        if name in self.classes:
            start = (self.classes.index(str(name)), *map(int, ranks))
            if any(strength[: len(start)] == start for strength in self.strengths.values()):
                return start
        raise ValueError(f"{hand} is not a hand; the classes are {', '.join(self.classes)}")

    def least_value(self, strength: Strength) -> int:
        """Return the value of the lowest hand that is no lower than this beginning of a strength."""
        return next(value for value, hand_strength in self.strengths.items() if hand_strength >= strength)

    def row_of(self, rows: Rows, strength: Strength) -> str:
        """Return the row that this hand takes; "" if it takes none."""
        return row_of(rows, self.hand(strength))

    def hand(self, strength: Strength) -> Hand:
        """Return the strength with the name of its class."""
        return (self.classes[strength[0]], *strength[1:])

    def check(self, key: str, hands: Iterable[Hand]) -> None:
        """Raise `ParameterError` for a hand that the order does not have."""
        for hand in hands:
            try:
                self.strength(hand)
            except ValueError as error:
                raise ParameterError(key, str(error)) from error


def row_of(rows: Rows, hand: Hand) -> str:
    """Return the row that the hand takes; "" if it takes none."""
    starts = (hand[:length] for length in range(len(hand), 0, -1))
    return next((rows[start] for start in starts if start in rows), "")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Values in groups that every paytable pays alike: `numbers[value]`, and the lowest strength of each group."""

    numbers: NDArray[np.int16]
    strengths: tuple[Strength, ...]


def groups_of(order: HandOrder, rows: Iterable[Rows], *, by_class: bool = False) -> Groups:
    """Return groups of values that take different rows, numbered from the lowest; `by_class`: also by their classes."""
    all_rows = tuple(rows)
    numbers = np.zeros(order.size, np.int16)
    firsts: dict[tuple[int, tuple[str, ...]], tuple[int, Strength]] = {}
    for value, strength in order.strengths.items():
        key = strength[0] if by_class else 0, tuple(order.row_of(each, strength) for each in all_rows)
        numbers[value], _ = firsts.setdefault(key, (len(firsts), strength))
    return Groups(numbers, tuple(strength for _, strength in firsts.values()))


WIN, TIE, LOSE, SHORT = range(4)
"""The player's hand beside the dealer's; `SHORT` for any hand of the player's, where the dealer must have a least hand
and has not."""
RESULTS = SHORT + 1


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """The player's hands by orbit: the value of each, and `results[hand, result]` of the `dealer_hands` it may meet."""

    order: HandOrder
    hands: Orbits
    values: Ints
    results: Ints
    dealer_hands: int

    @property
    def cycle(self) -> int:
        """All pairs of hands."""
        return int(self.hands.sizes.sum()) * self.dealer_hands
