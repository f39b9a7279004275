"""The wagers that are decided together, analyzed: outcome rows, strategy in sentences and tables, simplified plays.

The hands are ordered, and a decision has a run of them: from its cut up to the next one. A cut is where the fewest
hands are played otherwise; how many those are is part of the sentence. The tables show first from which hand to which
hand each decision goes; then, for the hands whose other cards or suits decide too, each by how the suits lie. In games
in which no pair folds and all better hands raise, only pairs decide, by the lowest card beside them.

Not here: what decisions win (`parts`), which is best (`strategy`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints
from games.maths import hands
from games.maths.cards import ACE, RANK_NAMES, with_article
from games.maths.results import Choice, SimplifiedPlay, StrategyTable, WagerAnalysis, counted, required
from games.maths.showdown.deck import NO_CARD, Against, Groups, HandOrder, Strength
from games.maths.showdown.parts import Counts, Endings, HandSteps, RequiredWagers, SimplifiedRule, endings, outcome_rows
from games.maths.showdown.strategy import OTHER_CARDS, Strategy, best_decisions
from games.rules.model import Paytable

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


class _Rank(int):
    """A rank, named where it is formatted; `{:a}` puts its article before it."""

    def __format__(self, form: str) -> str:
        return with_article(self) if form == "a" else RANK_NAMES[self]


@dataclass(frozen=True, slots=True)
class Run:
    """A decision with the hands that the words give it."""

    decision: int
    first: int  # the lowest value; up to the next run's
    exceptions: int  # hands among them for which another decision is taken
    elsewhere: int  # hands elsewhere for which this one is taken


def runs(strategy: Strategy) -> tuple[Run, ...]:
    """Return the decisions that are taken, each with its run, the lowest first; `ValueError` for an empty run."""
    counts = strategy.value_counts
    taken = [decision for decision in range(len(counts)) if counts[decision].any()]
    firsts = [0, *(_decision_cut(counts, decision) for decision in taken[1:])]
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
    """Return each decision, the highest first: its run in words, the hands outside of it counted, its share."""
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
    """Return the words alone as a rule: what is played if the hands outside of them are played like the others."""
    return tuple((_bound(strategy, run.first, down=True), run.decision) for run in runs(strategy))


def rule_in_words(steps: Steps, words: Sequence[str], order: HandOrder) -> str:
    """Return the rule in words: "Play three Antes with a pair of aces or better; play one Ante with any other hand"."""
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


def _decision_cut(counts: Ints, decision: int) -> int:
    """Return the value from which the decision, or a higher one, is taken but for the fewest hands."""
    lower, higher = counts[:decision].sum(axis=0), counts[decision:].sum(axis=0)
    otherwise = np.cumsum(higher) - higher + (np.cumsum(lower[::-1])[::-1])
    occurring = np.flatnonzero(lower + higher)
    return int(occurring[np.argmin(otherwise[occurring])])


def _run_in_words(strategy: Strategy, run: Run, end: int, *, lowest: bool) -> str:
    """Return the run in words; `end`: the value at which the next run begins, 0 after the last."""
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
    """Return the lowest hand from a value up, or the highest below it, with no more ranks than tell it apart."""
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
    """Return a class with as many ranks as are named."""
    return PHRASES[order.classes[start[0]]][len(start) - 1].format(*map(_Rank, start[1:]))


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Required wagers under given paytables, with their best play."""

    wagers: RequiredWagers
    groups: Groups
    ends: Endings
    best: Strategy


@cache
def played(wagers: RequiredWagers, against: Against, groups: Groups, tables: tuple[Paytable, ...]) -> Played:
    """Return the best play for these paytables."""
    ends = endings(wagers, tables, against.order, groups)
    most = by_steps(against.order, wagers.most) if wagers.most else np.full(against.order.size, len(wagers.raises))
    decisions, alike = best_decisions(against, groups, ends, most)
    return Played(wagers, groups, ends, _strategy(against, decisions.tobytes(), alike))


@cache
def _strategy(against: Against, decisions: bytes, alike: int) -> Strategy:
    """Return the strategy, one object for equal decisions, so that they are counted and put in words once."""
    return Strategy(against, np.frombuffer(decisions, np.int8), alike)


@cache
def analyze_required(played: Played, paytable: str) -> WagerAnalysis:
    """Return the required wagers under the best play, and as simplified rules play them."""
    wagers, best, cycle = played.wagers, played.best, played.best.against.cycle
    rows = outcome_rows(best.pair_counts(played.groups), played.ends, cycle)
    return counted(
        wagers.wager,
        paytable,
        rows,
        cycle,
        required=required(rows, wagers.initial),
        strategy=choices(best, wagers.words),
        strategy_tables=strategy_tables(best, wagers.words),
        simplified_plays=tuple(_simplified(played, rule) for rule in wagers.simplified),
        notes=(*wagers.notes, on_equal_decisions(best.equal_hands)),
    )


def on_equal_decisions(hands: int) -> str:
    """Return the note of an analysis that of equal decisions the larger wager is played."""
    if not hands:
        return "For no hand are two decisions worth the same."
    return f"For {hands:,} hands two decisions are worth the same; they are played for the larger wager."


@cache
def _simplified(played: Played, rule: SimplifiedRule) -> SimplifiedPlay:
    wagers, against = played.wagers, played.best.against
    steps = _strengths(against.order, rule.steps) if rule.steps is not None else steps_of(played.best)
    rows = outcome_rows(_by_rule(against, steps).pair_counts(played.groups), played.ends, against.cycle)
    when = rule.when or rule_in_words(steps, wagers.words, against.order)
    return SimplifiedPlay(rule.name, when, required(rows, wagers.initial))


@cache
def _by_rule(against: Against, steps: Steps) -> Strategy:
    return Strategy(against, _by_strengths(against.order, steps)[against.values].astype(np.int8))


def by_steps(order: HandOrder, steps: HandSteps) -> Counts:
    """Return each step's number by value, from its hand up, 0 below the first."""
    return _by_strengths(order, _strengths(order, steps))


def _strengths(order: HandOrder, steps: HandSteps) -> Steps:
    return tuple((order.strength(hand), number) for hand, number in steps)


def _by_strengths(order: HandOrder, steps: Steps) -> Counts:
    numbers = np.zeros(order.size, np.int64)
    for strength, number in steps:
        numbers[order.least_value(strength) :] = number
    return numbers


Words = tuple[str, ...]
"""By decision: "Raise three Antes"."""
Suits = tuple[tuple[int, ...], ...]
Sizes = tuple[int, ...]
Key = tuple[int, ...]
Cell = dict[int, list[Suits]]
"""Decision → the hands for which it is taken, by which ranks lie together in a suit."""
FACES = (*RANK_NAMES[: ACE - 3], "J", "Q", "K", "A")

FOUR = 4  # cards play
SUITS: tuple[Sizes, ...] = ((2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2))
"""The numbers of the five cards that lie in a suit, if four of one suit are a flush."""
HOLDINGS = {
    hands.HIGH_CARD: (1, 1, 1, 1), hands.PAIR: (2, 1, 1), hands.TWO_PAIRS: (2, 2), hands.THREE: (3, 1),
    hands.FOUR: (4,),
}  # fmt: skip
"""The number of cards of each deciding rank among four cards."""
ARTICLE = re.compile(r"\ban? ")


def hand_in_words(order: HandOrder, strength: Strength) -> str:
    """Return the hand in words, without articles: `(PAIR, 8, 9, 1)` → "pair of 10s with jack and 3"."""
    return ARTICLE.sub("", _phrase(order, strength))


@cache
def strategy_tables(strategy: Strategy, words: Words) -> tuple[StrategyTable, ...]:
    """Return the tables by the cards that play, and, if others ever do, where the other cards or suits decide."""
    order = strategy.against.order
    if pairs_decide(strategy):
        return (pair_table(order, strategy.table[0] == 0),)
    playing = "best four cards" if order.cards == FOUR else "five cards"
    by_hand = StrategyTable(f"By the {playing}", ("From", "To", "Decision"), _ranges(strategy, words))
    mixed = np.flatnonzero(strategy.table[0][strategy.against.values] == OTHER_CARDS)
    if not len(mixed):
        return (by_hand,)
    return by_hand, _best_four_table(strategy, mixed, words) if order.cards == FOUR else _suits_table(
        strategy, mixed, words
    )


def _ranges(strategy: Strategy, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the runs of hands that are played alike, lowest first."""
    order, by_value = strategy.against.order, strategy.table[0]
    undecided = "The other cards decide" if order.cards == FOUR else "The suits decide"
    rows = []
    values = np.unique(strategy.against.values).tolist()
    for decision, run in groupby(values, key=lambda value: int(by_value[value])):
        first, *rest = (hand_in_words(order, order.strengths[value]) for value in run)
        rows.append((first, rest[-1] if rest else first, undecided if decision == OTHER_CARDS else words[decision]))
    return tuple(rows)


def _best_four_table(strategy: Strategy, mixed: Ints, words: Words) -> StrategyTable:
    """Return the `mixed` hands by their best four cards and the fifth; fifth cards with the same cells share a row."""
    order, cards = strategy.against.order, strategy.against.hands.cards

    def key(hand: int) -> tuple[int, ...]:
        value = int(strategy.against.values[hand])
        return value, _fifth(order, cards[hand] // 4, order.strengths[value])

    fifths_by_row: dict[tuple[str, ...], list[int]] = {}
    for (value, fifth), row in _cells(strategy, mixed, key, SUITS, words):
        fifths_by_row.setdefault((hand_in_words(order, order.strengths[value]), *row), []).append(fifth)
    return StrategyTable(
        "Where the other cards decide: by how many cards lie in each suit",
        ("Best four cards", "Fifth card", *_suit_names(SUITS)),
        tuple(
            (row[0], ", ".join(RANK_NAMES[rank] for rank in fifths), *row[1:]) for row, fifths in fifths_by_row.items()
        ),
    )


def _suits_table(strategy: Strategy, mixed: Ints, words: Words) -> StrategyTable:
    """Return the `mixed` hands of five cards by how their suits lie."""
    order, against = strategy.against.order, strategy.against
    suits = tuple(sorted({_sizes(_together(against.hands.cards[hand])) for hand in mixed}))
    rows = _cells(strategy, mixed, lambda hand: (int(against.values[hand]),), suits, words)
    return StrategyTable(
        "Where the suits decide: by how many cards lie in each",
        ("Five cards", *_suit_names(suits)),
        tuple((hand_in_words(order, order.strengths[value]), *row) for (value,), row in rows),
    )


def _cells(
    strategy: Strategy, mixed: Ints, key: Callable[[int], Key], columns: Sequence[Sizes], words: Words
) -> list[tuple[Key, list[str]]]:
    """Return the cells of each row, by how the suits lie: the `mixed` hands with the same key, in its order."""
    cells: dict[Key, list[Cell]] = {}
    for hand in mixed.tolist():
        together = _together(strategy.against.hands.cards[hand])
        row = cells.setdefault(key(hand), [{} for _ in columns])
        row[columns.index(_sizes(together))].setdefault(int(strategy.decisions[hand]), []).append(together)
    return [(place, [_cell(cell, words) for cell in row]) for place, row in sorted(cells.items())]


def _suit_names(columns: Sequence[Sizes]) -> list[str]:
    return ["-".join(map(str, sizes)) for sizes in columns]


def _fifth(order: HandOrder, ranks: Sequence[int], strength: Strength) -> int:
    """Return the rank of the card that is not among the best four."""
    best = Counter(dict(zip(strength[1:], HOLDINGS[order.classes[strength[0]]], strict=True)))
    (fifth,) = (Counter(int(rank) for rank in ranks) - best).elements()
    return fifth


def _together(cards: Sequence[int]) -> Suits:
    """Return the ranks that lie in one suit, suit by suit, the longest first: they name the hand's orbit."""
    suits = (
        tuple(sorted((int(card) // 4 for card in cards if card >= 0 and card % 4 == suit), reverse=True))
        for suit in range(4)
    )
    return tuple(sorted((suit for suit in suits if suit), key=lambda ranks: (len(ranks), ranks), reverse=True))


def _sizes(suits: Suits) -> Sizes:
    return tuple(len(ranks) for ranks in suits)


def _cell(cell: Cell, words: Words) -> str:
    """Return the one decision; or the rarer one with the ranks that must be of one suit for it, and the other."""
    if len(cell) <= 1:
        return "".join(words[decision] for decision in cell) or "–"
    rare, usual = sorted(cell, key=lambda decision: len(cell[decision]))
    suits = (
        " and ".join("-".join(FACES[rank] for rank in suit) for suit in suits if len(suit) > 1) for suits in cell[rare]
    )
    return f"{words[rare]} with {' or '.join(suits)} suited; else {words[usual]}"


RAISE, FOLD, BOTH = "Raise", "Fold", "Fold {} of {}"
Folds = NDArray[np.bool_]
"""`[value]`: whether hands of the value are folded."""


def pairs_decide(strategy: Strategy) -> bool:
    """Return True if all hands below a pair fold, all better ones raise alike, and pairs of one value act alike."""
    order, by_value = strategy.against.order, strategy.table[0]
    if OTHER_CARDS in by_value or len(strategy.value_counts) != 2:
        return False
    occurring, pair = np.unique(strategy.against.values).tolist(), order.classes.index(hands.PAIR)
    return all(
        order.strengths[value][0] == pair or bool(by_value[value]) == (order.strengths[value][0] > pair)
        for value in occurring
    )


def pair_choices(strategy: Strategy, words: Sequence[str]) -> tuple[Choice, ...]:
    """Return the raise and the fold in words; () unless one lowest pair and one card beside it say them."""
    if not pairs_decide(strategy) or not (cut := _pair_cut(strategy)):
        return ()
    (rank, beside), order = cut, strategy.against.order
    pair, low = RANK_NAMES[rank], with_article(beside)
    lower = [RANK_NAMES[low_pair] for low_pair in _pair_ranks(order) if low_pair < rank]
    lower_pairs = f"a pair of {lower[-1]}s{' or lower' if lower[1:] else ''}, " if lower else ""
    folded, raised = (int(count) for count in strategy.value_counts.sum(axis=1))
    raises = f"A pair of {pair}s without {low}, a pair of {RANK_NAMES[rank + 1]}s or better"
    if _raises_wilds(strategy):
        raises += "; so every hand with a wild card"
    return (
        Choice(words[1], raises, Fraction(raised, folded + raised)),
        Choice(words[0], f"No pair, {lower_pairs}or a pair of {pair}s with {low}", Fraction(folded, folded + raised)),
    )


def pair_table(order: HandOrder, folds: Folds) -> StrategyTable:
    """Return a table of no pair, each pair of a rank that is not wild, and all better hands together."""
    ranks, pair = _pair_ranks(order), order.classes.index(hands.PAIR)
    lowest = [rank for rank in ranks if rank <= ACE - 2]  # of three cards beside the pair
    header = ("Hand", *(f"lowest card beside it: {RANK_NAMES[rank]}" for rank in lowest))
    none, better = (
        folds[[value for value, strength in order.strengths.items() if np.sign(strength[0] - pair) == side]]
        for side in (-1, 1)
    )
    rows = [
        ("No pair", *[_pair_cell(none)] * len(lowest)),
        *(
            (f"Pair of {RANK_NAMES[rank]}s", *(_pair_cell(folds[_beside(order, rank, low)]) for low in lowest))
            for rank in ranks
        ),
        ("Two pairs or better", *[_pair_cell(better)] * len(lowest)),
    ]
    wild = ", natural or with a wild card" if hands.FIVE_OF_A_KIND in order.classes else ""
    return StrategyTable(f"Pairs{wild}", header, tuple(rows))


def _pair_ranks(order: HandOrder) -> list[int]:
    pair = order.classes.index(hands.PAIR)
    return sorted({strength[1] for strength in order.strengths.values() if strength[0] == pair})


def _beside(order: HandOrder, rank: int, lowest: int) -> list[int]:
    """Return the values of the pair with three other ranks, of which this is the lowest."""
    pair = order.classes.index(hands.PAIR)
    return [
        value for value, strength in order.strengths.items() if strength[:2] == (pair, rank) and strength[-1] == lowest
    ]


def _pair_cut(strategy: Strategy) -> tuple[int, int] | None:
    """Return the lowest pair that is raised, and the rank beside it with which it is folded; None without one."""
    order, folds = strategy.against.order, strategy.table[0] == 0
    pair = order.classes.index(hands.PAIR)
    cut: list[tuple[int, int]] = []
    for rank in _pair_ranks(order):
        beside = {value: strength[2:] for value, strength in order.strengths.items() if strength[:2] == (pair, rank)}
        folded = [value for value in beside if folds[value]]
        if not folded and cut:
            continue
        if cut or not folded:
            return None
        if len(folded) < len(beside):
            cut = [(rank, low) for low in _pair_ranks(order) if folded == [v for v in beside if low in beside[v]]]
            if not cut:
                return None
    return cut[0] if cut and cut[0][0] < ACE else None


def _raises_wilds(strategy: Strategy) -> bool:
    with_wild = (strategy.against.hands.cards == NO_CARD).any(axis=1)
    return bool(with_wild.any() and strategy.decisions[with_wild].all())


def _pair_cell(folds: Folds) -> str:
    """Return the play of the pair: one word if all hands are played alike, else the number folded."""
    if not len(folds):
        return "–"
    return FOLD if folds.all() else RAISE if not folds.any() else BOTH.format(int(folds.sum()), len(folds))
