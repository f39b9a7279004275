"""The cards that a game is played with, and every five of them up to a renaming of suits."""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from games.maths import hands
from games.maths.cards import ACE, DEUCE, FULL_DECK, JOKER
from games.maths.parameters import ParameterError
from games.maths.ranking import Ranking, standard, with_wilds
from games.maths.showdown.orbits import Ints, Orbits, orbits

OWN = 5  # cards of the player's
NO_CARD = -1  # in place of a wild card
NATURAL, WILD_RANK, WILD_JOKER = range(3)


@dataclass(frozen=True, slots=True)
class Deck:
    """52 cards, with a joker or without. The joker is wild, and so is every card of the `wild_rank`, if there is one;
    wild cards represent any other."""

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
        """What five cards can be, in the usual order."""
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
        """Of each card: `NATURAL`, `WILD_RANK`, `WILD_JOKER`."""
        kinds = np.full(FULL_DECK + 1, NATURAL, np.int64)
        if self.wild_rank is not None:
            kinds[4 * self.wild_rank : 4 * self.wild_rank + 4] = WILD_RANK
        kinds[JOKER] = WILD_JOKER
        return kinds

    def ranking(self, classes: tuple[str, ...]) -> Ranking:
        """Five cards under this order of classes, which without wild cards is that of `ranking.standard`."""
        return with_wilds(classes, self.wild_rank, self.joker) if self.wilds else standard()


FULL = Deck()
DEUCES_AND_JOKER = Deck(DEUCE, joker=True)


@cache
def own_hands(deck: Deck) -> Orbits:
    """Every five cards of the deck, an orbit each by the natural cards among them; wild cards are `NO_CARD`."""
    names, cards, sizes = [], [], []
    for wilds in range(min(deck.wilds, OWN) + 1):
        natural = orbits(OWN - wilds)
        possible = (natural.cards // 4 != (-1 if deck.wild_rank is None else deck.wild_rank)).all(axis=1)
        names.append(natural.names[possible])
        cards.append(np.pad(natural.cards[possible], ((0, 0), (0, wilds)), constant_values=NO_CARD))
        sizes.append(natural.sizes[possible] * comb(deck.wilds, wilds))
    order = np.argsort(np.concatenate(names))
    return Orbits(np.concatenate(names)[order], np.concatenate(cards)[order], np.concatenate(sizes)[order])
