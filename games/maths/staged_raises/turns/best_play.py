"""The best play with community cards that turn up one by one, and what comes of it: exactly.

Own and community cards make one hand, so what is known is a set of cards, and a decision depends on nothing else but
the Antes raised so far. Backwards over the sets for the decisions, forwards for how often each is met. A set of cards a
< b < c … has the place C(a, 1) + C(b, 2) + C(c, 3) + …: all sets of one size in one sequence. Where decisions are equal
the larger wager is taken. Not here: what a paytable calls its rows (`wagers`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths.cards import JOKER_DECK
from games.maths.ranking import HIGH, LOW, flush_part, high_part, low_part
from games.maths.staged_raises.turns.form import Form, PaidHands, ResultTable

LARGEST = 6  # cards
CHOOSE = np.array([[comb(n, k) for k in range(LARGEST + 1)] for n in range(JOKER_DECK + 1)], dtype=np.int64)
SetSums = NDArray[np.int64]
"""`[place of the set]`"""
LastCards = NDArray[np.uint8]
"""`[result, place of the set of all cards but the last]`: how many of the cards left give each result."""


@cache
def last_cards(paid: PaidHands, size: int) -> LastCards:
    """Return the results of the best five of `size` cards (five or six), by the last card."""
    results = paid.results()
    counts = np.zeros((int(results.max()) + 1, comb(paid.deck, size - 1)), np.uint8)
    _count_last(paid.ranking().keys, results, LOW, HIGH, size, paid.deck, CHOOSE, counts)
    return counts


def best_result(paid: PaidHands, cards: Sequence[int]) -> int:
    """Return the result of the best five of the cards; for single hands."""
    ranking, results = paid.ranking(), paid.results()
    best = max(combinations(cards, 5), key=ranking.value)
    key = int(sum(int(ranking.keys[card]) for card in best))
    return int(results[LOW[low_part(key)] + HIGH[high_part(key)] + flush_part(key)])


@kernel
def _count_last(
    keys: Ints,
    results: ResultTable,
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    size: int,
    deck: int,
    choose: Ints,
    counts: LastCards,
) -> None:
    """Count every set of `size` cards once; each of its cards may have come last."""
    card = np.arange(size)  # rising; the loop over the lowest is the inner one
    without = np.zeros(size, np.int64)  # the key of the upper cards less the one at this place
    place = np.zeros(size, np.int64)  # of the set without the card here, but for what the lowest adds
    while card[size - 1] < deck:
        upper, without_lowest = 0, 0
        for i in range(1, size):
            upper += keys[card[i]]
            without_lowest += choose[card[i], i]
        for removed in range(1, size):
            without[removed] = upper - keys[card[removed]]
            place[removed] = 0
            for i in range(1, size):
                if i != removed:
                    place[removed] += choose[card[i], i + 1 if i < removed else i]
        upper_result = np.int64(0)
        if size > 5:
            upper_result = results[low[low_part(upper)] + high[high_part(upper)] + flush_part(upper)]
        for lowest in range(card[1]):
            best = upper_result
            if size > 5:
                for removed in range(1, size):
                    key = without[removed] + keys[lowest]
                    best = max(best, results[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
            else:
                key = upper + keys[lowest]
                best = max(best, results[low[low_part(key)] + high[high_part(key)] + flush_part(key)])
            counts[best, without_lowest] += 1
            for removed in range(1, size):
                counts[best, place[removed] + lowest] += 1
        i = 1
        while i + 1 < size and card[i] + 1 == card[i + 1]:
            card[i] = i
            i += 1
        card[i] += 1


def over_one_more(values: SetSums, size: int, deck: int) -> SetSums:
    """Return `sum[T]` over every set of `size` cards, two at least, that is T and one more."""
    smaller = np.zeros(comb(deck, size - 1), np.int64)
    _sum(np.ascontiguousarray(values), smaller, size, CHOOSE, True)
    return smaller


def over_one_less(values: SetSums, size: int, deck: int) -> SetSums:
    """Return `sum[S]`, for sets of `size` cards, two at least, over every set that is S without one."""
    larger = np.zeros(comb(deck, size), np.int64)
    _sum(larger, np.ascontiguousarray(values), size, CHOOSE, False)
    return larger


@kernel
def _sum(larger: SetSums, smaller: SetSums, size: int, choose: Ints, down: bool) -> None:
    """Sum `larger` into `smaller`, or, if not `down`, `smaller` into `larger`.

    Sets that differ in their lowest card alone lie side by side: `number` of them, without one of the upper cards from
    `rest` on.
    """
    card, place = np.arange(size), 0
    while place < len(larger):
        number, rest = card[1], 0
        for i in range(1, size):
            rest += choose[card[i], i]
        if down:
            total = 0
            for at in range(place, place + number):
                total += larger[at]
            smaller[rest] += total
        else:
            for at in range(place, place + number):
                larger[at] = smaller[rest]
        for removed in range(1, size):
            rest -= choose[card[removed], removed]
            if removed > 1:
                rest += choose[card[removed - 1], removed]
            for at in range(place, place + number):
                if down:
                    smaller[np.uint64(at + rest - place)] += larger[at]
                else:
                    larger[at] += smaller[np.uint64(at + rest - place)]
        place += number
        i = 1
        while i + 1 < size and card[i] + 1 == card[i + 1]:
            card[i] = i
            i += 1
        card[i] += 1


def worth_of(counts: LastCards, nets: Sequence[int]) -> SetSums:
    """Return the sum of the nets, by result, over the last cards, for every set without the last."""
    sums = np.zeros(counts.shape[1], np.int64)
    _add_up(counts, np.array(nets, np.int64), sums)
    return sums


@kernel
def _add_up(counts: LastCards, nets: Ints, sums: SetSums) -> None:
    for result in range(len(counts)):
        for place in range(len(sums)):
            sums[place] += counts[result, place] * nets[result]


def met_with_last(orders: SetSums, counts: LastCards) -> SetSums:
    """Return `[result]`: orders of all cards, for the orders in which the sets without the last are met."""
    results = np.zeros(len(counts), np.int64)
    _multiply(np.ascontiguousarray(orders), counts, results)
    return results


@kernel
def _multiply(orders: SetSums, counts: LastCards, results: SetSums) -> None:
    for result in range(len(counts)):
        total = 0
        for place in range(len(orders)):
            total += orders[place] * counts[result, place]
        results[result] = total


PASS = 0  # a fold or a check, as the stage says
Decisions = tuple[NDArray[np.int8], ...]
"""By stage `[place of the set, column of the Antes raised before]`: the Antes to raise, or `PASS`."""
SetWorths = NDArray[np.int64]
"""`[place of the set]`: what its ways to go on win together, in whole units."""
EndCounts = NDArray[np.int64]
"""`[Antes raised, result]`: deals that are played to their end."""
FoldCounts = NDArray[np.int64]
"""`[stage, Antes raised before]`: deals that end in a fold."""


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
    """The best decisions and what comes of them; `tied`, shaped alike: where two decisions are of equal worth."""

    decisions: Decisions
    tied: tuple[NDArray[np.bool_], ...]
    ends: Ends


@cache
def best_play(form: Form, odds: Odds) -> BestPlay:
    """Decide backwards over the sets of known cards, then count forwards."""
    decisions, tied = _decide(form, odds)
    return BestPlay(decisions, tied, count_ends(form, decisions))


def _decide(form: Form, odds: Odds) -> tuple[Decisions, tuple[NDArray[np.bool_], ...]]:
    counts = last_cards(form.hands, form.cards)
    initial, raised = worth_of(counts, odds.initial), worth_of(counts, odds.raised)
    later: dict[int, SetWorths] = {}  # by the Antes raised: what the next stage is worth
    decided: list[tuple[NDArray[np.int8], NDArray[np.bool_]]] = []
    for stage in reversed(range(len(form.stages))):
        worths, decisions, ties = {}, [], []
        for before in form.raised_before(stage):
            (decision, best), *larger = _options(form, odds, stage, before, (initial, raised), later)
            largest, tied = np.full(len(best), decision, np.int8), np.zeros(len(best), np.bool_)
            for size, worth in larger:
                tied = (worth == best) | (tied & (worth < best))
                largest[worth >= best] = size
                best = np.maximum(best, worth)
            worths[before] = best
            decisions.append(largest)
            ties.append(tied)
        decided.insert(0, (np.column_stack(decisions), np.column_stack(ties)))
        if stage:
            known = form.own + stage
            initial, raised = (over_one_more(worth, known, form.deck) for worth in (initial, raised))
            later = {total: over_one_more(worth, known, form.deck) for total, worth in worths.items()}
    return tuple(table for table, _ in decided), tuple(tied for _, tied in decided)


def _options(
    form: Form, odds: Odds, stage: int, before: int, known: tuple[SetWorths, SetWorths], later: Mapping[int, SetWorths]
) -> list[tuple[int, SetWorths]]:
    """Return each decision with its worth, the smallest first; `known`: the initial wagers, and an Ante raised."""
    initial, raised = known
    last = stage == len(form.stages) - 1

    def stays(total: int, *, done: bool) -> SetWorths:
        return initial + total * raised if done or last else later[total]

    if form.stages[stage].may_check:
        passing = stays(before, done=False)
    else:  # a fold loses all that was wagered
        passing = np.full(form.sets(stage), form.ways(stage) * (odds.initial[0] + before * odds.raised[0]))
    sizes = form.stages[stage].raises
    return [(PASS, passing), *((size, stays(before + size, done=form.raises_once)) for size in sizes)]


@dataclass(frozen=True, slots=True)
class Met:
    """The numbers of orders in which sets are met.

    `live[stage]` by a player who decides there, `ended` before the last card by one who stays; both by the Antes raised
    so far.
    """

    live: tuple[Mapping[int, SetWorths], ...]
    ended: Mapping[int, SetWorths]


def orders_met(form: Form, decisions: Decisions) -> Met:
    """Return the orders in which sets are met, going forward through the decisions."""
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
    """Yield (Antes raised before, Antes to raise or `PASS`, orders) for every decision that the stage allows."""
    for column, before in enumerate(form.raised_before(stage)):
        for size in (PASS, *form.stages[stage].raises):
            yield before, size, live[before] * (decisions[stage][:, column] == size)


def count_ends(form: Form, decisions: Decisions) -> Ends:
    """Return the counts of the ways in which a round ends."""
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
    """Return the number of the `Form.ways(0)` ways on from each set of own cards that end in a fold, by place."""
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
    """Return `[result]`: sets of all cards that are paid so, no matter what the player decides."""
    counts = last_cards(form.hands, form.cards)
    return np.array([int(cards.sum(dtype=np.int64)) // form.cards for cards in counts])
