"""The optional wagers on seven cards, exactly: from counted hands and a paytable to what is reported of the wager.

Not here: the counting (`seven_cards`, `ace_high`), the required wager (`seven_against_dealer`).
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Final

from games.maths.results import OutcomeRow, Progressive, WagerAnalysis
from games.maths.two_hands import ace_high, seven_cards
from games.maths.two_hands.hands import THREE_PAIR, masks, paid_row
from games.maths.two_hands.wording import SevenCardWording
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.rules.model import Paytable, Row

LOST_OUTCOME: Final = "Lost"
THREE, STRAIGHT, THREE_PAIRS = "Three of a Kind", "Straight", "Three Pair"  # rows that a reading speaks of


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
        notes=(*_notes(table, envy, wording), *_readings(table, wording)),
    )


def _readings(table: Paytable, wording: SevenCardWording) -> tuple[str, ...]:
    """What the hold of a wager without a meter would be under the other reading."""
    if table.seed is not None:
        return ()
    by_bits, rows = seven_cards.count_hands(table.fully_wild_joker), {line.outcome: line for line in table.rows}
    notes = []
    three, straight = rows.get(THREE), rows.get(STRAIGHT)
    if three and straight and table.rows.index(three) < table.rows.index(straight):
        swapped = {three: straight, straight: three}
        ranked = replace(table, rows=tuple(swapped.get(line, line) for line in table.rows))
        hold = _hold(ranked, counts_by_row(ranked, by_bits, wording.ranking), wording)
        notes.append(
            f"The reading “{wording.readings[STRAIGHT]}” moves the hold: if a hand with both were paid as a straight, "
            f"which ranks above three-of-a-kind, it would be {float(100 * hold):.6f} %."
        )
    if THREE_PAIRS not in rows:
        paid = masks(list(rows), wording.ranking)
        three_pair = ((bits, hands) for bits, hands in by_bits.items() if bits & THREE_PAIR)
        unpaid = sum(hands for bits, hands in three_pair if paid_row(bits, paid) == len(paid))
        hold = _hold(table, counts_by_row(table, by_bits, wording.ranking), wording)
        hold -= Fraction(unpaid, seven_cards.HANDS)
        notes.append(
            f"The reading “{wording.readings[THREE_PAIRS]}” moves the hold: if three pair were returned, as under "
            f"Paytable 1, it would be {float(100 * hold):.6f} %."
        )
    return tuple(notes)


def _hold(table: Paytable, counts: dict[str, int], wording: SevenCardWording) -> Fraction:
    return _counted(table, counts, seven_cards.HANDS, wording).hold


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
