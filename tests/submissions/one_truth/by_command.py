"""What `python -m games` prints of a configuration: check, analyze and show, each as JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from games.__main__ import main
from tests.submissions.one_truth.ledger import Cells, Truth

Data = dict[str, Any]

ON_HOLDS = (".player-has-the-edge", ".low-payback")


def truth_by_command(number: str, answers: Mapping[str, object], folder: Path) -> Truth:
    """The truth of these answers, which nothing blocks."""
    config = folder / "answers.json"
    config.write_text(json.dumps(dict(answers)))
    status, checked = _printed("check", number, "--config", str(config), "--json")
    assert (status, checked["blocking"]) == (0, 0)
    _, analyzed = _printed("analyze", number, "--config", str(config), "--json")
    shown, paytables = _shown(number), checked["paytables"]
    tables = {wager: _table(shown, wager, name) for wager, name in paytables.items()}
    return Truth(
        number=number,
        answers=answers,
        findings=findings_of(checked["findings"]),
        on_holds=findings_of([row for row in checked["findings"] if row["rule"].endswith(ON_HOLDS)]),
        offered=tuple(checked["offered"]),
        paytables=paytables,
        cells={wager: cells_of(table) for wager, table in tables.items()},
        envy=frozenset(wager for wager, table in tables.items() if table["envy"]),
        holds={place_of(row): exact(row) for row in analyzed["wagers"]},
        estimated=frozenset(place_of(row) for row in analyzed["wagers"] if row["method"] == "estimate"),
        own_names={wager["key"]: wager["name"] for wager in shown["wagers"]},
        rake=analyzed.get("rake"),
    )


def paytables_by_command(number: str) -> dict[tuple[str, str], Cells]:
    """(wager, name) → the cells of every paytable of the chapter."""
    return {(table["wager"], table["name"]): cells_of(table) for table in _shown(number)["paytables"]}


def cells_of(table: Data) -> Cells:
    """The rows of a paytable as `show` prints it: there a row is one cell, and its outcome names the column."""
    columns = table["meta"]["columns"]
    width = max(1, len(columns))
    rows = []
    for start in range(0, len(table["rows"]), width):
        cells = table["rows"][start : start + width]
        outcome = cells[0][0].removesuffix(f" ({columns[0]})") if columns else cells[0][0]
        envy = table["envy"].get(outcome)
        bonus = (f"${Decimal(envy):,}" if envy else "",) if table["envy"] else ()
        rows.append((outcome, *(cell[1] for cell in cells), *bonus))
    return rows


def findings_of(rows: list[Data]) -> frozenset[tuple[str, str, str, str]]:
    """Severity, message, fix, citation of each, with single spaces."""
    names = ("severity", "message", "fix", "citation")
    return frozenset(tuple(" ".join(row[name].split()) for name in names) for row in rows)  # type: ignore[misc]


def place_of(row: Data) -> tuple[str, str, str]:
    return row["wager"], row["paytable"] or "", row.get("spot") or ""


def exact(row: Data) -> Fraction:
    """The hold in percent: exact where the fraction is printed, else with nine decimals."""
    if row["hold_fraction"]:
        return 100 * Fraction(row["hold_fraction"])
    return Fraction(Decimal(str(row["hold_pct"])))


@cache
def _shown(number: str) -> Data:
    return _printed("show", number, "--json")[1]


def _table(shown: Data, wager: str, name: str) -> Data:
    return next(table for table in shown["paytables"] if (table["wager"], table["name"]) == (wager, name))


def _printed(*argv: str) -> tuple[int, Data]:
    text = io.StringIO()
    with redirect_stdout(text):
        status = main(list(argv))
    return status, json.loads(text.getvalue())
