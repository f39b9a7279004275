"""The page of differences between two filings: holds and paytables before and after, findings that are new or gone.

Required elements follows from the truth of both configurations.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from django.test import Client

from submissions.models import Submission
from tests.submissions.one_truth.filed_doors import MISSING, Filed
from tests.submissions.one_truth.html_reading import (
    Node,
    by_class,
    caption_of,
    cells_in,
    findings_in,
    heads_in,
    page_of,
    words,
)
from tests.submissions.one_truth.ledger import Cells, Ledger, Truth

Figure = tuple[str, str, Fraction]  # the wager's name with its spot, its paytable, its hold


def differences_page(browser: Client, after: Submission, **query: str) -> Node:
    """The page as it is now: before it is filed with `of="draft"`."""
    return page_of(browser.get(f"/submissions/{after.number}/changes/", query).content)


def compare_differences(ledger: Ledger, place: str, page: Node, before: Filed, after: Filed) -> None:
    _compare_holds(ledger, place, page, before, after)
    _compare_paytables(ledger, place, page, before.truth, after.truth)
    new = {finding[:2] for finding in after.truth.findings} - {finding[:2] for finding in before.truth.findings}
    ledger.one(place, "new findings", new, {finding[:2] for finding in findings_in(page)})


def _figures(filed: Filed) -> dict[tuple[str, str], Figure]:
    return {
        (wager, spot): (f"{filed.names[wager]}{f': {spot}' if spot else ''}", paytable, hold)
        for (wager, paytable, spot), hold in filed.truth.holds.items()
    }


def _compare_holds(ledger: Ledger, place: str, page: Node, before: Filed, after: Filed) -> None:
    """A row for each wager whose paytable or hold differs, and for no other."""
    old, new = _figures(before), _figures(after)
    found = {}
    for table in page.xpath("//table[./thead]"):
        if "Hold before" in heads_in(table):
            found |= {row[0]: row[1:] for row in cells_in(table)}
    expected = {}
    for key in dict.fromkeys([*new, *old]):
        was, now = old.get(key), new.get(key)
        if was is None or now is None or was[1] != now[1] or round(was[2], 4) != round(now[2], 4):
            expected[(now or was)[0]] = (was, now)  # type: ignore[index]
    ledger.same(place, "row of", dict.fromkeys(expected, True), dict.fromkeys(found, True))
    for name in expected.keys() & found.keys():
        paytables = " → ".join(dict.fromkeys(side[1] for side in expected[name] if side and side[1]))
        ledger.one(place, f"paytable of {name}", paytables or MISSING, found[name][0])
        for side, shown, when in zip(expected[name], found[name][1:3], ("before", "after"), strict=True):
            if side is None:
                ledger.one(place, f"hold of {name} {when}", "not offered", shown)
            else:
                ledger.holds(place, {f"{name} {when}": side[2]}, {f"{name} {when}": shown})


def _compare_paytables(ledger: Ledger, place: str, page: Node, before: Truth, after: Truth) -> None:
    """Each paytable that is another now: every cell of both, in one cell for each outcome."""
    found = {caption_of(table): table for table in by_class(page, "compared--pays")}
    other = [key for key, name in after.paytables.items() if before.paytables.get(key, name) != name]
    ledger.same(place, "paytables of", {after.own_names[key]: True for key in other}, dict.fromkeys(found, True))
    for key in other:
        table = found.get(after.own_names[key])
        if table is None:
            continue
        names = [words(cell) for cell in table.xpath("./thead/tr/th")][1:3]
        ledger.one(place, "paytables", [before.paytables[key], after.paytables[key]], names)
        rows = {row[0]: row[1:3] for row in cells_in(table)}
        for at, side in enumerate((before, after)):
            expected = dict(_in_one_cell(side.cells[key], envy=key in side.envy))
            shown = {outcome: cells[at] for outcome, cells in rows.items() if cells[at] != MISSING}
            ledger.same(place, f"cell of {names[at]}", expected, shown)


def _in_one_cell(cells: Cells, *, envy: bool) -> Iterator[tuple[str, str]]:
    for outcome, *pays in cells:
        bonus = pays.pop() if envy else ""
        yield outcome, " / ".join(pays) + (f", envy bonus {bonus}" if bonus else "")
