"""The wagers on straight flushes of High Card Flush under the other reading of a payout note: no ace is low."""

from collections.abc import Iterator
from math import comb

from games.chapters.ch678a_high_card_flush.play import GAME
from games.maths.longest_flush.rules import CARDS, RANKS, STRAIGHT_FLUSH, SUITS, count_hands
from games.maths.longest_flush.wagers import SIZE_WORDS
from games.other_readings import LOST, BothReadings, each_table, recounted
from games.rules.model import Chapter


def longest_run(ranks: int) -> int:
    """Return the most cards of a suit in consecutive rank, the ace high only; a bit a rank, the deuce lowest."""
    length = 0
    while ranks:
        ranks, length = ranks & ranks << 1, length + 1
    return length


def count_ace_high() -> list[int]:
    """Return the number of seven cards whose longest straight flush has each size; suits multiply."""
    upto = []
    for most in range(CARDS + 1):
        suit = [0] * (CARDS + 1)
        for ranks in range(1 << RANKS):
            if ranks.bit_count() <= CARDS and longest_run(ranks) <= most:
                suit[ranks.bit_count()] += 1
        hand = [1] + [0] * CARDS
        for _ in range(SUITS):
            hand = [sum(hand[k - taken] * suit[taken] for taken in range(k + 1)) for k in range(CARDS + 1)]
        upto.append(hand[CARDS])
    if upto[-1] != comb(RANKS * SUITS, CARDS):
        raise ValueError(f"{upto[-1]} hands were counted")
    return [now - before for before, now in zip([0, *upto], upto, strict=False)]


def ace_high_only(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings of both wagers on straight flushes, with every paytable."""
    more = [now - read for now, read in zip(count_ace_high(), count_hands(STRAIGHT_FLUSH), strict=True)]
    for wager in ("straight_flush_bonus", "progressive"):
        for _, as_read in each_table(chapter, GAME, wager):
            outcomes = {row.outcome for row in as_read.outcomes}
            named = {f"{size}-card {STRAIGHT_FLUSH}": hands for size, hands in zip(SIZE_WORDS, more, strict=True)}
            yield as_read, recounted(as_read, {(LOST, name): named[name] for name in named if name in outcomes})


OTHER_READINGS = {"ace-low": ace_high_only}
