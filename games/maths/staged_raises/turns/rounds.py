"""Rounds dealt and settled card by card, in the order in which cards turn up and the player decides.

The independent test of `best_play`: it shares with it the encoding of cards, the ranking of hands, the numbering of
sets and the decisions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.cards import FULL_DECK
from games.maths.ranking import HIGH, LOW, WILD, card_key, flush_part, forms, high_part, low_part
from games.maths.staged_raises.paid_hands import OWN, OWN_CLASSES, own_class
from games.maths.staged_raises.turns.best_play import CHOOSE, PASS, Decisions, EndCounts, FoldCounts
from games.maths.staged_raises.turns.form import Form, ResultTable
from games.streams import advance, below, start

Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
Columns = NDArray[np.int64]
"""`[stage, Antes raised before]` → the column of the stage's decisions."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the cards of the last round, the player's first.

    `ended` and `folded` as `best_play` counts deals; `made[result]` of the best five cards, after any decision;
    `own[folded, class]` of three own cards of 52.
    """

    ended: EndCounts
    folded: FoldCounts
    made: Ints
    own: Ints
    last: tuple[int, ...]


def deal_rounds(form: Form, decisions: Decisions, stream: tuple[int, int, int]) -> DealtRounds:
    """Return the rounds of stream (seed, block, rounds) under the decisions."""
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
    options = np.zeros((len(form.stages), 1 + max(len(stage.raises) for stage in form.stages)), np.int64)
    for stage, at_stage in enumerate(form.stages):
        options[stage, 1 : 1 + len(at_stage.raises)] = at_stage.raises
    packed = [pack(taken, (PASS, *at_stage.raises)) for taken, at_stage in zip(decisions, form.stages, strict=True)]
    widths = np.array([taken.shape[1] for taken in decisions])
    _deal(
        *stream,
        deck,
        (form.own, form.cards, form.raises_once, form.own == OWN and form.deck == FULL_DECK),
        (form.hands.ranking().keys, results, LOW, HIGH, CHOOSE),
        _by_ranks(form),
        (tuple(bits for bits, _ in packed), np.array([size for _, size in packed]), widths, options),
        (columns, np.array([stage.may_check for stage in form.stages])),
        (ended, folded, made, own),
    )
    return DealtRounds(ended, folded, made, own, tuple(int(card) for card in deck[: form.cards]))


def pack(taken: NDArray[np.int8], options: Sequence[int]) -> tuple[Bits, int]:
    """Return the decisions of a stage in as few bits as their number needs, and the bits of each.

    2.6 million bytes would not fit into a core's own cache, where looking them up takes a tenth of the time.
    """
    size = next(size for size in (1, 2, 4, 8) if len(options) <= 1 << size)
    place = np.zeros(max(options) + 1, np.uint8)
    place[list(options)] = np.arange(len(options))
    together = 8 // size
    places = np.zeros(-(-taken.size // together) * together, np.uint8)
    places[: taken.size] = place[taken.ravel()]
    bits = np.zeros(len(places) // together, np.uint8)
    for part in range(together):
        bits |= places[part::together] << np.uint8(size * part)
    return bits, size


@cache
def _by_ranks(form: Form) -> tuple[NDArray[np.int32], NDArray[np.int32], ResultTable]:
    """Return two tables that number the ranks of the cards, and the result by number where no flush is possible."""
    results = form.hands.results()
    if form.cards == 5:
        return LOW.astype(np.int32), HIGH.astype(np.int32), results
    numbers = forms(form.cards)
    keys = np.array([card_key(rank, 0) for rank in range(WILD + 1)])[numbers.ranks]
    fives = keys.sum(axis=1, keepdims=True) - keys  # each without one of the cards
    hand = LOW[low_part(fives)].astype(np.int64) + HIGH[high_part(fives)]
    return numbers.low, numbers.high, results[hand].max(axis=1)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    form: tuple[int, int, bool, bool],
    tables: tuple[Ints, ResultTable, NDArray[np.int16], NDArray[np.int16], Ints],
    by_ranks: tuple[NDArray[np.int32], NDArray[np.int32], ResultTable],
    play: tuple[tuple[Bits, ...], Ints, Ints, Ints],
    stages: tuple[Columns, NDArray[np.bool_]],
    tallies: tuple[EndCounts, FoldCounts, Ints, Ints],
) -> None:
    own, cards, raises_once, classed = form
    keys, result_of, low, high, choose = tables
    low_ranks, high_ranks, result_by_ranks = by_ranks
    packed, sizes, widths, options = play
    columns, may_check = stages
    ended, folds, made, own_classes = tallies
    seen = np.zeros(cards, np.int64)  # the cards that the player sees, rising
    state = start(seed, block)
    for _ in range(rounds):
        key = 0
        for place in range(cards):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, len(deck) - place)
            deck[place], deck[pick] = deck[pick], deck[place]
            key += keys[deck[place]]

        # one decision after another, each on the cards seen
        raised, folded = 0, False
        for last in range(cards - 1):
            card, known = deck[last], np.int64(0)  # `known` becomes the place of the set of cards seen
            for place in range(last):
                lower, card = min(seen[place], card), max(seen[place], card)
                seen[place] = lower
                known += choose[lower, place + 1]
            seen[last] = card
            known += choose[card, last + 1]
            if last + 1 < own:
                continue
            stage = last + 1 - own
            first_bit = (known * widths[stage] + columns[stage, raised]) * sizes[stage]
            option = packed[stage][first_bit >> 3] >> (first_bit & 7) & ((1 << sizes[stage]) - 1)
            size = options[stage, option]
            if size:
                raised += size
                if raises_once:
                    break
            elif not may_check[stage]:
                folds[stage, raised] += 1
                folded = True
                break

        if classed:
            own_classes[1 if folded else 0, own_class(deck[0], deck[1], deck[2])] += 1

        # the best five of all cards: by their ranks, unless five are of a suit
        best = result_by_ranks[low_ranks[low_part(key)] + high_ranks[high_part(key)]]
        if flush_part(key):
            for place in range(cards if cards > 5 else 1):  # each five of six cards, or all of five
                five = key - keys[deck[place]] if cards > 5 else key
                best = max(best, result_of[low[low_part(five)] + high[high_part(five)] + flush_part(five)])
        made[best] += 1
        if not folded:
            ended[raised, best] += 1
