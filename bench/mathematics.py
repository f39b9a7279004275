"""The mathematics: five-card hands ranked, and rounds simulated.

The peers that rank hands (phevaluator, pkrbot, eval7, treys) are called as their users call them: from Python, a hand
at a time. Ours is shown the same way, and in a kernel, as the portal uses it.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat, starmap

import eval7
import numpy as np
import pkrbot
import treys
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from bench.parts import per_second, seconds
from games.compiled import kernel
from games.maths.cards import name
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.registry import chapter as chapter_of
from games.registry import folders, play
from games.rules.model import Chapter
from games.rules.wagers_in_play import covering
from games.runs.dealing import deal_block

HANDS_TITLE = "Five-card hands ranked per second"
HANDS = 200_000
KERNEL_ROUNDS = 100

Ints = NDArray[np.int64]
Values = NDArray[np.int32]
Part = NDArray[np.int16]


def hands_rows() -> Iterator[tuple[str, str]]:
    draw = random.Random(5)
    hands = [draw.sample(range(52), 5) for _ in range(HANDS)]
    named = [[name(card) for card in hand] for hand in hands]
    eval7_hands = [[eval7.Card(card) for card in hand] for hand in named]
    treys_hands = [[treys.Card.new(card) for card in hand] for hand in named]
    treys_score = treys.Evaluator().evaluate
    yield "phevaluator, a hand at a time", _called(lambda: starmap(evaluate_cards, hands))
    yield "eval7, a hand at a time", _called(lambda: map(eval7.evaluate, eval7_hands))
    yield "treys, a hand at a time", _called(lambda: map(treys_score, treys_hands, repeat([])))
    pkrbot_hands = [[pkrbot.Card(card) for card in hand] for hand in named]
    yield "pkrbot, a hand at a time", _called(lambda: map(pkrbot.evaluate, pkrbot_hands))
    yield "ours, a hand at a time from Python", _called(lambda: map(standard().value, hands))
    yield "ours, the same random hands in a kernel", _random_hands(hands)


def _called(ranked: Callable[[], Iterator[int]]) -> str:
    return per_second(HANDS, seconds(lambda: deque(ranked(), maxlen=0)))


def _random_hands(hands: list[list[int]]) -> str:
    ranking, counts, cards = standard(), np.zeros(10, np.int64), np.array(hands)
    _rank_given(1, cards, ranking.keys, ranking.values, LOW, HIGH, counts)
    taken = seconds(lambda: _rank_given(KERNEL_ROUNDS, cards, ranking.keys, ranking.values, LOW, HIGH, counts))
    return per_second(HANDS * KERNEL_ROUNDS, taken)


@kernel
def _rank_given(rounds: int, cards: Ints, keys: Ints, values: Values, low: Part, high: Part, counts: Ints) -> None:
    for _ in range(rounds):
        for hand in range(len(cards)):
            key = 0
            for place in range(5):
                key += keys[cards[hand, place]]
            counts[class_of(values[low[low_part(key)] + high[high_part(key)] + flush_part(key)])] += 1


ROUNDS_TITLE = "Simulated rounds per second, all wagers settled"
ROUNDS = 2_000_000


def rounds_rows() -> Iterator[tuple[str, str]]:
    for chapter in map(chapter_of, folders()):
        yield f"{chapter.number} {chapter.title}", _rounds_per_second(chapter)


def _rounds_per_second(chapter: Chapter) -> str:
    if not play(chapter.number).deals_rounds:
        return "nothing is dealt"
    deal = partial(deal_block, chapter, covering(chapter)[0], 1)
    deal(0, 1_000)  # from here on it is compiled, and the best play is known
    return per_second(ROUNDS, seconds(partial(deal, 1, ROUNDS)))
