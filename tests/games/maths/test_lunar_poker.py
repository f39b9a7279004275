"""Chapter 589: what hands pay twice, the strategy in words, the Super Wager, the counts, rounds dealt against them.

Not found here: a strategy that is not the best one. Both sides follow the same words, and the slow side reads from
`HIGHEST_CARD` when to keep one card.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from games.chapters.ch589_lunar_poker import play
from games.chapters.ch589_lunar_poker.play import GAME
from games.chapters.ch589_lunar_poker.second import TABLE
from games.maths import hands
from games.maths.cards import cards, names
from games.maths.exchange import payouts as held
from games.maths.exchange import required, rules, strategy
from games.maths.exchange.no_draw import BEATEN, NOT_QUALIFIED, WON
from games.maths.exchange.payouts import first_five_counts
from games.maths.exchange.required import CYCLE, round_counts
from games.maths.ranking import standard
from games.maths.wagers import analyze_wagers
from games.runs.dealing import deal_block
from games.runs.engine import analyze, replay_round, simulate
from games.second.best_five import as_set, best_five
from games.second.exchange import NEW, combination, force, second_combination
from tests.games.compared import compared
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import PACK, number, worth
from tests.games.maths.slow_lunar_poker import LINES, A, K, by_words, first_and_second, look, ranks, settle

pytestmark = pytest.mark.proof

LUNAR = lazy_chapter("589")
OFFERED = {
    "from_hand": True,
    "instant_payout_paytable": "Paytable C",
    "super_wager": True,
    "super_paytable": "Paytable B",
}
FORCING = (2, 1, 4)  # the Bet Wager and the fee in Antes; odds of 4 to 1 at least


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, LUNAR, None)}


def dealt(seed, rounds, size):
    deals = random.Random(seed)
    return [deals.sample(PACK, size) for _ in range(rounds)]


def array(hand):
    return np.array([number(card) for card in hand], dtype=np.int64)


# ---- combinations


def by_second_side(hand):
    joint = 0
    for card in hand:
        joint |= as_set(number(card))
    value = best_five(joint)
    return combination(value), second_combination(joint, len(hand), value)


SPECIAL = [
    ("As Ad Kh 8c 9d", (2, 1)), ("As Ad Kh Kc 9d", (3, 0)), ("As Ad Ah Kc 9d", (4, 1)), ("7s 7d 7h 7c Ad Kd", (8, 1)),
    ("5s 6d 7h 8c 9d Td", (5, 5)), ("5s 6d 7h 8c 9d 9c", (5, 5)), ("2s 5s 8s Js Ks Kd", (6, 2)),
    ("2s 5s 8s Js Ks 3s", (6, 6)), ("As Ad Ah Kc Kd Kh", (7, 7)), ("As Ad Ah Ac Kd Kh", (8, 7)),
    ("4s 4d 9h 9c Kd Kh", (3, 3)), ("9s Ts Js Qs Ks As", (10, 9)), ("As 2s 3s 4s 5s Kd", (9, 1)),
    ("Qs Qd Qh Kc Kd Ah", (7, 1)), ("As Kd 9h 8c 2d 7h", (1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "expected"), SPECIAL)
def test_second_combinations_of_the_reading(hand, expected):
    cards_held = np.array(cards(hand), dtype=np.int64)
    found = held.appraise(cards_held, len(cards_held), held.lowest_ace_king(), held.hand_tables())
    assert tuple(found[1:]) == expected
    assert by_second_side(hand.split()) == expected
    assert first_and_second(hand.split()) == expected


@pytest.mark.parametrize("size", [5, 6])
def test_combinations_are_those_found_by_trying_all_sets_of_cards(size):
    seen = set()
    for hand in dealt(size, 600, size):
        found = held.appraise(array(hand), size, held.lowest_ace_king(), held.hand_tables())
        assert tuple(found[1:]) == by_second_side(hand) == first_and_second(hand), hand
        seen.add(tuple(found[1:]))
    assert len(seen) > 8
    assert all(second in held.SECONDS.get(first, (0,)) for first, second in seen)


# ---- the strategy, in words and as compiled


def as_compiled(hand, up):
    decision = strategy.first_decision(array(hand), number(up), strategy.highest_card_table())
    names_of = {
        strategy.BET: required.BET_CHOICE,
        strategy.SIXTH: required.SIXTH_CHOICE,
        strategy.FOLD: required.FOLD_CHOICE,
    }
    names_of[strategy.INSTANT] = required.INSTANT_CHOICE
    if decision in names_of:
        return names_of[decision], set(hand)
    return required.EXCHANGE_CHOICE, {card for place, card in enumerate(hand) if decision >> place & 1}


RARE_STARTS = [
    "Ts Js Qs Ks As", "9s Ts Js Qs Ks", "7s 7d 7h 7c Ad", "7s 7d 7h Ac Ad", "7s 7d 7h Ac Kd", "7s 7d 7h Ac 2d",
    "2s 4s 8s Ts Ks", "4s 5d 6s 7s 8h", "2s 2d As Kd 9h", "As Ks Qs 4d 9h", "As Ks Qd Jd 9h", "Qs Js Ts 3d 2h",
    "Ks Ts 9s 3d 2h", "6s 7s 8s 3d Qh", "6s 7s 9s 3d Qh", "Js Jd As 9d 3h", "8s 8d 4s 6d Qh", "Ks Qs 8d 4h 3d",
]  # fmt: skip


def test_first_decisions_are_those_in_words():
    starts = [(deal[:5], deal[5]) for deal in dealt(589, 1_500, 6)]
    starts += [(hand.split(), up) for hand in RARE_STARTS for up in PACK if up not in hand.split()]
    deciding = set()
    for hand, up in starts:
        assert as_compiled(hand, up) == by_words(hand, up), (hand, up)
        deciding.add(next(place for place, fits in enumerate(LINES) if fits(look(hand, up))))
    assert deciding == set(range(len(required.FIRST_DECISIONS)))  # every line decides some hand


@pytest.mark.parametrize(
    ("hand", "up", "seen", "bets"),
    [
        ("3s 3d 5h 8c 9d", "Qd", 0, True), ("2s 2d 5h 8c 9d", "Kd", 0, True), ("2s 2d 5h 8c 9d", "Qd", 1, True),
        ("2s 2d 5h 8c 9d", "Qd", 0, False), ("As Kd 5h 8c Jd", "Ad", 1, True), ("As Kd 5h 8c Qd", "Kh", 1, True),
        ("As Kd 5h 8c 9d", "Kh", 3, False), ("As Kd 5h 8c 9d", "5d", 1, True), ("As Kd 5h 8c Qd", "7d", 0, False),
        ("As Qd 5h 8c 9d", "5d", 2, True), ("As Qd 5h 8c 9d", "5d", 1, False), ("As Qd 5h 8c 9d", "Kd", 2, False),
        ("2s 2d 3h 3c 9d", "Jd", 0, True), ("2s 2d 2h 3c 9d", "Jd", 0, True),
    ],
)  # fmt: skip
def test_second_decisions_are_those_in_words(hand, up, seen, bets):
    five = np.array(cards(hand), dtype=np.int64)
    _, first, _ = held.appraise(five, 5, held.lowest_ace_king(), held.hand_tables())
    assert bool(strategy.bets_after_draw(first, five, 5, cards(up)[0], seen)) is bets


def test_forcing_is_worth_more_than_the_ante_exactly_where_it_is_chosen():
    for odds in range(1, 30):
        for wins in range(20):
            for losses in range(4):
                worth_of_it = Fraction(2 * odds * wins - 3 * losses, 40) - 1
                assert strategy.forces(odds, wins, losses, 40, FORCING) == (worth_of_it >= 1)


def test_odds_of_three_to_one_never_make_forcing_right():
    """The most cards with which a dealer could qualify and lose to a pair, two pair or three-of-a-kind."""
    for deal in dealt(3, 1_500, 10):
        dealer = array(deal[:5])
        own = standard().value([number(card) for card in ("As", "Ad", "Ah", "Qc", "Jd")])
        if standard().value([int(card) for card in dealer]) >= held.lowest_ace_king():
            continue
        four = sorted(int(card) for card in dealer)[:-1]
        values = [standard().value([*four, card]) for card in range(52) if card not in set(map(int, dealer))]
        wins = sum(held.lowest_ace_king() <= value < own for value in values)
        assert not strategy.forces(FORCING[2] - 1, wins, 0, 37, FORCING)


# ---- what is counted


def test_counted_rounds_are_symmetric_between_player_and_dealer():
    no_draw = round_counts(GAME.terms(LUNAR)).no_draw
    held_by_player = no_draw.bet.sum(axis=(0, 2))
    assert held_by_player.sum() == CYCLE
    qualifying = comb(52, 5) - (1_302_540 - 167_280)  # all hands less those of nothing at all
    assert Fraction(int(held_by_player[:, NOT_QUALIFIED].sum()), CYCLE) == 1 - Fraction(qualifying, comb(52, 5))
    assert held_by_player[1:, WON].sum() == held_by_player[1:, BEATEN].sum()
    known_counts = [1_135_260, 167_280, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
    assert [Fraction(int(row), CYCLE) for row in held_by_player.sum(axis=1)] == [
        Fraction(count, comb(52, 5)) for count in known_counts
    ]


def test_outcomes_are_all_rounds_and_their_nets_the_settlement(analysed):
    ante = analysed["ante", "Paytable C"]
    assert sum(row.probability for row in ante.outcomes) == 1
    nets = {row.outcome: (row.net, row.wagered) for row in ante.outcomes}
    assert nets["Dealer does not qualify, after a draw"] == (0, 4)
    assert nets["Dealer forced, wins 8 to 1, after a draw"] == (14, 5)
    assert nets["Dealer forced, does not qualify"] == (-1, 4)
    assert nets["Beaten by the dealer"] == (-3, 3)
    assert nets["Straight flush in the first five cards"] == (300, 1)
    assert len({row.outcome for row in ante.outcomes}) == len(ante.outcomes)
    first = [choice.frequency for choice in ante.strategy[:7]]
    assert sum(first) == 1


def test_instant_payouts_differ_by_what_they_pay_and_nothing_else(analysed):
    c, d = analysed["ante", "Paytable C"].required, analysed["ante", "Paytable D"].required
    assert d.loss_per_ante - c.loss_per_ante == Fraction(4 * 300 - 36 * 100, comb(52, 5))


def test_plain_play_costs_far_more_than_the_strategy(analysed):
    """Found by counting all deals; without draws the game is the one in which 0.4368 of the dealer's hands fail."""
    ante = analysed["ante", "Paytable C"]
    plain = {play.name: float(100 * play.required.loss_per_ante) for play in ante.simplified_plays}
    assert plain == pytest.approx(
        {"Bets a pair or better": 18.174432, "Bets an ace-king or better": 18.545305, "Bets every hand": 29.470580},
        abs=5e-7,
    )
    assert float(100 * ante.required.loss_per_ante) < 1
    assert ante.method == "exact"


# ---- Super Wager


def test_super_wager_is_counted_hand_by_hand():
    fives = dealt(4, 20_000, 5)
    row_names = [row.outcome for row in LUNAR.tables_of("super")[0].rows]
    seen = dict.fromkeys([*row_names, "Lost"], 0)
    for hand in fives:
        name = hands.STANDARD[worth(hand, hands.STANDARD)[0]]
        colored = {card[1] in "cs" for card in hand} in ({True}, {False})
        if name in (hands.STRAIGHT, hands.STRAIGHT_FLUSH, hands.ROYAL_FLUSH) and colored:
            seen["Same-colored straight"] += 1
        elif name in (hands.FOUR, hands.FULL_HOUSE, hands.FLUSH, hands.STRAIGHT, hands.THREE):
            seen[name.capitalize()] += 1
        elif name == hands.HIGH_CARD and {A, K} <= set(ranks(hand)):
            seen["Ace-king"] += 1
        else:
            seen["Same colored five" if colored else "Lost"] += 1
    expected = np.array(first_five_counts()) / comb(52, 5) * len(fives)
    assert all(abs(list(seen.values()) - expected) < 4.5 * np.sqrt(expected) + 1)
    assert first_five_counts()[:8] == (624, 640, 3_744, 5_108, 9_600, 54_912, 167_280, 115_972)


@pytest.mark.parametrize(
    ("paytable", "printed", "suited_only"),
    [("Paytable A", -25.19, "8.126"), ("Paytable B", -18.76, "9.716"), ("Paytable C", -23.08, "10.239")],
)
def test_super_wager_as_printed_gives_the_player_an_edge(analysed, paytable, printed, suited_only):
    wager = analysed["super", paytable]
    assert round(float(100 * wager.hold), 2) == printed
    assert suited_only in wager.notes[0]
    assert wager.cycle == comb(52, 5)


# ---- rounds dealt


def test_rounds_dealt_agree_with_every_wager():
    result = simulate(LUNAR, OFFERED, 1_000_000, seed=589)
    assert [row.wager for row in result.wagers] == ["ante", "super"]
    assert result.passed


def test_rounds_of_a_stream_are_known():
    """Filed results can be dealt again only as long as this holds: a change here is a new engine."""
    ends, first_rows, deck = TABLE.deal_rounds(LUNAR, GAME.strategy(LUNAR, OFFERED), (1, 1, 1_000_000))
    assert first_rows.tolist() == [233, 260, 1411, 1972, 3638, 21176, 64175, 44021, 863114]
    assert (ends.ravel() * np.arange(ends.size)).sum() == 876_761_787
    assert deck[:5].tolist() == [18, 30, 45, 43, 33]


def test_workers_change_nothing(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=40_000))
    assert simulate(LUNAR, OFFERED, 90_000, seed=2) == simulate(LUNAR, OFFERED, 90_000, seed=2, workers=2)


def test_an_estimate_widens_the_chi_square_by_its_own_doubt(analysed):
    ante = analysed["ante", "Paytable C"]
    tally = deal_block(LUNAR, OFFERED, 7, 0, 100_000)["ante"]
    as_found = compared(ante, tally)
    doubtful = compared(replace(ante, standard_error=as_found.standard_error), tally)
    assert doubtful.chi_square == pytest.approx(as_found.chi_square / 2)


def test_a_round_settled_by_hand_is_the_one_counted():
    """Every way in which a round ends, settled from its cards in plain Python."""
    met, strategy_used = set(), GAME.strategy(LUNAR, OFFERED)
    for index in range(400):
        before, *_ = TABLE.deal_rounds(LUNAR, strategy_used, (8, 3, index))
        after, _, deck = TABLE.deal_rounds(LUNAR, strategy_used, (8, 3, index + 1))
        ((way, *_),) = np.argwhere(after - before)
        assert way == settle([PACK[card] for card in deck], GAME.terms(LUNAR).odds), index
        met.add(int(way))
    assert len(met) > 7


def test_stories_tell_the_cards_and_the_settlement():
    analysis = analyze(LUNAR, OFFERED)
    endings = set()
    for index in range(40):
        replayed = replay_round(LUNAR, OFFERED, analysis, 589, 0, index)
        shown = [
            card for step in replayed.steps for card in step.cards if step.what.startswith(("is dealt", "reveals"))
        ]
        assert len(set(shown)) == len(shown), names(shown)
        ante = replayed.settlements[0]
        assert ante.section.startswith("§ 589.11(")
        assert ("folds" in [step.what for step in replayed.steps]) == ante.row.outcome.startswith("Folded")
        endings.add(ante.row.outcome)
    assert len(endings) > 4


def test_a_forced_dealer_discards_his_highest_card():
    deck = np.array(
        [*cards("2s 3s 4s 5s 8s"), *cards("9c 7d 6h 4d 2h"), *cards("9d Th Jh Qh Ah Kc")], dtype=np.int64
    )  # a flush against a 9 high
    rest = [card for card in range(52) if card not in set(map(int, deck))]
    whole = np.array([*deck, *rest], dtype=np.int64)
    own = 0
    for card in deck[:5]:
        own |= as_set(int(card))
    odds, (_, per_win, per_loss, needed) = GAME.terms(LUNAR).odds[held.FLUSH], GAME.strategy(LUNAR, OFFERED)[-1]
    way = force(whole, NEW, best_five(own), odds, per_win, per_loss, needed)
    assert way == rules.FORCED_NOT_QUALIFIED  # 7 6 4 2 and the 9 of diamonds do not qualify either
