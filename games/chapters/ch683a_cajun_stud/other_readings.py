"""Optional wagers of Cajun Stud under the other readings of four payout notes."""

from math import comb

from games.chapters.ch683a_cajun_stud.play import BONUSES, GAME
from games.other_readings import LOST, by_other_counts

SIX_CARD_ROYALS = 4
WITHOUT_ROYALS = {("Royal flush", LOST): SIX_CARD_ROYALS}
NO_PAIR = BONUSES["lo_ball"].rows
"""The rows of a highest rank, from 7 on."""


def straights_and_flushes() -> dict[tuple[str, str], int]:
    """Return straights and flushes by their highest rank, lost as read; ace to 5 has the ace, and no row."""
    moved = {}
    for place, row in enumerate(NO_PAIR):
        high = place + 5  # ranks below it
        moved[LOST, row] = comb(high, 4) * 4 + (4**5 - 4)  # flushes of any ranks; the one straight that is no flush
    return moved


OTHER_READINGS = {
    # Without ace, 2 and 3: four straight flushes are flushes, and 4³ − 4 straights are nothing.
    "ace-low-straight": by_other_counts(
        "board_bonus", GAME, {("Straight flush", "Flush"): 4, ("Straight", LOST): 4**3 - 4}
    ),
    "lo-ball-ace-high": by_other_counts("lo_ball", GAME, straights_and_flushes()),
    "six-card-royal-abc": by_other_counts("all_six", GAME, WITHOUT_ROYALS, ("Paytable A", "Paytable B", "Paytable C")),
    "six-card-royal-d": by_other_counts("all_six", GAME, WITHOUT_ROYALS, ("Paytable D",)),
}
