"""The wagers other than the required one, counted exactly from a full shoe, and reported with their odds.

They are insurance, a match of the player's cards with the dealer's up card, the dealer's third card above 21, and a
dealer's hand of 22.

Counts come in the order of the outcomes, the lost wager last. An outcome is named as its paytable names it, where the
paytable does. Where the dealer draws after the players, the
dealer's cards are as the first of a fresh shoe: whether the dealer takes a card is settled before it is drawn.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb, gcd, perm, sqrt

from games.maths.blackjack.rules import Sections
from games.maths.results import LOST_NET, WagerAnalysis, counted, net_of, row
from games.rules.errors import ParameterError
from games.rules.model import Chapter, Paytable
from games.rules.sections import cite

ACE, EIGHT, TENS = 0, 7, 9  # values of cards: 0 = ace, 1 = deuce … 8 = nine, 9 = all that count ten
SUITS, COLORS = 4, 2
Ways = tuple[int, ...]

INSURANCE = ("Winning Insurance Wager", "Lost", "Not made")
MATCHES = (
    "Both cards match, both in suit",
    "Both cards match, one in suit",
    "Both cards match, none in suit",
    "One card matches, in suit",
    "One card matches, not in suit",
    "Lost",
)
MATCHED = ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1), (0, 0))  # cards of the same suit, of a different suit
THIRD_CARD_WINS = ("three 8s in suit", "three 8s of a color", "a 6", "a 7", "an 8", "a 9", "a card that counts ten")
DEALER_22_WINS = ("all cards in suit", "all cards of a color", "any other 22")


@dataclass(frozen=True, slots=True)
class Shoe:
    """So many full decks, of 52 cards or, without the 10s, of 48."""

    decks: int
    tens: int = 4  # ranks that count ten

    @property
    def cards(self) -> int:
        return SUITS * self.decks * (9 + self.tens)

    def of(self, value: int) -> int:
        """Return the number of cards of this value."""
        return SUITS * self.decks * (self.tens if value == TENS else 1)


def points(hard: int, ace: bool) -> int:
    """Return the points of a hand, one ace as 11 where that is no more than 21."""
    return hard + 10 if ace and hard <= 11 else hard


def insurance(shoe: Shoe, blackjack_stays: bool) -> tuple[Ways, int]:
    """Return (counts by `INSURANCE`, cycle): the dealer's first card and hole card, and the player's two.

    `blackjack_stays`: also a player who has Blackjack may make the wager.
    """
    aces, tens, cards = shoe.of(ACE), shoe.of(TENS), shoe.cards
    out_with_ten, out = (0, 0) if blackjack_stays else (2 * (aces - 1) * (tens - 1), 2 * (aces - 1) * tens)
    wins = aces * tens * (perm(cards - 2, 2) - out_with_ten)
    made = aces * (perm(cards - 1, 3) - out * (cards - 3))
    return (wins, made - wins, perm(cards, 4) - made), perm(cards, 4)


def match_up_card(shoe: Shoe) -> tuple[Ways, int]:
    """Return (counts by `MATCHES`, cycle): the player's two cards, for any first card of the dealer."""
    same, different = shoe.decks - 1, (SUITS - 1) * shoe.decks
    unmatched = shoe.cards - 1 - same - different
    ways = tuple(comb(same, s) * comb(different, d) * comb(unmatched, 2 - s - d) for s, d in MATCHED)
    return ways, comb(shoe.cards - 1, 2)


def third_card(shoe: Shoe) -> tuple[Ways, int]:
    """Return (counts by `THIRD_CARD_WINS` and lost, cycle): the dealer's first three cards, in order."""
    thirds: Counter[int] = Counter()
    for up in range(TENS + 1):
        for hole in range(TENS + 1):
            two = points(up + hole + 2, ACE in (up, hole))
            for third in range(TENS + 1):
                if two < 17 and up + hole + third + 3 > 21:
                    thirds[third] += _dealt(Counter((up, hole, third)), shoe, 1)
    suited = SUITS * perm(shoe.decks, 3)
    colored = COLORS * perm(SUITS // COLORS * shoe.decks, 3)
    wins = [suited, colored - suited, *(thirds[value] for value in (5, 6, EIGHT, 8, TENS))]
    wins[4] -= colored
    cycle = perm(shoe.cards, 3)
    return (*wins, cycle - sum(wins)), cycle


@cache
def dealer_22(shoe: Shoe) -> tuple[Ways, int]:
    """Return (counts by `DEALER_22_WINS` and lost, cycle): every way in which the dealer's cards come to 22."""
    hands_of_22 = _hands_of_22()
    longest = max(hand.total() for hand, _ in hands_of_22)
    suited, colored, wins = (
        sum(
            parts * orders * _dealt(hand, shoe, parts) * perm(shoe.cards - hand.total(), longest - hand.total())
            for hand, orders in hands_of_22
        )
        for parts in (SUITS, COLORS, 1)
    )
    cycle = perm(shoe.cards, longest)
    counts = (suited, colored - suited, wins - colored, cycle - wins)
    shared = gcd(*counts)
    return tuple(count // shared for count in counts), cycle // shared


def _dealt(values: Counter[int], shoe: Shoe, parts: int) -> int:
    """Return the deals of cards of these values, in this order, from one of `parts` equal parts of the shoe."""
    deals = 1
    for value, cards in values.items():
        deals *= perm(shoe.of(value) // parts, cards)
    return deals


@cache
def _hands_of_22() -> tuple[tuple[Counter[int], int], ...]:
    """Return the dealer's hands of 22 by their values, and the orders in which the values can come."""
    drawing, orders_of_22 = Counter[tuple[int, ...]]({(): 1}), Counter[tuple[int, ...]]()
    while drawing:
        grown: Counter[tuple[int, ...]] = Counter()
        for hand, orders in drawing.items():
            for value in range(TENS + 1):
                more = tuple(sorted((*hand, value)))
                total = points(sum(more) + len(more), ACE in more)
                if total == 22:
                    orders_of_22[more] += orders
                elif total < 17:
                    grown[more] += orders
        drawing = grown
    return tuple((Counter(hand), orders) for hand, orders in orders_of_22.items())


MATCH, THIRD_CARD, DEALER_22 = range(3)
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
    """An optional wager of a kind that is counted here; `ParameterError` where its rows are not those of the kind."""

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
        """Outcomes in the order in which they are counted."""
        return MATCHES if self.kind == MATCH else (*self.rows, "Lost")

    def analyze(self, chapter: Chapter, table: Paytable, shoe: Shoe) -> WagerAnalysis:
        """Return the exact analysis for one of its paytables; `ParameterError` if that lacks a row."""
        ways, cycle = COUNTS[self.kind](shoe)
        nets, pays = self._match_odds(table) if self.kind == MATCH else self._row_odds(table)
        sections = [""] * len(pays) + [cite(self.lost, chapter.number)]
        lines = zip(self.outcomes, ways, [*nets, LOST_NET], [*pays, ""], sections, strict=True)
        rows = [row(outcome, count, cycle, net, 1, paid, section) for outcome, count, net, paid, section in lines]
        return counted(table.wager, table.name, rows, cycle)

    def _match_odds(self, table: Paytable) -> tuple[Sequence[Fraction], Sequence[str]]:
        """Return the odds of matches; each of the player's cards that matches is paid."""
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
    """Return the analysis of insurance made by every player who may make it, per wager made."""
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
