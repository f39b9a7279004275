"""Rounds dealt as tallies: the numbers of `rounds` under the outcome keys that the exact rows have."""

from games.maths.blackjack import outcomes
from games.maths.blackjack.rounds import Settled
from games.maths.blackjack.side import INSURANCE
from games.maths.blackjack.side_wagers import SideWager
from games.maths.results import Tally
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play


def tally(chapter: Chapter, answers: Answers, settled: Settled, side: SideWager | None) -> Tally:
    """Of every wager that the answers offer."""
    by_wager: Tally = {}
    for wager in paytables_in_play(chapter, answers):
        if wager == "insurance":
            by_wager[wager] = dict(zip(INSURANCE, settled.insurance.tolist(), strict=True))
        elif side is not None and wager == side.wager:
            by_wager[wager] = dict(zip(side.outcomes, settled.optional.tolist(), strict=False))
        else:
            by_wager[wager] = _required(settled)
    return by_wager


def _required(settled: Settled) -> dict[str, int]:
    counts: dict[str, int] = {}
    for net, wagered in zip(*settled.required.nonzero(), strict=True):
        key = outcomes.name(int(net) - settled.offset, int(wagered))
        counts[key] = counts.get(key, 0) + int(settled.required[net, wagered])
    return counts
