"""Rounds dealt and settled card by card, in the order in which cards turn up and the player decides.

The independent test of `best_play`: it shares with it the encoding of cards, the ranking of hands, the numbering of
sets and the decisions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import FULL_DECK
from games.maths.compiled import kernel
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part
from games.maths.staged_raises.own_cards import OWN, OWN_CLASSES, own_class
from games.maths.staged_raises.turns.best_play import Decisions, EndCounts, FoldCounts
from games.maths.staged_raises.turns.form import Form, ResultTable
from games.maths.staged_raises.turns.sets import CHOOSE
from games.maths.streams import advance, below, start

Ints = NDArray[np.int64]
Columns = NDArray[np.int64]
"""`[stage, Antes raised before]` → the column of the stage's decisions."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds: `ended` and `folded` as `best_play` counts deals; `made[result]` of the best five cards,
    after any decision; `own[folded, class]` of three own cards of 52; and the cards of the last round, the player's
    first."""

    ended: EndCounts
    folded: FoldCounts
    made: Ints
    own: Ints
    last: tuple[int, ...]


def deal_rounds(form: Form, decisions: Decisions, stream: tuple[int, int, int]) -> DealtRounds:
    """Rounds of stream (seed, block, rounds) under the decisions."""
    results, most = form.hands.results(), max(form.totals)
    columns = np.zeros((len(form.stages), most + 1), np.int64)
    for (stage, before), column in form.columns().items():
        columns[stage, before] = column
    shapes = (
        (most + 1, int(results.max()) + 1),
        (len(form.stages), most + 1),
        int(results.max()) + 1,
        (2, len(OWN_CLASSES)),
    )
    ended, folded, made, own = (np.zeros(shape, np.int64) for shape in shapes)
    deck = np.arange(form.deck)
    _deal(
        *stream,
        deck,
        (form.own, form.cards, form.raises_once, form.own == OWN and form.deck == FULL_DECK),
        (form.hands.ranking().keys, results, LOW, HIGH, CHOOSE),
        (decisions, columns, np.array([stage.may_check for stage in form.stages])),
        (ended, folded, made, own),
    )
    return DealtRounds(ended, folded, made, own, tuple(int(card) for card in deck[: form.cards]))


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    form: tuple[int, int, bool, bool],
    tables: tuple[Ints, ResultTable, NDArray[np.int16], NDArray[np.int16], Ints],
    play: tuple[Decisions, Columns, NDArray[np.bool_]],
    tallies: tuple[EndCounts, FoldCounts, Ints, Ints],
) -> None:
    own, cards, raises_once, classed = form
    keys, result_of, low, high, choose = tables
    decisions, columns, may_check = play
    ended, folds, made, own_classes = tallies
    smaller = np.zeros(cards, np.int64)
    state = start(seed, block)
    for _ in range(rounds):
        for place in range(cards):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, len(deck) - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # one decision after another, each on the cards seen
        raised, done, folded = 0, False, False
        for seen in range(cards - 1):
            if done:
                break
            smaller[seen] = 0  # of the cards seen, how many are lower than this one
            for earlier in range(seen):
                higher = 1 if deck[seen] > deck[earlier] else 0
                smaller[seen] += higher
                smaller[earlier] += 1 - higher
            if seen + 1 < own:
                continue
            known = np.int64(0)  # the place of the set of cards seen
            for card in range(seen + 1):
                known += choose[deck[card], smaller[card] + 1]
            stage = seen + 1 - own
            size = decisions[stage][known, columns[stage, raised]]
            if size:
                raised += size
                done = raises_once
            elif not may_check[stage]:
                folds[stage, raised] += 1
                folded = done = True

        if classed:
            own_classes[1 if folded else 0, own_class(deck[0], deck[1], deck[2])] += 1

        # the best five of all cards
        key = 0
        for place in range(cards):
            key += keys[deck[place]]
        best = np.int64(0)
        if cards == 5:
            best = max(best, result_of[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
        else:
            for place in range(cards):
                five = key - keys[deck[place]]
                best = max(best, result_of[low[low_part(five)] + high[high_part(five)] + flush_part(five)])
        made[best] += 1
        if not folded:
            ended[raised, best] += 1
