"""`python -m games.maths.two_hands.other_readings`: the holds if what moves them were read otherwise.

Of the required wagers on six and on seven cards; the figures stand in the chapters' readings. Those of six cards take
about half a minute for each reading, that of seven cards some minutes of one core; the readings of the joker of a flush
change the ranking of hands itself, so each is counted in a process of its own (`flush-joker-six`, `flush-joker-seven`).
Not here: the other effects, which the notes of an analysis have (`six_wagers`, `seven_wagers`).
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Final

import numpy as np

from games.maths.cards import JOKER_DECK
from games.maths.two_hands import seven_pairs, six_pairs
from games.maths.two_hands.ranking import OTHERWISE
from games.maths.two_hands.setting import HOUSE_WAYS, SEVEN_CARDS
from games.maths.two_hands.seven_pairs import SHEETS, count_terms
from games.maths.two_hands.seven_wagers import DEALS
from games.maths.two_hands.six_cards import JOKER_KEPT, PAIRS_DIVIDED, PAIRS_KEPT, REGULATION

Losses = dict[str, Fraction]
"""Play of the wager → its loss."""


def six_cards(way: int) -> Losses:
    """Return the required wager of six cards, if the dealer's house way were this one."""
    best, house_way = six_pairs.loss_if(way)
    return {"best setting": best, "house way": house_way}


def six_cards_with_ace_joker() -> Losses:
    """Return the losses of six cards if the joker of a flush were an ace also beside the ace."""
    OTHERWISE.flush_joker_is_an_ace = True
    return six_cards(REGULATION)


def seven_cards_with_ace_joker() -> Losses:
    """Return the required wager of seven cards under each house way, if the joker of a flush were an ace."""
    OTHERWISE.flush_joker_is_an_ace = True
    sums = count_terms(np.arange(JOKER_DECK), range(SEVEN_CARDS + 1))["sums"].sum(axis=0)
    holds = {}
    for place, way in enumerate(HOUSE_WAYS):
        won, lost = seven_pairs.compared(sums[place], SHEETS + place)[seven_pairs.ANSWERS]
        holds[f"{way} house way"] = Fraction(lost - won, DEALS)
    return holds


HOLDS: Final[dict[str, Callable[[], Losses]]] = {
    "house-way-sets": lambda: six_cards(PAIRS_DIVIDED),
    "house-way-order": lambda: six_cards(PAIRS_KEPT),
    "house-way-joker": lambda: six_cards(JOKER_KEPT),
    "flush-joker-six": six_cards_with_ace_joker,
    "flush-joker-seven": seven_cards_with_ace_joker,
}


def main() -> None:
    """Print those named, in percent; all that need no process of their own if none is."""
    for name in sys.argv[1:] or list(HOLDS)[:3]:
        for play, loss in HOLDS[name]().items():
            print(f"{name}: {float(100 * loss):.6f} %, {play}")


if __name__ == "__main__":
    main()
