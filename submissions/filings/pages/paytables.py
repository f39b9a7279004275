"""The figures beside a choice: paytables side by side with their holds below, house ways with their holds.

Not here: the computation of the figures (`filings.evidence.computations`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.maths.results import WagerAnalysis
from games.rules.model import Chapter, HouseWay, Option, Paytable
from games.runs.used_figures import FigureTable
from submissions.filings.evidence.computations import figures_of_paytable
from submissions.filings.snapshot import paytable_facts
from submissions.web.formatting import number, percent

HOUSE_WAY_LINE = "house_way"  # the line of the checklist that chooses one
Figure = tuple[str, Callable[[WagerAnalysis], str]]  # its label, and its text for a wager
FIGURES: tuple[Figure, ...] = (
    ("Volatility index (95 %)", lambda analysis: number(analysis.volatility(95), 2)),
    ("Wins, share of rounds", lambda analysis: percent(analysis.hit_frequency, 2)),
    ("Standard deviation, units", lambda analysis: number(analysis.standard_deviation, 2)),
    ("Largest win, units", lambda analysis: number(analysis.largest_win, 0)),
    (
        "Largest win's share of the payback",
        lambda analysis: "" if analysis.largest_share is None else percent(analysis.largest_share, 2),
    ),
)


@dataclass(frozen=True, slots=True)
class PaytableColumn:
    """One paytable; `columns` are the cells it prints per outcome ("Natural", "With Wild", "Envy"), at least one."""

    name: str
    citation: str
    columns: tuple[str, ...]
    facts: dict[str, str]

    @property
    def width(self) -> int:
        return len(self.columns)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The tables of one wager. `rows` is (outcome, cells), `figures` (label, cells spanning a paytable)."""

    wager: str
    columns: tuple[PaytableColumn, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    figures: tuple[tuple[str, tuple[str, ...]], ...]  # none: they are being computed, or the computation stopped
    hold_label: str
    computing: bool

    @property
    def width(self) -> int:
        return sum(column.width for column in self.columns)

    @property
    def has_subheads(self) -> bool:
        return any(column.width > 1 or column.columns[0] for column in self.columns)


def side_by_side(chapter: Chapter, wager: str, figures: FigureTable | None) -> SideBySide | None:
    """Return the paytables of the wager, None without any; those of a part with the figures of the whole wager."""
    tables = chapter.tables_of(wager)
    if not tables:
        return None
    columns = tuple(
        PaytableColumn(table.name, table.citation, _heads(table), {fact[0]: fact[1] for fact in paytable_facts(table)})
        for table in tables
    )
    facts = dict.fromkeys(fact for column in columns for fact in column.facts)
    known = [list(figures_of_paytable(chapter, table, figures or {}).values()) for table in tables]
    whole = chapter.wager(wager).part_of
    hold_label = f"Hold{f' of the {chapter.wager(whole).name}' if whole else ''}, per unit wagered"
    return SideBySide(
        wager=wager,
        columns=columns,
        rows=tuple((outcome, _cells(tables, outcome)) for outcome in _outcomes(tables)),
        facts=tuple((fact, tuple(column.facts.get(fact, "") for column in columns)) for fact in facts),
        figures=_figures(known, hold_label),
        hold_label=hold_label,
        computing=figures is None,
    )


def _figures(known: list[list[WagerAnalysis]], hold_label: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the figures of each table, one row a figure; no rows where nothing is computed.

    Where the wager may be placed on several spots, each has a row with what it holds and how volatile it is.
    """
    spots = dict.fromkeys(analysis.spot for analyses in known for analysis in analyses if analysis.spot)
    if spots:
        of_spot = [{analysis.spot: analysis for analysis in analyses} for analyses in known]
        return tuple((f"Hold on {spot}", tuple(_of_spot(each.get(spot)) for each in of_spot)) for spot in spots)
    if not any(known):
        return ()
    rows: list[Figure] = [(hold_label, lambda analysis: percent(analysis.hold)), *FIGURES]
    return tuple((label, tuple(say(analyses[0]) if analyses else "" for analyses in known)) for label, say in rows)


def _of_spot(analysis: WagerAnalysis | None) -> str:
    return f"{percent(analysis.hold)}, volatility {number(analysis.volatility(95), 2)}" if analysis else ""


def _heads(table: Paytable) -> tuple[str, ...]:
    envy = ("Envy",) if _has_envy(table) else ()
    return (table.columns or ("Pays" if envy else "",)) + envy


def _has_envy(table: Paytable) -> bool:
    return any(row.envy is not None for row in table.rows)


def _outcomes(tables: tuple[Paytable, ...]) -> list[str]:
    """Return every outcome once, in printed order; one of a later table comes after the one it follows there."""
    ordered: list[str] = []
    for table in tables:
        place = 0
        for row in table.rows:
            if row.outcome in ordered:
                place = ordered.index(row.outcome) + 1
            else:
                ordered.insert(place, row.outcome)
                place += 1
    return ordered


def _cells(tables: tuple[Paytable, ...], outcome: str) -> tuple[str, ...]:
    cells: list[str] = []
    for table in tables:
        row = next((row for row in table.rows if row.outcome == outcome), None)
        if row is None:
            cells += [""] * len(_heads(table))
            continue
        cells += [str(pay) for pay in row.pays]
        if _has_envy(table):
            cells.append(f"${row.envy:,}" if row.envy is not None else "")
    return tuple(cells)


@dataclass(frozen=True, slots=True)
class HouseWayChoice:
    """One house way as the page shows it; `hold`, an estimate with its error, is empty without a figure."""

    key: str
    name: str
    rules: tuple[tuple[str, str], ...]
    hold: str
    computing: bool


def house_way_choices(chapter: Chapter, option: Option, figures: FigureTable | None) -> Mapping[str, HouseWayChoice]:
    """Return the ways that this line chooses among, by key; none for any other line."""
    if option.key != HOUSE_WAY_LINE:
        return {}
    return {
        way.key: HouseWayChoice(way.key, way.name, way.rules, _hold(way, figures or {}), figures is None)
        for way in chapter.house_ways
    }


def _hold(way: HouseWay, figures: FigureTable) -> str:
    analysis = next((analysis for (_, table), analysis in figures.items() if table == way.key), None)
    if analysis is None:
        return ""
    error = f" ± {percent(analysis.standard_error, 2)} (estimate ± standard error)" if analysis.standard_error else ""
    return f"Hold: {percent(analysis.hold, 2)}{error} of all money wagered."
