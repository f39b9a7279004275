"""Holds by the other reading of payout notes: against the figures that the readings state, and slow plain counts.

Not found here: a wrong hold that a reading copied from this computation; a wrong recorded hold, which is compared only
with the words of its reading.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from importlib import import_module
from itertools import combinations, product
from math import comb

import pytest

from games import registry
from games.maths import hands
from games.maths.hands import three_card_class, three_card_hands
from games.maths.results import WagerAnalysis
from games.rules.errata import NO_HOLDS
from games.runs.engine import analyze
from games.runs.errata import HoldChange, hold_changes, other_readings

pytestmark = pytest.mark.proof


def holds(reading: str) -> list[HoldChange]:
    number = reading.partition(".")[0]
    return list(hold_changes(registry.chapter(number), registry.errata(number).note(reading)))


def otherwise(reading: str, digits: int) -> list[float]:
    return [round(hold.otherwise_pct, digits) for hold in holds(reading)]


def test_every_payout_note_has_both_holds_or_a_stated_reason() -> None:
    notes = {note.reading: note for number in registry.folders() for note in registry.errata(number).notes}
    payout = {key: note for key, note in notes.items() if note.effect == "payout"}
    without = {key: note.no_hold for key, note in payout.items() if not note.states_holds}
    assert len(payout) > len(without) > 0
    assert {key: reason for key, reason in without.items() if reason not in NO_HOLDS} == {}
    assert [key for key in without if not payout[key].hold_not_computed.endswith(".")] == []


def test_other_readings_are_those_of_the_notes_that_need_them() -> None:
    computed = {reading for number in registry.folders() for reading in other_readings(number)}
    notes = (note for number in registry.folders() for note in registry.errata(number).notes)
    assert {note.reading for note in notes if note.by_play} == computed


@pytest.mark.parametrize(
    ("reading", "digits", "stated"),
    [
        ("588.identical-hands", 2, [10.13]),
        ("589.super-ace-king", 1, [8.1, 9.7, 10.2]),
        ("589.super-ace-king-with-a-pair", 1, [-48.8, -38.9, -46.7]),
        ("688a.ace-high-push-first", 2, [-3.85, -4.02]),
    ],
)
def test_hold_by_the_other_reading_is_the_one_that_the_reading_states(
    reading: str, digits: int, stated: list[float]
) -> None:
    number = reading.partition(".")[0]
    (text,) = (row.reading for row in registry.chapter(number).readings if row.id == reading)
    assert otherwise(reading, digits) == stated
    assert [f"{abs(hold)}" in text for hold in stated] == [True] * len(stated)


@pytest.mark.parametrize(
    ("reading", "evidence"),
    [
        ("678a.ace-low", "14.28 to 20.51"),
        ("682a.aces-bonus-four-cards", "46 to 56"),
        ("678a.straight-flush-bonus-amended", "6.636210"),
        ("678a.flush-bonus-amended", "4.79"),
        ("682a.all-six-low-ace", "8.67 and 20.20"),
        ("683a.ace-low-straight", "9.67"),
    ],
)
def test_evidence_of_a_reading_has_the_holds_by_the_other_one(reading: str, evidence: str) -> None:
    number = reading.partition(".")[0]
    (row,) = (row for row in registry.chapter(number).readings if row.id == reading)
    assert evidence in row.evidence
    for figure in evidence.replace(" to ", " and ").split(" and "):
        digits = len(figure.partition(".")[2])
        assert f"{float(figure):.{digits}f}" in {f"{hold.otherwise_pct:.{digits}f}" for hold in holds(reading)}


def test_best_play_of_flop_poker_folds_no_hand_that_the_bonus_pays() -> None:
    """So that 583.bonus-after-a-fold changes no hold, and its effect is procedure: every hand folded has no pair."""
    chapter = registry.chapter("583")
    required = import_module("games.chapters.ch583_flop_poker.play").GAME.required
    plays = required.plays(chapter.paytable("flop", "Paytable"))
    folded = [hand for hand, taken in zip(three_card_hands(), plays, strict=True) if not taken]
    assert folded
    assert {three_card_class(hand) for hand in folded} == {hands.HIGH_CARD}
    assert registry.errata("583").note("583.bonus-after-a-fold").effect == "procedure"


def test_rate_of_progression_changes_the_return_in_the_long_run() -> None:
    """The paybacks that the notes on Paytables 6 and 7 state: 75.349 at 45 percent, 75.701 at 45.5 percent."""
    for paytable, as_read, published in ((6, 47.349, 75.349), (7, 56.201, 75.701)):
        (hold,) = holds(f"688a.rate-paytable-{paytable}")
        assert hold.per == "wager, in the long run"
        assert (round(100 - hold.as_read_pct, 3), round(100 - hold.otherwise_pct, 3)) == (as_read, published)


def test_recorded_holds_are_those_that_the_reading_states() -> None:
    recorded = {
        note.reading: note.recorded
        for number in registry.folders()
        for note in registry.errata(number).notes
        if note.recorded
    }
    assert set(recorded) >= {"588.house-way-sets", "688a.joker-of-a-flush"}
    for reading, rows in recorded.items():
        (text,) = (row.reading for row in registry.chapter(reading.partition(".")[0]).readings if row.id == reading)
        assert [f"{row.otherwise} instead of {row.as_read} percent" in text for row in rows] == [True] * len(rows)


def test_ace_that_counts_11_takes_a_dealer_above_21_with_a_third_card() -> None:
    """Bust It, from every three ranks of a shoe of eight decks without 10s: 32 cards of each rank, twelve ranks."""
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]
    nets = {6: 15, 7: 10, 8: 8, 9: 6, 10: 3}
    more = Fraction(0)
    for first, second, third in product(range(12), repeat=3):
        drawn = Counter[int]()
        chance = Fraction(1)
        for place, rank in enumerate((first, second, third)):
            chance *= Fraction(32 - drawn[rank], 384 - place)
            drawn[rank] += 1
        two = values[first] + values[second] + 10  # an ace among them counts 11
        if 1 in (values[first], values[second]) and two <= 16 and two + values[third] > 21:
            more += chance * (nets[values[third]] + 1)
    (hold,) = holds("581.bust-it-when")
    assert hold.as_read_pct - hold.otherwise_pct == pytest.approx(float(100 * more), abs=2e-6)


def test_ace_kings_beside_a_pair_are_counted_hand_by_hand() -> None:
    """Super Wager, Paytable A: an ace-king pays 6 to 1, five of one color 2 to 1. Hands that hold an ace and a king."""
    aces, kings = range(48, 52), range(44, 48)
    won = 0
    red = (1, 2)
    hands_with_both = {
        tuple(sorted((ace, king, *others)))
        for ace, king in product(aces, kings)
        for others in combinations([card for card in range(52) if card not in (ace, king)], 3)
        if len({card // 4 for card in (ace, king, *others)}) < 5
    }
    for hand in hands_with_both:
        if max(Counter(card // 4 for card in hand).values()) == 2:
            one_color = len({card % 4 in red for card in hand}) == 1
            won += 6 - 2 if one_color else 6 + 1
    paytable_a = holds("589.super-ace-king-with-a-pair")[0]
    assert paytable_a.as_read_pct - paytable_a.otherwise_pct == pytest.approx(100 * won / comb(52, 5), abs=2e-6)


def test_low_ball_with_straights_and_flushes_counts_every_five_ranks() -> None:
    """Paytable A: five ranks without a pair and a highest one of 7 to jack, in any suits, are paid by the highest."""
    chapter = registry.chapter("683a")
    nets = {line.outcome: line.pays[0].odds for line in chapter.paytable("lo_ball", "Paytable A").rows}
    names = {5: "7 high", 6: "8 high", 7: "9 high", 8: "10 high", 9: "Jack high"}
    won = Fraction(0)
    for ranks in combinations(range(13), 5):
        if names.get(ranks[-1]) in nets:
            straight = hands.straight_top(ranks) is not None
            odds = nets[names[ranks[-1]]]
            assert odds is not None
            won += (odds + 1) * (4**5 if straight else 4)
    paytable_a = holds("683a.lo-ball-ace-high")[0]
    assert paytable_a.as_read_pct - paytable_a.otherwise_pct == pytest.approx(float(100 * won / comb(52, 5)), abs=2e-6)


def test_returning_three_pair_brings_the_fortune_paybacks_as_near_as_the_note_says() -> None:
    """Reading `fortune-threshold`: three pair returned under Paytables 2 to 6, paid 1 to 1 under Paytable 1."""
    chapter = registry.chapter("688a")
    analyses = {row.paytable: row for row in analyze(chapter).wagers if row.wager == "fortune"}
    printed = {figure.paytable: Fraction(figure.value) for figure in chapter.published if figure.wager == "fortune"}
    three_pair = chance(analyses["Paytable 1"], "Three Pair")
    five_aces = chance(analyses["Paytable 5"], "Five Aces") * 200
    gaps = {name: float(printed[name] - 100 * (1 - row.hold)) for name, row in analyses.items()}
    left = {name: gap - float(100 * three_pair) for name, gap in gaps.items()}
    note = next(reading.evidence for reading in chapter.readings if reading.id == "688a.fortune-threshold")
    others = [gap for name, gap in left.items() if name != "Paytable 5"]
    assert f"between {min(gaps.values()):.3f} and {max(gaps.values()):.3f} points" in note
    assert f"between {min(others):.3f} and {max(others):.3f}" in note
    assert f"(Paytable 5: {left['Paytable 5']:.3f}, or {left['Paytable 5'] - float(100 * five_aces):.3f} with" in note


def chance(analysis: WagerAnalysis, outcome: str) -> Fraction:
    found = next(row.probability for row in analysis.outcomes if row.outcome == outcome)
    assert found
    return found
