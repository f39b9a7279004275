"""The wagers other than the required one with their odds: from the counts of `side` to what is reported of each.

An outcome is named as its paytable names it, where the paytable does. Not here: counting (`side`).
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt

from games.maths.blackjack.side import (
    BUST_IT,
    INSURANCE,
    MATCH,
    MATCHED,
    PUSH_22,
    Shoe,
    Ways,
    bust_it,
    insurance,
    match_the_dealer,
    push_22,
)
from games.maths.results import WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.model import Chapter, Paytable

OUTCOMES = {"insurance": INSURANCE, "match_the_dealer": MATCH, "bust_it": BUST_IT, "push_22": PUSH_22}
"""Wager → its outcomes, in the order in which they are counted."""
MATCH_LINES = ("Each matching card of the same suit", "Each matching card of a different suit")  # § 635a.12(e)


def analyze_insurance(chapter: Chapter, shoe: Shoe, blackjack_stays: bool = True) -> WagerAnalysis:
    """Of one that every player makes who may; what is reported of it is per wager made."""
    (table,) = chapter.tables_of("insurance")
    (line,) = table.rows
    (won, lost, not_made), cycle = insurance(shoe, blackjack_stays)
    section = f"§ {chapter.number}.8"
    rows = [
        row(INSURANCE[0], won, cycle, net_of(line.pays[0], table), pays=line.pays[0].printed, section=f"{section}(c)"),
        row(INSURANCE[1], lost, cycle, LOST_NET, section=f"{section}(d)"),
        row(INSURANCE[2], not_made, cycle, 0, 0, section=f"{section}(a)"),
    ]
    analysis = counted("insurance", table.name, rows, cycle, notes=_insurance_notes(chapter, blackjack_stays))
    hits = Fraction(won, won + lost)
    spread = sqrt(hits * (1 - hits)) * float(rows[0].net - LOST_NET)
    return replace(analysis, hit_frequency=hits, standard_deviation=spread)


def _insurance_notes(chapter: Chapter, blackjack_stays: bool) -> tuple[str, ...]:
    who = (
        "with every hand"
        if blackjack_stays
        else f"with every hand but a Blackjack, paid before (§ {chapter.number}.7(f))"
    )
    return (
        f"The wager as made {who} whenever the dealer's first card is an ace; "
        "its figures are per wager made, the chances of its outcomes per round.",
    )


def analyze_match(table: Paytable, shoe: Shoe) -> WagerAnalysis:
    """Each of the player's cards that matches is paid: § 635a.7(f)(2)."""
    same, different = (_net(table, outcome) for outcome in MATCH_LINES)
    nets = [suited * same + unsuited * different or LOST_NET for suited, unsuited in MATCHED]
    pays = [f"{net} to 1" for net in nets[:-1]]
    return _analyze(table, match_the_dealer(shoe), nets, pays, "§ 635a.7(f)")


def analyze_bust_it(table: Paytable, shoe: Shoe) -> WagerAnalysis:
    """On the dealer's third card: § 581.7(m)."""
    return _by_rows(table, bust_it(shoe), "§ 581.7(m)")


def analyze_push_22(table: Paytable, shoe: Shoe) -> WagerAnalysis:
    """On a dealer's hand of 22: § 590.7(n)."""
    return _by_rows(table, push_22(shoe), "§ 590.7(n)(2)")


def _by_rows(table: Paytable, ways_and_cycle: tuple[Ways, int], lost: str) -> WagerAnalysis:
    """A wager whose outcomes are the rows of its paytable."""
    outcomes = OUTCOMES[table.wager][:-1]
    printed = {line.outcome: line.pays[0].printed for line in table.rows}
    nets = [*(_net(table, outcome) for outcome in outcomes), LOST_NET]
    return _analyze(table, ways_and_cycle, nets, [printed[outcome] for outcome in outcomes], lost)


def _analyze(
    table: Paytable, ways_and_cycle: tuple[Ways, int], nets: Sequence[Fraction], pays: Sequence[str], lost: str
) -> WagerAnalysis:
    ways, cycle = ways_and_cycle
    sections = [""] * len(pays) + [lost]
    lines = zip(OUTCOMES[table.wager], ways, nets, [*pays, ""], sections, strict=True)
    rows = [row(outcome, count, cycle, net, 1, paid, section) for outcome, count, net, paid, section in lines]
    return counted(table.wager, table.name, rows, cycle)


def _net(table: Paytable, outcome: str) -> Fraction:
    return next(net_of(line.pays[0], table) for line in table.rows if line.outcome == outcome)
