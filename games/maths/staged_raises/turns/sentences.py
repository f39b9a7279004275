"""The sentences on the best play: those that a chapter gives in `strategy.toml` beside its `play.py`, else computed.

A computed sentence names hands (`clauses`) and counts the sets of cards that are decided otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from games.maths.results import StrategyTable
from games.maths.staged_raises.strategy_file import read_strategy
from games.maths.staged_raises.turns.best_play import PASS, Decisions, orders_met
from games.maths.staged_raises.turns.clauses import all_sets, clauses_of, features, fits_any
from games.maths.staged_raises.turns.form import Form


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """(stage, Antes raised there; 0 = a fold) → the hands; tables on the same."""

    hands: Mapping[tuple[int, int], str]
    tables: tuple[StrategyTable, ...] = field(default=())


def read_sentences(play_file: str, odds: Mapping[str, Sequence[Fraction]]) -> Sentences | None:
    """Those of the chapter whose `play.py` this is, None if it gives none for these odds; see `strategy_file`."""
    data = read_strategy(play_file, odds)
    if data is None:
        return None
    hands = {(line["stage"] - 1, line["antes"]): line["hands"] for line in data["decision"]}
    return Sentences(hands, tuple(_table(table) for table in data.get("table", ())))


def _table(data: Mapping[str, Any]) -> StrategyTable:
    return StrategyTable(data["title"], tuple(data["header"]), tuple(tuple(line) for line in data["rows"]))


def computed_sentences(form: Form, decisions: Decisions) -> Sentences:
    """From the decisions, for the sets of cards that are met under them."""
    met = orders_met(form, decisions)
    sentences: dict[tuple[int, int], str] = {}
    for stage, options in enumerate(form.stages):
        size = form.own + stage
        orders = np.concatenate([met.live[stage][before] for before in form.raised_before(stage)])
        taken = decisions[stage].T.reshape(-1)
        there = np.flatnonzero(orders)
        sets = all_sets(size, form.deck)[there % form.sets(stage)]
        seen, taken, orders = features(sets), taken[there], orders[there]
        said = np.full(len(taken), PASS)
        lists: dict[int, str] = {}
        for raised in options.raises:  # the smallest first: what also fits a larger raise is overwritten
            clauses = clauses_of(seen, taken >= raised, orders, size)
            said[fits_any(clauses, seen, len(taken))] = raised
            lists[raised] = "; ".join(clause.words() for clause in clauses)
        for decision in (PASS, *options.raises):
            wrong = int(((said == decision) & (taken != decision)).sum())
            elsewhere = int(((said != decision) & (taken == decision)).sum())
            larger = decision != PASS and any(lists[size] for size in options.raises if size > decision)
            words = "all else" if decision == PASS else lists[decision] or "no hand"
            words = f"otherwise {words}" if larger else words
            sentences[stage, decision] = words[0].upper() + words[1:] + _exceptions(wrong, elsewhere)
    return Sentences(sentences)


def _exceptions(wrong: int, elsewhere: int) -> str:
    parts = [f"but not with {wrong:,} of these sets of cards"] if wrong else []
    parts += [f"also with {elsewhere:,} other{'s' if elsewhere > 1 else ''}"] if elsewhere else []
    return f", {', '.join(parts)}" if parts else ""
