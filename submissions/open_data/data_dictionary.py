"""The data dictionary: each table with its columns, what each means, its unit, and where it comes from.

The files have exactly these columns in this order; a test compares them. In CSV an empty cell, in JSON null, says that
there is no value.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "date", "time", "number", "yes or no"]
RECORD = "The record of approvals"
FILING = "The approved filing, as it was frozen"
FIGURES = "The portal's exact count or its estimate for the filed answers, tested by simulation before the approval"
CODE = "58 Pa. Code, Subpart K"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Kind
    meaning: str
    source: str
    unit: str = ""


VERSION_COLUMNS = (
    Column("receipt", "text", "The number of the filing that was approved", RECORD),
    Column("licensee", "text", "The licensee's short name, as in the addresses of this portal", RECORD),
    Column("licensee_name", "text", "The licensee", RECORD),
    Column("chapter", "text", "The chapter of the game", CODE),
    Column("game", "text", "The game: the chapter's title", CODE),
)
REGISTER_COLUMNS = (
    *VERSION_COLUMNS,
    Column("effective_from", "date", "The first day on which the version is in effect", RECORD),
    Column("effective_to", "date", "The last day on which it is in effect; empty: no end is known", RECORD),
    Column("replaced_by", "text", "The receipt of the version that replaces it; empty: none does", RECORD),
    Column(
        "status", "text",
        "On the day of the table: in-force, scheduled, superseded (replaced), or discontinued (not offered)",
        RECORD,
    ),
    Column("chapter_ended", "date", "The chapter's last day, if it has passed: then nothing under it is in effect",
           "The Board's orders on temporary chapters"),
    Column("decided_at", "time", "When the version was approved", RECORD, "Eastern Time, with its offset from UTC"),
    Column("filing_sha256", "text", "SHA-256 of what was filed", FILING),
    Column("document_sha256", "text", "SHA-256 of the signed document; empty: it is not signed yet", RECORD),
    Column("document_address", "text", "Where anyone can read and verify the signed document", RECORD),
    Column("document_is_demo", "yes or no", "Whether it was signed for a demonstration, and proves nothing", RECORD),
)  # fmt: skip
GROUP_COLUMNS = (
    *VERSION_COLUMNS,
    Column("table_group", "text", "The table group with these answers: All tables, or its name", FILING),
    Column("tables", "text", "The numbers of its tables; empty: all tables, or all that no other group names", FILING),
)
WAGER_COLUMNS = (
    *GROUP_COLUMNS,
    Column("wager", "text", "The wager's key, the same in all versions of a chapter", CODE),
    Column("wager_name", "text", "The wager", CODE),
    Column("spot", "text", "The spot, if the wager has several with different holds", FIGURES),
    Column("paytable", "text", "The paytable in use; empty: the wager has none", FILING),
    Column("section", "text", "The section that prints the paytable, or else the wager", CODE),
    Column("method", "text", "exact (every deal is counted) or estimate (simulated)", FIGURES),
    Column("hold_pct", "number", "Theoretical hold: the licensee's expected share of all money wagered on this wager "
           "under the assumed strategy; negative: the player is ahead", FIGURES, "percent of all money wagered"),
    Column("hold_fraction", "text", "The same as an exact fraction of one; empty for an estimate", FIGURES),
    Column("standard_error_pct", "number", "Standard error of an estimate; empty for an exact figure", FIGURES,
           "percent of all money wagered"),
    Column("loss_per_ante_pct", "number", "Of a required wager: the player's expected loss in a round, for each unit "
           "of the Ante, or of the one required wager", FIGURES, "percent of one Ante"),
    Column("loss_per_initial_pct", "number", "Of a required wager: the same, for each unit that must be wagered "
           "before the deal", FIGURES, "percent of all initial wagers"),
    Column("average_wagered", "number", "Of a required wager: what is wagered in a round on average", FIGURES, "Antes"),
    Column("hit_frequency_pct", "number", "How often the wager wins", FIGURES, "percent of rounds"),
)  # fmt: skip
PAYTABLE_COLUMNS = (
    *GROUP_COLUMNS,
    Column("wager", "text", "The wager's key, the same in all versions of a chapter", CODE),
    Column("wager_name", "text", "The wager", CODE),
    Column("paytable", "text", "The paytable in use", FILING),
    Column("section", "text", "The section that prints it", CODE),
    Column("row", "number", "The row's place in the paytable, from 1", CODE),
    Column("outcome", "text", "The outcome that is paid", CODE),
    Column("column", "text", "The heading of the pay, if the paytable has several columns", CODE),
    Column("pays", "text", "What is paid, as the section prints it: odds, dollars or a share of the meter", CODE),
    Column("envy_bonus", "text", "What each other player is paid for it; empty: nothing", CODE, "dollars"),
)
DICTIONARY_COLUMNS = (
    Column("table", "text", "The table, as in its address", "This dictionary"),
    Column("column", "text", "The column", "This dictionary"),
    Column("type", "text", "text, date (year, month and day), time, number, or yes or no", "This dictionary"),
    Column("meaning", "text", "What it means", "This dictionary"),
    Column("unit", "text", "Its unit; empty: it has none", "This dictionary"),
    Column("source", "text", "Where the value comes from", "This dictionary"),
)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """One table: what it has, and whether it is of a day that can be chosen."""

    title: str
    about: str
    columns: tuple[Column, ...]
    of_a_day: bool = False


OPEN_TABLES: Mapping[str, OpenTable] = {
    "register": OpenTable(
        "Register of approvals", "Every approved version, with its status today.", REGISTER_COLUMNS
    ),
    "in-effect": OpenTable(
        "Versions in effect", "The version of each game at each licensee on a day.", REGISTER_COLUMNS, of_a_day=True
    ),
    "wagers": OpenTable(
        "Wagers, paytables in use and theoretical holds",
        "Every wager that the versions in effect on a day offer, for each table group.", WAGER_COLUMNS,
        of_a_day=True,
    ),
    "paytables": OpenTable(
        "Paytables", "Every row of the paytables in use on a day.", PAYTABLE_COLUMNS, of_a_day=True
    ),
    "data-dictionary": OpenTable("Data dictionary", "Every column of these tables.", DICTIONARY_COLUMNS),
}  # fmt: skip


def dictionary_rows() -> Iterator[dict[str, object]]:
    """A row for each column of each table."""
    for name, table in OPEN_TABLES.items():
        for column in table.columns:
            yield {
                "table": name,
                "column": column.name,
                "type": column.kind,
                "meaning": column.meaning,
                "unit": column.unit,
                "source": column.source,
            }
