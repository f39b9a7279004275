"""Ways to break one rule on a layout; each returns the changed layout, or None where a chapter has nothing to break."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tests.submissions.layouts.held_set.sheets import OddsTable, Sheet, law

Violation = Callable[[Sheet], Sheet | None]
WRONG_SEAT = 1  # the second one


def _seats(sheet: Sheet, seats: list[tuple[str, ...]]) -> Sheet:
    return replace(sheet, seats=tuple(seats))


def area_missing(sheet: Sheet) -> Sheet:
    return _seats(sheet, [seat[:-1] for seat in sheet.seats])


def area_missing_at_a_seat(sheet: Sheet) -> Sheet:
    seats = list(sheet.seats)
    seats[WRONG_SEAT] = seats[WRONG_SEAT][:-1]
    return _seats(sheet, seats)


def area_doubled(sheet: Sheet) -> Sheet:
    seats = list(sheet.seats)
    seats[WRONG_SEAT], seats[WRONG_SEAT + 1] = (*seats[0], seats[0][-1]), seats[0][:-1]
    return _seats(sheet, seats)


def seat_too_many(sheet: Sheet) -> Sheet:
    return _seats(sheet, [*sheet.seats, sheet.seats[0]])


def no_circles(sheet: Sheet) -> Sheet:
    return replace(sheet, circled=False)


def area_not_offered(sheet: Sheet) -> Sheet | None:
    label = law()["chapter"][sheet.number].get("not_offered")
    return _seats(sheet, [(*seat, label) for seat in sheet.seats]) if label else None


def dealer_side_missing(sheet: Sheet) -> Sheet | None:
    return replace(sheet, dealer_side=()) if sheet.dealer_side else None


def inscription_missing(sheet: Sheet) -> Sheet | None:
    return replace(sheet, inscriptions=sheet.inscriptions[1:]) if sheet.inscriptions else None


def _wrong(sheet: Sheet) -> tuple[str, str] | None:
    right, wrong = law()["chapter"][sheet.number].get("wrong", ("", ""))
    return (right, wrong) if right else None


def inscription_wrong(sheet: Sheet) -> Sheet | None:
    if not (pair := _wrong(sheet)):
        return None
    return replace(sheet, inscriptions=tuple(pair[1] if text == pair[0] else text for text in sheet.inscriptions))


def inscription_contradicted(sheet: Sheet) -> Sheet | None:
    pair = _wrong(sheet)
    return replace(sheet, inscriptions=(*sheet.inscriptions, pair[1])) if pair else None


def inscription_hidden(sheet: Sheet) -> Sheet | None:
    pair, wrong = _wrong(sheet), inscription_wrong(sheet)
    return replace(wrong, hidden=(pair[0],)) if pair and wrong else None


def inscription_qualified(sheet: Sheet) -> Sheet | None:
    if not sheet.inscriptions:
        return None
    first, *rest = sheet.inscriptions
    return replace(sheet, inscriptions=(f"{first.rstrip('.')} on wagers of $25 or more.", *rest))


def inscription_negated(sheet: Sheet) -> Sheet | None:
    if not sheet.inscriptions:
        return None
    first, *rest = sheet.inscriptions
    return replace(sheet, inscriptions=(f"It is not true that {first[0].lower()}{first[1:]}", *rest))


def _table(sheet: Sheet, change: Callable[[OddsTable], OddsTable]) -> Sheet | None:
    """With the last table changed."""
    return replace(sheet, tables=(*sheet.tables[:-1], change(sheet.tables[-1]))) if sheet.tables else None


def row_wrong(sheet: Sheet) -> Sheet | None:
    def wrong(table: OddsTable) -> OddsTable:
        outcome, *pays = table.rows[1]
        pays = [re.sub(r"^\$?[\d,]+", lambda number: f"{number[0]}5", pay) for pay in pays]
        return replace(table, rows=(table.rows[0], (outcome, *pays), *table.rows[2:]))

    return _table(sheet, wrong)


def row_missing(sheet: Sheet) -> Sheet | None:
    return _table(sheet, lambda table: replace(table, rows=table.rows[1:]))


def row_for_one(sheet: Sheet) -> Sheet | None:
    def for_one(table: OddsTable) -> OddsTable:
        outcome, *pays = table.rows[1]
        pays = [pay.replace(" to ", " for ") for pay in pays]
        return replace(table, rows=(table.rows[0], (outcome, *pays), *table.rows[2:]))

    return _table(sheet, for_one)


def rows_exchanged(sheet: Sheet) -> Sheet | None:
    def exchanged(table: OddsTable) -> OddsTable:
        (first, *pays), (second, *other_pays), *rest = table.rows
        return replace(table, rows=((first, *other_pays), (second, *pays), *rest))

    return _table(sheet, exchanged)


def row_added(sheet: Sheet) -> Sheet | None:
    width = len(sheet.tables[-1].rows[0]) - 1 if sheet.tables else 0
    row = ("Any red card", *("150 to 1",) * width)
    return _table(sheet, lambda table: replace(table, rows=(*table.rows, row)))


def table_missing(sheet: Sheet) -> Sheet | None:
    return replace(sheet, tables=sheet.tables[:-1]) if sheet.tables else None


def columns_exchanged(sheet: Sheet) -> Sheet | None:
    columns = sheet.tables[-1].columns if sheet.tables else ()
    named = len(columns) > 1 and "Envy" not in columns
    return _table(sheet, lambda table: replace(table, columns=columns[::-1])) if named else None


def foreign_wager(sheet: Sheet) -> Sheet:
    return replace(sheet, advertised=("Lucky Ladies pays up to 1,000 to 1",))


def licensee_missing(sheet: Sheet) -> Sheet:
    return replace(sheet, licensee="")


def licensee_in_a_sentence(sheet: Sheet) -> Sheet:
    return replace(sheet, licensee=f"Not affiliated with {sheet.licensee}")


def licensee_wrong(sheet: Sheet) -> Sheet:
    return replace(sheet, licensee="Liberty Bell Casino")


VIOLATIONS: dict[str, Violation] = {
    violation.__name__: violation
    for violation in (
        area_missing,
        area_missing_at_a_seat,
        area_doubled,
        seat_too_many,
        no_circles,
        area_not_offered,
        dealer_side_missing,
        inscription_missing,
        inscription_wrong,
        inscription_contradicted,
        inscription_hidden,
        inscription_qualified,
        inscription_negated,
        row_wrong,
        row_missing,
        row_for_one,
        rows_exchanged,
        row_added,
        table_missing,
        columns_exchanged,
        foreign_wager,
        licensee_missing,
        licensee_in_a_sentence,
        licensee_wrong,
    )
}
