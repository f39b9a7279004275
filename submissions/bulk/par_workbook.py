"""The par sheet as a workbook: a sheet for the filing, one for all wagers, and one for each wager with its figures.

Cells are numbers, so that they can be computed with; exact fractions are texts beside them. Not here: the content
(`documents.par_sheet`).
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font

from games.runs.board_figures import LEVELS, HoldSpread, Jackpot, hold_of, hold_spread, jackpots
from submissions.bulk.sheet_files import workbook_file, write_cell
from submissions.documents.context_evidence import outcomes
from submissions.documents.document_record import Fields
from submissions.documents.par_sheet import terms_of, wager_rows

Row = Sequence[str | int | float | None]
Columns = Sequence[tuple[str, str]]  # heading, number format

BOLD, WRAPPED = Font(bold=True), Alignment(wrap_text=True, vertical="top")
WIDTHS = {"A": 44, **dict.fromkeys("BCDEFGHIJK", 20)}
TEXT, SHARE, COUNT, MONEY, NUMBER = "@", "0.00000000%", "#,##0", "$#,##0.00", "#,##0.0000"
LONGEST_TITLE = 31  # characters of a sheet's name
NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
FACTS = (("Fact", TEXT), ("Value", TEXT))
SUMMARY = (
    ("Wager", TEXT),
    ("Paytable", TEXT),
    ("Hold, of all money wagered", SHARE),
    ("Standard deviation, units per round", NUMBER),
    *((f"Volatility index, {level} %", NUMBER) for level in (90, 95, 99)),
    ("Wins, of rounds", SHARE),
    ("Largest win, units", NUMBER),
    ("Wagered per round on average, units", NUMBER),
    ("Intervals reliable from, rounds", COUNT),
)
OUTCOMES = (
    ("Outcome", TEXT),
    ("Pays", TEXT),
    ("Net, units", NUMBER),
    ("Wagered, units", NUMBER),
    ("Combinations", COUNT),
    ("Chance", SHARE),
    ("Chance, exact", TEXT),
    ("Contribution to payback", SHARE),
)
INTERVALS = (
    ("Rounds", COUNT),
    *((f"Actual hold, {level} of 100, {end}", SHARE) for level in LEVELS for end in ("from", "to")),
    ("Reliable", TEXT),
)
JACKPOTS = (
    ("Jackpot", TEXT),
    ("Pays", TEXT),
    ("Wagers between jackpots", COUNT),
    ("Meter when won, mean", MONEY),
    ("Meter when won, standard deviation", MONEY),
)


def par_workbook(content: Fields) -> bytes:
    """Return the workbook of a par sheet's content; the same content gives the same bytes."""
    book, rows = Workbook(), list(wager_rows(content))
    book.active.title = "Filing"
    _write_tables(book.active, "Par sheet", [(FACTS, _filing(content))])
    _write_tables(book.create_sheet("All wagers"), "All wagers", [(SUMMARY, [_summary(*pair) for pair in rows])])
    for place, (name, row) in enumerate(rows, 1):
        title = NOT_IN_TITLES.sub(" ", f"{place} {name}")[:LONGEST_TITLE].strip()
        tables = [(FACTS, _terms(content, row)), (OUTCOMES, _outcomes(row))]
        if spread := hold_spread(row):
            tables.append((INTERVALS, _intervals(spread)))
        if won := jackpots(row):
            tables.append((JACKPOTS, [_jackpot(jackpot) for jackpot in won]))
        _write_tables(book.create_sheet(title), f"{name} {row['paytable']}", tables)
    book["Filing"].column_dimensions["B"].width = 90
    return workbook_file(book)


def _write_tables(sheet: Any, heading: str, tables: Iterable[tuple[Columns, list[Row]]]) -> None:
    """Write the tables below each other, an empty row before each."""
    write_cell(sheet.cell(1, 1), heading.strip(), font=Font(bold=True, size=13))
    first = 3
    for columns, rows in tables:
        for column, (title, _) in enumerate(columns, 1):
            write_cell(sheet.cell(first, column), title, font=BOLD, alignment=WRAPPED)
        for number, row in enumerate(rows, first + 1):
            for column, (value, (_, number_format)) in enumerate(zip(row, columns, strict=True), 1):
                style = {"alignment": WRAPPED} if isinstance(value, str) else {"number_format": number_format}
                write_cell(sheet.cell(number, column), value, **style)
        first += len(rows) + 2
    for letter, width in WIDTHS.items():
        sheet.column_dimensions[letter].width = width
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", sheet.PAPERSIZE_LETTER
    sheet.page_setup.fitToHeight, sheet.sheet_properties.pageSetUpPr.fitToPage = 0, True


def _filing(content: Fields) -> list[Row]:
    chapter = content["chapter"]
    return [
        ("Game", chapter["title"]),
        ("Licensee", content["licensee"]["name"]),
        ("Tables", content["tables"]),
        ("Filing", content["receipt"]),
        ("Rules", f"58 Pa. Code Chapter {chapter['number']}, as of {content['rules_on']}"),
        ("Digest of the rules", content["rules_digest"]),
        ("Digest of the filing (SHA-256)", content["sha256"]),
        ("Computed by", content["engine"]),
        ("Simulated rounds", content["run"]["result"]["rounds"]),
        ("Hold", "The licensee's expected share of all money wagered. The actual hold is the win ÷ all money wagered."),
        ("Round", "One player's part in a round of play. A unit is one wager; of required wagers, the Ante."),
        ("Intervals", "For independent rounds with the same wager each, by the normal distribution."),
        ("Reliable from", "25 × squared skewness (Cochran, Sampling Techniques, 3rd edition, section 2.15)."),
        ("Progressive", "All figures but those of jackpots are with the meter at its reset amount."),
        ("Status", f"Not signed.{' Demonstration: not a filing with the Board.' if content['demo'] else ''}"),
    ]


def _summary(name: str, row: Fields) -> Row:
    spread, index = hold_spread(row), row.get("volatility_index") or {}
    return [
        name,
        row["paytable"],
        float(hold_of(row)),
        row["standard_deviation"],
        *(index.get(level) for level in ("90", "95", "99")),
        row["hit_frequency_pct"] / 100,
        row["largest_win"],
        float(spread.average_wagered) if spread else None,
        spread.fewest_rounds if spread else None,
    ]


def _terms(content: Fields, row: Fields) -> list[Row]:
    """Return what the figures are of, as printed and as filed; what is not known is left out."""
    meter = row.get("progressive") or {}
    terms = [
        ("Method", row["method"]),
        ("Hold, % of all money wagered", row["hold_pct"]),
        ("Hold, exact", row.get("hold_fraction")),
        ("Cycle, combinations", row.get("cycle")),
        *((f"{word}, as printed", value) for word, value in terms_of(content, row)),
        ("Reset amount, dollars", _float(meter.get("reset"))),
        ("Rate of progression, share of the wager", _float(meter.get("rate"))),
        ("Payback without the meter, %", meter.get("fixed_return_pct")),
        ("Payback per dollar on the meter, share", _float(meter.get("meter_coefficient"))),
        ("Long-run payback, %", meter.get("long_run_return_pct")),
        ("Break-even meter, dollars", meter.get("break_even_meter")),
    ]
    return [(word, value) for word, value in terms if value is not None]


def _outcomes(row: Fields) -> list[Row]:
    """Return the outcomes; without exact chances, only what they pay."""
    contributions = [outcome["share"] for outcome in outcomes(row, {})]
    return [
        [
            outcome["outcome"],
            outcome.get("pays") or "",
            _float(outcome["net"]),
            _float(outcome.get("wagered", 1)),
            outcome["count"],
            _float(outcome["probability"]),
            outcome["probability"],
            contributions[place] if contributions else None,
        ]
        for place, outcome in enumerate(row.get("outcomes") or ())
    ]


def _intervals(spread: HoldSpread) -> list[Row]:
    return [[rounds, *limits, "yes" if reliable else "too few rounds"] for rounds, limits, reliable in spread.table()]


def _jackpot(jackpot: Jackpot) -> Row:
    won = (jackpot.rounds_between, jackpot.average_meter, jackpot.meter_deviation)
    return [jackpot.outcome, jackpot.pays, *map(_float, won)]


def _float(value: str | float | Fraction | None) -> float | None:
    return None if value is None else float(Fraction(value))
