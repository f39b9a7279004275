"""What each end of a round wins and which subsection settles it: Ante, Odds and Raise Wagers as outcome rows.

Not here: how often each end occurs (`settled`, `rounds`), the optional wagers (`play.py`).
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from games.maths import hands
from games.maths.heads_up.best_play import CYCLE, FOLDED, Pays
from games.maths.heads_up.chances import LOSE, LOSE_UNQUALIFIED, TIE, TIE_UNQUALIFIED, WIN, WIN_UNQUALIFIED, Ints
from games.maths.heads_up.settled import FOLD
from games.maths.results import OutcomeRow
from games.maths.wagers import LOST_NET, net_of, row
from games.rules.model import Paytable

PRINTED = (
    "High card", "Pair", "Two pair", "Three-of-a-kind", "Straight", "Flush", "Full house", "Four-of-a-kind",
    "Straight flush", "Royal flush",
)  # fmt: skip
"""The classes of `hands.STANDARD` as § 677a.6(b) and the paytables print them."""
STRAIGHT = hands.STANDARD.index(hands.STRAIGHT)
RAISES = (3, 2, 1)  # Antes raised before the Flop, after it, at last: § 677a.11(b), (d), (f)
INITIAL = 2  # Ante and Odds Wager, § 677a.7(d)(1)


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which the required wagers end, in Antes."""

    outcome: str
    net: Fraction
    wagered: Fraction
    pays: str
    section: str


@dataclass(frozen=True, slots=True)
class OddsTables:
    """The two paytables of the Odds Wager: for a winning hand, and for a losing one."""

    won: Paytable
    lost: Paytable

    def win(self, rank: int) -> Fraction:
        """Without a row it is returned: reading `odds-high-card`."""
        return self._net(self.won, rank, Fraction(0))

    def loss(self, rank: int) -> Fraction:
        return self._net(self.lost, rank, LOST_NET)

    def _net(self, table: Paytable, rank: int, otherwise: Fraction) -> Fraction:
        return next((net_of(line.pays[0], table) for line in table.rows if line.outcome == PRINTED[rank]), otherwise)

    def pays(self) -> Pays:
        """As the enumeration needs them: whole parts of an Ante."""
        won, lost = ([net(rank) for rank in range(len(PRINTED))] for net in (self.win, self.loss))
        unit = lcm(*(net.denominator for net in won + lost))
        return Pays(unit, tuple(int(net * unit) for net in won), tuple(int(net * unit) for net in lost))


def ending(odds: OddsTables, when: int, end: int, rank: int) -> Ending:
    """§ 677a.11(f) and (h): `when` the player raises, the `end` against the dealer, the class of the player's hand."""
    if when == FOLD:
        return Ending("Folded", Fraction(FOLDED), Fraction(INITIAL), "", "§ 677a.11(f)")
    raised = RAISES[when]
    wagered, name, hand = Fraction(INITIAL + raised), f"Raised {raised}×", PRINTED[rank].lower()
    if end in (WIN, WIN_UNQUALIFIED):
        won = odds.win(rank)
        won_with = f"wins with a {hand}" if won else "wins with less than a straight"
        pays = "Ante and Raise 1 to 1" if end == WIN else "Ante returned, Raise 1 to 1"
        pays += f", Odds {_odds(won)}" if won else ", Odds returned"
        if end == WIN:
            return Ending(f"{name}, {won_with}", 1 + raised + won, wagered, pays, "§ 677a.11(h)(2)(i)")
        return Ending(f"{name}, {won_with}; dealer without a pair", raised + won, wagered, pays, "§ 677a.11(h)(1)(i)")
    if end == TIE:
        return Ending(f"{name}, ties", Fraction(0), wagered, "", "§ 677a.11(h)(2)(ii)")
    if end == TIE_UNQUALIFIED:
        return Ending(f"{name}, ties; dealer without a pair", Fraction(0), wagered, "", "§ 677a.11(h)(1)(ii)")
    if end == LOSE_UNQUALIFIED:
        outcome = f"{name}, loses; dealer without a pair"
        return Ending(outcome, Fraction(-raised - 1), wagered, "Ante returned", "§ 677a.11(h)(1)(iii)")
    lost = odds.loss(rank)
    if rank < STRAIGHT or lost == LOST_NET:
        return Ending(f"{name}, loses", -wagered, wagered, "", "§ 677a.11(h)(2)(iii)(A)")
    pays = f"Bad Beat: Odds {_odds(lost)}"
    return Ending(f"{name}, loses with a {hand}", lost - raised - 1, wagered, pays, "§ 677a.11(h)(2)(iii)(B)")


def _odds(net: Fraction) -> str:
    return f"{net.numerator} to {net.denominator}"


def counts_by_ending(odds: OddsTables, counts: Ints) -> dict[Ending, int]:
    """The ends that occur, from counts by [when raised, end, class]; the best hands first."""
    by_ending: dict[Ending, int] = {}
    for when in range(len(RAISES) + 1):
        for end in (WIN, WIN_UNQUALIFIED, TIE, TIE_UNQUALIFIED, LOSE_UNQUALIFIED, LOSE):
            for rank in reversed(range(len(PRINTED))):
                if number := int(counts[when, end, rank]):
                    round_end = ending(odds, when, end, rank)
                    by_ending[round_end] = by_ending.get(round_end, 0) + number
    return by_ending


def outcome_rows(odds: OddsTables, counts: Ints) -> list[OutcomeRow]:
    """Every ending of `CYCLE` deals."""
    return [
        row(round_end.outcome, number, CYCLE, round_end.net, round_end.wagered, round_end.pays, round_end.section)
        for round_end, number in counts_by_ending(odds, counts).items()
    ]
