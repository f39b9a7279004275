"""When to raise on three cards, in words and as a table, from the decisions.

The sentences say two thresholds: the highest card, and how far apart the cards may be. They are those by which the
fewest hands are played otherwise; such hands are counted in the sentences.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import RANK_NAMES
from games.maths.results import Choice, StrategyTable
from games.maths.three_cards import FACES, HANDS, classes, faces, hands_in_order

Plays = NDArray[np.bool_]
"""`[place of three cards]`: whether the player raises, in the order of `three_cards`."""

NO_RANK = len(RANK_NAMES)
SPREADS = {2: "", 3: "three", 4: "four"}  # ranks from the lowest card to the highest
COLUMNS = ("Highest card", "Second", "Fold with a lowest card of")


@dataclass(frozen=True, slots=True)
class Rule:
    """Raise on what is made, with a card of `rank` or higher, or with three cards at most `spread` ranks apart."""

    rank: int
    spread: int
    folded: int  # hands that the rule raises and the decisions fold
    raised: int  # and the other way


def rule_of(plays: Plays) -> Rule:
    """The rule that the decisions differ from with the fewest hands."""
    ranks = np.array(hands_in_order()) // 4
    made, high, distance = classes() > 0, ranks[:, 2], ranks[:, 2] - ranks[:, 0]
    rules = []
    for rank, spread in product(range(NO_RANK, -1, -1), SPREADS):
        raises = made | (high >= rank) | (distance <= spread)
        rules.append(Rule(rank, spread, int((raises & ~plays).sum()), int((plays & ~raises).sum())))
    return min(rules, key=lambda rule: rule.folded + rule.raised)


def choices(plays: Plays, raise_wager: str) -> tuple[Choice, ...]:
    """Both decisions, each with its exact share."""
    rule, raised = rule_of(plays), int(plays.sum())
    return (
        Choice(raise_wager, _raised(rule) + _but(rule.folded, rule.raised), Fraction(raised, HANDS)),
        Choice("Fold", _folded(rule) + _but(rule.raised, rule.folded), Fraction(HANDS - raised, HANDS)),
    )


def _raised(rule: Rule) -> str:
    parts = ["A pair or better", "three cards of one suit"]
    if rule.rank < NO_RANK:
        parts.append(f"{with_article(rule.rank)} or higher")
    if SPREADS[rule.spread]:
        spread = f"(from the lowest to the highest {SPREADS[rule.spread]} ranks at most)"
        parts.append(f"three cards that fit into one straight {spread}")
    return f"{', '.join(parts[:-1])}, or {parts[-1]}"


def _folded(rule: Rule) -> str:
    parts = [f"{RANK_NAMES[rule.rank - 1]} high or lower"] if 0 < rule.rank < NO_RANK else []
    parts += ["of more than one suit", "without a pair"]
    parts += ["too far apart for one straight"] if SPREADS[rule.spread] else []
    return f"All else: {', '.join(parts)}"


def _but(wrong: int, elsewhere: int) -> str:
    parts = [f"but not with {wrong:,} of these hands"] if wrong else []
    parts += [f"also with {elsewhere:,} other{'s' if elsewhere > 1 else ''}"] if elsewhere else []
    return f", {', '.join(parts)} (see the table)" if parts else ""


def with_article(rank: int) -> str:
    """ "a jack", "an 8"."""
    return f"{'an' if RANK_NAMES[rank] in ('8', 'ace') else 'a'} {RANK_NAMES[rank]}"


def fold_table(plays: Plays, raise_wager: str) -> StrategyTable:
    """Which lowest cards are folded beside the two higher ones, among hands without a pair and of several suits."""
    lowest_cards: dict[tuple[int, int], dict[bool, set[int]]] = {}
    for hand, raises in zip(hands_in_order(), plays, strict=True):
        low, middle, high = (card // 4 for card in hand)
        if low < middle < high and len({card % 4 for card in hand}) > 1:
            lowest_cards.setdefault((high, middle), {True: set(), False: set()})[bool(raises)].add(low)
    lines = sorted(lowest_cards.items(), reverse=True)
    return StrategyTable(
        f"Hands of more than one suit, without a pair, that are folded (with all other hands: a {raise_wager})",
        (*COLUMNS, f"{raise_wager} with a lowest card of"),
        tuple(
            (FACES[high], FACES[middle], faces(lows[False]), faces(lows[True]))
            for (high, middle), lows in lines
            if lows[False]
        ),
    )
