"""The count over all pairs of hands against dealing every dealer's hand, and against what symmetry demands."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from games.chapters.ch687a_dj_wild_stud_poker.play import CLASSES
from games.maths.compiled import kernel
from games.maths.raise_or_fold.exact import DEALER_HANDS, FOLD, LOSE, PAIRS, TIE, WIN, best_play
from games.maths.raise_or_fold.hand_counts import HANDS, REPLACED_HANDS, count_hands
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard, wild_deuces

DJ = wild_deuces(CLASSES)
NEVER_FOLD = -(10**6)


@pytest.fixture(scope="module")
def always_raised():
    return best_play(DJ, np.zeros(len(CLASSES), np.int64), lose=-1, fold=NEVER_FOLD)


@kernel
def _every_pair(wanted, keys, values, low, high, results):
    """Deal every hand of the class `wanted` against every hand of the dealer's."""
    deck = np.zeros(48, np.int64)
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
                        own = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                        if class_of(own) != wanted:
                            continue
                        left = 0
                        for card in range(53):
                            if card not in (a, b, c, d, e):
                                deck[left] = keys[card]
                                left += 1
                        for f in range(48):
                            for g in range(f):
                                for h in range(g):
                                    four = deck[f] + deck[g] + deck[h]
                                    for i in range(h):
                                        for j in range(i):
                                            key = four + deck[i] + deck[j]
                                            dealer = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                                            results[0 if own > dealer else 1 if own == dealer else 2] += 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Royal Flush", "Five-of-a-Kind"])
def test_pairs_are_those_of_dealing_every_hand(name, always_raised):
    results, place = np.zeros(3, np.int64), CLASSES.index(name)
    _every_pair(place, DJ.keys, DJ.values, LOW, HIGH, results)
    pairs = always_raised.pairs(always_raised.folds)
    assert results.tolist() == [pairs[result, place] for result in (WIN, TIE, LOSE)]


def test_neither_side_wins_more_often_where_nobody_folds(always_raised):
    pairs = always_raised.pairs(always_raised.folds)
    assert pairs[FOLD].sum() == 0
    assert pairs[WIN].sum() == pairs[LOSE].sum()
    assert pairs.sum() == PAIRS == comb(53, 5) * DEALER_HANDS


def test_every_hand_is_counted_once_by_its_value(always_raised):
    assert always_raised.raised.sum() == HANDS
    assert not always_raised.folds.any()


def test_only_hands_that_cannot_lose_are_raised_where_raising_can_win_nothing():
    best = best_play(DJ, np.zeros(len(CLASSES), np.int64), lose=-1, fold=0)
    raised = {CLASSES[class_of(value)]: best.raised[value] for value in np.nonzero(best.raised)[0]}
    assert raised == {"Five Wilds": 1, "Royal Flush": 1_000}  # five wilds can beat a natural royal, no other
    with pytest.raises(ValueError, match="hands of the same value are raised and folded"):
        assert best.folds.any()


def test_replaced_jokers_leave_the_classes_of_a_plain_deck(always_raised):
    dealt = count_hands(DJ, standard(), always_raised.folds)
    known = np.array([1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4])
    assert (dealt.replaced.sum(axis=0) * comb(52, 5) == known * REPLACED_HANDS).all()
    assert dealt.hands.sum() == HANDS
