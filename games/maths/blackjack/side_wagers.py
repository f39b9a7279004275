"""The wagers other than the required one with their odds: from the counts of `side` to what is reported of each.

An outcome is named as its paytable names it, where the paytable does. Not here: counting (`side`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from games.maths.blackjack.sections import Sections
from games.maths.blackjack.side import (
    DEALER_22_WINS,
    INSURANCE,
    MATCHED,
    MATCHES,
    THIRD_CARD_WINS,
    Shoe,
    Ways,
    dealer_22,
    insurance,
    match_up_card,
    third_card,
)
from games.maths.parameters import ParameterError
from games.maths.results import WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, row
from games.rules.citations import cite
from games.rules.model import Chapter, Paytable

NO_SIDE, MATCH, THIRD_CARD, DEALER_22 = range(4)
"""Kinds of an optional wager."""
MATCH_LINES = ("a card of the same suit", "a card of a different suit")
WINS = {MATCH: MATCH_LINES, THIRD_CARD: THIRD_CARD_WINS, DEALER_22: DEALER_22_WINS}
"""Kind → what each row of the paytable is for, in the order of `SideWager.rows`."""
COUNTS: dict[int, Callable[[Shoe], tuple[Ways, int]]] = {
    MATCH: match_up_card,
    THIRD_CARD: third_card,
    DEALER_22: dealer_22,
}


@dataclass(frozen=True, slots=True)
class SideWager:
    """An optional wager of a kind that `side` counts; `ParameterError` where its rows are not those of the kind."""

    wager: str  # its key
    kind: int
    lost: str  # section that takes a lost wager, without the chapter's number
    rows: tuple[str, ...]  # of its paytables, in the order of `WINS`

    def __post_init__(self) -> None:
        if self.kind not in WINS:
            raise ParameterError("side.kind", f"{self.kind}: must be one of {', '.join(map(str, WINS))}")
        if len(self.rows) != len(wins := WINS[self.kind]):
            raise ParameterError("side.rows", f"has {len(self.rows)} rows; it needs {len(wins)}: {', '.join(wins)}")

    @property
    def outcomes(self) -> tuple[str, ...]:
        """In the order in which they are counted."""
        return MATCHES if self.kind == MATCH else (*self.rows, "Lost")

    def analyze(self, chapter: Chapter, table: Paytable, shoe: Shoe) -> WagerAnalysis:
        """Exactly, for one of its paytables; `ParameterError` where that lacks a row."""
        ways, cycle = COUNTS[self.kind](shoe)
        nets, pays = self._match_odds(table) if self.kind == MATCH else self._row_odds(table)
        sections = [""] * len(pays) + [cite(self.lost, chapter.number)]
        lines = zip(self.outcomes, ways, [*nets, LOST_NET], [*pays, ""], sections, strict=True)
        rows = [row(outcome, count, cycle, net, 1, paid, section) for outcome, count, net, paid, section in lines]
        return counted(table.wager, table.name, rows, cycle)

    def _match_odds(self, table: Paytable) -> tuple[Sequence[Fraction], Sequence[str]]:
        """Each of the player's cards that matches is paid."""
        (same, different), _ = self._row_odds(table)
        nets = [suited * same + unsuited * different for suited, unsuited in MATCHED[:-1]]
        return nets, [f"{net} to 1" for net in nets]

    def _row_odds(self, table: Paytable) -> tuple[Sequence[Fraction], Sequence[str]]:
        cells = {line.outcome: line.pays[0] for line in table.rows}
        if missing := [outcome for outcome in self.rows if outcome not in cells]:
            raise ParameterError("side.rows", f"`{missing[0]}` is not in {table.name} of `{table.wager}`")
        chosen = [cells[outcome] for outcome in self.rows]
        return [net_of(cell, table) for cell in chosen], [cell.printed for cell in chosen]


def analyze_insurance(chapter: Chapter, shoe: Shoe, sections: Sections, blackjack_stays: bool = True) -> WagerAnalysis:
    """Of one that every player makes who may; what is reported of it is per wager made."""
    (table,) = chapter.tables_of("insurance")
    (line,) = table.rows
    (won, lost, not_made), cycle = insurance(shoe, blackjack_stays)
    number, cited = chapter.number, sections.insurance
    net, printed = net_of(line.pays[0], table), line.pays[0].printed
    rows = [
        row(INSURANCE[0], won, cycle, net, pays=printed, section=cite(cited.won, number)),
        row(INSURANCE[1], lost, cycle, LOST_NET, section=cite(cited.lost, number)),
        row(INSURANCE[2], not_made, cycle, 0, 0, section=cite(cited.made, number)),
    ]
    paid_before = "" if blackjack_stays else f" but a Blackjack, paid before ({cite(sections.blackjack, number)})"
    note = (
        f"The wager as made with every hand{paid_before} whenever the dealer's first card is an ace; "
        "its figures are per wager made, the chances of its outcomes per round."
    )
    analysis = counted("insurance", table.name, rows, cycle, notes=(note,))
    hits = Fraction(won, won + lost)
    spread = sqrt(hits * (1 - hits)) * float(rows[0].net - LOST_NET)
    return replace(analysis, hit_frequency=hits, standard_deviation=spread)
