"""The count over all pairs of hands against dealing every dealer's hand, and against what symmetry demands."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from games.chapters.ch687a_dj_wild_stud_poker.play import CLASSES
from games.compiled import kernel
from games.maths.cards import DEUCE
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, with_wilds
from games.maths.showdown.deck import DEUCES_AND_JOKER, LOSE, SHORT, TIE, WIN, groups_of
from games.maths.showdown.five_counts import REPLACEMENTS, against_five, count_hands
from games.maths.showdown.parts import Ending
from games.maths.showdown.strategy import Strategy, best_decisions

DJ = with_wilds(CLASSES, DEUCE, True)
HANDS = comb(53, 5)


@pytest.fixture(scope="module")
def against():
    return against_five(DEUCES_AND_JOKER, CLASSES)


def raised(against):
    """Pairs of hands by result and class where nobody folds."""
    groups = groups_of(against.order, (), by_class=True)
    counts = Strategy(against, np.ones(len(against.values), np.int8)).pair_counts(groups)[1]
    assert [strength[0] for strength in groups.strengths] == list(range(len(CLASSES)))
    return counts


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


@pytest.mark.proof
@pytest.mark.parametrize("name", ["Royal Flush", "Five-of-a-Kind"])
def test_pairs_are_those_of_dealing_every_hand(name, against):
    """Not found here: a wrong ranking, which both sides use; hands of other classes than these two."""
    results, place = np.zeros(3, np.int64), CLASSES.index(name)
    _every_pair(place, DJ.keys, DJ.values, LOW, HIGH, results)
    pairs = raised(against)
    assert results.tolist() == [pairs[result, place] for result in (WIN, TIE, LOSE)]


def test_neither_side_wins_more_often_where_nobody_folds(against):
    pairs = raised(against)
    assert pairs[SHORT].sum() == 0
    assert pairs[WIN].sum() == pairs[LOSE].sum()
    assert pairs.sum() == against.cycle == comb(53, 5) * comb(48, 5)


def test_every_hand_is_counted_once_by_its_value(against):
    strategy = Strategy(against, np.ones(len(against.values), np.int8))
    assert strategy.value_counts.sum() == HANDS
    assert not strategy.value_counts[0].any()


def test_only_hands_that_cannot_lose_are_raised_where_raising_can_win_nothing(against):
    groups = groups_of(against.order, (), by_class=True)
    fold, lose = (Ending("", Fraction(net), Fraction(1), "", "") for net in (0, -1))
    ends = tuple(
        tuple((end,) * len(CLASSES) for end in by_result) for by_result in ((fold,) * 4, (fold, fold, lose, fold))
    )
    strategy = Strategy(against, *best_decisions(against, groups, ends, np.ones(against.order.size, np.int64)))
    folded, hands = strategy.value_counts
    assert {CLASSES[class_of(value)]: hands[value] for value in np.nonzero(hands)[0]} == {
        "Five Wilds": 1,
        "Royal Flush": 1_000,  # five wilds can beat a natural royal, no other
    }
    assert [CLASSES[class_of(value)] for value in np.nonzero(folded * hands)[0]] == ["Royal Flush"]


def test_replaced_jokers_leave_the_classes_of_a_plain_deck(against):
    strategy = Strategy(against, np.ones(len(against.values), np.int8))
    dealt = count_hands(DEUCES_AND_JOKER, CLASSES, strategy)
    known = np.array([1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4])
    assert (dealt.replaced.sum(axis=0) * comb(52, 5) == known * HANDS * REPLACEMENTS).all()
    assert dealt.by_kind.sum() == HANDS
