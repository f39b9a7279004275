"""Wagers of Face Up Pai Gow Poker under the other readings of seven payout notes.

That of the joker of a flush takes minutes: its holds are recorded in `errata.toml`.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from games.chapters.ch688a_face_up_pai_gow_poker.play import GAME
from games.maths.results import row
from games.maths.two_hands import seven_pairs, seven_wagers
from games.maths.two_hands.ranking import THREE_PAIR, hand_masks, paid_row
from games.maths.two_hands.seven_wagers import DEALS
from games.maths.wagers import analyze_wagers
from games.other_readings import LOST, BothReadings, by_other_tables, each_table, with_rows
from games.rules.model import Chapter, Pay, Paytable

FORTUNE, PROGRESSIVE = "fortune", "progressive"
THREE, STRAIGHT, THREE_PAIRS = "Three of a Kind", "Straight", "Three Pair"
LEAST_ROWS = ("Flush", THREE, STRAIGHT)
"""Below the full house, in Paytable 4 alone."""


def three_pair_returned(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where three pair that no row pays is returned under every paytable."""
    for table, as_read in each_table(chapter, GAME, FORTUNE):
        if any(line.outcome == THREE_PAIRS for line in table.rows):
            continue
        rows = hand_masks([line.outcome for line in table.rows], GAME.wording.ranking)
        by_bits = seven_wagers.count_hands(table.fully_wild_joker).items()
        pairs = sum(count for bits, count in by_bits if bits & THREE_PAIR and paid_row(bits, rows) == len(rows))
        *paid, lost = as_read.outcomes
        left = row(LOST, (lost.count or 0) - pairs, seven_wagers.HANDS, lost.net)
        rows_otherwise = [*paid, row(THREE_PAIRS, pairs, seven_wagers.HANDS, 0), left]
        yield as_read, with_rows(as_read, rows_otherwise, seven_wagers.HANDS)


def hands_compared_all_the_same(chapter: Chapter) -> Iterator[BothReadings]:
    """Yield both readings where an Ace High Pai Gow of the dealer is compared, too."""
    for as_read in analyze_wagers(GAME, chapter, None):
        if as_read.wager == GAME.wager:
            ends = seven_pairs.count_deals(as_read.paytable)
            pairs = (ends.settled[seven_pairs.ANSWERS], ends.pushed[seven_pairs.ANSWERS])
            lost = sum(losses - wins for wins, losses in pairs)
            yield as_read, replace(as_read, hold=Fraction(lost, DEALS))


def straight_first(table: Paytable) -> Paytable:
    """Return the rows in the order in which the hands rank."""
    rows = {line.outcome: line for line in table.rows}
    swapped = {THREE: STRAIGHT, STRAIGHT: THREE}
    return replace(table, rows=tuple(rows[swapped.get(line.outcome, line.outcome)] for line in table.rows))


def from_full_house(table: Paytable) -> Paytable:
    return replace(table, rows=tuple(line for line in table.rows if line.outcome not in LEAST_ROWS))


def amount_or_share(table: Paytable) -> Paytable:
    """Return the table that pays the greater of an amount and a share of the meter, at the reset amount."""
    seed = Fraction(table.seed or 0)

    def greater(pay: Pay) -> Pay:
        if pay.amount is None or pay.meter is None:
            return pay
        return replace(pay, meter=None) if Fraction(pay.amount) >= pay.meter * seed else replace(pay, amount=None)

    return replace(table, rows=tuple(replace(line, pays=tuple(map(greater, line.pays))) for line in table.rows))


WILD = ("Paytable 2", "Paytable 5", "Paytable 6", "Paytable 7")
OTHER_READINGS = {
    "fortune-threshold": three_pair_returned,
    "fortune-best-row": by_other_tables(FORTUNE, GAME, straight_first),
    "ace-high-push-first": hands_compared_all_the_same,
    "progressive-threshold": by_other_tables(PROGRESSIVE, GAME, from_full_house, ("Paytable 4",)),
    "joker-fully-wild": by_other_tables(PROGRESSIVE, GAME, lambda table: replace(table, fully_wild_joker=False), WILD),
    "paytable-4-both": by_other_tables(PROGRESSIVE, GAME, amount_or_share, ("Paytable 4",)),
    "reserve-rate": by_other_tables(PROGRESSIVE, GAME, lambda table: replace(table, reserve=None), ("Paytable 4",)),
}
