"""Chapter 587: exact figures, one hand's whole tree played slowly, the strategy in words, rounds dealt.

Not found here: a misreading of § 587.12 that the chapter's odds and the odds written here share; a wrong decision that
the words repeat, except with the two hands played slowly.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise

import numpy as np
import pytest

from games import registry
from games.chapters.ch587_raise_it_up_stud_poker.play import GAME
from games.maths import hands
from games.maths.cards import ACE, FULL_DECK, cards, names
from games.maths.hands import FACES, set_place
from games.maths.staged_raises.turns.best_play import PASS, all_hands, folds_by_own_cards, last_cards, over_one_less
from games.maths.staged_raises.turns.wagers import FORFEITED, folded_classes
from games.maths.staged_raises.turns.words import read_sentences
from games.maths.wagers import analyze_wagers
from games.runs.dealing import round_steps
from games.runs.engine import analyze as whole
from games.runs.engine import replay_round, simulate
from tests.games.chapters.examples import example
from tests.games.compared import compared
from tests.games.lazy import lazy_chapter
from tests.games.maths.slow_hands import PACK, worth

pytestmark = pytest.mark.proof

RAISE_IT_UP = lazy_chapter("587")
EXAMPLE = example("587")
FORM = GAME.required.form
TEN, JACK, QUEEN = 8, 9, 10
SIX_CARDS = dict(zip(hands.STANDARD[3:], (732_160, 361_620, 205_792, 165_984, 14_664, 1656, 188), strict=True))
"""The best five of six cards, as they are generally known, of 20,358,520."""


@pytest.fixture(scope="module")
def analysed():
    return {(row.wager, row.paytable): row for row in analyze_wagers(GAME, RAISE_IT_UP, None)}


@pytest.fixture(scope="module")
def best():
    return GAME.required.best(RAISE_IT_UP)


@pytest.fixture(scope="module")
def example_analysis():
    return whole(RAISE_IT_UP, EXAMPLE)


def raised_on(best, stage: int) -> np.ndarray:
    """Whether the most is raised, by set; the other decision is a check, or a fold on five cards."""
    assert set(np.unique(best.decisions[stage])) == {PASS, FORM.stages[stage].raises[-1]}
    return best.decisions[stage][:, 0] > PASS


def percent(share):
    return float(100 * share)


def test_required_wagers_lose_1_057_percent_of_all_that_is_wagered(analysed):
    ante = analysed["ante", ""]
    assert percent(ante.required.loss_per_ante) == pytest.approx(3.502188, abs=5e-7)
    assert percent(ante.required.loss_per_initial) == pytest.approx(1.751094, abs=5e-7)
    assert percent(ante.required.loss_per_total_wagered) == pytest.approx(1.057437, abs=5e-7)
    assert float(ante.required.average_wagered) == pytest.approx(3.311960, abs=5e-7)
    assert ante.largest_win == 1 + 1000 + 3 * 100
    assert sum(choice.frequency for choice in ante.strategy) == 1


def test_rows_are_one_for_each_net_and_amount_wagered(analysed):
    rows = analysed["ante", ""].outcomes
    assert len({(row.net, row.wagered) for row in rows}) == len(rows) == 28
    assert {row.section for row in rows} == {"§ 587.11(f)", "§ 587.11(i)(2)(i)", "§ 587.11(i)(2)(ii)"}


@pytest.mark.parametrize(
    ("paytable", "hold"),
    [("Paytable A", 2.316742), ("Paytable B", 3.493213), ("Paytable C", 5.574661), ("Paytable D", 7.276018)],
)
def test_pair_plus_holds_what_its_reading_says(analysed, paytable, hold):
    pair_plus = analysed["pair_plus", paytable]
    assert percent(pair_plus.hold) == pytest.approx(hold, abs=5e-7)
    assert [row.count for row in pair_plus.outcomes] == [48, 52, 720, 1096, 3744, 16_440]


def test_six_card_bonus_is_paid_on_the_known_six_card_hands(analysed):
    assert [int(row.sum(dtype=np.int64)) // 6 for row in last_cards(FORM.hands, 6)[3:]] == list(SIX_CARDS.values())
    odds = {"A": (1000, 200, 50, 25, 20, 10, 5), "C": (1000, 200, 100, 20, 15, 9, 8)}  # § 587.12(f)
    for letter, pays in odds.items():
        bonus = analysed["six_card_bonus", f"Paytable {letter}"]
        returned = sum(n * (pay + 1) for n, pay in zip(reversed(SIX_CARDS.values()), pays, strict=True))
        assert bonus.hold == 1 - Fraction(returned, 20_358_520)
    assert [round(percent(analysed["six_card_bonus", f"Paytable {letter}"].hold), 6) for letter in "ABCD"] == [
        10.224790, 15.278989, 6.741335, 8.561408,
    ]  # fmt: skip


def test_progressive_is_forfeited_with_the_straights_that_are_folded(analysed):
    one, five = (analysed["progressive", f"${bet} Progressive Payout Wager"] for bet in (1, 5))
    forfeited = next(row for row in one.outcomes if row.outcome == FORFEITED)
    by_odds = Fraction(3 * 500 + 44 * 70 + 52 * 60 + 720 * 6, 22_100)  # 54.389140 %, where nothing is folded
    assert one.progressive.fixed_return == five.progressive.fixed_return == by_odds - 6 * forfeited.probability
    assert percent(one.progressive.fixed_return) == pytest.approx(51.371133, abs=5e-7)
    assert f"{percent(by_odds):.6f} % by odds" in one.notes[1]
    assert (forfeited.net, forfeited.section) == (-1, "§ 587.11(g)")
    assert one.envy_per_other_player == Fraction(100 + 3 * 25, 22_100) == five.envy_per_other_player / 5


def test_meter_is_as_answered_else_the_smallest_allowed(analysed):
    least = analysed["progressive", "$1 Progressive Payout Wager"].progressive
    assert (least.reset, least.rate) == (1000, Fraction(14, 100))
    assert least.return_at_reset == least.fixed_return + Fraction(1000, 22_100)
    filed = next(row for row in analyze_wagers(GAME, RAISE_IT_UP, EXAMPLE) if row.progressive).progressive
    assert (filed.reset, filed.rate, filed.meter_coefficient) == (5000, Fraction(20, 100), Fraction(1, 5 * 22_100))
    assert filed.long_run_return == filed.fixed_return + filed.rate + Fraction(5000, 5 * 22_100)


# ---- the strategy in words


def all_sets(size: int) -> np.ndarray:
    """Every set of so many cards, in the order of places."""
    falling = np.fromiter(chain.from_iterable(combinations(reversed(range(FULL_DECK)), size)), np.int8)
    return falling.reshape(-1, size)[::-1, ::-1].copy()


class Seen:
    """What the words look at, for all sets of cards at once."""

    def __init__(self, size: int) -> None:
        held = all_sets(size)
        self.ranks, suits = held // 4, held % 4  # ranks rise
        self.pair = (np.diff(self.ranks, axis=1) == 0).any(axis=1)
        self.of_one_suit = np.max([(suits == suit).sum(axis=1) for suit in range(4)], axis=0)
        self.tens = np.sum([(self.ranks == rank).any(axis=1) for rank in range(TEN, ACE + 1)], axis=0)
        self.bits = np.bitwise_or.reduce(1 << self.ranks.astype(np.int64), axis=1)
        self.completing = self._completing()

    def _completing(self) -> np.ndarray:
        """How many ranks make four of the cards a straight."""
        ranks = np.zeros_like(self.bits)
        for top in range(3, ACE + 1):
            straight = sum(1 << rank for rank in hands.straight_ranks(top))
            missing = straight & ~self.bits
            ranks |= np.where((missing & (missing - 1)) == 0, missing, 0)
        return np.array([int(one).bit_count() for one in range(1 << 13)])[ranks]

    def hold(self, faces: str) -> np.ndarray:
        """Which sets hold cards of all these ranks."""
        ranks = sum(1 << FACES.index(face) for face in faces)
        return (self.bits & ranks) == ranks


look_at = cache(Seen)


def low_inside(seen: Seen) -> np.ndarray:
    return np.any([seen.hold(four) for four in ("2346", "2356", "3467", "4578", "5689")], axis=0)


def met_after_a_check(best) -> np.ndarray:
    """Which four cards a check on three can lead to."""
    checked = best.decisions[0] == PASS
    return over_one_less(checked[:, 0].astype(np.int64), 4, FULL_DECK) > 0


def test_five_cards_are_played_as_the_words_say(best):
    seen = look_at(5)
    words = seen.pair | (seen.of_one_suit >= 4) | (seen.completing >= 2) | ((seen.completing == 1) & (seen.tens >= 1))
    assert (words == raised_on(best, 2)).all()


def test_four_cards_are_played_as_the_words_say(best):
    seen = look_at(4)
    straight = (seen.completing >= 1) & (~low_inside(seen) | (seen.of_one_suit >= 3))
    words = seen.pair | (seen.of_one_suit == 4) | ((seen.of_one_suit == 3) & (seen.tens >= 3)) | straight
    assert (words == raised_on(best, 1))[met_after_a_check(best)].all()


@pytest.mark.parametrize(("size", "column", "raised"), [(4, 1, "Two Antes"), (5, 2, "One Ante")])
def test_table_of_later_cards_says_so_too(best, size, column, raised):
    seen = look_at(size)
    (later,) = read_sentences(GAME.required.play_file, {}).tables
    lines = (
        seen.pair, seen.of_one_suit >= 4, seen.completing >= 2, (seen.completing == 1) & (seen.tens >= 1),
        low_inside(seen) & (seen.of_one_suit < 3), seen.completing == 1, (seen.of_one_suit == 3) & (seen.tens >= 3),
        seen.pair | True,
    )  # fmt: skip
    says = np.select(lines, [row[column] == raised for row in later.rows])
    assert len(lines) == len(later.rows)
    met = met_after_a_check(best) if size == 4 else slice(None)
    assert (says == (raised_on(best, 1) if size == 4 else raised_on(best, 2)))[met].all()


def test_three_cards_are_played_as_words_and_table_say(best, analysed):
    seen = look_at(3)
    table = analysed["ante", ""].strategy_tables[0]
    listed = {(low, second, high) for high, second, lows in table.rows for low in lows.split(", ")}
    for own, pair, suited, tens, raises in zip(
        all_sets(3), seen.pair, seen.of_one_suit, seen.tens, raised_on(best, 0), strict=True
    ):
        faces = tuple(FACES[card // 4] for card in own)
        words = pair or tens == 3 or faces in {("9", "10", "Q"), ("9", "10", "J"), ("8", "10", "J")}
        words = words or (faces == ("9", "J", "Q") and suited == 2)
        words = words or (faces == ("8", "9", "10") and suited == 2 and own[2] % 4 in {own[0] % 4, own[1] % 4})
        assert raises == (faces in listed if suited == 3 and not pair else words), names(int(card) for card in own)


def test_no_two_decisions_are_of_equal_worth(analysed, best):
    assert not any(tied.any() for tied in best.tied)
    assert "No two decisions are of equal worth, with any cards." in analysed["ante", ""].notes


def test_raises_that_are_allowed_and_never_made_are_said(analysed):
    """From the chapter's form: one to three Antes, one or two, one."""
    assert [stage.raises for stage in FORM.stages] == [(1, 2, 3), (1, 2), (1,)]
    note = "A Play Wager of one or two Antes on three cards, or of one on four, is never better"
    assert analysed["ante", ""].notes[0].startswith(note)


def test_plain_play_costs_more(analysed):
    ante = analysed["ante", ""]
    assert all(plain.required.loss_per_ante > ante.required.loss_per_ante for plain in ante.simplified_plays)
    always, _, never_folds = (plain.required for plain in ante.simplified_plays)
    assert (always.average_wagered, never_folds.average_wagered) == (5, 3)
    # What the Ante and Blind win, and what each Play Wager wins, follow from the six-card hands alone.
    one, three = -never_folds.loss_per_ante, -always.loss_per_ante
    counts = [int(row.sum(dtype=np.int64)) // 6 for row in last_cards(FORM.hands, 6)]
    play = (-1, 1, Fraction(3, 2), 3, 4, 5, 6, 10, 20, 100)  # § 587.12(c)
    assert three - one == 2 * sum(n * net for n, net in zip(counts, play, strict=True)) / 20_358_520


# ---- one hand's whole tree, slowly


def slow_six(six: tuple[str, ...]) -> int:
    """The class of the best five of six cards; 0 below a pair of 10s."""
    kind, ranks = max(worth(list(five), hands.STANDARD) for five in combinations(six, 5))
    return 0 if kind == 1 and ranks[0] < 10 else kind


@pytest.mark.parametrize("own", ["Kh 9h 4c", "5s 4d 3s"])
def test_one_hand_played_slowly_is_decided_alike(own, best):
    """Every order of the community cards, in plain Python with nets in half Antes.

    Not found here: a wrong decision with other first cards than these two hands.
    """
    held = tuple(own.split())
    rest = [card for card in PACK if card not in held]
    kinds = {flop: slow_six((*held, *flop)) for flop in combinations(rest, 3)}
    initial = (-4, 2, 2, 4, 6, 8, 10, 62, 402, 2002)  # Ante and Blind, § 587.12(b), (d)
    play = (-2, 2, 3, 6, 8, 10, 12, 20, 40, 200)  # § 587.12(c)
    after: dict[frozenset[str], Counter[int]] = {}
    for flop, kind in kinds.items():
        for two in combinations(flop, 2):
            after.setdefault(frozenset(two), Counter())[kind] += 1

    def raised(counts: Counter[int], size: int) -> int:
        return sum(n * (initial[kind] + size * play[kind]) for kind, n in counts.items())

    folds = go_on = 0
    for first in rest:
        seconds = {second: after[frozenset((first, second))] for second in rest if second != first}
        once = {second: raised(counts, 1) >= -4 * 47 for second, counts in seconds.items()}
        for second, counts in seconds.items():
            known = set_place(cards(" ".join((*held, first, second))))
            assert once[second] == raised_on(best, 2)[known]
            assert dict(enumerate(int(row[known]) for row in last_cards(FORM.hands, 6))) == {
                kind: counts[kind] for kind in range(len(hands.STANDARD))
            }
        later = sum(max(raised(counts, 1), -4 * 47) for counts in seconds.values())
        now = sum(raised(counts, 2) for counts in seconds.values())
        assert (now >= later) == raised_on(best, 1)[set_place(cards(" ".join((*held, first))))]
        go_on += max(now, later)
        folds += 0 if now >= later else 47 * sum(not plays for plays in once.values())
    three_times = 6 * sum(initial[kind] + 3 * play[kind] for kind in kinds.values()) >= go_on
    assert three_times == raised_on(best, 0)[set_place(cards(own))]
    assert (0 if three_times else folds) == folds_by_own_cards(FORM, best.decisions)[set_place(cards(own))]


def test_every_order_of_every_six_cards_is_counted_once(best):
    ends, own = best.ends, folded_classes(FORM, best.decisions)
    assert ends.ended.sum() + ends.folded.sum() == own.sum() == FORM.cycle == 22_100 * 49 * 48 * 47
    assert ends.folded.sum() == own[1].sum()
    assert list(all_hands(FORM)[3:]) == list(SIX_CARDS.values())


# ---- rounds


def test_rounds_dealt_agree_with_the_exact_counts():
    result = simulate(RAISE_IT_UP, EXAMPLE, 300_000, seed=587)
    assert [row.wager for row in result.wagers] == ["ante", "pair_plus", "progressive", "six_card_bonus"]
    assert result.passed


def dealt_by(decisions, stream):
    return registry.table("587").deal(RAISE_IT_UP, EXAMPLE, decisions, stream)


def test_rounds_of_a_stream_are_known(best):
    """Filed results can be dealt again only as long as this holds: a change here is a new engine."""
    dealt = dealt_by(best.decisions, (1, 1, 2_000_000))
    rounds = {ending.outcome: ending.rounds for ending in dealt.endings["ante"]}
    hands_of = ("lost", *(line.outcome for line in reversed(RAISE_IT_UP.tables_of("play")[0].rows)))
    ended = np.array([[rounds.get(f"Play Wager {raised}×: {hand}", 0) for hand in hands_of] for raised in range(4)])
    assert ended.sum() == 1_293_296
    assert (ended.ravel() * np.arange(ended.size)).sum() == 27_584_441
    assert dealt.last == (18, 31, 17, 50, 40, 20)


def test_rounds_under_another_strategy_do_not_agree(analysed, best):
    timid = (np.zeros_like(best.decisions[0]), *best.decisions[1:])
    dealt = dealt_by(timid, (587, 0, 300_000)).endings["ante"]
    counts = {ending.outcome: ending.rounds for ending in dealt}
    assert not compared(analysed["ante", ""], counts).passed


@pytest.mark.parametrize("index", range(12))
def test_story_is_settled_as_its_cards_say(index, example_analysis):
    replayed = replay_round(RAISE_IT_UP, EXAMPLE, example_analysis, 11, 2, index)
    own = replayed.steps[0].cards
    community = tuple(card for step in replayed.steps if step.who == "Community cards" for card in step.cards)
    assert replayed.steps == round_steps(RAISE_IT_UP, EXAMPLE, 11, 2, index)
    assert len({*own, *community}) == 6
    sections = [step.section for step in replayed.steps[1:-1]]
    assert all(earlier < later for earlier, later in pairwise(sections))
    decided = [step.what for step in replayed.steps if step.who == "Player" and "Play Wager" in step.what]
    ante = next(one.row for one in replayed.settlements if one.wager == "ante")
    kind = slow_six(tuple(names((*own, *community)).split()))
    if replayed.steps[-3].what == "folds":
        assert (ante.outcome, ante.net, decided) == ("Folded", -2, [])
    else:
        assert len(decided) == 1
        assert (ante.net > 0) == (kind > 0)
        assert ante.wagered == 2 + {"one": 1, "two": 2, "three": 3}[decided[0].split()[-2].removesuffix("s")]
