"""A strategy in sentences, computed from its decisions.

The hands are ordered, and a decision has a run of them: from its cut up to the next one. A cut is where the fewest
hands are played otherwise; how many those are is part of the sentence. Where they are: the tables (`tables`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from games.maths import hands
from games.maths.cards import RANK_NAMES
from games.maths.results import Choice
from games.maths.showdown.order import HandOrder, Strength
from games.maths.showdown.pairs import pair_choices
from games.maths.showdown.strategy import Ints, Strategy

Steps = tuple[tuple[Strength, int], ...]
"""(the lowest hand, the decision from there up), the lowest first."""

PHRASES = {
    hands.HIGH_CARD: ("no pair", "{0} high", "{0} and {1}", "{0}, {1} and {2}", "{0}, {1}, {2} and {3}",
                      "{0}, {1}, {2}, {3} and {4}"),
    hands.PAIR: ("a pair", "a pair of {0}s", "a pair of {0}s with {1:a}", "a pair of {0}s with {1:a} and {2:a}",
                 "a pair of {0}s with {1:a}, {2:a} and {3:a}"),
    hands.TWO_PAIRS: ("two pairs", "two pairs with {0}s", "{0}s and {1}s", "{0}s and {1}s with {2:a}"),
    hands.STRAIGHT: ("a straight", "a straight to the {0}"),
    hands.FLUSH: ("a flush", "a flush to the {0}", "a flush of {0} and {1}", "a flush of {0}, {1} and {2}",
                  "a flush of {0}, {1}, {2} and {3}", "a flush of {0}, {1}, {2}, {3} and {4}"),
    hands.THREE: ("three-of-a-kind", "three {0}s", "three {0}s with {1:a}", "three {0}s with {1:a} and {2:a}"),
    hands.FULL_HOUSE: ("a full house", "a full house of {0}s", "a full house of {0}s and {1}s"),
    hands.FOUR: ("four-of-a-kind", "four {0}s", "four {0}s with {1:a}"),
    hands.STRAIGHT_FLUSH: ("a straight flush", "a straight flush to the {0}"),
    hands.ROYAL_FLUSH: ("a royal flush", "a royal flush"),
    hands.FIVE_OF_A_KIND: ("five-of-a-kind", "five {0}s"),
    hands.FIVE_WILDS: ("five wild cards",),
}  # fmt: skip
"""By class and by how many of the ranks need to be named."""


class _Rank(str):
    """The name of a rank; `{:a}` puts its article before it."""

    def __format__(self, form: str) -> str:
        article = "an" if self in ("8", "ace") else "a"
        return f"{article} {self}" if form == "a" else str(self)


@dataclass(frozen=True, slots=True)
class Run:
    """A decision with the hands that the words give it."""

    decision: int
    first: int  # the lowest value; up to the next run's
    exceptions: int  # hands among them for which another decision is taken
    elsewhere: int  # hands elsewhere for which this one is taken


def runs(strategy: Strategy) -> tuple[Run, ...]:
    """The decisions that are taken, each with its run, the lowest first; `ValueError` if a run would be empty."""
    counts = strategy.value_counts
    taken = [decision for decision in range(len(counts)) if counts[decision].any()]
    firsts = [0, *(_cut(counts, decision) for decision in taken[1:])]
    ends = [*firsts[1:], counts.shape[1]]
    if not all(counts[decision, first:end].any() for decision, first, end in zip(taken, firsts, ends, strict=True)):
        raise ValueError("the decisions do not follow the order of the hands: there are no cuts between them")
    return tuple(
        Run(
            decision,
            first,
            exceptions=int(counts[:, first:end].sum() - counts[decision, first:end].sum()),
            elsewhere=int(counts[decision].sum() - counts[decision, first:end].sum()),
        )
        for decision, first, end in zip(taken, firsts, ends, strict=True)
    )


def choices(strategy: Strategy, words: Sequence[str]) -> tuple[Choice, ...]:
    """Each decision, the highest first: its run in words, the hands outside of them counted, its exact share."""
    if by_pairs := pair_choices(strategy, words):
        return by_pairs
    met, hand_counts = runs(strategy), strategy.value_counts.sum(axis=1)
    ends = [run.first for run in met[1:]] + [0]
    return tuple(
        Choice(
            words[run.decision],
            _run_in_words(strategy, run, end, lowest=run is met[0]) + _exceptions_in_words(run),
            Fraction(int(hand_counts[run.decision]), int(hand_counts.sum())),
        )
        for run, end in reversed(tuple(zip(met, ends, strict=True)))
    )


def steps_of(strategy: Strategy) -> Steps:
    """The words alone as a rule: what is played if the hands outside of them are played like the others."""
    return tuple((_bound(strategy, run.first, down=True), run.decision) for run in runs(strategy))


def rule_in_words(steps: Steps, words: Sequence[str], order: HandOrder) -> str:
    """ "Play three Antes with a pair of aces or better; play one Ante with any other hand"."""
    parts = [*_parts(steps, words, order)]
    return "; ".join((parts[0], *(part[0].lower() + part[1:] for part in parts[1:])))


def _parts(steps: Steps, words: Sequence[str], order: HandOrder) -> Iterator[str]:
    lowest = next(iter(order.strengths.values()))
    for strength, decision in reversed(steps):
        if decision == 0:
            continue
        if strength <= lowest:
            yield f"{words[decision]} with {'any other' if len(steps) > 1 else 'every'} hand"
        else:
            yield f"{words[decision]} with {_phrase(order, strength)} or better"
    if steps[0][0] > lowest or steps[0][1] == 0:
        yield f"{words[0]} every other hand"


def _cut(counts: Ints, decision: int) -> int:
    """The value from which the decision, or a higher one, is taken but for the fewest hands."""
    lower, higher = counts[:decision].sum(axis=0), counts[decision:].sum(axis=0)
    otherwise = np.cumsum(higher) - higher + (np.cumsum(lower[::-1])[::-1])
    occurring = np.flatnonzero(lower + higher)
    return int(occurring[np.argmin(otherwise[occurring])])


def _run_in_words(strategy: Strategy, run: Run, end: int, *, lowest: bool) -> str:
    """`end`: the value at which the next run begins, 0 after the last."""
    order = strategy.against.order
    if lowest:
        return f"Less than {_phrase(order, _bound(strategy, end, down=True))}" if end else "Every hand"
    first = _phrase(order, _bound(strategy, run.first, down=True))
    up_to = f", up to {_phrase(order, _bound(strategy, end, down=False))}" if end else ""
    return f"{first[0].upper()}{first[1:]} or better{up_to}"


def _exceptions_in_words(run: Run) -> str:
    parts = [f"but not for {run.exceptions:,} of these hands"] if run.exceptions else []
    parts += [f"also for {run.elsewhere:,} others"] if run.elsewhere else []
    return f", {', '.join(parts)} (see the table)" if parts else ""


def _bound(strategy: Strategy, value: int, *, down: bool) -> Strength:
    """The lowest hand from a value up, or the highest below it, with no more ranks than it takes to tell it apart."""
    strengths = strategy.against.order.strengths
    occurring = [strengths[each] for each in np.unique(strategy.against.values)]
    reached = [strength for strength in occurring if (strength >= strengths[value]) == down]
    bound, last = (reached[0], min) if down else (reached[-1], max)
    starts = (bound[:ranks] for ranks in range(1, len(bound) + 1))
    return next(
        start
        for start in starts
        if last(strength for strength in occurring if strength[: len(start)] == start) == bound
    )


def _phrase(order: HandOrder, start: Strength) -> str:
    """A class with as many ranks as are named."""
    return PHRASES[order.classes[start[0]]][len(start) - 1].format(*(_Rank(RANK_NAMES[rank]) for rank in start[1:]))
