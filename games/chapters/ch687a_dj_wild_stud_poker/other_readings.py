"""Wagers of DJ Wild Stud Poker under the other readings of three payout notes."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from games.chapters.ch687a_dj_wild_stud_poker.play import CLASSES, GAME
from games.maths import hands
from games.maths.showdown.deck import DEUCES_AND_JOKER
from games.maths.showdown.deck import NATURAL as NO_WILD
from games.maths.showdown.five_counts import count_hands
from games.maths.showdown.five_game import NATURAL_COLUMN, WITH_WILD_COLUMN, cell_counts
from games.other_readings import LOST, BothReadings, by_other_play, each_table, recounted
from games.rules.model import Chapter

PLACE = CLASSES.index(hands.FIVE_OF_A_KIND)
BELOW_STRAIGHT_FLUSH = replace(
    GAME,
    classes=(*CLASSES[: PLACE - 1], hands.FIVE_OF_A_KIND, CLASSES[PLACE - 1], *CLASSES[PLACE + 1 :]),
)
"""Five-of-a-kind ranks next above four-of-a-kind."""


def one_way(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where only the player's beaten hand wins, half of all that win: both are dealt alike."""
    for table, as_read in each_table(chapter, GAME, "bad_beat"):
        counts = {row.outcome: row.count or 0 for row in as_read.outcomes}
        yield as_read, recounted(as_read, {(line.outcome, LOST): counts[line.outcome] // 2 for line in table.rows})


def always_wild(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where a hand that has a 2 or the joker is paid by the column With Wild."""
    for table, as_read in each_table(chapter, GAME, "trips"):
        best = GAME.played(GAME.required.tables_in_play(chapter, None)[0][1]).best
        by_kind = count_hands(DEUCES_AND_JOKER, CLASSES, best).by_kind
        classes = np.zeros((2, len(CLASSES)), np.int64)
        classes[NATURAL_COLUMN, : len(hands.STANDARD)] = by_kind[NO_WILD].sum(axis=0)
        classes[WITH_WILD_COLUMN] = by_kind.sum(axis=(0, 2)) - by_kind[NO_WILD].sum(axis=1)
        counts = cell_counts(classes, table, CLASSES)
        read = {row.outcome: row.count or 0 for row in as_read.outcomes}
        moved = {(LOST, outcome): counts[outcome] - read[outcome] for outcome in counts if outcome != LOST}
        yield as_read, recounted(as_read, moved)


OTHER_READINGS = {
    "five-of-a-kind-unranked": by_other_play("ante", GAME, BELOW_STRAIGHT_FLUSH),
    "bad-beat-two-way": one_way,
    "natural-or-wild": always_wild,
}
