"""Wagers of Four Card Prime under the other readings of five payout notes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import comb

from games.chapters.ch682a_four_card_prime.play import GAME, PAID, REQUIRED, WIN_BONUS, WINS
from games.maths import hands
from games.maths.showdown.parts import End, Ends, Part
from games.maths.staged_raises import bonuses
from games.other_readings import LOST, BothReadings, by_other_counts, by_other_play, each_table, with_count, with_rows
from games.rules.model import Chapter

LOW = (0, 1, 2, 3, 12)  # ranks: 2 to 5 and the ace
SIX = 4
SUITS = range(4)
SIX_CARD_ROYALS = 4


def low_straights() -> dict[tuple[str, str], int]:
    """Return the hands of six cards that are a straight or a straight flush by ace, 2, 3, 4 and 5 alone.

    Without it a straight is nothing, a straight flush a flush. With a 6 there is another straight; with that of the
    suit, another straight flush.
    """
    straights = flushes = 0
    for sixth, suits, suit in product(range(13), product(SUITS, repeat=len(LOW)), SUITS):
        pair = LOW.index(sixth) if sixth in LOW else None
        if pair is not None and suit <= suits[pair]:
            continue  # the same card, or the two of the pair in the other order
        ways = [suits] if pair is None else [suits, (*suits[:pair], suit, *suits[pair + 1 :])]
        if any(len(set(way)) == 1 for way in ways):
            flushes += not (sixth == SIX and suit == suits[0])
        elif max(Counter((*suits, suit)).values()) < len(LOW) and sixth != SIX:
            straights += 1
    return {("Straight", LOST): straights, ("Straight flush", "Flush"): flushes}


def of_five_cards(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield the Aces Bonus Wager by hands of five cards. A full house has no row: the three-of-a-kind in it is paid."""
    counts, four_aces = bonuses.fives(), 48
    three_aces, aces_full = comb(4, 3) * comb(12, 2) * 4**2, comb(4, 3) * 12 * comb(4, 2)
    rows = {
        "Four aces": four_aces,
        "Four-of-a-kind": counts[hands.FOUR] - four_aces,
        "Royal flush": counts[hands.ROYAL_FLUSH],
        "Straight flush": counts[hands.STRAIGHT_FLUSH],
        "Three aces": three_aces + aces_full,
        "Three-of-a-kind": counts[hands.THREE] - three_aces + counts[hands.FULL_HOUSE] - aces_full,
        "Flush": counts[hands.FLUSH],
        "Straight": counts[hands.STRAIGHT],
        "Two pair": counts[hands.TWO_PAIRS],
        "Two Aces": comb(4, 2) * comb(12, 3) * 4**3,
    }
    rows[LOST] = bonuses.FIVES - sum(rows.values())
    for _, as_read in each_table(chapter, GAME, "aces_bonus"):
        outcomes = [with_count(row, rows[row.outcome], bonuses.FIVES) for row in as_read.outcomes]
        yield as_read, with_rows(as_read, outcomes, bonuses.FIVES)


NO_BONUS_ON_A_TIE = replace(
    GAME,
    required=replace(
        REQUIRED,
        parts=(*REQUIRED.parts[:-1], Part("nothing", wins=WIN_BONUS, ties=0, loses=0)),
        ends=Ends(REQUIRED.ends.folds, REQUIRED.ends.wins, End(WINS, PAID, "1 to 1"), REQUIRED.ends.loses),
    ),
)

OTHER_READINGS = {
    "all-six-low-ace": by_other_counts("all_six", GAME, low_straights()),
    "aces-bonus-four-cards": of_five_cards,
    "six-card-royal-abc": by_other_counts(
        "all_six", GAME, {("Royal flush", LOST): SIX_CARD_ROYALS}, ("Paytable A", "Paytable B", "Paytable C")
    ),
    "ties-win": by_other_play("ante", GAME, NO_BONUS_ON_A_TIE),
    "six-card-royal-d": by_other_counts("all_six", GAME, {("Royal flush", LOST): SIX_CARD_ROYALS}, ("Paytable D",)),
}
