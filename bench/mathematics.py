"""The mathematics: five-card hands ranked, rounds simulated, configurations analyzed.

The peers that rank hands (phevaluator, pkrbot, eval7, treys) are called as their users call them: from Python, a hand
at a time. Ours is shown the same way, and in a kernel, as the portal uses it. An analysis is timed from start to end of
its process; the figures of a configuration, which offers every wager, are computed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, repeat, starmap
from math import comb
from pathlib import Path
from typing import Any

import eval7
import numpy as np
import pkrbot
import treys
from numpy.typing import NDArray
from phevaluator import evaluate_cards

from bench.parts import children, per_second, seconds
from games.maths.cards import FULL_DECK, name
from games.maths.compiled import kernel
from games.maths.fifth_card import class_counts, sum_values
from games.maths.fifth_card import rows as rows_of_fifths
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.registry import chapter as chapter_of
from games.registry import folders, play
from games.rules.model import Chapter
from games.rules.wagers_in_play import covering
from tests.games.worst_configurations import worst_answers

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
    yield "ours, all 2,598,960 hands in sequence, in a kernel", _in_sequence()
    yield from _classes()


def _called(ranked: Callable[[], Iterator[int]]) -> str:
    return per_second(HANDS, seconds(lambda: deque(ranked(), maxlen=0)))


def _classes() -> Iterator[tuple[str, str]]:
    """Yield the milliseconds for all hands into their ten classes; the peers only rank them, which is kind to them."""
    deck = [name(card) for card in range(FULL_DECK)]
    peers: dict[str, tuple[Callable[..., int], list[Any]]] = {
        "phevaluator": (lambda hand: evaluate_cards(*hand), list(range(FULL_DECK))),
        "eval7": (eval7.evaluate, [eval7.Card(card) for card in deck]),
        "pkrbot": (pkrbot.evaluate, [pkrbot.Card(card) for card in deck]),
    }
    for label, (rank, cards) in peers.items():
        taken = seconds(lambda rank=rank, cards=cards: deque(map(rank, combinations(cards, 5)), maxlen=0), 1)  # type: ignore[misc]
        yield f"{label}, all 2,598,960 hands", f"{1000 * taken:,.1f} ms"
    class_counts()
    taken = seconds(lambda: [class_counts() for _ in range(KERNEL_ROUNDS)]) / KERNEL_ROUNDS
    yield "ours, all 2,598,960 hands into their ten classes", f"{1000 * taken:,.2f} ms"


def _random_hands(hands: list[list[int]]) -> str:
    ranking, counts, cards = standard(), np.zeros(10, np.int64), np.array(hands)
    _rank_given(1, cards, ranking.keys, ranking.values, LOW, HIGH, counts)
    taken = seconds(lambda: _rank_given(KERNEL_ROUNDS, cards, ranking.keys, ranking.values, LOW, HIGH, counts))
    return per_second(HANDS * KERNEL_ROUNDS, taken)


def _in_sequence() -> str:
    values = rows_of_fifths()
    sum_values(values)
    return per_second(comb(52, 5), seconds(lambda: [sum_values(values) for _ in range(KERNEL_ROUNDS)]) / KERNEL_ROUNDS)


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
    deal = partial(play(chapter.number).simulate_block, chapter, covering(chapter)[0], 1)
    deal(0, 1_000)  # from here on it is compiled, and the best play is known
    return per_second(ROUNDS, seconds(partial(deal, 1, ROUNDS)))


ANALYSES_TITLE = "Seconds for `python -m games analyze N --json`"


def analyses_rows() -> Iterator[tuple[str, str]]:
    for number in folders():
        with tempfile.TemporaryDirectory() as empty:
            config = Path(empty) / "config.json"
            config.write_text(json.dumps(worst_answers(number)), "utf-8")
            environment = os.environ | {"NUMBA_CACHE_DIR": empty}
            shipped, computed = (
                partial(_analyze, environment, number),
                partial(_analyze, environment, number, "--config", config),
            )
            yield f"{number}, figures that are shipped", f"{seconds(shipped, 1, children):.2f} s"
            yield f"{number}, a configuration in a fresh clone (compiles)", f"{seconds(computed, 1, children):.2f} s"
            yield f"{number}, a configuration in every later run", f"{seconds(computed, 2, children):.2f} s"


def _analyze(environment: dict[str, str], number: str, *options: str | Path) -> None:
    command = [sys.executable, "-m", "games", "analyze", number, "--json", *options]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
