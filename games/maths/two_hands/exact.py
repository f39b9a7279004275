"""The optional wagers on seven cards, exactly: from counted hands and a paytable to what is reported of the wager.

Not here: the counting (`seven_cards`, `ace_high`), the required wager, whose method is simulation (`estimate`).
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Final

from games.maths.results import OutcomeRow, Progressive, WagerAnalysis
from games.maths.two_hands import ace_high, seven_cards
from games.maths.two_hands.hands import masks, paid_row
from games.maths.two_hands.wording import SevenCardWording
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.rules.model import Paytable, Row

LOST_OUTCOME: Final = "Lost"


def ace_high_wager(table: Paytable, wording: SevenCardWording) -> WagerAnalysis:
    """The wager that the dealer is ace high. The joint deals of dealer and player are the cycle."""
    deals = ace_high.count()
    counts = dict(zip(wording.ace_high_rows, (deals.both, deals.dealer_with_joker, deals.dealer_no_joker), strict=True))
    return _counted(table, counts, ace_high.DEALS, wording)


def hand_wager(table: Paytable, wording: SevenCardWording) -> WagerAnalysis:
    """A wager on the player's own hand, progressive or not: the seven cards against the paytable.

    A progressive's outcomes and hold are those at the reset amount. The Envy Bonus is separate, in dollars.
    """
    counts = counts_by_row(table, seven_cards.count_hands(table.fully_wild_joker), wording.ranking)
    envy = sum((Fraction(line.envy or 0) * counts[line.outcome] for line in table.rows), Fraction(0))
    envy /= seven_cards.HANDS
    return replace(
        _counted(table, counts, seven_cards.HANDS, wording),
        progressive=_progressive(table, counts, envy) if table.seed is not None else None,
        envy_per_other_player=envy if any(line.envy for line in table.rows) else None,
        notes=_notes(table, envy, wording),
    )


def counts_by_row(table: Paytable, by_bits: dict[int, int], ranking: str) -> Counter[str]:
    """Bits of `hands` → count, summed by the paytable's outcomes; `LOST_OUTCOME` for what it does not pay."""
    outcomes = [line.outcome for line in table.rows]
    rows = masks(outcomes, ranking)
    counts: Counter[str] = Counter()
    for bits, count in by_bits.items():
        counts[[*outcomes, LOST_OUTCOME][paid_row(bits, rows)]] += count
    return counts


def _counted(table: Paytable, counts: dict[str, int], cycle: int, wording: SevenCardWording) -> WagerAnalysis:
    rows = [_paid(line, counts[line.outcome], cycle, table) for line in table.rows]
    lost = cycle - sum(counts[line.outcome] for line in table.rows)
    rows.append(row(LOST_OUTCOME, lost, cycle, LOST_NET, section=wording.loses[table.wager]))
    return counted(table.wager, table.name, rows, cycle)


def _paid(line: Row, count: int, cycle: int, table: Paytable) -> OutcomeRow:
    pay = line.pays[0]
    return row(line.outcome, count, cycle, net_of(pay, table), pays=pay.printed)


def _progressive(table: Paytable, counts: dict[str, int], envy: Fraction) -> Progressive:
    """With a reserve rate and an Envy Bonus, both count towards the return in the long run."""
    chances = [(line.pays[0], Fraction(counts[line.outcome], seven_cards.HANDS)) for line in table.rows]
    meter = progressive(table, chances)
    if meter.long_run_return is None:
        return meter
    more = (table.reserve or 0) + envy / Fraction(table.wager_amount or 1)
    return replace(meter, long_run_return=meter.long_run_return + more)


def _notes(table: Paytable, envy: Fraction, wording: SevenCardWording) -> tuple[str, ...]:
    notes = [f"A hand is paid by the first row, in the printed order, that its seven cards fill ({wording.best_hand})."]
    if table.fully_wild_joker:
        notes.append(f"The joker is any card: fully wild ({wording.wild_joker}).")
    if table.seed is not None and envy:
        share = float(100 * envy / Fraction(table.wager_amount or 1))
        notes.append(f"The long-run return counts the reserve rate and one other player's Envy Bonus, {share:.3f} %.")
    elif envy:
        notes.append(f"The Envy Bonus is not in the hold; per other player it is worth ${float(envy):.6f} a round.")
    return tuple(notes)
