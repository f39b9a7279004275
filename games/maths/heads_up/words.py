"""The decisions in sentences, computed: what is always raised, what is but for some deals, how many others are.

Not here: the same cell by cell (`advice`).
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from games.maths.cards import ACE, RANK_NAMES
from games.maths.heads_up.after_flop import HOLDINGS
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.chances import Ints
from games.maths.heads_up.odds import IN_WORDS, OddsTables
from games.maths.heads_up.rules import AFTER, BEFORE, FOLD, LAST
from games.maths.heads_up.solved import after_flop, decisions, settled
from games.maths.heads_up.suits import GROUPS, PAIR_GROUPS, RANKS
from games.maths.results import Choice

STAGES = ("before the Flop", "after the Flop", "after the River card")


def choices(odds: OddsTables) -> tuple[Choice, ...]:
    """Each decision: the hands in words, those outside of them counted, and its exact share."""
    taken = settled(odds.pays()).best.sum(axis=(1, 2))
    sentences = {
        BEFORE: _before(raised_groups(odds)),
        AFTER: _after(*after_flop(odds.pays())),
        LAST: _last(*settled(odds.pays()).last),
        FOLD: "Else",
    }
    return tuple(
        Choice(decision_name(odds, when), sentence, Fraction(int(taken[when]), CYCLE))
        for when, sentence in sentences.items()
    )


def decision_name(odds: OddsTables, when: int) -> str:
    """ "Raise 2× after the Flop"."""
    return f"Raise {odds.rules.raises[when]}× {STAGES[when]}" if when != FOLD else f"Fold {STAGES[LAST]}"


def raised_groups(odds: OddsTables) -> Ints:
    """`[rank, rank]`, 1 where two cards are raised before the Flop: of one suit if the higher rank comes first."""
    raised = np.zeros(GROUPS, np.int64)
    raised[PAIR_GROUPS] = decisions(odds.pays()).before
    return raised.reshape(RANKS, RANKS)


def _before(raised: Ints) -> str:
    """The ranks from which on two cards are raised; pairs of ranks below them that are raised are named."""
    least = _least(raised.diagonal())
    parts = [f"a pair of {RANK_NAMES[least]}s or better"] if least < RANKS else []
    below = [f"a pair of {RANK_NAMES[rank]}s" for rank in range(least) if raised[rank, rank]]
    for high in range(ACE, 0, -1):
        of_two, of_one = raised[:high, high], raised[high, :high]
        parts += _beside(high, _least(of_two), _least(of_one))
        for cards, suits in ((of_two, "two suits"), (of_one, "one suit")):
            lows = [RANK_NAMES[low] for low in range(_least(cards)) if cards[low]]
            below += [f"{_a(RANK_NAMES[high])} and {_a(low)} of {suits}" for low in lows]
    return _sentence([*parts, *below])


def _beside(high: int, of_two: int, of_one: int) -> Iterator[str]:
    """What is raised with this rank and a lower one: from `of_two` on of two suits, from `of_one` on of one."""
    name, most = _a(RANK_NAMES[high]), high - 1
    if of_two == of_one == 0:
        yield f"any {RANK_NAMES[high]}"
        return
    if of_two <= most:
        suited = f", of one suit with {_or_better(of_one, most)}" if of_one < of_two else ""
        yield f"{name} with {_or_better(of_two, most)}{suited}"
    elif of_one == most:
        yield f"{name} and {_a(RANK_NAMES[most])} of one suit"
    elif of_one < most:
        yield f"{name} with {_or_better(of_one, most)} of one suit"


def _or_better(rank: int, most: int) -> str:
    return _a(RANK_NAMES[rank]) + (" or better" if rank < most else "")


def _least(raised: Ints) -> int:
    """The lowest place from which on all are raised; its length if the last is not."""
    checked = np.flatnonzero(raised == 0)
    return int(checked[-1]) + 1 if len(checked) else 0


def _a(rank: str) -> str:
    return f"{'an' if rank in ('8', 'ace') else 'a'} {rank}"


def _after(checked: Ints, raised: Ints) -> str:
    """Both by holding: deals of two cards and a Flop."""
    names = [f"with {holding[0].lower()}{holding[1:]}" for holding in HOLDINGS]
    return _else(list(zip(names, raised.tolist(), checked.tolist(), strict=True)))


def _last(folded: Ints, raised: Ints) -> str:
    """Both by the player's class and the board's: deals of two cards, a Flop, and Turn and River card."""
    always = next((rank for rank in range(len(IN_WORDS)) if not folded[rank:].any()), len(IN_WORDS))
    parts = [(f"with {IN_WORDS[always]} or better", int(raised[always:].sum()), 0)] if always < len(IN_WORDS) else []
    for rank in range(always - 1, -1, -1):
        better = np.arange(len(IN_WORDS)) < rank  # than the board alone
        name = f"with {IN_WORDS[rank]} that the board alone does not make"
        parts.append((name, int(raised[rank, better].sum()), int(folded[rank, better].sum())))
        parts.append(("", int(raised[rank, ~better].sum()), int(folded[rank, ~better].sum())))
    return _else(parts)


def _else(parts: list[tuple[str, int, int]]) -> str:
    """From (hands in words, deals raised, deals not raised): those that mostly are, and the deals of all the others."""
    mostly = [part for part in parts if part[0] and part[1] > part[2]]
    rest = [part for part in parts if part not in mostly]
    said = [
        name + (f" (but for {not_raised:,} of {yes + not_raised:,} deals)" if not_raised else "")
        for name, yes, not_raised in mostly
    ]
    raised, not_raised = sum(yes for _, yes, _ in rest), sum(no for *_, no in rest)
    if raised:
        said.append(f"with {raised:,} of {raised + not_raised:,} {'other ' if said else ''}deals (table)")
    return f"Else, {'; '.join(said)}" if said else "Never"


def _sentence(parts: list[str]) -> str:
    words = "; ".join(parts) or "never"
    return words[0].upper() + words[1:]
