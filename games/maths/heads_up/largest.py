"""The most that one round can win, for a payout limit: the best of a few deals.

What a round wins depends on three things: the class of the player's hand, whether it wins or loses against a pair or
better (a dealer who does not qualify only ever pays less), and the player's two cards. A wager on these pays a pair of
aces most, and two aces can make every class that any wager pays, winning or losing: so one deal for each class from
three-of-a-kind up that wins, and for each from a straight up that loses, is all that need be tried; with less only Ante
and Raise Wager win, as they do with three-of-a-kind. Every Raise Wager is the largest, that before the Flop.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from games.maths.cards import cards
from games.maths.heads_up.bonuses import pocket
from games.maths.heads_up.endings import ending
from games.maths.heads_up.odds import PRINTED, OddsTables
from games.maths.heads_up.replay import deck_of, round_steps
from games.maths.heads_up.rules import BEFORE, LOSE, OWN_CARDS, WIN, BonusWager, Sections
from games.maths.heads_up.suits import PAIR_GROUPS, pair_number
from games.maths.ranking import class_of, standard
from games.maths.results import LargestRound, PartWon
from games.maths.wagers import net_of
from games.rules.model import Paytable

ACES = cards("As Ah")
DEALS = (  # the community cards and the dealer's two
    ("Ks Qs Js Ts 2d", "2h 3c"),
    ("2s 3s 4s 5s Kd", "Kh 9c"),
    ("Ad Ac 7h 2d 9s", "7c 3d"),
    ("Ad 7h 7c 2d 9s", "Kh Kc"),
    ("Ks 9s 7s 2s 3d", "Kh 4c"),
    ("2d 3c 4h 5s Kd", "Kh 9c"),
    ("Ad 7h 2c 9d 4s", "7c Kc"),
    ("2s 3s 4s 5s Kd", "6s 7s"),
    ("Ad Ac Kd Qd Jd", "Td 9d"),
    ("Ad Kh Kd 7c 2s", "Kc Ks"),
    ("Ks 9s 9d 7s 2s", "9h 9c"),
    ("2d 3d 4d 5c Kh", "6s 7s"),
)


def largest(
    odds: OddsTables,
    sections: Sections,
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """`tables`: those in use of the optional wagers among the `stakes`."""
    return max(_settled(odds, sections, tables, stakes, leaves_out), key=lambda candidate: candidate.amount)


def _settled(
    odds: OddsTables,
    sections: Sections,
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> Iterator[LargestRound]:
    """Each of the deals, but those with an outcome that is left out."""
    for board, hidden in ((cards(board), cards(hidden)) for board, hidden in DEALS):
        own, dealer = best_of((*ACES, *board)), best_of((*hidden, *board))
        rank = class_of(own)
        outcomes = {table.wager: _outcome(bonus, rank) for table, bonus in tables}
        if {PRINTED[rank], *outcomes.values()} & set(leaves_out):
            continue
        parts = []
        if "ante" in stakes:
            end = ending(odds, sections, BEFORE, WIN if own > dealer else LOSE, rank)
            parts.append(PartWon("ante", stakes["ante"], end.net, end.pays))
        for table, _ in tables:
            pay = next(line.pays[0] for line in table.rows if line.outcome == outcomes[table.wager])
            parts.append(PartWon(table.wager, stakes[table.wager], net_of(pay, table), pay.printed))
        yield LargestRound(round_steps(odds.rules, sections, {}, deck_of(ACES, hidden, board), BEFORE), tuple(parts))


def _outcome(bonus: BonusWager, rank: int) -> str:
    return pocket(int(PAIR_GROUPS[pair_number(*ACES)])) if bonus.by == OWN_CARDS else PRINTED[rank]


def best_of(seven: Sequence[int]) -> int:
    """The value of the best five, in `ranking.standard`."""
    return max(standard().value(five) for five in combinations(seven, 5))
