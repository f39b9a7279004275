"""Findings on theoretical holds: a wager that loses money for the house, and one that pays almost nothing back.

They are made where a configuration and its figures are both known; the rules alone know no figure. Like those on
sources they do not stop a filing: to approve, a director confirms each (`submissions.filings.review.decisions`).
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from games.maths.results import CONFIDENCE
from games.rules.model import Chapter, Finding
from games.rules.phrases import with_required_parts

PLAYER_EDGE, LOW_PAYBACK = "player-has-the-edge", "low-payback"
RATE = "progressive_rate"  # does not change the hold at the reset amount
HIGHEST_HOLD: Final = 40  # percent; above it, players are paid back less than the rest

Row = Mapping[str, Any]
"""A wager's analysis as `games.maths.export` writes it, so that frozen figures are judged, too; old ones lack some."""


def on_holds(chapter: Chapter, rows: Iterable[Row]) -> Iterator[Finding]:
    """Yield the findings on the analyses of a configuration, at most one of each kind for a wager and paytable.

    An estimate counts only if its 95 % interval lies beyond the limit. Of a progressive, the hold at the reset amount;
    of required wagers, the hold per total wagered.
    """
    for (wager, paytable), analyses in groupby(rows, key=lambda row: (row["wager"], row["paytable"])):
        spots = list(analyses)
        if losing := [row for row in spots if _bounds(row)[1] < 0]:
            meaning = "taken by itself, the wager loses money for the house in the long run"
            yield _finding(chapter, PLAYER_EDGE, wager, paytable, losing, meaning)
        if hard := [row for row in spots if _bounds(row)[0] > HIGHEST_HOLD]:
            meaning = f"players are paid back less than {100 - HIGHEST_HOLD} % of it in the long run"
            yield _finding(chapter, LOW_PAYBACK, wager, paytable, hard, meaning)


def _bounds(row: Row) -> tuple[Fraction, Fraction]:
    """Return the ends of the hold's interval, in percent; both are the hold, unless it is an estimate."""
    exact = row.get("hold_fraction")
    hold = 100 * Fraction(exact) if exact else Fraction(str(row["hold_pct"]))
    error = Fraction(CONFIDENCE[95] * (row.get("standard_error_pct") or 0))
    return hold - error, hold + error


def _finding(chapter: Chapter, rule: str, key: str, paytable: str, rows: list[Row], meaning: str) -> Finding:
    wager, tables = chapter.wager(key), chapter.tables_of(key)
    on_meter = any(row.get("progressive") for row in rows)
    changing = tuple(
        option.key
        for option in chapter.options
        if option.changes_figures and option.key.startswith("progressive") == on_meter and option.key != RATE
    )
    ways = [
        "choose another paytable" if len(tables) > 1 else "",
        "change an answer that the hold depends on" if changing else "",
        "do not offer the wager" if wager.offered_by else "",
        "leave it as it is if this is meant",
    ]
    under = f" under “{paytable}”" if paytable else ""
    meter = ", with the meter at its reset amount" if on_meter else ""
    return Finding(
        rule=f"{chapter.number}.{rule}",
        severity="warning",
        options=tuple(filter(None, (wager.offered_by, wager.paytable_option, *changing))),
        message=f"Of all money wagered on the {with_required_parts(chapter, key)}{under}, the hold is "
        f"{_holds(rows)}{meter}: {meaning}.",
        fix=f"{', or '.join(filter(None, ways)).capitalize()}. To approve, a director confirms it.",
        citation=next((table.citation for table in tables if table.name == paytable), wager.citation),
    )


def _holds(rows: list[Row]) -> str:
    """Return "−25.1916 %"; where a wager has several spots, the hold of each of these."""
    about = "about " if any(row["method"] != "exact" for row in rows) else ""
    return about + ", ".join(
        _percent(row["hold_pct"]) + (f" on {row['spot']}" if row.get("spot") else "") for row in rows
    )


def _percent(hold: float) -> str:
    return f"{hold:.4f} %".replace("-", "−")
