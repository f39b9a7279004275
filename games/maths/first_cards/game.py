"""One game of a shoe's first three cards as the rest of the portal meets it.

Every way to draw them is counted by points; from these come the best decision after the first card, the required wager
on their total, and the optional wagers. A composition says how many cards of each point value the shoe contains. Not
here: dealing (`games.second.first_cards`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import comb

from games.maths.cards import FULL_DECK
from games.maths.results import (
    Choice,
    OutcomeRow,
    SimplifiedPlay,
    Step,
    StrategyTable,
    WagerAnalysis,
    counted,
    counted_by_table,
    required,
    row,
)
from games.rules.model import Answers, Chapter, Paytable

SURRENDERED = "Surrendered"


@dataclass(frozen=True, slots=True)
class Rules:
    """The shoe, what a player may decide after the first card, and the subsections that settle it."""

    decks: int
    points: tuple[int, ...]  # of the ranks, from deuce to ace
    over: str  # the decision to wager again that the total is at least `over_from`
    over_from: int
    under: str  # at most `under_to`
    under_to: int
    surrender: str
    wins: str
    loses: str
    surrendered: str

    @property
    def shoe(self) -> tuple[int, ...]:
        """The cards of a full shoe."""
        return tuple(card for card in range(FULL_DECK) for _ in range(self.decks))

    @property
    def decisions(self) -> tuple[str, ...]:
        """The decisions; of equally good ones the larger wager, then the one named first."""
        return self.over, self.under, self.surrender

    def outcome(self, decision: str, total: int) -> str:
        """Return the outcome of the wager by the total of the three cards."""
        if decision == self.surrender:
            return SURRENDERED
        wins = total >= self.over_from if decision == self.over else total <= self.under_to
        return f"{decision} {'wins' if wins else 'loses'}"


@dataclass(frozen=True, slots=True)
class End:
    """An outcome of the required wager, in Antes."""

    net: int
    wagered: int
    section: str


@cache
def ends(rules: Rules) -> Mapping[str, End]:
    """Return outcome → its end."""
    by_outcome = {}
    for name in (rules.over, rules.under):
        by_outcome[f"{name} wins"] = End(2, 2, rules.wins)
        by_outcome[f"{name} loses"] = End(-2, 2, rules.loses)
    return by_outcome | {SURRENDERED: End(-1, 1, rules.surrendered)}


@cache
def composition(rules: Rules) -> Mapping[int, int]:
    """Return points → cards of a full shoe."""
    return Counter(rules.points[card // 4] for card in rules.shoe)


@cache
def decisions(rules: Rules) -> dict[int, str]:
    """Return first card's points → the decision under optimal play."""
    return best_decisions(after_first(composition(rules)), rules.decisions, partial(_net, rules))


def _net(rules: Rules, decision: str, total: int) -> int:
    """Return the net, in Antes."""
    return ends(rules)[rules.outcome(decision, total)].net


def required_wager(rules: Rules, wager: str) -> WagerAnalysis:
    """Return the Ante with the wager that is decided on: a first card, then a set of two."""
    rows = _rows(rules, decisions(rules))
    taken: Counter[str] = Counter()
    for first, totals in after_first(composition(rules)).items():
        taken[decisions(rules)[first]] += totals.total()
    strategy = (Choice(name, _when(rules, name), Fraction(taken[name], _cycle(rules))) for name in rules.decisions)
    return counted(
        wager,
        "",
        rows,
        _cycle(rules),
        required=required(rows, initial=1),
        strategy=tuple(strategy),
        strategy_tables=(_worth(rules),),
        simplified_plays=tuple(_simplified(rules, name) for name in (rules.over, rules.under)),
    )


def _cycle(rules: Rules) -> int:
    cards = len(rules.shoe)
    return cards * comb(cards - 1, 2)


def _rows(rules: Rules, chosen: Mapping[int, str]) -> list[OutcomeRow]:
    """Return the outcome rows of the wager where each first card is played so."""
    counts: Counter[str] = Counter()
    for first, totals in after_first(composition(rules)).items():
        for total, ways in totals.items():
            counts[rules.outcome(chosen[first], total)] += ways
    return [
        row(name, counts[name], _cycle(rules), end.net, end.wagered, "1 to 1" if end.net > 0 else "", end.section)
        for name, end in ends(rules).items()
        if counts[name]
    ]


def _worth(rules: Rules) -> StrategyTable:
    """Return the table of each decision's average net after each first card, in Antes."""
    rows = []
    for first, totals in sorted(after_first(composition(rules)).items()):
        sums = (sum(ways * _net(rules, name, total) for total, ways in totals.items()) for name in rules.decisions)
        rows.append((str(first), *(f"{net / totals.total():+.4f}" for net in sums), decisions(rules)[first]))
    header = ("First card counts", *rules.decisions, "Best")
    return StrategyTable("What each decision wins on average, in Antes", header, tuple(rows))


def _simplified(rules: Rules, decision: str) -> SimplifiedPlay:
    rows = _rows(rules, dict.fromkeys(composition(rules), decision))
    return SimplifiedPlay(f"Always {decision}", f"{decision} after every first card", required(rows, initial=1))


def _when(rules: Rules, decision: str) -> str:
    firsts = [first for first, best in sorted(decisions(rules).items()) if best == decision]
    return "First card counts " + ", ".join(map(str, firsts)) if firsts else "Never"


CARDS = 3


@dataclass(frozen=True, slots=True)
class Sections:
    """The subsections of a chapter's procedure, with its number."""

    first_card: str
    decision: str
    last_cards: str
    count: str


@dataclass(frozen=True, slots=True)
class Game:
    """The terms of one game: the rules of the required wager, without a paytable, and the sections of a round."""

    rules: Rules
    lost_totals: str  # the outcome of a wager with a paytable that has no row for the total
    sections: Sections

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures, from the composition of a full shoe."""
        if not name:
            yield required_wager(self.rules, wager)
            return
        table = chapter.paytable(wager, name)
        counts = self._counts(table, ways_to_total(composition(self.rules), CARDS))
        yield counted_by_table(table, counts, comb(len(self.rules.shoe), CARDS), lost_outcome=self.lost_totals)

    def strategy(self, chapter: Chapter, answers: Answers) -> Mapping[int, str]:
        """Return points of the first card → name of the best decision."""
        return decisions(self.rules)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the round's three cards, and the decision after the first."""
        first, *last_two = dealt
        points, *more = (self.rules.points[card // 4] for card in (first, *last_two))
        return (
            Step("Player", f"is dealt the first card, which counts {points}", self.sections.first_card, (first,)),
            Step("Player", f"decides: {decisions(self.rules)[points]}", self.sections.decision),
            Step("Player", "is dealt two more cards", self.sections.last_cards, tuple(last_two)),
            Step("Dealer", f"counts {points + sum(more)}", self.sections.count),
        )

    def _counts(self, table: Paytable, totals: Mapping[int, int]) -> dict[str, int]:
        """Return outcome → count, from counts by total points; a row names one total, or one "or" another."""
        by_total = {total: line.outcome for line in table.rows for total in line.outcome.split(" or ")}
        counts = {line.outcome: 0 for line in table.rows} | {self.lost_totals: 0}
        for total, ways in totals.items():
            counts[by_total.get(str(total), self.lost_totals)] += ways
        return counts


Composition = Mapping[int, int]
"""Points of a card → number of such cards in the shoe."""


def ways_to_total(shoe: Composition, cards: int) -> Counter[int]:
    """Return total points → number of sets of `cards` cards that have them."""
    ways = {(0, 0): 1}  # (cards taken, points) → ways, point value by point value
    for points, available in shoe.items():
        grown: Counter[tuple[int, int]] = Counter()
        for (taken, total), count in ways.items():
            for more in range(cards - taken + 1):
                grown[taken + more, total + more * points] += count * comb(available, more)
        ways = grown
    return Counter({total: count for (taken, total), count in ways.items() if taken == cards and count})


def after_first(shoe: Composition) -> dict[int, Counter[int]]:
    """Return points of the first card → total of three → number of deals (a first card, then a set of two)."""
    totals = {}
    for points, available in shoe.items():
        rest = {**shoe, points: available - 1}
        totals[points] = Counter({points + two: available * ways for two, ways in ways_to_total(rest, 2).items()})
    return totals


def best_decisions(
    deals: Mapping[int, Counter[int]], decisions: Iterable[str], net: Callable[[str, int], int]
) -> dict[int, str]:
    """Return first card's points → the decision that wins most on average; of equals, the one named first."""
    offered = tuple(decisions)

    def worth(decision: str, totals: Counter[int]) -> Fraction:
        return Fraction(sum(ways * net(decision, total) for total, ways in totals.items()), totals.total())

    return {first: max(offered, key=lambda decision: worth(decision, totals)) for first, totals in deals.items()}
