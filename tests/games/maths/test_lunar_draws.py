"""Chapter 589, rounds with a draw or a forced dealer: counted by ranks, against every round of small decks dealt."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest

from games.chapters.ch589_lunar_poker.play import GAME
from games.maths.cards import ACE, RANKS
from games.maths.exchange import drawn
from games.maths.exchange.drawn import count_drawn
from games.maths.exchange.required import round_counts, starts_by_draw
from games.maths.exchange.rules import FORCED
from games.maths.export import digits_of, to_json
from games.runs.engine import analyze
from tests.games.lazy import lazy_chapter
from tests.games.maths.brute_lunar_poker import rounds_from

LUNAR = lazy_chapter("589")


def places(names):
    return [RANKS.index(name) for name in names]


@pytest.mark.proof
@pytest.mark.parametrize(
    ("deck", "hand", "up", "draws"),
    [
        ("3456JKA", "333KA", "5", {1}),  # a sixth card beside three-of-a-kind with ace-king
        ("2457TQK", "22247", "5", {2}),  # three-of-a-kind: two exchanged
        ("23457QA", "A2347", "Q", {1}),  # straights and flushes one card short
        ("358TJQK", "55TTT", "8", {1}),  # full house
        ("23579J", "22359", "7", {1, 3}),  # a pair; a flush one card short
        ("2469TK", "2469K", "9", {1, 4}),
        ("2468TQA", "6666T", "2", {0}),  # four-of-a-kind forces the dealer at once
    ],
)
def test_counts_of_a_small_deck_are_those_of_all_its_rounds(deck, hand, up, draws):
    """All deals of five ranks; of those that differ by a renaming of the suits but clubs, one for all.

    Not found here: what only a deck of more ranks shows.
    """
    terms, present, up_rank = GAME.terms(LUNAR), places(deck), RANKS.index(up)
    own = np.bincount(places(hand), minlength=13)
    found = count_drawn(terms, (up_rank,), present, (own,))
    cards = [4 * rank + suit for rank in present for suit in range(4)]
    slow = np.zeros_like(found)
    for start, weight in starts(own, 4 * up_rank).items():
        slow += weight * rounds_from(terms, [start], 4 * up_rank, cards)
    assert (found == slow).all()
    assert {number for number in range(5) if found[number].any()} == draws
    assert found[:, FORCED].any() or found[:, [way + 8 for way in FORCED]].any()


def starts(own, up):
    """One deal of these ranks for all that a renaming of the suits but clubs makes of it → how many they are."""
    chosen = [[]]
    for rank in np.flatnonzero(own):
        some = combinations(range(4 * rank, 4 * rank + 4), own[rank])
        chosen = [[*before, *cards] for cards in some for before in chosen] if own[rank] else chosen
    orbits = {}
    for cards in chosen:
        suits = [tuple(card >> 2 for card in sorted(cards) if card & 3 == suit) for suit in range(4)]
        key = suits[0], tuple(sorted(suits[1:]))
        orbits.setdefault(key, []).append(tuple(sorted(cards)))
    return {alike[0]: len(alike) for alike in orbits.values() if up not in alike[0]}


def test_counts_shipped_are_all_rounds():
    terms = GAME.terms(LUNAR)
    known = drawn.shipped(terms)
    ends = sum(known.values())
    assert (ends >= 0).all()
    for number, begun in starts_by_draw(round_counts(terms).no_draw).items():
        assert int(ends[number].sum()) == begun * comb(46, number) * comb(46 - number, 4) * (42 - number)
    assert sum(round_counts(terms).chance(np.sum) for _ in range(1)) == 1


@pytest.mark.proof
def test_counts_shipped_are_those_that_the_program_counts():
    """Behind an ace: one of thirteen up cards, a fiftieth of the work, since no high card is kept against it.

    Not found here: a wrong count behind one of the other twelve.
    """
    terms = GAME.terms(LUNAR)
    assert (count_drawn(terms, (ACE,)) == drawn.shipped(terms)[ACE]).all()


def test_counts_of_other_rules_are_not_used():
    terms = GAME.terms(LUNAR)
    assert drawn.shipped(replace(terms, odds=(*terms.odds[:-1], 99))) is None
    assert drawn.shipped(replace(terms, stakes=replace(terms.stakes, bet=3))) is None


def test_required_wager_is_exact():
    for paytable in "ABCDEFGH":
        ante = analyze(LUNAR, None).of("ante", f"Paytable {paytable}")
        assert ante.method == "exact"
        assert ante.standard_error is None
        assert sum(row.probability for row in ante.outcomes) == 1


@pytest.mark.parametrize(("error", "digits"), [(0.000062, 2), (0.0001, 2), (0.000101, 1), (0.03, 0), (0.5, 0)])
def test_an_estimate_shows_no_digit_below_its_error(error, digits):
    """Of 0.0062 %, 0.01 %, 0.0101 %, 3 %, 50 %."""
    analysis = analyze(LUNAR, None)
    ante = replace(analysis.of("ante", "Paytable A"), method="estimate", standard_error=error)
    assert digits_of(ante) == digits
    assert digits_of(ante, wagered=10) == max(0, digits - 1)
    (shown,) = to_json(replace(analysis, wagers=(ante,)))["wagers"]
    assert shown["hold_pct"] == round(shown["hold_pct"], digits)
    assert shown["loss_per_ante_pct"] == round(shown["loss_per_ante_pct"], digits)
