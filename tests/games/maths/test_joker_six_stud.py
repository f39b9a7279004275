"""An invented game of 53 cards, given as data: exact figures, hands and one whole tree played slowly, rounds dealt.

Not found here: a wrong decision with other first cards than the hands that are played slowly.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

import games.chapters
from games import registry
from games.compiled import kernel
from games.maths.cards import JOKER_DECK, cards, names
from games.maths.hands import set_place
from games.maths.staged_raises.turns.best_play import PASS, all_hands, best_result, folds_by_own_cards, last_cards
from games.maths.staged_raises.turns.form import WITH_JOKER
from games.maths.staged_raises.turns.words import all_sets
from games.maths.wagers import analyze_wagers
from games.rules.wagers_in_play import covering
from games.runs.dealing import settled_amounts
from games.runs.engine import analyze, replay_round, simulate
from games.second.card_sums import (
    FIVE_OF_A_KIND,
    HIGH_PAIR,
    MIDDLE_PAIR,
    by_rank,
    by_suit,
    class_of_flush,
    class_of_pair,
    class_of_ranks,
    has_flush,
    mark,
    pairs_of,
)
from games.second.hands import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    NO_PAIR,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
)
from games.second.turned_cards import class_with_joker
from tests.games.chapters.examples import example
from tests.games.compared import compared
from tests.games.maths.slow_hands import PACK, worth, worth_with_wilds

pytestmark = pytest.mark.proof
NUMBER = "691a"
FOLDER = Path(__file__).parents[1] / "invented" / "chapters"
JOKER = "Jk"
PAYS = {  # in half Antes, by result: § 691a.12(a)
    "Paytable A": (-2, 0, 2, 2, 3, 4, 6, 8, 16, 40, 80, 200),
    "Paytable B": (-2, 0, 2, 2, 3, 4, 6, 8, 14, 30, 100, 500),
}


@pytest.fixture(scope="module", autouse=True)
def _folder() -> Iterator[None]:
    """The chapter's folder is known as long as this module's tests run."""
    games.chapters.__path__.append(str(FOLDER))
    registry.forget()
    yield
    games.chapters.__path__.remove(str(FOLDER))
    registry.forget()


@pytest.fixture(scope="module")
def game():
    registry.play(NUMBER)
    return sys.modules["games.chapters.ch691a_joker_six_stud.play"].GAME


@pytest.fixture(scope="module")
def chapter():
    return registry.chapter(NUMBER)


@pytest.fixture(scope="module")
def best(game, chapter):
    return game.required.best(chapter, "Paytable A")


@pytest.fixture(scope="module")
def analysed(game, chapter):
    return {row.paytable: row for row in analyze_wagers(game, chapter, None)}


def slow_result(held: tuple[str, ...]) -> int:
    """What the best five of the cards are paid as: 0 = less than jacks, 1 = jacks to kings, 2 = aces, 3 = two pair …"""
    kind, ranks = max(slow_five(five) for five in combinations(held, 5))
    if kind > 1:
        return kind + 1
    return 0 if kind == 0 or ranks[0] < 11 else 1 if ranks[0] < 14 else 2


def slow_five(five: tuple[str, ...]) -> tuple[int, list[int]]:
    if JOKER in five:
        return worth_with_wilds([card for card in five if card != JOKER], 1, WITH_JOKER)
    return worth(list(five), WITH_JOKER)


# ---- figures


@pytest.mark.parametrize(
    ("paytable", "per_ante", "per_total"), [("Paytable A", 3.993977, 1.819945), ("Paytable B", 2.797706, 1.269906)]
)
def test_required_wagers_hold_a_plausible_share(analysed, paytable, per_ante, per_total):
    ante = analysed[paytable]
    assert float(100 * ante.required.loss_per_ante) == pytest.approx(per_ante, abs=5e-7)
    assert float(100 * ante.hold) == pytest.approx(per_total, abs=5e-7)
    assert ante.cycle == 23_426 * 50 * 49 * 48
    assert ante.largest_win == 4 * PAYS[paytable][-1] / 2
    assert sum(choice.frequency for choice in ante.strategy if choice.decision.endswith("on three cards")) == 1
    assert all(plain.required.loss_per_ante > ante.required.loss_per_ante for plain in ante.simplified_plays)


def test_player_who_never_folds_loses_what_all_six_cards_lose(analysed, game):
    made = all_hands(game.required.form)
    assert made.sum() == 22_957_480
    for paytable, pays in PAYS.items():
        always = analysed[paytable].simplified_plays[0].required
        assert always.loss_per_ante == -4 * Fraction(int(made @ np.array(pays)), 2 * int(made.sum()))
        assert always.average_wagered == 4


def test_rarest_hands_are_as_many_as_they_must_be(game):
    *_, straight_flush, five_of_a_kind, royal_flush = all_hands(game.required.form)
    assert five_of_a_kind == 13 * 48  # four of a rank, the joker and any card of another rank
    assert royal_flush == 4 * 47 + 4 * (5 * 47 + 1)  # without the joker, or with it and four or five of the royals
    assert straight_flush < 36 * 48 + 36 * 5 * 48


def test_sample_of_six_cards_is_paid_as_slow_hands(game):
    random = Random(691)
    for _ in range(400):
        six = random.sample(range(JOKER_DECK), 6)
        assert best_result(game.required.form.hands, six) == slow_result(tuple(names(six).split())), names(six)
    for _ in range(60):  # with the joker, which is rare among all
        six = [52, *random.sample(range(52), 5)]
        assert best_result(game.required.form.hands, six) == slow_result(tuple(names(six).split())), names(six)


# ---- the best play


@pytest.mark.parametrize(
    "known", ["Kh 9h 4c 2s 7d", "Jk 9h 4c 2s 7d", "Qh Jh Td 9s 2c", "Ah Kd 8s 5c 3h", "9s 8s 6s 2s 4d"]
)
def test_last_decision_is_that_of_a_slow_count(known, best, game):
    held = tuple(known.split())
    left = [card for card in (*PACK, JOKER) if card not in held]
    results = Counter(slow_result((*held, card)) for card in left)
    at = set_place(cards(known))
    fast = {kind: int(row[at]) for kind, row in enumerate(last_cards(game.required.form.hands, 6)) if row[at]}
    assert fast == results
    stays = 4 * sum(n * PAYS["Paytable A"][kind] for kind, n in results.items())
    assert (best.decisions[2][at, 0] == 1) == (stays >= -3 * 2 * len(left))


@pytest.mark.parametrize("own", ["Kh 9h 4c", "Td 9s 8c", "Qs Jd 3h"])
def test_one_hand_played_slowly_is_decided_alike(own, best, game):
    """Every order of the community cards, in plain Python with nets in half Antes."""
    held, pays = tuple(own.split()), PAYS["Paytable A"]
    rest = [card for card in (*PACK, JOKER) if card not in held]
    after: dict[frozenset[str], int] = Counter()
    for flop in combinations(rest, 3):
        net = pays[slow_result((*held, *flop))]
        for two in combinations(flop, 2):
            after[frozenset(two)] += net
    folds = worth_first = 0
    for first in rest:
        worth_second = folds_second = 0
        for second in (card for card in rest if card != first):
            stays, fold = 4 * after[frozenset((first, second))], -3 * 2 * 48
            assert (best.decisions[2][set_place(cards(" ".join((*held, first, second)))), 0] == 1) == (stays >= fold)
            worth_second += max(stays, fold)
            folds_second += 48 * (stays < fold)
        fold = -2 * 2 * 49 * 48
        assert (best.decisions[1][set_place(cards(" ".join((*held, first)))), 0] == 1) == (worth_second >= fold)
        worth_first += max(worth_second, fold)
        folds += folds_second if worth_second >= fold else 49 * 48
    raises = worth_first >= -2 * 50 * 49 * 48
    assert (best.decisions[0][set_place(cards(own)), 0] == 1) == raises
    ends = folds_by_own_cards(game.required.form, best.decisions)[set_place(cards(own))]
    assert ends == (folds if raises else 50 * 49 * 48)


def test_sentence_on_three_cards_counts_its_exceptions(analysed, best):
    """Every three cards, by the words of the sentence read slowly."""
    raised, folded = (choice.when for choice in analysed["Paytable A"].strategy[:2])
    said = (
        "A pair or better; three cards of one straight with a jack or higher; three cards of one suit; the joker; two "
        "cards of king or higher; three cards of 9 or higher"
    )
    assert raised == f"{said}, but not with 336 of these sets of cards, also with 1,716 others"
    assert folded == "All else, but not with 1,716 of these sets of cards, also with 336 others"
    wrong = Counter((by_the_words(hand), bool(best.decisions[0][at, 0])) for at, hand in enumerate(all_sets(3, 53)))
    assert (wrong[True, False], wrong[False, True]) == (336, 1716)


def by_the_words(hand: np.ndarray) -> bool:
    if 52 in hand:
        return True
    ranks, suits = sorted(int(card) // 4 for card in hand), {int(card) % 4 for card in hand}
    distinct = len(set(ranks)) == 3
    straight = distinct and (ranks[2] - ranks[0] <= 4 or (ranks[2] == 12 and ranks[1] <= 3))
    return not distinct or (straight and ranks[2] >= 9) or len(suits) == 1 or ranks[1] >= 11 or ranks[0] >= 7


# ---- rounds


@pytest.mark.parametrize("paytable", PAYS)
def test_rounds_dealt_agree_with_the_exact_counts(paytable, chapter):
    result = simulate(chapter, example(NUMBER, ante_paytable=paytable), 2_500_000, seed=691)
    (ante,) = result.wagers
    assert (ante.wager, ante.paytable) == ("ante", paytable)
    assert abs(ante.z) < 3
    assert result.passed


def test_rounds_under_another_strategy_do_not_agree(analysed, best, chapter):
    timid = (best.decisions[0], best.decisions[1], np.where(best.decisions[2] == 1, PASS, 1).astype(np.int8))
    dealt = registry.table(NUMBER).deal(chapter, {"ante_paytable": "Paytable A"}, timid, (691, 0, 300_000))
    counts = {ending.outcome: ending.rounds for ending in dealt.endings["ante"]}
    assert not compared(analysed["Paytable A"], counts).passed


def test_second_table_settles_every_outcome_alike(chapter):
    for answers in covering(chapter):
        settled = settled_amounts(chapter, answers)
        exact = {row.outcome: (row.wagered, row.net) for row in analyze(chapter, answers).of("ante").outcomes}
        assert {outcome: settled["ante"].get(outcome) for outcome in exact} == exact


@kernel
def count_classes(size, cards, jacks, aces, counts):
    """Count every set of so many cards of 52 once, five with the joker; `cards` are the first of them, rising."""
    while cards[size - 1] < 52:
        ranks = suits = marks = 0
        for place in range(size):
            ranks += by_rank(cards[place])
            suits += by_suit(cards[place])
            marks |= mark(cards[place])
        if size == 5:
            kind = class_with_joker(ranks, suits, marks)
        else:
            kind = class_of_flush(marks) if has_flush(suits) else class_of_ranks(ranks)
        if kind == PAIR:
            kind = class_of_pair(ranks if size == 5 else pairs_of(ranks), jacks, aces)
        counts[kind] += 1
        place = 0
        while place + 1 < size and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        cards[place] += 1


def test_second_evaluator_finds_the_classes_of_all_six_cards(game):
    counts = np.zeros(13, np.int64)
    for size in (5, 6):
        count_classes(size, np.arange(size), by_rank(4 * 9), by_rank(4 * 12), counts)
    paid = [MIDDLE_PAIR, HIGH_PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR]
    paid += [STRAIGHT_FLUSH, FIVE_OF_A_KIND, ROYAL_FLUSH]
    found = [counts[NO_PAIR] + counts[PAIR], *counts[paid]]
    assert found == all_hands(game.required.form).tolist()
    assert sum(found) == 22_957_480


def test_replays_are_settled_as_their_cards_say(chapter):
    answers = example(NUMBER)
    analysis = analyze(chapter, answers)
    stayed = 0
    for index in range(40):
        replayed = replay_round(chapter, answers, analysis, 5, 1, index)
        own = replayed.steps[0].cards
        community = tuple(card for step in replayed.steps if step.who == "Community cards" for card in step.cards)
        assert len({*own, *community}) == 6
        (ante,) = replayed.settlements
        raises = sum(step.what == "makes a Raise Wager of one Ante" for step in replayed.steps)
        if raises < 3:
            assert (ante.row.net, ante.row.wagered) == (-1 - raises, 1 + raises)
            continue
        stayed += 1
        net = PAYS["Paytable A"][slow_result(tuple(names((*own, *community)).split()))]
        assert (ante.row.net, ante.row.wagered) == (Fraction(4 * net, 2), 4)
    assert 5 < stayed < 35


def test_largest_round_is_a_royal_flush_on_four_wagers(game, chapter):
    answers = example(NUMBER, ante_paytable="Paytable B")
    largest = game.largest_round(chapter, answers, {"ante": Fraction(15)}, ())
    assert largest.amount == 15 * 4 * 250
    dealt = tuple(card for step in largest.deal for card in step.cards)
    assert slow_result(tuple(names(dealt).split())) == 11
    without = game.largest_round(chapter, answers, {"ante": Fraction(15)}, ("Royal flush",))
    assert without.amount == 15 * 4 * 50
    assert slow_result(tuple(names([card for step in without.deal for card in step.cards]).split())) == 10
