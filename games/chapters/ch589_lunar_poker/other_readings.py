"""The Super Wager of Lunar Poker under the other readings of three payout notes."""

from collections.abc import Iterator
from math import comb

from games.chapters.ch589_lunar_poker.play import GAME
from games.maths.exchange import payouts
from games.other_readings import LOST, BothReadings, by_other_counts, each_table, recounted
from games.rules.model import Chapter

WAGER = "super"
STRAIGHT_FLUSHES = 4 * 10  # royal flushes too


def suited_ace_king(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where an ace-king must be of one suit; of the others, five of one color are paid for that."""
    read, suited = payouts.first_five_counts(), payouts.first_five_counts(suited=True)
    moved = {}
    for place, outcome in enumerate((*payouts.FIRST_FIVE_ROWS, LOST)):
        if outcome != payouts.FIRST_FIVE_ROWS[payouts.ACE_KING_ROW]:
            moved[payouts.FIRST_FIVE_ROWS[payouts.ACE_KING_ROW], outcome] = suited[place] - read[place]
    for _, as_read in each_table(chapter, GAME, WAGER):
        yield as_read, recounted(as_read, moved)


def ace_kings_with_a_pair() -> dict[tuple[str, str], int]:
    """Return the hands of an ace, a king and a pair or two that no higher row pays: lost as read, or of one color.

    Of four different ranks among five cards one is a pair, of three two are. A hand of one color has each rank once or
    twice: a pair of one color is one of two suits' pairs, and each other card has one of two suits.
    """
    pairs = comb(11, 2) * 4  # ace, king and two other ranks; which of the four is the pair
    two_pairs = 11 * 3  # ace, king and another rank; which of the three is single
    of_any = pairs * comb(4, 2) * 4**3 + two_pairs * comb(4, 2) ** 2 * 4
    of_a_color = 2 * (pairs * 2**3 + two_pairs * 2)
    return {(LOST, "Ace-king"): of_any - of_a_color, ("Same colored five", "Ace-king"): of_a_color}


OTHER_READINGS = {
    "super-straight-flush": by_other_counts(WAGER, GAME, {("Same-colored straight", LOST): STRAIGHT_FLUSHES}),
    "super-ace-king": suited_ace_king,
    "super-ace-king-with-a-pair": by_other_counts(WAGER, GAME, ace_kings_with_a_pair()),
}
