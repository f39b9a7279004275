"""The payout odds that a configuration must post: of every wager offered, row by row, as they are printed.

Not here: where they must stand (`required`), how they are read from a drawing (`layouts.inspection`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.loading.cells import dollars
from games.rules.model import Chapter, Judgement, Paytable, Wager
from submissions.layouts import words

ENVY = "Envy Bonus"
STATED = "Payout odds"


@dataclass(frozen=True, slots=True)
class Odds:
    """The paytable of one wager that must be printed: rows as (outcome, column, pay in words).

    `column` is "" where a paytable has one column, else its heading ("Natural"); an Envy Bonus is a row of its own with
    the column `ENVY`. What cannot occur ("n/a") is no row. A wager may have two: what is stated in a sentence of the
    chapter (`table` is `STATED`) and what is printed in a table.
    """

    wager: str
    wager_name: str
    table: str
    rows: tuple[tuple[str, str, str], ...]


def all_odds(chapter: Chapter, judged: Judgement) -> tuple[Odds, ...]:
    """In the chapter's order of wagers, those that are part of an offered wager among them."""
    offered = [one for one in chapter.wagers if one.key in judged.offered or one.part_of in judged.offered]
    return tuple(odds for wager in offered for odds in _of(chapter, wager, judged.paytables.get(wager.key)))


def _of(chapter: Chapter, wager: Wager, name: str | None) -> Iterator[Odds]:
    if sentence := words.stated(chapter, wager.key):
        yield Odds(wager.key, wager.name, STATED, ((sentence.outcome, "", sentence.pays),))
    for table in chapter.tables_of(wager.key):
        if table.name == name:
            yield Odds(wager.key, wager.name, table.name, tuple(_rows(table)))


def _rows(table: Paytable) -> Iterator[tuple[str, str, str]]:
    for row in table.rows:
        for column, pay in zip(table.columns or ("",), row.pays, strict=True):
            if not pay.na:
                yield row.outcome, column, _mended(pay.printed)
        if row.envy is not None:
            yield row.outcome, ENVY, dollars(row.envy)


def _mended(printed: str) -> str:
    """Without the spaces that the Code's conversion left in a number: "4 00 to 1"."""
    return re.sub(r"(?<=\d) (?=\d)", "", printed)
