"""The best play of two own and three community cards in words: those that a chapter gives, else computed.

Not here: the decisions themselves (`best_play`), how a computed sentence comes about (`turns.sentences`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from games.maths.staged_raises.ladder import pays_of
from games.maths.staged_raises.strategy_file import read_strategy
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, ONCE, STAGES, THRICE, Strategy
from games.maths.staged_raises.turns.form import Form, PaidHands, Stage
from games.maths.staged_raises.turns.sentences import computed_sentences
from games.rules.model import Paytable

STAGE_NAMES = ("with two cards", "after the first community card", "after the second community card")
DECISIONS = {THRICE: "Raises three Antes", ONCE: "Raises one Ante", FOLD: "Folds"}
FORM = Form(own=2, stages=(Stage((ONCE, THRICE)),) * STAGES, hands=PaidHands(pairs=("6", "J")), raises_once=False)
"""A street game as one of turned cards."""


@dataclass(frozen=True, slots=True)
class Words:
    """(decision, the hands) for each stage: the first line that fits decides, the last fits all. `equal`: the hands
    that another decision would serve as well; `preface`: what must be known to read the lines. Both may be empty."""

    lines: tuple[tuple[tuple[int, str], ...], ...]
    equal: str = ""
    preface: str = ""


def words_of(play_file: str, table: Paytable, strategy: Strategy) -> Words:
    """The chapter's own words on the paytable, if its `strategy.toml` has some for these odds, else computed ones."""
    nets = tuple(reversed(pays_of(table)[1:]))
    data = read_strategy(play_file, {table.name: nets})
    return _given(data, table.name) if data else _computed(strategy)


def _given(data: Mapping[str, Any], paytable: str) -> Words:
    def applies(line: Mapping[str, Any]) -> bool:
        return paytable in line.get("paytables", (paytable,))

    lines = [
        tuple((line["antes"], line["hands"]) for line in data["line"] if line["stage"] == stage and applies(line))
        for stage in range(1, STAGES + 1)
    ]
    equal = next((line["hands"] for line in data["equal"] if applies(line)), "")
    return Words(tuple(lines), equal, data["preface"])


def _computed(strategy: Strategy) -> Words:
    decisions = (strategy.first[:, None], strategy.second, strategy.third)
    sentences = computed_sentences(FORM, tuple((table % EQUAL).astype(np.int8) for table in decisions)).hands
    return Words(tuple(tuple((taken, sentences[stage, taken]) for taken in DECISIONS) for stage in range(STAGES)))
