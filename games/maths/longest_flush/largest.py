"""The most that one round can win, for a payout limit: the best of a few deals.

What a round wins depends on the size of the player's longest flush (Ante, Raise and wagers on the flush), on the length
of the longest straight flush (wagers on that), and on the dealer, who does least harm by qualifying and being beaten.
So one deal for each size and each length that goes with it is all that need be tried; a flush that beats no dealer who
qualifies wins no more than a longer one. Every Raise Wager is as large as is allowed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from games.maths.cards import cards
from games.maths.longest_flush.bonuses import outcomes_of
from games.maths.longest_flush.endings import ENDINGS, net
from games.maths.longest_flush.holdings import CARDS, FLUSH, OF_SIZE, RANKS, RUNS, SIZES, SUIT, suit_bit
from games.maths.longest_flush.replay import round_steps
from games.maths.longest_flush.rules import WIN, BonusWager, Rules, Sections
from games.maths.parameters import ParameterError
from games.maths.results import LargestRound, PartWon, Step
from games.maths.wagers import LOST_NET, net_of
from games.rules.model import Paytable

BESIDE = cards("2h 2d 2c 5h 5d")  # of other suits, no two consecutive
SPADE = 3
Settled = tuple[Paytable, BonusWager, str]
"""The paytable in use of an optional wager, how it is decided, and the outcome."""


def check_beaten(beaten: str, rules: Rules) -> tuple[int, ...]:
    """The dealer's seven cards of the deals here; `ParameterError` where they do not serve."""
    try:
        dealt = cards(beaten)
    except ValueError as error:
        raise ParameterError("beaten", str(error)) from error
    if len(set(dealt)) != CARDS:
        raise ParameterError("beaten", f"is {beaten!r}; it has {CARDS} different cards")
    if taken := [name for name, card in zip(beaten.split(), dealt, strict=True) if card % 4 == SPADE or card in BESIDE]:
        raise ParameterError("beaten", f"has {taken[0]}; spades, the 2s and two 5s are the player's")
    if _worth(dealt) < rules.qualifier.lowest:
        raise ParameterError("beaten", f"is {beaten!r}, with which the dealer does not qualify")
    return dealt


def largest(
    rules: Rules,
    sections: Sections,
    beaten: tuple[int, ...],
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """`tables`: those in use of the optional wagers among the `stakes`; `beaten`: the dealer's cards."""
    candidates: list[LargestRound] = []
    for own, size, length in _hands(beaten):
        settled = [(table, bonus, _outcome(bonus, size, length)) for table, bonus in tables]
        if not {outcome for _, _, outcome in settled} & set(leaves_out):
            raised = rules.allowed[size]
            deal: tuple[Step, ...] = round_steps(sections, {}, own, beaten, raised)
            candidates.append(LargestRound(deal, tuple(_parts(raised, settled, stakes))))
    return max(candidates, key=lambda candidate: candidate.amount)


def _hands(beaten: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """The player's cards for each size of the longest flush and each length of a straight flush in it."""
    for size in range(2, CARDS + 1):
        for length in range(1, size + 1):
            flushes = [ranks for ranks in OF_SIZE[size] if RUNS[ranks] == length]
            if flushes and size << RANKS | flushes[-1] > _worth(beaten):
                spades = [4 * rank + SPADE for rank in reversed(range(RANKS)) if flushes[-1] >> rank & 1]
                yield (*spades, *BESIDE[: CARDS - size]), size, length


def _outcome(bonus: BonusWager, size: int, length: int) -> str:
    return outcomes_of(bonus)[size if bonus.by == FLUSH else length]


def _worth(seven: Sequence[int]) -> int:
    """What the longest flush is worth (`holdings`)."""
    bits = sum(suit_bit(card) for card in seven)
    suits = (bits >> RANKS * suit & SUIT for suit in range(4))
    return max(int(SIZES[ranks]) << RANKS | ranks for ranks in suits)


def _parts(raised: int, settled: Sequence[Settled], stakes: Mapping[str, Fraction]) -> Iterator[PartWon]:
    if "ante" in stakes:
        pays = f"Ante and a Raise of {raised}× {ENDINGS[WIN][1]}"
        yield PartWon("ante", stakes["ante"], Fraction(net(raised, WIN)), pays)
    for table, _, outcome in settled:
        pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), None)
        won = net_of(pay, table) if pay else LOST_NET
        yield PartWon(table.wager, stakes[table.wager], won, pay.printed if pay else "")
