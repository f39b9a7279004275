"""A strategy in sentences: words, shares, exceptions and simplified rules come from the decisions and say the same.

Not found here: a wrong ranking of four cards, on which the decisions, the words and the count of hands all rest; wrong
words for other paytables than the first.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.maths.cards import ACE
from games.maths.showdown.four_cards import HIGH_CARD, PAIR, best_four, four_card_order, value_counts
from games.maths.showdown.required import rule_in_words, runs, steps_of
from games.maths.showdown.strategy import Strategy
from games.registry import folder_of, play
from tests.games.lazy import lazy_chapter

pytestmark = pytest.mark.proof

HANDS = 2_598_960
GAMES = {  # the words' own cuts, and what is wagered from there up
    "657a": (((HIGH_CARD, 11, 10, 6, 2), 1), ((PAIR, ACE), 3)),
    "682a": (((PAIR, 1), 1), ((PAIR, 8, 9), 3)),
}
SENTENCES = {
    "657a": {
        "Play three Antes": "A pair of aces or better",
        "Play one Ante": "King, queen, 8 and 4 or better, up to a pair of kings, but not for 432 of these hands, "
        "also for 1,008 others (see the table)",
        "Fold": "Less than king, queen, 8 and 4, but not for 1,008 of these hands, also for 432 others (see the table)",
    },
    "682a": {
        "Raise three Antes": "A pair of 10s with a jack or better, but not for 1,512 of these hands, "
        "also for 1,848 others (see the table)",
        "Raise one Ante": "A pair of 3s or better, up to a pair of 10s with a 9, but not for 1,848 of these hands, "
        "also for 1,512 others (see the table)",
        "Fold": "Less than a pair of 3s",
    },
}


def required(number: str) -> Any:
    return next(wager for wager in play(number).analyze(lazy_chapter(number), None) if wager.wager == "ante")


def strategy_of(number: str) -> Strategy:
    """The best play for the first paytable of every part."""
    module = __import__(f"games.chapters.{folder_of(number).name}.play", fromlist=["GAME"])
    answers = {"bad_beat_paytable": "Paytable A"}
    best: Strategy = module.GAME.played(module.GAME.required.tables_for(lazy_chapter(number), answers)).best
    return best


def hands_by_words(number: str) -> list[int]:
    """Hands that the words give each decision, the highest first: by counting all hands, not by the strategy."""
    counts = value_counts()
    firsts = [next(v for v, s in enumerate(best_four(5).strengths) if s >= cut) for cut, _ in GAMES[number]]
    return [int(counts[low:high].sum()) for low, high in zip([0, *firsts], [*firsts, None], strict=True)][::-1]


@pytest.mark.parametrize("number", GAMES)
def test_sentences_are_those_of_the_decisions(number: str) -> None:
    assert {choice.decision: choice.when for choice in required(number).strategy} == SENTENCES[number]


@pytest.mark.parametrize("number", GAMES)
def test_share_of_the_words_is_the_frequency_but_for_the_exceptions_counted(number: str) -> None:
    for choice, hands in zip(required(number).strategy, hands_by_words(number), strict=True):
        exceptions, others = (
            int(match[1].replace(",", "")) if (match := re.search(pattern, choice.when)) else 0
            for pattern in (r"but not for ([\d,]+)", r"also for ([\d,]+)")
        )
        assert choice.frequency == Fraction(hands - exceptions + others, HANDS)


def test_hands_below_king_queen_8_and_4_are_as_many_as_counted_elsewhere() -> None:
    assert f"{hands_by_words('657a')[-1] / HANDS:.8%}" == "23.52941176%"


@pytest.mark.parametrize("number", GAMES)
def test_words_as_a_rule_are_the_cuts(number: str) -> None:
    strategy = strategy_of(number)
    assert steps_of(strategy) == (((HIGH_CARD,), 0), *GAMES[number])
    reversed_decisions = np.where(strategy.decisions == 0, 3, 0).astype(np.int8)
    with pytest.raises(ValueError, match="do not follow the order of the hands"):
        runs(Strategy(strategy.against, reversed_decisions))


RULES = {
    "C with a pair of aces or better; b with a pair or better; a every other hand": (((PAIR,), 1), ((PAIR, ACE), 3)),
    "C with a pair of aces or better; b with any other hand": (((HIGH_CARD,), 1), ((PAIR, ACE), 3)),
    "C with every hand": (((HIGH_CARD,), 3),),
    "B with king, queen, 8 and 4 or better; a every other hand": (((HIGH_CARD, 11, 10, 6, 2), 1),),
    "B with a pair of 8s with an ace or better; a every other hand": (((PAIR, 6, 12), 1),),
}


@pytest.mark.parametrize("expected", RULES)
def test_rule_is_put_into_words(expected: str) -> None:
    assert rule_in_words(RULES[expected], ("A", "B", "", "C"), four_card_order()) == expected


def test_simplified_rule_by_the_words_loses_little_more_than_the_best_play() -> None:
    best = required("657a")
    plain = next(one for one in best.simplified_plays if one.name == "Goes by the best four cards alone")
    assert plain.when == (
        "Play three Antes with a pair of aces or better; play one Ante with king, queen, 8 and 4 or better; "
        "fold every other hand"
    )
    assert f"{float(plain.required.loss_per_ante):.6%}" == "3.418944%"
