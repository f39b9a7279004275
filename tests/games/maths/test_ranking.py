"""The tables against a slow evaluator: every different hand of 52 cards, and hands with wilds."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain, combinations, combinations_with_replacement

import numpy as np
import pytest

from games.chapters.ch687a_dj_wild_stud_poker.play import CLASSES
from games.compiled import kernel
from games.maths.cards import DEUCE, cards
from games.maths.hands import STANDARD
from games.maths.ranking import HANDS, HIGH, LOW, class_of, flush_part, high_part, low_part, standard, with_wilds
from tests.games.maths.slow_hands import FACES, SUITS, WILD_CARDS, number, worth, worth_with_wilds

DJ = with_wilds(CLASSES, DEUCE, True)


@kernel
def _classes(deck, keys, values, low, high, counts):
    for a in range(deck):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = keys[a] + keys[b] + keys[c] + keys[d]
                    for e in range(d):
                        key = four + keys[e]
                        counts[class_of(values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])] += 1


def _counts(deck, ranking):
    counts = np.zeros(len(ranking.classes), np.int64)
    _classes(deck, ranking.keys, ranking.values, LOW, HIGH, counts)
    return dict(zip(ranking.classes, counts.tolist(), strict=True))


def test_classes_of_52_cards_are_the_known_counts():
    known = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)
    assert _counts(52, standard()) == dict(zip(STANDARD, known, strict=True))


def test_classes_of_53_cards_with_wilds_add_up_and_hold_what_can_be_counted_by_hand():
    counts = _counts(53, DJ)
    assert sum(counts.values()) == 2_869_685
    assert counts["Five Wilds"] == 1
    # Royal: five of its ranks in one of four suits, each card itself or one of five wilds; not all five wild.
    assert counts["Royal Flush"] == 4 * (1 + 5 * 5 + 10 * 10 + 10 * 10) + 4 * 5 * 5
    assert counts["Five-of-a-Kind"] == 12 * (5 + 4 * 10 + 6 * 10) + 7 * 4 * 5  # four wilds with ten to ace: a royal


def _every_different_hand():
    """One hand of each kind that differs from the others: 6,175 rank multisets, 1,287 of them in one suit too."""
    for ranks in combinations_with_replacement(FACES, 5):
        if len(set(ranks)) == 1:
            continue
        used: Counter[str] = Counter()
        hand = []
        for rank in ranks:
            hand.append(rank + SUITS[used[rank]])
            used[rank] += 1
        if len(used) == 5:
            yield [rank + "c" for rank in ranks]
            hand[-1] = hand[-1][0] + "d"
        yield hand


def test_every_different_hand_stands_where_the_slow_evaluator_puts_it():
    fast = {}
    for hand in _every_different_hand():
        slow = worth(hand, STANDARD)
        value = standard().value([number(card) for card in hand])
        assert class_of(value) == slow[0], hand
        fast[value] = slow
    assert len(fast) == 7_462
    in_order = [fast[value] for value in sorted(fast)]
    assert in_order == sorted(in_order)


@pytest.mark.proof
def test_all_hands_of_52_cards_stand_where_the_slow_evaluator_puts_them():
    """Not found here: an error in a hand with wilds."""
    pack = [face + suit for face in FACES for suit in SUITS]  # in the order of the cards' numbers
    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int64).reshape(-1, 5)
    keys = standard().keys[hands].sum(axis=1)
    fast = standard().values[LOW[low_part(keys)] + HIGH[high_part(keys)] + HANDS * (suits_of(hands) == 1)]
    found = {}
    for value, hand in zip(fast.tolist(), hands.tolist(), strict=True):
        slow = worth([pack[card] for card in hand], STANDARD)
        assert found.setdefault(value, slow) == slow, hand
    assert len(hands) == 2_598_960
    assert [found[value] for value in sorted(found)] == sorted(found.values())


def suits_of(hands):
    """How many suits each hand has."""
    return (np.diff(np.sort(hands % 4, axis=1), axis=1) > 0).sum(axis=1) + 1


@pytest.mark.parametrize(("wilds", "hands"), [(0, 400), (1, 400), (2, 60), (3, 6), (5, 1)])
def test_hands_with_wilds_compare_as_the_slow_evaluator_says(wilds, hands):
    draw = random.Random(wilds)
    plain = [face + suit for face in FACES[1:] for suit in SUITS]
    seen = []
    for _ in range(hands):
        suit = draw.choice(SUITS)
        pool = draw.choice((plain, [card for card in plain if card[1] == suit], plain[:16], plain[-20:]))
        own = draw.sample(pool, 5 - wilds)
        seen.append((worth_with_wilds(own, wilds, CLASSES), DJ.value([*map(number, own), *WILD_CARDS[:wilds]])))
    for (slow, fast), (other_slow, other_fast) in combinations(seen, 2):
        assert (slow < other_slow, slow == other_slow) == (fast < other_fast, fast == other_fast)
    assert all(class_of(fast) == slow[0] for slow, fast in seen)


def test_four_wilds_make_a_royal_flush_from_ten_up_and_five_of_a_kind_below():
    for rank in FACES[1:]:
        expected = "Royal Flush" if rank in "TJQKA" else "Five-of-a-Kind"
        assert DJ.class_name(cards(f"{rank}s 2c 2d 2h Jk")) == expected


def test_five_of_a_kind_ranks_between_royal_and_straight_flush():
    five_wilds, royal = DJ.value(cards("2c 2d 2h 2s Jk")), DJ.value(cards("As Ks Qs Js Ts"))
    five, straight_flush = DJ.value(cards("3s 3c 3d 3h Jk")), DJ.value(cards("Ks Qs Js Ts 9s"))
    assert five_wilds > royal > five > straight_flush


def test_ace_low_straight_is_the_lowest_in_both_rankings():
    assert standard().value(cards("As 2d 3c 4h 5s")) < standard().value(cards("2s 3d 4c 5h 6s"))
    assert DJ.value(cards("As 2d 3c 4h 5s")) > standard().value(cards("As Kd 3c 4h 5s"))
    assert standard().class_name(cards("Qs Kd Ac 2h 3s")) == "High Card"


def test_wild_in_a_flush_is_the_highest_rank_missing():
    with_wild, plain = DJ.value(cards("As 9s 7s 4s Jk")), DJ.value(cards("Ad Kd 9d 7d 4d"))
    assert with_wild == plain


def test_hands_that_cannot_be_have_no_value():
    values = standard().values
    assert (values == -1).sum() == 2 * HANDS - 6_175 - 1_287
