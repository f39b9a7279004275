"""The required wager on the total of a shoe's first three cards, exactly: its decisions and how it ends.

Not here: sets of cards counted (`exact`), the optional wagers (`game`), rounds (`rounds`).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import comb

from games.maths.cards import FULL_DECK
from games.maths.first_cards.exact import after_first, best_decisions
from games.maths.first_cards.rounds import LOSES, OVER, SURRENDER, UNDER, WINS
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, WagerAnalysis
from games.maths.wagers import counted, required, row

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
    def decisions(self) -> dict[str, int]:
        """Name → code of the rounds; of equally good ones the larger wager, then the one named first."""
        return {self.over: OVER, self.under: UNDER, self.surrender: SURRENDER}

    def outcome(self, decision: str, total: int) -> str:
        """How the wager ends by the total of the three cards."""
        if decision == self.surrender:
            return SURRENDERED
        wins = total >= self.over_from if decision == self.over else total <= self.under_to
        return f"{decision} {'wins' if wins else 'loses'}"


@dataclass(frozen=True, slots=True)
class End:
    """An outcome of the required wager, in Antes."""

    decision: int
    result: int  # WINS or LOSES
    net: int
    wagered: int
    section: str


@cache
def ends(rules: Rules) -> Mapping[str, End]:
    """Outcome → what it comes to."""
    by_outcome = {}
    for name, decision in ((rules.over, OVER), (rules.under, UNDER)):
        by_outcome[f"{name} wins"] = End(decision, WINS, 2, 2, rules.wins)
        by_outcome[f"{name} loses"] = End(decision, LOSES, -2, 2, rules.loses)
    return by_outcome | {SURRENDERED: End(SURRENDER, LOSES, -1, 1, rules.surrendered)}


@cache
def composition(rules: Rules) -> Mapping[int, int]:
    """Points → cards of a full shoe."""
    return Counter(rules.points[card // 4] for card in rules.shoe)


@cache
def decisions(rules: Rules) -> dict[int, str]:
    """First card's points → the decision under optimal play."""
    return best_decisions(after_first(composition(rules)), rules.decisions, partial(_net, rules))


def _net(rules: Rules, decision: str, total: int) -> int:
    """In Antes."""
    return ends(rules)[rules.outcome(decision, total)].net


def required_wager(rules: Rules, wager: str) -> WagerAnalysis:
    """The Ante with the wager that is decided on: a first card, then a set of two."""
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
    """How the wager ends where each first card is played so."""
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
    """What each decision wins on average after each first card, in Antes."""
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
