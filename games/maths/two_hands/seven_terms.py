"""`python -m games.maths.two_hands.seven_terms`: count all deals of seven cards a side, and ship the terms.

Some minutes of one core. To be run when a house way or the ranking of hands changes: until then `seven_pairs` refuses
the old terms and counts by itself. Not here: the counting (`seven_pairs`).
"""

import json

import numpy as np

from games.maths.cards import JOKER_DECK
from games.maths.two_hands.setting import SEVEN_CARDS
from games.maths.two_hands.seven_pairs import SHIPPED, count_terms, rules_digest


def main() -> None:
    """Write the file beside `seven_pairs`."""
    terms = count_terms(np.arange(JOKER_DECK), range(SEVEN_CARDS + 1))
    content = {"rules": rules_digest()} | {name: array.tolist() for name, array in terms.items()}
    SHIPPED.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
