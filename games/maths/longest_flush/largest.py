"""The most that one round can win, for a payout limit: the best of a few deals.

What a round wins depends on the size of the player's longest flush (Ante, Raise and Flush Bonus Wager), on the length
of his longest straight flush (Straight Flush Bonus Wager), and on the dealer, who does least harm when he qualifies and
is beaten. So one deal for each size and each length that goes with it is all that need be tried; a two-card flush
beats no dealer who qualifies and wins no more than a three-card flush. Every Raise Wager is as large as is allowed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from games.maths.cards import cards
from games.maths.longest_flush.bonuses import outcomes_of
from games.maths.longest_flush.endings import ENDS, net
from games.maths.longest_flush.exact import ALLOWED, WIN
from games.maths.longest_flush.holdings import CARDS, OF_SIZE, RANKS, RUNS
from games.maths.longest_flush.replay import round_steps
from games.maths.results import LargestRound, PartWon, Step
from games.maths.wagers import LOST_NET, net_of
from games.rules.model import Paytable

BESIDE = cards("2h 2d 2c 5h 5d")  # of other suits, no two consecutive
BEATEN = cards("9h 7h 4h 3d 7d 3c 7c")  # a three-card flush, nine high
SPADE = 3


def largest(tables: Sequence[Paytable], stakes: Mapping[str, Fraction], leaves_out: Collection[str]) -> LargestRound:
    """`tables`: those in use of the optional wagers among the `stakes`."""
    return max(_settled(tables, stakes, leaves_out), key=lambda candidate: candidate.amount)


def _settled(
    tables: Sequence[Paytable], stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> Iterator[LargestRound]:
    for size in range(3, CARDS + 1):
        for length in range(1, size + 1):
            flushes = [ranks for ranks in OF_SIZE[size] if RUNS[ranks] == length]
            outcomes = {table.wager: outcomes_of(table.wager)[_measured(table.wager, size, length)] for table in tables}
            if flushes and not set(outcomes.values()) & set(leaves_out):
                yield LargestRound(_deal(flushes[-1]), tuple(_parts(size, tables, outcomes, stakes)))


def _measured(wager: str, size: int, length: int) -> int:
    return size if wager == "flush_bonus" else length


def _deal(ranks: int) -> tuple[Step, ...]:
    spades = tuple(4 * rank + SPADE for rank in reversed(range(RANKS)) if ranks >> rank & 1)
    own = (*spades, *BESIDE[: CARDS - len(spades)])
    return round_steps({}, own, BEATEN, int(ALLOWED[len(spades)]))


def _parts(
    size: int, tables: Sequence[Paytable], outcomes: Mapping[str, str], stakes: Mapping[str, Fraction]
) -> Iterator[PartWon]:
    if "ante" in stakes:
        raised = int(ALLOWED[size])
        pays = f"Ante and a Raise of {raised}× {ENDS[WIN][1]}"
        yield PartWon("ante", stakes["ante"], Fraction(net(raised, WIN)), pays)
    for table in tables:
        pay = next((line.pays[0] for line in table.rows if line.outcome == outcomes[table.wager]), None)
        won = net_of(pay, table) if pay else LOST_NET
        yield PartWon(table.wager, stakes[table.wager], won, pay.printed if pay else "")
