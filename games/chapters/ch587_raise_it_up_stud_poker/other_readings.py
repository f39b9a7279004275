"""Optional wagers of Raise It Up Stud Poker under the other readings of three payout notes.

The notes are on the ace of three cards, and on the wagers that a fold forfeits.
"""

from collections.abc import Iterator

from games.chapters.ch587_raise_it_up_stud_poker.play import GAME
from games.maths.hands import three_card_hands
from games.maths.results import WagerAnalysis
from games.maths.staged_raises.paid_hands import OWN_CLASSES
from games.maths.staged_raises.turns.best_play import folds_by_own_cards
from games.maths.staged_raises.turns.wagers import FORFEITED, folded_classes
from games.other_readings import LOST, BothReadings, by_other_counts, each_table, recounted, with_count, with_rows
from games.rules.model import Chapter, Paytable

FORM = GAME.required.form
PAIR_PLUS, PROGRESSIVE = "pair_plus", "progressive"
LOW_ACE = {0, 1, 12}  # ranks: 2, 3 and ace
LOW_STRAIGHTS = by_other_counts(PAIR_PLUS, GAME, {("straight flush", "Flush"): 4, ("Straight", LOST): 4**3 - 4})


def without_low_straights(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where ace, 2 and 3 are no straight for Pair Plus and the Progressive Payout Wager."""
    yield from LOW_STRAIGHTS(chapter)
    folds = folds_by_own_cards(FORM, GAME.required.best(chapter).decisions)
    moved: dict[tuple[str, str], int] = {}
    for place, hand in enumerate(three_card_hands()):
        if {card // 4 for card in hand} == LOW_ACE:
            row = "straight flush" if len({card % 4 for card in hand}) == 1 else "Straight"
            for outcome, ways in ((row, FORM.ways(0) - int(folds[place])), (FORFEITED, int(folds[place]))):
                moved[outcome, LOST] = moved.get((outcome, LOST), 0) + ways
    for _, as_read in each_table(chapter, GAME, PROGRESSIVE):
        yield as_read, recounted(as_read, moved)


def pair_plus_forfeited(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where hands lose that the best play of the required wagers folds."""
    played, folded = folded_classes(FORM, GAME.required.best(chapter).decisions)
    for table, as_read in each_table(chapter, GAME, PAIR_PLUS):
        counts = dict.fromkeys((row.outcome for row in as_read.outcomes), 0)
        for line, name in zip(table.rows, GAME.optional[PAIR_PLUS].rows, strict=True):
            counts[line.outcome] = sum(int(played[place]) for place in _classes(name))
        counts[LOST] = int(played.sum() + folded.sum()) - sum(counts.values())
        # Of all deals, not of all three cards.
        rows = [with_count(row, counts[row.outcome], FORM.cycle) for row in as_read.outcomes]
        yield as_read, with_rows(as_read, rows, FORM.cycle)


def progressive_not_forfeited(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where hands that are folded are paid all the same."""
    folded = folded_classes(FORM, GAME.required.best(chapter).decisions)[1]
    for table, as_read in each_table(chapter, GAME, PROGRESSIVE):
        yield as_read, recounted(as_read, _paid_if_folded(table, as_read, folded.tolist()))


def _paid_if_folded(table: Paytable, as_read: WagerAnalysis, folded: list[int]) -> dict[tuple[str, str], int]:
    rows = zip(table.rows, GAME.optional[PROGRESSIVE].rows, strict=True)
    moved = {(FORFEITED, line.outcome): folded[OWN_CLASSES.index(name)] for line, name in rows}
    forfeited = next(row.count for row in as_read.outcomes if row.outcome == FORFEITED)
    if sum(moved.values()) != forfeited:
        raise ValueError(f"{table.name}: {sum(moved.values())} hands are folded, {forfeited} forfeited")
    return moved


def _classes(name: str) -> list[int]:
    """Return the places of a row's hands: a royal is a straight flush where it has no row of its own."""
    royals = [place for place, each in enumerate(OWN_CLASSES) if each.startswith("Royal")]
    return [OWN_CLASSES.index(name), *(royals if name == "Straight flush" else [])]


OTHER_READINGS = {
    "three-card-ace": without_low_straights,
    "pair-plus-after-a-fold": pair_plus_forfeited,
    "progressive-after-a-fold": progressive_not_forfeited,
}
