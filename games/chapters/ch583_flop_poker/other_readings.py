"""The Three Card Bonus Wager of Flop Poker under the other reading of a payout note: an ace is never low."""

from games.chapters.ch583_flop_poker.play import GAME
from games.other_readings import LOST, by_other_counts

OTHER_READINGS = {
    # Without ace, 2 and 3: four straight flushes are flushes, and 4³ − 4 straights are nothing.
    "three-card-ace": by_other_counts(
        "three_card_bonus", GAME, {("straight flush", "Flush"): 4, ("Straight", LOST): 4**3 - 4}
    ),
}
