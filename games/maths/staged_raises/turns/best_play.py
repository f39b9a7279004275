"""The best play with community cards that turn up one by one, and what comes of it: exactly.

Own and community cards make one hand, so what is known is a set of cards, and a decision depends on nothing else but
the Antes raised so far. Backwards over the sets for the decisions, forwards for how often each is met.
Where decisions are equal the larger wager is taken. Not here: the sets (`sets`), what a paytable calls its rows
(`wagers`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths.staged_raises.turns.form import Form
from games.maths.staged_raises.turns.sets import (
    LastCards,
    last_cards,
    met_with_last,
    over_one_less,
    over_one_more,
    with_last,
)

PASS = 0  # a fold or a check, as the stage says
Decisions = tuple[NDArray[np.int8], ...]
"""By stage `[place of the set, column of the Antes raised before]`: the Antes to raise, or `PASS`."""
SetWorths = NDArray[np.int64]
"""`[place of the set]`: what its ways to go on win together, in whole units."""
EndCounts = NDArray[np.int64]
"""`[Antes raised, result]`: deals or rounds that are played to their end."""
FoldCounts = NDArray[np.int64]
"""`[stage, Antes raised before]`: deals or rounds that end in a fold."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Nets in whole units by result: `initial` of the wagers made before the deal, `raised` of a raise of one Ante."""

    initial: tuple[int, ...]
    raised: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """Numbers of deals, of `Form.cycle`; `chosen[stage]`: by the Antes raised there, `PASS` too."""

    ended: EndCounts
    folded: FoldCounts
    chosen: tuple[Mapping[int, int], ...]


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best decisions, with how many sets of each stage two of them are of equal worth, and what comes of them."""

    decisions: Decisions
    equal: tuple[int, ...]
    ends: Ends


@cache
def best_play(form: Form, odds: Odds) -> BestPlay:
    """Decide backwards over the sets of known cards, then count forwards."""
    decisions, equal = _decide(form, odds)
    return BestPlay(decisions, equal, count_ends(form, decisions))


def _decide(form: Form, odds: Odds) -> tuple[Decisions, tuple[int, ...]]:
    counts = last_cards(form.hands, form.cards)
    initial, raised = worth_of(counts, odds.initial), worth_of(counts, odds.raised)
    later: dict[int, SetWorths] = {}  # by the Antes raised: what the next stage is worth
    decided: list[tuple[NDArray[np.int8], int]] = []
    for stage in reversed(range(len(form.stages))):
        worths, decisions, equal = {}, [], 0
        for before in form.raised_before(stage):
            (decision, best), *larger = _options(form, odds, stage, before, (initial, raised), later)
            largest, tied = np.full(len(best), decision, np.int8), np.zeros(len(best), np.bool_)
            for size, worth in larger:
                tied = (worth == best) | (tied & (worth < best))
                largest[worth >= best] = size
                best = np.maximum(best, worth)
            worths[before] = best
            decisions.append(largest)
            equal += int(tied.sum())
        decided.insert(0, (np.column_stack(decisions), equal))
        if stage:
            known = form.own + stage
            initial, raised = (over_one_more(worth, known, form.deck) for worth in (initial, raised))
            later = {total: over_one_more(worth, known, form.deck) for total, worth in worths.items()}
    return tuple(table for table, _ in decided), tuple(equal for _, equal in decided)


def _options(
    form: Form, odds: Odds, stage: int, before: int, known: tuple[SetWorths, SetWorths], later: Mapping[int, SetWorths]
) -> list[tuple[int, SetWorths]]:
    """Each decision with what it is worth, the smallest first. `known`: the initial wagers, and an Ante raised."""
    initial, raised = known
    last = stage == len(form.stages) - 1

    def stays(total: int, *, done: bool) -> SetWorths:
        return initial + total * raised if done or last else later[total]

    passing = stays(before, done=False) if form.stages[stage].may_check else _folded(form, odds, stage, before)
    sizes = form.stages[stage].raises
    return [(PASS, passing), *((size, stays(before + size, done=form.raises_once)) for size in sizes)]


def _folded(form: Form, odds: Odds, stage: int, before: int) -> SetWorths:
    """All is lost that was wagered."""
    return np.full(form.sets(stage), form.ways(stage) * (odds.initial[0] + before * odds.raised[0]))


def worth_of(counts: LastCards, nets: Sequence[int]) -> SetWorths:
    """The sum of the nets over the last cards, for every set without the last."""
    return with_last(counts, np.array(nets, np.int64))


@dataclass(frozen=True, slots=True)
class Met:
    """In how many of their orders sets are met: `live[stage]` by a player who decides there, `ended` before the last
    card by one who stays; both by the Antes raised so far."""

    live: tuple[Mapping[int, SetWorths], ...]
    ended: Mapping[int, SetWorths]


def orders_met(form: Form, decisions: Decisions) -> Met:
    """Forwards through the decisions."""
    live, done = {0: np.ones(form.sets(0), np.int64)}, dict[int, SetWorths]()
    stages: list[Mapping[int, SetWorths]] = []
    for stage, options in enumerate(form.stages):
        stages.append(live)
        stay: dict[int, SetWorths] = {}
        for before, size, orders in _taken(form, decisions, stage, live):
            if size or options.may_check:
                target = done if size and form.raises_once else stay
                target[before + size] = target.get(before + size, np.int64(0)) + orders
        live = stay
        if stage + 1 < len(form.stages):
            live, done = (
                {total: over_one_less(orders, form.own + stage + 1, form.deck) for total, orders in part.items()}
                for part in (live, done)
            )
    both = {total: live[total] + done[total] for total in {*live} & {*done}}
    return Met(tuple(stages), {**live, **done, **both})


def _taken(
    form: Form, decisions: Decisions, stage: int, live: Mapping[int, SetWorths]
) -> Iterator[tuple[int, int, SetWorths]]:
    """(Antes raised before, Antes to raise or `PASS`, orders) for every decision that the stage allows."""
    for column, before in enumerate(form.raised_before(stage)):
        for size in (PASS, *form.stages[stage].raises):
            yield before, size, live[before] * (decisions[stage][:, column] == size)


def count_ends(form: Form, decisions: Decisions) -> Ends:
    """How often a round ends in each way."""
    counts, met = last_cards(form.hands, form.cards), orders_met(form, decisions)
    folded = np.zeros((len(form.stages), max(form.totals) + 1), np.int64)
    chosen: list[Counter[int]] = []
    for stage, options in enumerate(form.stages):
        chosen.append(Counter())
        for before, size, orders in _taken(form, decisions, stage, met.live[stage]):
            deals = int(orders.sum()) * form.ways(stage)
            chosen[stage][size] += deals
            if size == PASS and not options.may_check:
                folded[stage, before] += deals
    ended = np.zeros((max(form.totals) + 1, len(counts)), np.int64)
    for total, orders in met.ended.items():
        ended[total] = met_with_last(orders, counts)
    return Ends(ended, folded, tuple(chosen))


def folds_by_own_cards(form: Form, decisions: Decisions) -> SetWorths:
    """Of the `Form.ways(0)` ways to go on from each set of own cards, by place: how many end in a fold."""
    later: dict[int, SetWorths] = {}
    for stage in reversed(range(len(form.stages))):
        options = form.stages[stage]
        folds = {}
        for column, before in enumerate(form.raised_before(stage)):
            taken = decisions[stage][:, column]
            passes = later.get(before, np.int64(0)) if options.may_check else np.int64(form.ways(stage))
            folds[before] = (taken == PASS) * passes
            for size in options.raises:
                if later and not form.raises_once:
                    folds[before] += (taken == size) * later[before + size]
        if stage:
            later = {total: over_one_more(fold, form.own + stage, form.deck) for total, fold in folds.items()}
    return np.asarray(folds[0])


def all_hands(form: Form) -> NDArray[np.int64]:
    """`[result]`: sets of all cards that are paid so, no matter what the player decides."""
    counts = last_cards(form.hands, form.cards)
    return np.array([int(cards.sum(dtype=np.int64)) // form.cards for cards in counts])
