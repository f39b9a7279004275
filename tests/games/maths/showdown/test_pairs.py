"""A strategy that pairs decide in words: they follow the decisions, and are silent where other words are needed.

Not found here: a wrong ranking of hands, which the strategies and the words share; an error that only another deck than
these two shows.
"""

from __future__ import annotations

import numpy as np
import pytest

from games.maths import hands
from games.maths.showdown.deck import DEUCES_AND_JOKER, FULL, NO_CARD
from games.maths.showdown.five_counts import against_five
from games.maths.showdown.required import pair_choices, pairs_decide
from games.maths.showdown.strategy import Strategy

pytestmark = pytest.mark.proof

WORDS = ("Fold", "Raise")
PAIR = 1


def strategy(deck, rank, beside):
    """Raises a pair of the rank without the card beside it, and all better hands."""
    against = against_five(deck, deck.classes)

    def raises(strength):
        if strength[:2] == (PAIR, rank):
            return beside not in strength[2:]
        return strength >= (PAIR, rank)

    by_value = {value: raises(strength) for value, strength in against.order.strengths.items()}
    return Strategy(against, np.array([by_value[value] for value in against.values.tolist()], np.int8))


@pytest.mark.parametrize(
    ("deck", "rank", "beside", "raised", "folded"),
    [
        (
            DEUCES_AND_JOKER, 2, 1,
            "A pair of 4s without a 3, a pair of 5s or better; so every hand with a wild card",
            "No pair, a pair of 3s, or a pair of 4s with a 3",
        ),
        (
            FULL, 5, 12,
            "A pair of 7s without an ace, a pair of 8s or better",
            "No pair, a pair of 6s or lower, or a pair of 7s with an ace",
        ),
        (FULL, 0, 6, "A pair of 2s without an 8, a pair of 3s or better", "No pair, or a pair of 2s with an 8"),
    ],
)  # fmt: skip
def test_sentences_follow_the_decisions(deck, rank, beside, raised, folded):
    plan = strategy(deck, rank, beside)
    choices = {choice.decision: choice for choice in pair_choices(plan, WORDS)}
    assert (choices["Raise"].when, choices["Fold"].when) == (raised, folded)
    share = sum(int(plan.against.hands.sizes[place]) for place in np.flatnonzero(plan.decisions))
    assert choices["Raise"].frequency == 1 - choices["Fold"].frequency
    assert choices["Raise"].frequency * deck.hands == share


def test_wild_cards_are_named_only_if_all_of_their_hands_are_raised():
    plan = strategy(DEUCES_AND_JOKER, 8, 6)  # a wild card with 9-7-5-3 is folded
    assert pair_choices(plan, WORDS)[0].when == "A pair of 10s without an 8, a pair of jacks or better"
    with_wild = (plan.against.hands.cards == NO_CARD).any(axis=1)
    assert not plan.decisions[with_wild].all()


def test_other_strategies_are_left_to_the_order_of_the_hands():
    assert pair_choices(strategy(FULL, 5, -1), WORDS) == ()  # a plain cut needs no card beside the pair
    against = against_five(FULL, hands.STANDARD)
    everything = Strategy(against, np.ones(len(against.values), np.int8))
    assert not pairs_decide(everything)
    by_suit = strategy(FULL, 5, 12)
    mixed = by_suit.decisions.copy()
    mixed[np.flatnonzero(mixed)[0]] = 0
    assert not pairs_decide(Strategy(against, mixed))
