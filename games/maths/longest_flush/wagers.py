"""The wagers on seven cards by the longest flush, and the decisions in sentences and flush by flush.

Ante and Raise Wager are outcome rows; the optional wagers are on the player's own seven cards.

An optional wager is paid by the longest flush or by the longest straight flush, a progressive by its terms. The
sentences are computed from how often each decision is taken by size and highest card of the flush. Simplified
strategies are reported with what they lose more. Not here: how the decisions are found and how often each end occurs
(`exact`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from games.compiled import Ints
from games.maths.cards import RANK_NAMES
from games.maths.longest_flush.exact import CYCLE, BestPlay
from games.maths.longest_flush.rules import (
    ENDS,
    LOSE,
    OF_SIZE,
    SIZES,
    SUITS,
    TIE,
    UNQUALIFIED,
    WIN,
    BonusWager,
    Meter,
    Rules,
    Sections,
    beside,
    count_hands,
)
from games.maths.results import (
    NUMBER_WORDS,
    Choice,
    OutcomeRow,
    SimplifiedPlay,
    StrategyTable,
    WagerAnalysis,
    counted_by_table,
    on_terms,
    report_plays,
    row,
    with_lost,
)
from games.rules.model import Answers, Paytable

INITIAL = 1  # the Ante Wager
FOLDED = "Folded"
ENDINGS = {
    UNQUALIFIED: ("dealer does not qualify", "Ante 1 to 1, Raise returned"),
    WIN: ("wins", "1 to 1"),
    TIE: ("ties", ""),
    LOSE: ("loses", ""),
}
"""Its words, and its payout."""


def net_of_ending(raised: int, end: int) -> int:
    """Return the net, in Antes."""
    return {UNQUALIFIED: 1, WIN: 1 + raised, TIE: 0, LOSE: -1 - raised}[end]


def outcome_rows(rules: Rules, counts: Ints, sections: Sections) -> list[OutcomeRow]:
    """Return the outcome rows of `CYCLE` pairs of hands, from counts by [raised, end]."""
    rows = [row(FOLDED, int(counts[0].sum()), CYCLE, -INITIAL, INITIAL, section=sections.folded)]
    for raised, end in product(rules.amounts, ENDINGS):
        words, pays = ENDINGS[end]
        name, count, net = f"Raised {raised}×, {words}", int(counts[raised, end]), net_of_ending(raised, end)
        rows.append(row(name, count, CYCLE, net, INITIAL + raised, pays, sections.ends[end]))
    return rows


HANDS = comb(52, 7)
SIZE_WORDS = tuple(word.capitalize() for word in NUMBER_WORDS[:8])
NO_RATE = "No rate of progression is answered: the hold is that of a meter at its reset amount ({})."


def bonus_wager(table: Paytable, bonus: BonusWager, answers: Answers) -> WagerAnalysis:
    """Return the exact analysis over every seven cards; a progressive by the terms that the answers state."""
    if bonus.meter:
        bet = answers.get("progressive_bet")
        table = replace(table, wager_amount=bonus.meter.bet if bet is None else Decimal(str(bet)))
        table = on_terms(table, answers, bonus.meter.reset)
    notes = _terms(table, bonus.meter) if bonus.meter else ()
    return counted_by_table(table, bonus_counts(table, bonus, count_hands(bonus.by)), HANDS, bonus.lost, notes=notes)


def _terms(table: Paytable, meter: Meter) -> tuple[str, ...]:
    terms = f"At a bet of ${table.wager_amount:,} and a reset amount of ${table.seed:,}."
    return (terms,) if table.rate is not None else (terms, NO_RATE.format(meter.section))


def outcomes_of(bonus: BonusWager) -> tuple[str, ...]:
    """Return the row for each size or length, whether a paytable has it or not."""
    return tuple(f"{size}-card {bonus.by}" for size in SIZE_WORDS)


def bonus_counts(table: Paytable, bonus: BonusWager, numbers: Sequence[int]) -> dict[str, int]:
    """Return outcome → count, from counts by the size of the longest flush, or by the length of the straight flush.

    `ValueError` for a paytable with another row.
    """
    by_outcome = dict(zip(outcomes_of(bonus), numbers, strict=True))
    if unknown := [line.outcome for line in table.rows if line.outcome not in by_outcome]:
        raise ValueError(f"{table.wager} {table.name} pays {unknown[0]!r}; allowed are {', '.join(by_outcome)}")
    return with_lost({line.outcome: by_outcome[line.outcome] for line in table.rows}, sum(numbers))


RANK_WORDS = (*NUMBER_WORDS[2:], "ten", *RANK_NAMES[9:])


def choices(best: BestPlay) -> tuple[Choice, ...]:
    """Return each decision that is ever taken: the hands in words, and its exact share."""
    taken = best.ends.sum(axis=3)
    return tuple(
        Choice(f"Raise {raised}×" if raised else "Fold", _sentence(taken, raised), Fraction(int(pairs), CYCLE))
        for raised, pairs in enumerate(taken.sum(axis=(0, 1)).tolist())
        if pairs
    )


def either(names: Iterable[str]) -> str:
    """Return the names in a list: "two, three or four"."""
    *rest, last = names
    return f"{', '.join(rest)} or {last}" if rest else last


def _sentence(taken: Ints, raised: int) -> str:
    """Return the sizes of which every flush is so played, then parts of a size; `taken[size, highest rank, raised]`."""
    by_size = taken.sum(axis=1)
    sizes = np.flatnonzero(by_size[:, raised]).tolist()
    whole = [f"{NUMBER_WORDS[size]}-card" for size in sizes if np.count_nonzero(by_size[size]) == 1]
    parts = [f"a {either(whole)} flush"] if whole else []
    for size in sizes:
        if np.count_nonzero(by_size[size]) > 1:
            parts += _parts(taken[size], raised, f"{NUMBER_WORDS[size]}-card flush")
    words = "; ".join(parts)
    return words[0].upper() + words[1:]


def _parts(taken: Ints, raised: int, flush: str) -> Iterator[str]:
    """Yield ranks of which all, or some, flushes of one size are played so; `taken[highest rank, raised]`."""
    tops = np.flatnonzero(taken.sum(axis=1)).tolist()
    alone = [top for top in tops if taken[top, raised] and np.count_nonzero(taken[top]) == 1]
    for run in _runs(alone):
        yield f"a {flush}, {_high(run, tops)}"
    shared = [top for top in tops if taken[top, raised] and top not in alone]
    for last in (False, True):
        named = [top for top in shared if (np.flatnonzero(taken[top])[-1] == raised) == last]
        if named:
            high = either(RANK_WORDS[top] for top in named)
            yield f"{'the other' if last else 'some'} {flush}es, {high} high (table)"


def _runs(ranks: list[int]) -> list[list[int]]:
    """Return the ranks, those in sequence together."""
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][-1] == rank - 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs


def _high(run: list[int], tops: list[int]) -> str:
    first, last = RANK_WORDS[run[0]], RANK_WORDS[run[-1]]
    if run[0] == tops[0]:
        return f"{last} high or lower"
    if run[-1] == tops[-1]:
        return f"{first} high or higher"
    return f"{first} high" if first == last else f"{first} to {last} high"


PATTERNS = ((3, 1, 0), (2, 2, 0), (2, 1, 1))  # four cards in the three other suits


def strategy_tables(rules: Rules, best: BestPlay) -> tuple[StrategyTable, ...]:
    """Return the tables by the flush alone, and by the other four cards where those decide."""
    return (_by_flush(rules, best), _by_others(best)) if (best.rows >= 0).any() else (_by_flush(rules, best),)


def _by_flush(rules: Rules, best: BestPlay) -> StrategyTable:
    """Return the share of each decision by the size of the flush, and by its highest card where that matters."""
    decisions = (0, *rules.amounts)
    rows = []
    for size, tops in enumerate(best.ends.sum(axis=3)[:, :, decisions]):
        name = f"{NUMBER_WORDS[size].capitalize()}-card flush"
        if np.count_nonzero(tops.sum(axis=0)) == 1:
            rows.append(_shares(name, tops.sum(axis=0)))
        else:
            named = ((f"{name}, {RANK_NAMES[top]} high", tops[top]) for top in range(len(tops)))
            rows += [_shares(high, taken) for high, taken in named if taken.any()]
    header = ("Flush", "Fold", *(f"{raised}×" for raised in rules.amounts))
    return StrategyTable("By the longest flush", header, tuple(rows))


def _shares(name: str, taken: Ints) -> tuple[str, ...]:
    return (name, *(f"{100 * int(number) / int(taken.sum()):.2f}%" if number else "–" for number in taken))


def _by_others(best: BestPlay) -> StrategyTable:
    """Return the flushes that do not decide alone: the share of hands raised, by how the other four cards lie."""
    other_suits, ways = beside(4)
    sizes = SIZES[other_suits]
    mixed = np.flatnonzero(best.rows >= 0)
    tops = sorted({OF_SIZE[3][place].bit_length() - 1 for place in mixed})
    least = int(np.flatnonzero(best.ends[3, tops].sum(axis=(0, 2)))[0])
    rows = []
    for place in mixed:
        own = OF_SIZE[3][place]
        fits = (sizes < 3).all(axis=1) | (other_suits[:, 0] <= own)
        hands = np.where(fits, ways * SUITS // (1 + (other_suits[:, 0] == own)), 0)
        raised = best.by_others[best.rows[place]] > least
        cells = []
        for pattern in PATTERNS:
            of_pattern = (sizes == pattern).all(axis=1)
            cells.append(f"{hands[of_pattern & raised].sum():,} of {hands[of_pattern].sum():,}")
        rows.append((_ranks(own), *cells))
    header = ("Flush", *(f"Other suits hold {'-'.join(map(str, pattern))}" for pattern in PATTERNS))
    high = either(RANK_WORDS[top] for top in tops)
    how = f"raised more than {least}×" if least else "raised"
    return StrategyTable(f"Three-card flushes, {high} high: hands {how}", header, tuple(rows))


def _ranks(ranks: int) -> str:
    return "-".join(RANK_NAMES[rank] for rank in range(len(RANK_NAMES) - 1, -1, -1) if ranks >> rank & 1)


def simplified_plays(rules: Rules, best: BestPlay, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    """Return simplified strategies, exactly: by the height of the flush, and by never raising more than one Ante."""
    qualifying = (rules.qualifier.size, rules.qualifier.top)
    thresholds = {
        "Always raises": (0, 0),
        "Raises what would qualify": qualifying,
        f"Raises from {_start_name(*_raised_from(best), qualifying[0])}": _raised_from(best),
    }
    plays = [
        (name, _from_in_words(*start), _raised_from_start(rules, best, start)) for name, start in thresholds.items()
    ]
    if len(rules.amounts) > 1:
        counts: Ints = best.ends.sum(axis=(0, 1))
        at_most_one = np.zeros_like(counts)
        at_most_one[0], at_most_one[1] = counts[0], counts[1:].sum(axis=0)
        plays.append(("Never raises more than the Ante", "As is best, but always one Ante", at_most_one))
    return report_plays(((name, when, outcome_rows(rules, counts, sections)) for name, when, counts in plays), INITIAL)


def _start_name(size: int, top: int, qualifying_size: int) -> str:
    high = f"{RANK_WORDS[top]} high"
    return high if size == qualifying_size else f"a {NUMBER_WORDS[size]}-card flush, {high}"


def _from_in_words(size: int, top: int) -> str:
    if size == 0:
        return "As much as is allowed, with every hand"
    return f"A {NUMBER_WORDS[size]}-card flush, {RANK_WORDS[top]} high, or better, as much as is allowed; else folds"


def _raised_from(best: BestPlay) -> tuple[int, int]:
    """Return the lowest (size, highest rank) from which on no flush is ever folded."""
    taken = best.ends.sum(axis=3)
    reached = list(zip(*np.nonzero(taken.sum(axis=2)), strict=True))
    folded = [place for place in reached if taken[place][0]]
    size, top = next(place for place in reached if not folded or place > folded[-1])
    return int(size), int(top)


def _raised_from_start(rules: Rules, best: BestPlay, start: tuple[int, int]) -> Ints:
    """Return [raised, end] where flushes from this size and highest rank on, and longer ones, are raised."""
    by_flush = best.ends.sum(axis=2)  # [size, highest rank, end]
    totals = np.zeros((best.ends.shape[2], len(ENDS)), np.int64)
    for size, tops in enumerate(by_flush):
        for top, ends in enumerate(tops):
            totals[rules.allowed[size] if (size, top) >= start else 0] += ends
    return totals
