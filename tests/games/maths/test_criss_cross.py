"""Chapter 592: figures, the decisions in words and tables, a row by brute force, rounds dealt.

Not found here: a wrong Across Bet that the words repeat; a wrong Down Bet with other cards than the three hands and
rows played by brute force.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from games.chapters.ch592_criss_cross_poker import play
from games.maths import hands
from games.maths.cards import cards, names
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.cross.best_play import DEALS, MIDDLES, starts
from games.maths.staged_raises.cross.wagers import Odds, best, sentences
from games.maths.staged_raises.paid_hands import RESULTS
from games.maths.wagers import analyze_wagers
from games.runs.engine import analyze, replay_round, simulate
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import worth
from tests.games.maths.street_engine import place_2

pytestmark = pytest.mark.proof

CRISS_CROSS = lazy_chapter("592")
WITH_BONUS = {"five_card_bonus_wager": True, "from_hand": True}
ODDS = Odds((-1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1), (-1, 0, 1, 2, 3, 5, 8, 12, 40, 100, 500))  # § 592.12(a), (b)


@pytest.fixture(scope="module")
def analysed():
    return {row.wager: row for row in analyze_wagers(play.GAME, CRISS_CROSS, None)}


def slow_result(five):
    kind, ranks = worth([names([card]) for card in five], hands.STANDARD)
    if hands.STANDARD[kind] == hands.PAIR:
        return 0 if ranks[0] < 6 else 1 if ranks[0] < 11 else 2
    return 0 if kind == 0 else kind + 1


# ---- figures


def test_required_wagers_lose_8_657068_percent_per_ante(analysed):
    """A pair of 10s pushes (reading `pair-of-tens`): 8.66 percent of one Ante."""
    ante = analysed["ante"]
    assert round(float(100 * ante.required.loss_per_ante), 6) == 8.657068
    assert ante.required.loss_per_initial == ante.required.loss_per_ante / 2
    assert round(float(100 * ante.hold), 6) == 1.475983
    assert ante.cycle == DEALS == 1326 * 1225 * 1128 * 46
    assert len({row.outcome for row in ante.outcomes}) == len(ante.outcomes) == 227  # by both lines, net and wagered
    assert len({(row.net, row.wagered) for row in ante.outcomes}) == 202
    assert ante.published == ()


def test_five_card_bonus_holds_3_533567_percent(analysed):
    assert round(float(100 * analysed["five_card_bonus"].hold), 6) == 3.533567
    assert analysed["five_card_bonus"].outcomes[-2].count == 9 * 84_480  # nine ranks, 84,480 hands with a pair of each


def test_who_never_folds_loses_what_every_five_cards_lose(analysed):
    """Each line is any five cards; both plain players who never fold agree on what three bets are worth."""
    counts = [bonuses.fives()[name] for name in hands.STANDARD]
    high, low = 4 * counts[1] // 13, 4 * counts[1] // 13  # pairs of jacks or better, of 2s to 5s
    lost = counts[0] + low
    antes = Fraction(high + sum(counts[2:]) - lost, bonuses.FIVES)
    bets = Fraction(high - lost + sum(n * pay for n, pay in zip(counts[2:], ODDS.bet[3:], strict=True)), bonuses.FIVES)
    line, bet, middle = (Fraction(int(part), DEALS) for part in best(ODDS).worth)
    assert (line, bet) == (antes, bets)
    assert middle > bet  # the better of two lines
    for plain, times in zip(analysed["ante"].simplified_plays, (1, 3), strict=False):
        assert plain.required.loss_per_ante == -2 * antes - times * (2 * bets + middle)
        assert plain.required.average_wagered == 2 + 3 * times


def test_plain_players_lose_more(analysed):
    ante = analysed["ante"]
    assert len(ante.simplified_plays) == 3
    assert all(plain.required.loss_per_ante > ante.required.loss_per_ante for plain in ante.simplified_plays)


# ---- the best play


@pytest.mark.parametrize(("own", "row"), [("Qs Js", "2d 2c"), ("9h 2c", "5d 3s"), ("7d 7c", "Kh 4h")])
def test_no_down_bet_by_brute_force_is_better(own, row):
    """Every column and middle card, every Down and Middle Bet of one, two and three, with a slow evaluator."""
    own, row = cards(own), cards(row)
    deck = [card for card in range(52) if card not in (*own, *row)]
    across = {card: slow_result((*own, *row, card)) for card in deck}
    down = {three: slow_result((*own, *three)) for three in combinations(deck, 3)}
    first = int(best(ODDS).first[start_of(own)])
    worths = {0: -MIDDLES * 1128 * (2 + first), 1: 0, 2: 0, 3: 0}
    for column in combinations(deck, 2):
        middles = [(across[card], down[tuple(sorted((*column, card)))]) for card in deck if card not in column]
        antes = sum(ODDS.ante[a] + ODDS.ante[d] + first * ODDS.bet[a] for a, d in middles)
        downs, last = sum(ODDS.bet[d] for _, d in middles), sum(ODDS.bet[max(a, d)] for a, d in middles)
        for bet in (1, 2, 3):
            worths[bet] += max(-MIDDLES * (2 + first + bet), *(antes + bet * downs + size * last for size in (1, 2, 3)))
    (start,) = (start for start in starts() if start.place == start_of(own))
    decision = int(best(ODDS).second[start.place, place_2(*sorted(renamed(row, own), reverse=True))])
    assert worths[decision] == max(worths.values())


def start_of(own):
    a, b = sorted((card // 4 for card in own), reverse=True)
    return a * 13 + b if own[0] % 4 == own[1] % 4 else b * 13 + a


def renamed(row, own):
    suits = list(dict.fromkeys([card % 4 for card in sorted(own, reverse=True)]))
    suits += [suit for suit in range(4) if suit not in suits]
    return [card - card % 4 + suits.index(card % 4) for card in row]


def test_across_bet_in_words_is_what_the_enumeration_finds():
    for start in starts():
        a, b = (card // 4 for card in start.own)
        suited = start.own[0] % 4 == start.own[1] % 4
        expected = 3 if a == b or (suited and {a, b} == {9, 10}) else 0 if not suited and max(a, b) <= 3 else 1
        assert best(ODDS).first[start.place] == expected


def test_sentences_name_the_hands_that_their_rule_does_not_fit():
    changed = best(ODDS).first.copy()
    for own, decision in (("2c 2d", 1), ("As Ks", 3), ("3c 2d", 1), ("9c 2d", 0)):
        changed[start_of(cards(own))] = decision
    words = sentences(replace(best(ODDS), first=changed))
    assert words[0] == {
        3: "A pair of 3s or better, ace and king of one suit, or queen and jack of one suit",
        1: "Any other hand",
        0: "Two different cards from 2 to 5, of two suits, but not 3 and 2 of two suits, or 9 and 2 of two suits",
    }
    assert words[1:] == sentences(best(ODDS))[1:]


def test_down_bet_tables_say_every_decision(analysed):
    """Read back from the tables alone: the square of two cards, else the square of the row's outer cards."""
    _, square, *by_hand = analysed["ante"].strategy_tables
    cells = {
        (line[0], rank): cell for line in square.rows for rank, cell in zip(square.header[1:], line[1:], strict=True)
    }
    folded = 0
    for start in starts():
        high, low = sorted(start.own, reverse=True)
        suited, one, other = high % 4 == low % 4, names([high])[0], names([low])[0]
        cell = cells[(one, other) if suited else (other, one)]
        hand = one + other + ("" if one == other else "s" if suited else "o")
        if cell == "–":
            folded += 1
            assert best(ODDS).first[start.place] == 0
            continue
        table = None if cell != "table" else next(t for t in by_hand if f" {hand}" in t.title.partition(":")[0])
        for place, *outer in start.pairs.tolist():
            said = cell if table is None else read(table, *(label(card, start.own) for card in outer))
            decision = int(best(ODDS).second[start.place, place])
            assert said == ("fold" if decision == 0 else f"{decision}×")
    assert folded == 6


def label(card, own):
    return names([card])[0] + ("*" if card % 4 in {held % 4 for held in own} else "")


def read(table, one, other):
    column = next(place for place, group in enumerate(table.header) if other in group.split())
    return next(line[column] for line in table.rows if one in line[0].split())


# ---- rounds


def test_rounds_dealt_agree():
    result = simulate(CRISS_CROSS, WITH_BONUS, 300_000, seed=592)
    assert [row.wager for row in result.wagers] == ["ante", "five_card_bonus"]
    assert [row.wager for row in result.wagers if not row.passed] == []


def test_rounds_do_not_depend_on_the_number_of_workers(monkeypatch):
    monkeypatch.setattr(play, "PLAY", replace(play.PLAY, block_rounds=30_000))
    one, two = (simulate(CRISS_CROSS, WITH_BONUS, 100_000, seed=9, workers=workers) for workers in (1, 2))
    assert one == two


def test_a_story_is_settled_as_a_slow_evaluator_settles_it():
    """§ 592.11(h)(1) to (5), from the cards and bets of the replay."""
    analysis = analyze(CRISS_CROSS, WITH_BONUS)
    for index in range(60):
        replayed = replay_round(CRISS_CROSS, WITH_BONUS, analysis, seed=1, block=0, index=index)
        own, row, column, middle = (step.cards for step in replayed.steps if step.cards)
        across, down = slow_result((*own, *row, *middle)), slow_result((*own, *column, *middle))
        bets = [3 if "3 times" in step.what else 1 for step in replayed.steps if "makes the" in step.what]
        settled = {one.wager: one.row for one in replayed.settlements}
        assert settled["ante"].wagered == 2 + sum(bets)
        if len(bets) == 3:
            net = ODDS.ante[across] + ODDS.ante[down] + bets[0] * ODDS.bet[across] + bets[1] * ODDS.bet[down]
            assert settled["ante"].net == net + bets[2] * ODDS.bet[max(across, down)]
        else:
            assert settled["ante"].net == -settled["ante"].wagered
        five = RESULTS[slow_result((*row, *column, *middle))]
        paid = {RESULTS[0]: "Lost", RESULTS[1]: "Pair of 6s or better", RESULTS[2]: "Pair of 6s or better"}
        assert settled["five_card_bonus"].outcome == paid.get(five, five)
        assert all(step.section in CRISS_CROSS.sections for step in replayed.steps)
        assert all(one.section in CRISS_CROSS.sections for one in replayed.settlements)
