"""Games of turned cards in general: a street game by a second engine, parameters refused, clauses of sentences.

Not found here: a wrong ranking of hands, which both engines share; wrong play with a joker or with one raise only,
which no second engine computes.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from games.maths import hands
from games.maths.cards import cards
from games.maths.hands import set_place
from games.maths.staged_raises.paid_hands import check_rows, pays_of
from games.maths.staged_raises.streets.wagers import FORM, OWN_CARDS, BonusWager, best, equal_deals, words_of
from games.maths.staged_raises.turns.best_play import PASS
from games.maths.staged_raises.turns.form import WITH_JOKER, Form, PaidHands, Stage
from games.maths.staged_raises.turns.game import TurnedCardsGame
from games.maths.staged_raises.turns.wagers import (
    EVEN_MONEY,
    BestHandWager,
    ForfeitedProgressive,
    OwnCardsWager,
    RequiredSections,
    RequiredWagers,
)
from games.maths.staged_raises.turns.words import Clause, all_sets, clauses_of, computed_sentences, features
from games.rules.errors import ParameterError
from games.rules.files import CHAPTERS, read_strategy
from tests.games.lazy import lazy_chapter
from tests.games.maths.street_engine import EQUAL, best_strategy, in_whole_numbers, play

pytestmark = pytest.mark.proof

STREETS = lazy_chapter("683a")
STREET_PLAY = str(CHAPTERS / "ch683a_cajun_stud" / "play.py")


@pytest.fixture(scope="module")
def played():
    return best(STREETS.tables_of("ante")[0])


@pytest.fixture(scope="module")
def strategy():
    return best_strategy(in_whole_numbers(pays_of(STREETS.tables_of("ante")[0]))[0])


# ---- a street game as a game of turned cards: two engines that share only the ranking of hands


def test_street_game_ends_alike(played, strategy):
    streets = play(strategy)
    ends = played.ends
    assert [row.tolist() for row in ends.ended[[3, 5, 7, 9]]] == streets.ended.tolist()
    assert ends.ended.sum() == streets.ended.sum()
    folds = [[int(ends.folded[stage, stage + 2 * thrice]) for thrice in range(3)] for stage in range(3)]
    assert folds == streets.folded.tolist()
    chosen = [[int(chosen[size]) for size in (0, 1, 3)] for chosen in ends.chosen]
    assert chosen == streets.chosen[:, [0, 1, 3]].tolist()
    assert equal_deals(played) == streets.equal.tolist()


def test_street_game_is_decided_alike(played, strategy):
    tables = (strategy.first[:, None], strategy.second, strategy.third)
    for decisions, tied, streets in zip(played.decisions, played.tied, tables, strict=True):
        assert (decisions == streets % EQUAL).all()
        assert (tied == streets // EQUAL).all()


def test_several_raises_are_said_one_after_another(played):
    sentences = computed_sentences(FORM, played.decisions).hands
    assert sentences[0, 3] == "A pair or better"
    assert sentences[0, 1].startswith("Otherwise ")
    assert sentences[0, PASS].startswith("All else")
    assert set(sentences) == {(stage, size) for stage in range(3) for size in (0, 1, 3)}


@pytest.mark.parametrize("change", ["other odds", "no file"])
def test_words_of_a_chapter_are_used_for_its_odds_only(change):
    table = STREETS.tables_of("ante")[0]
    decisions = best(table).decisions
    assert words_of(STREET_PLAY, table, decisions).preface.startswith("A jack or higher counts two points")
    if change == "other odds":
        six = replace(table.rows[4], pays=(replace(table.rows[4].pays[0], odds=Fraction(5)),))
        table = replace(table, rows=(*table.rows[:4], six, *table.rows[5:]))
    words = words_of(STREET_PLAY if change == "other odds" else "", table, decisions)
    assert (words.preface, words.equal) == ("", "")
    assert [[decision for decision, _ in stage] for stage in words.lines] == [[3, 1, 0]] * 3
    assert words.lines[0][0] == (3, "A pair or better")


def test_strategy_file_without_odds_is_refused(tmp_path):
    (tmp_path / "strategy.toml").write_text('preface = "A jack counts two points."', encoding="utf-8")
    with pytest.raises(ParameterError, match="odds"):
        read_strategy(str(tmp_path / "play.py"), {})


# ---- clauses

STRAIGHT_FLUSH = "three cards of one straight flush"


def test_sets_are_in_the_order_of_their_places():
    sets = all_sets(3, 53)
    assert len(sets) == 23_426
    assert [set_place(hand) for hand in sets.tolist()] == list(range(len(sets)))


@pytest.mark.parametrize(
    ("hand", "fits", "words"),
    [
        ("Jk 9h 8h", Clause((("straight flush", 3), ("top1", 7))), f"{STRAIGHT_FLUSH} with a 9 or higher"),
        ("Ah 3h 2h", Clause((("straight flush", 3), ("top1", 12))), f"{STRAIGHT_FLUSH} with an ace"),
        ("8h 8c 2d", Clause((("pair", 6),)), "a pair of 8s or better"),
        ("8h 8c 2d 2c", Clause((("pair", 13),)), "two pairs or better"),
        ("Kh Qc 2d", Clause((("top2", 10),)), "two cards of queen or higher"),
        ("Ah 8c 2d", Clause((("top1", 12),)), "an ace"),
        ("8h 7c 2d", Clause((("top1", 6),)), "an 8 or higher"),
    ],
)  # fmt: skip
def test_clause_fits_what_its_words_say(hand, fits, words):
    assert fits.words() == words
    assert fits.fits(features(np.array([cards(hand)], np.int8))).all()
    higher = Clause(((fits.least[-1][0], fits.least[-1][1] + 1),))
    assert not higher.fits(features(np.array([cards(hand)], np.int8))).any()


def test_clauses_of_a_plain_rule_are_that_rule():
    sets = all_sets(3, 52)
    found = features(sets)
    raises = (found["pair"] >= 4) | (found["top1"] == 12)
    words = {clause.words() for clause in clauses_of(found, raises, np.ones(len(sets), np.int64), 3)}
    assert words == {"a pair of 6s or better", "an ace"}


# ---- parameters that no game can have

ONE = Stage((1,))
PAIRS = PaidHands(pairs=("6",))
TWO_STAGES = Form(own=4, stages=(ONE,) * 2, hands=PAIRS, raises_once=False)
SECTIONS = RequiredSections(won="", lost="", decided=("",) * 3, turned=("",) * 3, made="", dealt={"": ""})


def wagers(form=None, before=None, sections=SECTIONS):
    form = form or Form(own=3, stages=(ONE,) * 3, hands=PAIRS, raises_once=False)
    before = {"Ante": EVEN_MONEY} if before is None else before
    return RequiredWagers(form=form, before_deal=before, raised="Raise", raised_by="ante", sections=sections)


def with_joker():
    return wagers(
        Form(own=3, stages=(ONE,) * 3, hands=PaidHands(("6",), joker=True, classes=WITH_JOKER), raises_once=False)
    )


@pytest.mark.parametrize(
    ("make", "key", "words"),
    [
        (partial(Stage, ()), "stages.raises", "allowed are whole numbers of Antes from 1 up"),
        (partial(Stage, (0, 1)), "stages.raises", "(0, 1)"),
        (partial(Stage, (3, 1)), "stages.raises", "the smallest first"),
        (partial(PaidHands, ()), "hands.pairs", "at least one"),
        (partial(PaidHands, ("11",)), "hands.pairs", "'11'"),
        (partial(PaidHands, ("J", "6")), "hands.pairs", "do not rise"),
        (partial(PaidHands, ("6",), joker=True), "hands.classes", "Five-of-a-Kind"),
        (partial(PaidHands, ("6",), classes=WITH_JOKER), "hands.classes", "52 cards"),
        (partial(Form, own=4, stages=(ONE,) * 3, hands=PAIRS, raises_once=False), "stages", "five or six"),
        (partial(Form, own=5, stages=(), hands=PAIRS, raises_once=False), "stages", "five or six"),
        (partial(Form, own=3, stages=(ONE,) * 3, hands=PAIRS, raises_once=True), "stages.may_check", "may check"),
        (partial(wagers, before={}), "before_deal", "nothing is wagered"),
        (partial(wagers, TWO_STAGES), "sections.decided", "3 of them for 2 stages"),
        (partial(BonusWager, OWN_CARDS, ("A",) * 5), "bonuses.rows", "5 rows; these cards have 4 classes"),
        (partial(BonusWager, OWN_CARDS, ("A",), {"B": "A"}), "bonuses.instead", "'B' is not one of the rows A"),
        (partial(check_rows, "rows", ("Full House",)), "rows", "'Full House' is not a hand of three cards"),
    ],
)  # fmt: skip
def test_parameters_that_no_game_has_are_refused(make, key, words):
    with pytest.raises(ParameterError) as refused:
        make()
    assert refused.value.key == key
    assert words in refused.value.problem


@pytest.mark.parametrize(
    ("optional", "words"),
    [
        (OwnCardsWager((hands.PAIR,), lost=""), "three own cards of 52, in a game of 3 of 53"),
        (ForfeitedProgressive((hands.STRAIGHT,), lost="", forfeited="", rate="", reset=""), "in a game of 3 of 53"),
        (BestHandWager((hands.HIGH_CARD,), lost=""), "'High Card' is not counted by itself"),
    ],
)
def test_optional_wagers_that_the_form_does_not_have_are_refused(optional, words):
    with pytest.raises(ParameterError) as refused:
        TurnedCardsGame(required=with_joker(), optional={"bonus": optional})
    assert words in refused.value.problem


def test_paytable_with_other_rows_than_the_hands_is_refused():
    form = Form(own=3, stages=(ONE,) * 3, hands=PAIRS, raises_once=False)
    with pytest.raises(ParameterError, match="has 10 rows"):
        wagers(form).pays(STREETS, "Paytable A")
