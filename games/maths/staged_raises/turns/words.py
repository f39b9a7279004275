"""The decisions with turned cards in words: when each is taken, how often, and what is never better.

The sentences on the best play are those that a chapter gives in `strategy.toml` beside its `play.py`, else computed. A
computed sentence lists hands ("a pair of 8s or better; three of one suit; …"): clauses chosen one after another, each
where it leaves the fewest deals decided otherwise. What they still miss is counted, for the sentence to say. A joker
counts as a card of every suit and of every straight. Not here: the decisions themselves (`best_play`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, FIVE, FULL_DECK, JOKER, RANK_NAMES, RANKS, with_article
from games.maths.hands import FACES, faces, three_card_hands
from games.maths.results import NUMBER_WORDS, Choice, StrategyTable, antes, number_of
from games.maths.staged_raises.paid_hands import OWN
from games.maths.staged_raises.turns.best_play import PASS, BestPlay, Decisions, Ends, orders_met
from games.maths.staged_raises.turns.form import Form
from games.rules.files import read_strategy


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """The hands in words by (stage, Antes raised there; 0 = a fold), and the tables on them."""

    hands: Mapping[tuple[int, int], str]
    tables: tuple[StrategyTable, ...] = field(default=())


def read_sentences(play_file: str, odds: Mapping[str, Sequence[Fraction]]) -> Sentences | None:
    """Return the sentences of the chapter with this `play.py`, None without any for these odds (`read_strategy`)."""
    data = read_strategy(play_file, odds)
    if data is None:
        return None
    hands = {(line["stage"] - 1, line["antes"]): line["hands"] for line in data["decision"]}
    return Sentences(hands, tuple(_table(table) for table in data.get("table", ())))


def _table(data: Mapping[str, Any]) -> StrategyTable:
    return StrategyTable(data["title"], tuple(data["header"]), tuple(tuple(line) for line in data["rows"]))


def computed_sentences(form: Form, decisions: Decisions) -> Sentences:
    """Return sentences from the decisions, for the sets of cards that are met under them."""
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
            words += exceptions(wrong, elsewhere, "sets of cards")
            sentences[stage, decision] = words[0].upper() + words[1:]
    return Sentences(sentences)


def exceptions(wrong: int, elsewhere: int, those: str) -> str:
    """Return what a sentence misses: those that it names and that are decided otherwise, and others decided so."""
    parts = [f"but not with {wrong:,} of these {those}"] if wrong else []
    parts += [f"also with {elsewhere:,} other{'s' if elsewhere > 1 else ''}"] if elsewhere else []
    return f", {', '.join(parts)}" if parts else ""


def two_card_table(title: str, cell: Callable[[int, int], str]) -> StrategyTable:
    """Return a square of `cell(row, column)` by the ranks of two cards: of one suit where the row's rank is higher."""
    ranks = range(ACE, -1, -1)
    lines = tuple((RANKS[row], *(cell(row, column) for column in ranks)) for row in ranks)
    return StrategyTable(title, ("", *(RANKS[rank] for rank in ranks)), lines)


def raise_or_fold(decision: int) -> str:
    """Return a decision as the cell of a table: "3×", "fold"."""
    return "fold" if decision == PASS else f"{decision}×"


def cards_seen(form: Form, stage: int) -> str:
    """Return the number of cards that a player has seen who decides at the stage, in words: "four cards"."""
    return number_of(form.own + stage, "card")


def choices(
    form: Form, best: BestPlay, raised: str, given: Sentences | None
) -> tuple[tuple[Choice, ...], tuple[StrategyTable, ...]]:
    """Return each decision that is taken but a check, with its exact share, and the tables that say when."""
    sentences = given or computed_sentences(form, best.decisions)
    folds = [stage for stage, options in enumerate(form.stages) if not options.may_check]
    listed = []
    for stage, chosen in enumerate(best.ends.chosen):
        seen = cards_seen(form, stage)
        for size in sorted(chosen, reverse=True):
            if not chosen[size] or (size == PASS and stage not in folds):
                continue
            name = f"{raised} of {antes(size)} on {seen}" if size else "Fold" if len(folds) == 1 else f"Fold on {seen}"
            listed.append(Choice(name, sentences.hands[stage, size], Fraction(chosen[size], form.cycle)))
    return tuple(listed), (*_suited_tables(form, best.decisions, raised), *sentences.tables)


def never_better_note(form: Form, ends: Ends, raised: str) -> str:
    """Return the note on raises that are allowed and never made, in a game of one raise; "" if there are none."""
    unused: list[str] = []
    for stage, chosen in enumerate(ends.chosen):
        sizes = [NUMBER_WORDS[size] for size, deals in chosen.items() if size and not deals]
        if sizes and not unused:
            unit = "Ante" if sizes[-1] == NUMBER_WORDS[1] else "Antes"
            unused.append(f"of {' or '.join(sizes)} {unit} on {cards_seen(form, stage)}")
        elif sizes:
            unused.append(f"of {' or '.join(sizes)} on {NUMBER_WORDS[form.own + stage]}")
    if not unused or not form.raises_once:
        return ""
    least = antes(form.stages[-1].raises[0])
    later = f"{least} can still be wagered on {cards_seen(form, len(form.stages) - 1)}"
    never = f"A {raised} {', or '.join(unused)}, is never better"
    return f"{never}: its worth grows in proportion to its size, and {later}."


def equal_note(form: Form, best: BestPlay, raised: str) -> str:
    """Return the note on decisions of equal worth."""
    equal = [int(tied.sum()) for tied in best.tied]
    if not any(equal):
        return "No two decisions are of equal worth, with any cards."
    parts = [
        f"{count} {'sets of ' if at == 0 else 'of '}{NUMBER_WORDS[form.own + at]}" for at, count in enumerate(equal)
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]} cards" if len(parts) > 1 else f"{parts[0]} cards"
    return f"Of equal worth are both decisions with {listed}; there the {raised} is made."


def _suited_tables(form: Form, decisions: Decisions, raised: str) -> tuple[StrategyTable, ...]:
    """Return the lowest cards of three of one suit with which the most is wagered, by the two higher cards."""
    if (form.own, form.deck) != (OWN, FULL_DECK):
        return ()
    most = form.stages[0].raises[-1]
    lowest_cards: dict[tuple[int, int], list[int]] = {}
    for (low, middle, high), size in zip(three_card_hands(), decisions[0][:, 0], strict=True):
        if low % 4 == middle % 4 == high % 4 == 0:  # one suit represents all
            lowest_cards.setdefault((high // 4, middle // 4), []).extend([low // 4] * bool(size == most))
    return (
        StrategyTable(
            f"Three cards of one suit: a {raised} of {antes(most)}",
            ("Highest card", "Second", "With a lowest card of"),
            tuple(
                (FACES[high], FACES[middle], faces(lows)) for (high, middle), lows in sorted(lowest_cards.items())[::-1]
            ),
        ),
    )


TWO_PAIRS = ACE + 1  # the level of two pairs, three-of-a-kind and more, above that of any pair
MOST_CLAUSES = 8
LEAST_GAIN = 0.002  # of all raises: a clause that adds fewer is not worth its words
STRICTNESS = (0.3, 1, 3, 10, 30)  # how much more a wrong raise counts than a right one, shares compared

Features = Mapping[str, NDArray[np.int8]]
"""By name, an array `[case]`; see `features`."""
Bools = NDArray[np.bool_]
"""`[case]`"""
Weights = NDArray[np.int64]
"""`[case]`: the orders in which it is met."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Hands of which each named feature is at least so much."""

    least: tuple[tuple[str, int], ...]

    def fits(self, features: Features) -> Bools:
        """Return True or False by case."""
        fits = np.ones(len(features["pair"]), np.bool_)
        for name, value in self.least:
            fits &= features[name] >= value
        return fits

    def words(self) -> str:
        """Return the clause in words, without an article where it names several cards."""
        if not self.least:
            return "any cards"
        return "".join(_words(name, value, first=not place) for place, (name, value) in enumerate(self.least))


ANY = Clause(())


def all_sets(size: int, deck: int) -> NDArray[np.int8]:
    """Return every set of `size` cards `[place, card]`, cards rising, in the order of places."""
    sets = np.zeros((1, 0), np.int8)
    for number in range(1, size + 1):
        tops = range(number - 1, deck)
        lower = np.concatenate([sets[: comb(top, number - 1)] for top in tops])
        highest = np.repeat(np.array(tops, np.int8), [comb(top, number - 1) for top in tops])
        sets = np.column_stack((lower, highest))
    return sets


def features(sets: NDArray[np.int8]) -> Features:
    """Return the features that the clauses test.

    `pair` (its rank; `TWO_PAIRS`; −1), `joker`, the highest ranks `top1`, `top2` and the third (−1 = none), and the
    numbers of cards that can make a `flush`, a `straight` or a `straight flush`.
    """
    joker = (sets == JOKER).any(axis=1)
    ranks, suits = np.where(sets == JOKER, -1, sets // 4), np.where(sets == JOKER, -1, sets % 4)
    counts = np.stack([(ranks == rank).sum(axis=1, dtype=np.int8) for rank in range(ACE + 1)])
    paired = np.where(counts > 1, np.arange(ACE + 1, dtype=np.int8)[:, None], np.int8(-1)).max(axis=0)
    better = (counts > 2).any(axis=0) | ((counts > 1).sum(axis=0) > 1)
    down = -np.sort(-ranks, axis=1)
    seen = {
        "pair": np.where(better, np.int8(TWO_PAIRS), paired),
        "joker": joker.astype(np.int8),
        "flush": np.stack([(suits == suit).sum(axis=1, dtype=np.int8) for suit in range(4)]).max(axis=0) + joker,
        "straight": _straight(ranks) + joker,
        "straight flush": np.stack([_straight(np.where(suits == s, ranks, -1)) for s in range(4)]).max(axis=0) + joker,
    }
    seen |= {f"top{place + 1}": down[:, place] for place in range(min(3, down.shape[1]))}
    return {name: values.astype(np.int8) for name, values in seen.items()}


def _straight(ranks: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the most different ranks that belong to one straight; −1 is not a rank."""
    bits = np.bitwise_or.reduce(np.where(ranks < 0, 0, np.int16(1) << np.maximum(ranks, 0).astype(np.int16)), axis=1)
    bit_counts = np.array([int(each).bit_count() for each in range(1 << (ACE + 1))], np.int8)
    straights = [sum(1 << rank for rank in hands.straight_ranks(top)) for top in range(FIVE, ACE + 1)]
    return np.asarray(np.stack([bit_counts[bits & straight] for straight in straights]).max(axis=0))


def candidates(size: int, *, joker: bool) -> Iterator[Clause]:
    """Yield every clause on `size` cards."""
    ranks = range(ACE + 1)
    yield from (Clause((("pair", level),)) for level in range(TWO_PAIRS + 1))
    alone = [("joker", 1)] if joker else []
    alone += [(name, count) for name in ("straight flush", "flush", "straight") for count in range(3, size + 1)]
    for least in alone:
        yield Clause((least,))
        yield from (Clause((least, ("top1", rank))) for rank in ranks)
        yield from (Clause((least, ("top2", rank))) for rank in ranks)
    yield from (Clause(((f"top{place}", rank),)) for place in range(1, min(3, size) + 1) for rank in ranks)


def clauses_of(seen: Features, raises: Bools, weights: Weights, size: int) -> tuple[Clause, ...]:
    """Return the clauses with the fewest wrong decisions, of lists that count a wrong raise more and more."""
    codes = sum((values.astype(np.int64) + 1) << 4 * place for place, values in enumerate(seen.values()))
    _, first, alike = np.unique(codes, return_index=True, return_inverse=True)
    cases = {name: values[first] for name, values in seen.items()}  # alike in all that the clauses look at
    raised, passed = (
        np.bincount(alike, (weights * mask).astype(np.float64), len(first)).astype(np.float64)
        for mask in (raises, ~raises)
    )
    if not passed.sum() or not raised.sum():
        return (ANY,) if raised.sum() else ()
    clauses = list(candidates(size, joker=bool(seen["joker"].any())))
    fits = np.stack([clause.fits(cases) for clause in clauses])
    lists = [_covering(fits, raised, passed * factor * raised.sum() / passed.sum()) for factor in STRICTNESS]

    def mistakes(chosen: Sequence[int]) -> float:
        said = fits[list(chosen)].any(axis=0)
        return float(raised[~said].sum() + passed[said].sum())

    return tuple(clauses[place] for place in min(lists, key=mistakes))


def _covering(fits: NDArray[np.bool_], raised: NDArray[np.float64], passed: NDArray[np.float64]) -> list[int]:
    """Return places among `fits[clause, case]`, each chosen for the most that it adds: right raises less wrong ones."""
    chosen: list[int] = []
    left = raised - passed
    while len(chosen) < MOST_CLAUSES:
        gains = fits @ left
        best = int(gains.argmax())
        if gains[best] < LEAST_GAIN * raised.sum():
            break
        chosen.append(best)
        left = np.where(fits[best], 0.0, left)
    return chosen


def fits_any(clauses: Sequence[Clause], seen: Features, cases: int) -> Bools:
    """Return True, by case, if any clause fits."""
    fits = np.zeros(cases, np.bool_)
    for clause in clauses:
        fits |= clause.fits(seen)
    return fits


def _words(name: str, value: int, *, first: bool) -> str:
    card = RANK_NAMES[min(value, ACE)]
    match name:
        case "pair":
            pair = "two pairs or better" if value == TWO_PAIRS else f"a pair of {card}s or better"
            return "a pair or better" if value == 0 else pair
        case "joker":
            return "the joker"
        case "flush" | "straight" | "straight flush":
            return f"{NUMBER_WORDS[value]} cards of one {'suit' if name == 'flush' else name}"
        case "top1":
            return f"{'' if first else ' with '}{with_article(value)}{'' if value == ACE else ' or higher'}"
        case _:
            many = f"{NUMBER_WORDS[int(name[-1])]} cards of {card}{'' if value == ACE else ' or higher'}"
            return many if first else f" with {many}"
