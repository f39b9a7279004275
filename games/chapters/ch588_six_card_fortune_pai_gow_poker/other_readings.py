"""Wagers of Six-Card Fortune Pai Gow Poker under the other readings of two payout notes.

Those of the house way and of the joker take minutes: their holds are recorded in `errata.toml`.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from games.chapters.ch588_six_card_fortune_pai_gow_poker.play import GAME
from games.maths.two_hands import six_pairs
from games.maths.wagers import analyze_wagers
from games.other_readings import BothReadings, by_other_tables, offered
from games.rules.model import Chapter


def identical_hand_loses(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where one hand identical and the other higher loses; the player sets so as to lose least."""
    rows = analyze_wagers(GAME, chapter, offered(chapter, GAME.wager))
    as_read = next(row for row in rows if row.wager == GAME.wager)
    lost = -int(six_pairs.count_deals().edges[six_pairs.COPIES_LOSE])
    yield as_read, replace(as_read, hold=Fraction(lost, six_pairs.DEALS))


OTHER_READINGS = {
    "identical-hands": identical_hand_loses,
    "meter-stake": by_other_tables("progressive", GAME, lambda table: replace(table, wager_returned=True)),
}
