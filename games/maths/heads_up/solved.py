"""Decisions and their ends for one set of odds, computed once and kept: in memory, and on disk for other processes.

Dealing rounds needs the decisions only. Not here: how either is computed (`best_play`, `settled`).
"""

from functools import cache
from hashlib import sha256

import numpy as np

from games.maths.disk_cache import Arrays, cached_arrays
from games.maths.heads_up.after_flop import count_after_flop
from games.maths.heads_up.best_play import Decisions, Pays, decide
from games.maths.heads_up.chances import Ints
from games.maths.heads_up.settled import Settled, settle


@cache
def decisions(pays: Pays) -> Decisions:
    """When to raise, under these odds."""

    def compute() -> Arrays:
        solution = decide(pays)
        return {"before": solution.before, "after": solution.after, "last": solution.last, "equal": solution.equal}

    return Decisions(**cached_arrays(f"heads-up-decisions-{_digest(pays)}", compute))  # type: ignore[arg-type]


@cache
def settled(pays: Pays) -> Settled:
    """How often which round ends how, under the best decisions for these odds."""

    def compute() -> Arrays:
        result = settle(decisions(pays), pays.lowest)
        return {"best": result.best, "late": result.late, "last": result.last}

    return Settled(**cached_arrays(f"heads-up-settled-{_digest(pays)}", compute))  # type: ignore[arg-type]


@cache
def after_flop(pays: Pays) -> Ints:
    """[raised, holding]: what the decision after the Flop is taken with."""
    name = f"heads-up-after-flop-{_digest(pays)}"
    return cached_arrays(name, lambda: {"holdings": count_after_flop(decisions(pays))})["holdings"].astype(np.int64)


def _digest(pays: Pays) -> str:
    return sha256(repr(pays).encode()).hexdigest()[:16]
