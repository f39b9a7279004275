"""Ante, Blind and Play Wager of Raise It Up Stud Poker as rows, strategy and plain play: § 587.11(b) to (i).

Not here: counting (`raise_it_up`), the optional wagers (the chapter's `play.py`).
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import cards
from games.maths.ranking import standard
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, WagerAnalysis
from games.maths.staged_raises.raise_it_up import (
    CYCLE,
    FOLD,
    SIZES,
    BestPlay,
    Decisions,
    Odds,
    best_play,
    count_ends,
)  # fmt: skip
from games.maths.three_cards import FACES, faces, hands_in_order
from games.maths.wagers import counted, net_of, required, row
from games.rules.model import Paytable

INITIAL = 2  # Ante and Blind, § 587.7(d)(1); the Ante wins 1 to 1 (§ 587.12(b))
WINNING = tuple(reversed(hands.STANDARD[1:]))  # the classes of the rows of § 587.12(c) and (d), of which the last is …
LEAST = standard().value(cards("Tc Td 2h 3s 4c"))  # … a pair of 10s or better
FOLDED = "Folded"

STRATEGY = (
    (
        "Play Wager of three Antes on three cards",
        "A pair or better; three cards of 10 or higher; Q-10-9, J-10-9 and J-10-8; Q-J-9 with two of one suit; 10-9-8 "
        "with the 10 and one more of one suit; of three of one suit those in the table",
    ),
    (
        "Play Wager of two Antes on four cards",
        "A pair or better; four of one suit; three of one suit with three cards of 10 or higher; four cards that one "
        "rank makes a straight, but 2-3-4-6, 2-3-5-6, 3-4-6-7, 4-5-7-8 and 5-6-8-9 only with three of one suit",
    ),
    (
        "Play Wager of one Ante on five cards",
        "A pair or better; four of one suit; four cards that two ranks make a straight; four cards that one rank makes "
        "a straight, with a card of 10 or higher among the five",
    ),
    ("Fold", "After two checks, all else"),
)
LATER = StrategyTable(
    "After the first and the second community card, own and community cards together: the first line that fits",
    ("Cards", "Four cards", "Five cards"),
    (
        ("A pair or better", "Two Antes", "One Ante"),
        ("Four of one suit", "Two Antes", "One Ante"),
        ("Four cards that either of two ranks makes a straight", "Two Antes", "One Ante"),
        ("Four cards that one rank makes a straight, a 10 or higher among all", "Two Antes", "One Ante"),
        ("2-3-4-6, 2-3-5-6, 3-4-6-7, 4-5-7-8 or 5-6-8-9, without three of one suit", "Check", "Fold"),
        ("Four other cards that one rank makes a straight", "Two Antes", "Fold"),
        ("Three of one suit, and three cards of 10 or higher", "Two Antes", "Fold"),
        ("All else", "Check", "Fold"),
    ),
)
"""What is found by enumeration, in words; a test compares both."""

Counts = NDArray[np.int64]


def odds_of(play: Paytable, blind: Paytable) -> tuple[Odds, int]:
    """The paytables in whole numbers, and how many make an Ante."""
    blinds, plays = (
        dict(zip(WINNING, (net_of(line.pays[0], table) for line in table.rows), strict=True)) for table in (blind, play)
    )
    unit = lcm(*(net.denominator for net in (*blinds.values(), *plays.values())))
    initial = [1 + blinds[name] for name in hands.STANDARD[1:]]
    raised = [plays[name] for name in hands.STANDARD[1:]]
    whole = Odds(
        least=LEAST,
        initial=tuple(int(unit * net) for net in (-INITIAL, *initial)),
        raised=tuple(int(unit * net) for net in (-1, *raised)),
        fold=-INITIAL * unit,
    )
    return whole, unit


def required_counts(ends: Counts, play: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [end, class]."""
    counts = {}
    for end, size in enumerate(SIZES[:FOLD]):
        for line, name in zip(play.rows, WINNING, strict=True):
            counts[f"Play Wager {size}×: {line.outcome}"] = int(ends[end, hands.STANDARD.index(name)])
        counts[f"Play Wager {size}×: lost"] = int(ends[end, 0])
    return counts | {FOLDED: int(ends[FOLD].sum())}


def required_rows(ends: Counts, play: Paytable, blind: Paytable) -> list[OutcomeRow]:
    """One row per (net, wagered) that occurs."""
    settled = []
    for size in SIZES[:FOLD]:
        for line, beside in zip(play.rows, blind.rows, strict=True):
            net = 1 + net_of(beside.pays[0], blind) + size * net_of(line.pays[0], play)
            pays = f"Ante 1 to 1, Blind {beside.pays[0].printed}, Play {line.pays[0].printed}"
            settled.append((net, INITIAL + size, pays, "§ 587.11(i)(2)(ii)"))
        settled.append((Fraction(-INITIAL - size), INITIAL + size, "", "§ 587.11(i)(2)(i)"))
    settled.append((Fraction(-INITIAL), INITIAL, "", "§ 587.11(f)"))
    total = int(ends.sum())
    outcomes = zip(required_counts(ends, play).items(), settled, strict=True)
    return [row(outcome, count, total, *end) for (outcome, count), end in outcomes if count]


@cache
def analyze_required(play: Paytable, blind: Paytable) -> WagerAnalysis:
    """Ante, Blind and Play Wager under best play."""
    best = best_play(odds_of(play, blind)[0])
    rows = required_rows(best.required, play, blind)
    shares = (Fraction(int(ends.sum()), CYCLE) for ends in best.required)
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=tuple(Choice(*choice, share) for choice, share in zip(STRATEGY, shares, strict=True)),
        strategy_tables=(_suited_table(best.decisions), LATER),
        simplified_plays=_simplified_plays(best, play, blind),
        notes=(
            "A Play Wager of one or two Antes on three cards, or of one on four, is never better: its worth grows in "
            "proportion to its size, and one Ante can still be wagered on five cards.",
            _equal(best),
        ),
    )


def _equal(best: BestPlay) -> str:
    """Where two decisions are of equal worth."""
    if not any(best.equal):
        return "No two decisions are of equal worth, with any cards."
    three, four, five = best.equal
    sets = f"{three} sets of three, {four} of four and {five} of five cards"
    return f"Of equal worth are both decisions with {sets}; there the Play Wager is made."


def _suited_table(decisions: Decisions) -> StrategyTable:
    """Three cards of one suit: with which lowest cards three Antes are wagered, by the two higher cards."""
    lowest_cards: dict[tuple[int, int], list[int]] = {}
    for (low, middle, high), raises in zip(hands_in_order(), decisions.three_times, strict=True):
        if low % 4 == middle % 4 == high % 4 == 0:  # one suit represents all
            lowest_cards.setdefault((high // 4, middle // 4), []).extend([low // 4] * bool(raises))
    return StrategyTable(
        "Three cards of one suit: a Play Wager of three Antes",
        ("Highest card", "Second", "With a lowest card of"),
        tuple((FACES[high], FACES[middle], faces(lows)) for (high, middle), lows in sorted(lowest_cards.items())[::-1]),
    )


def _simplified_plays(best: BestPlay, play: Paytable, blind: Paytable) -> tuple[SimplifiedPlay, ...]:
    """What it costs not to know the strategy."""
    three, twice, once = best.decisions.three_times, best.decisions.twice, best.decisions.once
    never_early = {"three_times": np.zeros_like(three), "twice": np.zeros_like(twice)}
    plain = {
        "Always wagers three Antes": (
            "A Play Wager of three Antes on every three cards.",
            replace(best.decisions, three_times=np.ones_like(three)),
        ),
        "Waits for five cards": (
            "Checks twice; then a Play Wager of one Ante or a fold, as the strategy says.",
            replace(best.decisions, **never_early),
        ),
        "Waits and never folds": (
            "Checks twice; then a Play Wager of one Ante with any cards.",
            replace(best.decisions, **never_early, once=np.ones_like(once)),
        ),
    }
    return tuple(
        SimplifiedPlay(name, when, required(required_rows(count_ends(decisions, LEAST), play, blind), INITIAL))
        for name, (when, decisions) in plain.items()
    )
