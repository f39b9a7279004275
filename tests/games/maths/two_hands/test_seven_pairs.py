"""Seven cards against seven: all deals of a small deck one by one, and what the counts of the whole deck come to.

Not found here: a house way that `house_ways.toml` states wrongly, since the slow dealer reads the same lines.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from games.maths.cards import JOKER_DECK, names
from games.maths.ranking import forms
from games.maths.two_hands import setting, seven_pairs, seven_wagers
from games.maths.two_hands.pairs import suited_ranks
from games.maths.two_hands.ranking import high_table, low_table
from games.maths.two_hands.setting import HOUSE_WAYS, high_of, low_of
from games.maths.two_hands.seven_wagers import HANDS
from tests.games.maths.two_hands import dealer as slow_dealer
from tests.games.maths.two_hands import slow
from tests.games.maths.two_hands.arranged import Arranged, random_hands

pytestmark = pytest.mark.proof

Point = tuple[int, int]


def set_slowly(ranks: tuple[int, int], points: list[Point]) -> Point:
    """The setting that the slow dealer's line leaves, as numbers that compare as the hands do."""
    low = (1, ranks[:1]) if ranks[0] == ranks[1] else (0, ranks)
    return max(point for point in points if point[1] == slow.worth(low))


@pytest.mark.parametrize("ranks", ["A234", "TJQK"])
def test_all_deals_of_a_small_deck_end_as_set_slowly(ranks: str) -> None:
    """Seventeen cards: each of 19,448 hands against the 120 dealers of the cards that are left.

    Not found here: what only a deck of more than four ranks shows.
    """
    deck = sorted([slow.LETTERS.index(rank) * 4 + suit for rank in ranks for suit in range(4)] + [slow.JOKER])
    fives = {five: slow.high(five) for five in combinations(deck, 5)}
    hands = list(combinations(deck, 7))
    cards = np.array([sum(1 << card for card in hand) for hand in hands])
    settings: list[list[Point]] = []
    for hand in hands:
        every = [
            (fives[tuple(card for card in hand if card not in two)], slow.low(two)) for two in combinations(hand, 2)
        ]
        legal = [(five, two) for five, two in every if (five[0], five[1][: len(two[1])]) >= two]
        settings.append(list({(slow.worth(five), slow.worth(two)) for five, two in legal}))
    sums = seven_pairs.count_terms(np.array(deck), range(8))["sums"].sum(axis=0)
    for place, way in enumerate(HOUSE_WAYS):
        dealt = [
            set_slowly(slow_dealer.sets(hand, way)[1], points) for hand, points in zip(hands, settings, strict=True)
        ]
        dealers = np.array(dealt)
        won_lost = np.zeros((4, 2), np.int64)
        for points, held, own in zip(settings, cards, dealt, strict=True):
            against = dealers[cards & held == 0]
            plays = (points, [own], [max(points)], [max(points, key=lambda point: point[::-1])])
            for play, tried in enumerate(plays):
                beaten = (np.array(tried)[:, None] > against).sum(axis=2).max(axis=0)
                won_lost[play] += int((beaten == 2).sum()), int((beaten == 0).sum())
        assert seven_pairs.compared(sums[place], seven_pairs.SHEETS + place) == tuple(map(tuple, won_lost.tolist()))


def test_suited_hands_are_set_as_slow_readers_set_them() -> None:
    known, met = seven_pairs.all_hands(), 0
    for seven in random_hands(900, seed=77):
        suits = [card % 4 for card in seven if card != slow.JOKER]
        if max(map(suits.count, suits)) + (slow.JOKER in seven) < 5:
            continue
        met += 1
        ranks, beside = suited_ranks(np.array(seven))
        number = len(forms(7).ranks) + int(seven_pairs.suited_places()[ranks]) + beside
        settings = Arranged(seven)
        pairs = {(int(high), int(low)) for high, low in zip(settings.highs, settings.lows, strict=True) if high >= low}
        best = {one for one in pairs if not any(two != one and two[0] >= one[0] and two[1] >= one[1] for two in pairs)}
        highs, lows = np.unique(high_table()), np.unique(low_table())
        shown = [int(code) for code in known.fronts[number] if code]
        assert [(highs[high_of(code)], lows[low_of(code)]) for code in shown] == sorted(best, reverse=True), names(
            seven
        )
        for place, way in enumerate(HOUSE_WAYS):
            line, (first, second) = slow_dealer.sets(seven, way)
            code = int(known.codes[place, number])
            assert lows[low_of(code)] == low_table()[first, second], names(seven)
            assert list(slow_dealer.WAYS[way])[known.lines[place, number]] == line
            assert highs[high_of(code)] == max(high for high, low in pairs if low == lows[low_of(code)])
    assert met > 80


def test_no_front_is_cut_off() -> None:
    """The last place of a row is empty, with a flush and without."""
    assert setting.form_tables().fronts[:, -1].max() == 0
    assert seven_pairs.all_hands().fronts[:, -1].max() == 0


@pytest.mark.parametrize("way", HOUSE_WAYS)
def test_every_deal_of_the_whole_deck_is_counted_once(way: str) -> None:
    ends, deals = seven_pairs.count_deals(way), seven_wagers.count_ace_high()
    assert ends.pushes == deals.both + deals.dealer_with_joker + deals.dealer_no_joker
    assert sum(ends.lines) == HANDS
    for won, lost in ends.settled:
        assert 0 < won < lost < deals.not_dealer
    assert comb(53, 7) * comb(46, 7) == seven_wagers.DEALS
    assert ends.settled[seven_pairs.ANSWERS][0] == max(won for won, _ in ends.settled)
    assert ends.settled[seven_pairs.ANSWERS][1] == min(lost for _, lost in ends.settled)


def test_terms_shipped_are_those_that_the_program_counts() -> None:
    """The term of no shared card, for which all 154,143,080 hands are met, and the one of seven.

    Not found here: a wrong term of one to six shared cards.
    """
    shipped = seven_pairs.shipped()
    assert shipped is not None
    counted = seven_pairs.count_terms(np.arange(JOKER_DECK), (0, 7))
    assert counted["sums"].tolist() == [shipped["sums"][0].tolist(), shipped["sums"][7].tolist()]
    assert counted["lines"].tolist() == shipped["lines"].tolist()


def test_terms_of_other_rules_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seven_pairs, "rule_table", lambda way: np.zeros((1, 8), np.int64))
    assert seven_pairs.shipped() is None
