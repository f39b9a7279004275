"""The wagers on the player's six cards, and the progressive: from a paytable and counted hands to an analysis.

Here is which of the counts by 16 × category + first rank (`six_cards.best_of`) belong to which row. Not here: the
counting (`six_hands`), the wagers against the dealer (`six_against_dealer`).
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.two_hands import ranking, six_hands
from games.maths.two_hands.wording import SixCardWording
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.rules.model import Answers, Chapter, Paytable

LOST_OUTCOME: Final = "Lost"
CATEGORIES: Final = {
    "Five Aces": ranking.FIVE_ACES,
    "royal flush": ranking.ROYAL_FLUSH,
    "straight flush": ranking.STRAIGHT_FLUSH,
    "Four-of-a-kind": ranking.FOUR_OF_A_KIND,
    "Full house": ranking.FULL_HOUSE,
    "Flush": ranking.FLUSH,
    "Straight": ranking.STRAIGHT,
    "Three-of-a-kind": ranking.THREE_OF_A_KIND,
}
HIGHEST_CARDS: Final = {"Eight": 6, "Nine": 7, "Ten": 8, "Jack": 9, "Queen": 10, "King": 11}  # "Eight-high"


def hand_wager(table: Paytable, wording: SixCardWording) -> WagerAnalysis:
    """A wager on the player's six cards. The Envy Bonus is separate, in dollars."""
    return counted(table.wager, table.name, _rows(table, wording), six_hands.HANDS, envy_per_other_player=_envy(table))


def progressive_wager(table: Paytable, wording: SixCardWording) -> WagerAnalysis:
    """Outcomes and hold are those of a meter at its reset amount."""
    rows = _rows(table, wording)
    chances = [
        (line.pays[0], outcome_row.probability or Fraction(0))
        for line, outcome_row in zip(table.rows, rows, strict=False)
    ]
    return counted(
        table.wager,
        table.name,
        rows,
        six_hands.HANDS,
        progressive=progressive(table, chances),
        envy_per_other_player=_envy(table),
        notes=(f"The hold is that of a meter at its reset amount, ${table.seed:,} ({wording.reset}).",),
    )


def _rows(table: Paytable, wording: SixCardWording) -> list[OutcomeRow]:
    counts = counts_by_row(table, six_hands.count().best.tolist())
    rows = [
        row(line.outcome, counts[line.outcome], six_hands.HANDS, net_of(line.pays[0], table), 1, line.pays[0].printed)
        for line in table.rows
    ]
    section = wording.loses[table.wager]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], six_hands.HANDS, LOST_NET, section=section)]


def counts_by_row(table: Paytable, best: Sequence[int]) -> dict[str, int]:
    """Outcome → count, from the counts by 16 × category + first rank of the best five cards."""
    counts = {line.outcome: sum(best[place] for place in _places(line.outcome)) for line in table.rows}
    return counts | {LOST_OUTCOME: sum(best) - sum(counts.values())}


def _places(outcome: str) -> range:
    """Where the counts have the hands of a row: a class, or one highest card."""
    if outcome in CATEGORIES:
        return range(16 * CATEGORIES[outcome], 16 * CATEGORIES[outcome] + 16)
    highest = HIGHEST_CARDS[outcome.removesuffix("-high")]
    return range(highest, highest + 1)


def _envy(table: Paytable) -> Fraction | None:
    if not any(line.envy for line in table.rows):
        return None
    counts = counts_by_row(table, six_hands.count().best.tolist())
    return sum((Fraction(line.envy or 0) * counts[line.outcome] for line in table.rows), Fraction(0)) / six_hands.HANDS


def metered(chapter: Chapter, table: Paytable, answers: Answers | None) -> Paytable:
    """With the reset amount and the rate of the answers; without, the least reset amount that the chapter demands."""
    reset, rate = ((answers or {}).get(key) for key in ("progressive_reset", "progressive_rate"))
    return replace(
        table,
        seed=Decimal(str(reset)) if reset is not None else _least_reset(chapter),
        rate=Fraction(str(rate)) / 100 if rate is not None else None,
    )


def _least_reset(chapter: Chapter) -> Decimal | None:
    demands = (demand.must for demand in chapter.requirements if demand.options == ("progressive_reset",))
    return next(
        (test.at_least for must in demands if must for alternative in must.alternatives for _, test in alternative),
        None,
    )
