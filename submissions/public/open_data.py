"""Open data: the public tables with their data dictionary, their rows, and the rows as CSV and JSON.

In CSV an empty cell, in JSON null, says that there is no value. Rows come from the frozen filings and their figures
alone, and only of approved versions of licensees; a sandbox has none. Which versions are meant is settled at the start;
they are read in parts, so that only one part of a table is in memory. `OpenDataState` changes as soon as any table may
have changed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from itertools import chain, islice
from typing import Any, Literal

from django.conf import settings
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from games.registry import folders, title_of
from submissions.core.configurations import evidence_index
from submissions.core.csv_export import csv_lines
from submissions.core.dates import day_before
from submissions.core.digests import Content, program_digest
from submissions.filings.offered_wagers import Analyses, OfferedGroup, analyses_of, offered_groups
from submissions.filings.orders.temporary_chapters import chapter_decisions
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.versions import version_state
from submissions.models import Document, Simulation, Version
from submissions.permissions import licensees
from submissions.rules import published_changes_read_once

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
OFFER_COLUMNS = (
    *GROUP_COLUMNS,
    Column("wager", "text", "The wager's key, the same in all versions of a chapter", CODE),
    Column("wager_name", "text", "The wager", CODE),
)
WAGER_COLUMNS = (
    *OFFER_COLUMNS,
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
    *OFFER_COLUMNS,
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
    """Yield a row for each column of each table."""
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


Row = dict[str, Any]
VERSIONS_AT_ONCE = 500
FILINGS_AT_ONCE = 50  # each with all that was frozen, some 100 KB
UNREAD = ("revision__attestation", "revision__document__verification")
FIGURE_FIELDS = (
    "method", "hold_pct", "hold_fraction", "standard_error_pct", "loss_per_ante_pct", "loss_per_initial_pct",
    "average_wagered", "hit_frequency_pct",
)  # fmt: skip


FiledConfiguration = tuple[Row, Content, OfferedGroup, Mapping[str, list[Content]]]
"""The data for the rows of one table group: head, answers, offers, figures of each spot by wager."""


def public_versions(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Return the versions that are public: of a licensee, and of a filing."""
    return rows.filter(organization__in=licensees(), revision__isnull=False)


def register_rows(rows: QuerySet[Version], day: date) -> Iterator[Row]:
    """Yield a row for each version, with its status on the day."""
    decisions = chapter_decisions()
    for version in chain.from_iterable(_parts(rows, VERSIONS_AT_ONCE, "revision__snapshot")):
        period, revision = version.period, version.revision
        document, decision = getattr(revision, "document", None), decisions.get(version.chapter)
        yield {
            **_head(version),
            "effective_from": version.from_day,
            "effective_to": day_before(period.ends),
            "replaced_by": period.successor or None,
            "status": str(version_state(version.from_day, period.ends, period.successor, day)),
            "chapter_ended": decision.last_day if decision and decision.has_ended(day) else None,
            "decided_at": timezone.localtime(version.made_at),
            "filing_sha256": revision.sha256,
            "document_sha256": document.signed_id if document else None,
            "document_address": f"{settings.PUBLIC_URL}/verify/{document.signed_id}" if document else None,
            "document_is_demo": document.demo if document else None,
        }


def wager_rows(rows: QuerySet[Version]) -> Iterator[Row]:
    """Yield a row for each wager of each table group; of one with several spots, for each spot."""
    for head, configuration, group, figures in _configurations(rows):
        sections = {table["wager"]: table.get("citation") for table in configuration["paytables"]}
        sections = {wager["key"]: wager.get("citation") for wager in configuration["wagers"]} | sections
        for offer in group.offers:
            known = {
                "wager": offer.wager, "wager_name": offer.name, "paytable": offer.paytable or None,
                "section": sections.get(offer.wager),
            }  # fmt: skip
            for figure in figures.get(offer.wager) or ({},):
                shown = {name: figure.get(name) for name in FIGURE_FIELDS}
                yield {**head, **known, "spot": figure.get("spot") or None, **shown}


def paytable_rows(rows: QuerySet[Version]) -> Iterator[Row]:
    """Yield a row for each pay of each row of each paytable in use."""
    for head, configuration, _, _ in _configurations(rows):
        for table in configuration["paytables"]:
            known = {
                "wager": table["wager"], "wager_name": table["wager_name"], "paytable": table["name"],
                "section": table.get("citation"),
            }  # fmt: skip
            headings = table.get("columns") or ()
            for place, (row, envy) in enumerate(zip(table["rows"], table["envy"], strict=True), 1):
                outcome, *pays = row
                for column, pay in enumerate(pays):
                    heading = headings[column] if len(pays) > 1 and column < len(headings) else None
                    yield {
                        **head, **known, "row": place, "outcome": outcome, "column": heading, "pays": pay,
                        "envy_bonus": envy or None,
                    }  # fmt: skip


def _configurations(rows: QuerySet[Version]) -> Iterator[FiledConfiguration]:
    """Yield each configuration of the filings; the published changes are read once for each part, not kept longer."""
    for part in _parts(rows, FILINGS_AT_ONCE):
        with published_changes_read_once():
            configurations = list(_filed(part))
        yield from configurations


def _filed(versions: Sequence[Any]) -> Iterator[FiledConfiguration]:
    analyses = analyses_of([version.revision_id for version in versions])
    for version in versions:
        revision = version.revision
        refuse_damaged(revision)
        content = revision.content
        configurations = content["configurations"]
        for place, group in enumerate(offered_groups(revision.pk, content, analyses)):
            head = {**_head(version), "table_group": group.name, "tables": group.tables or None}
            figures = _figures(analyses, revision.pk, evidence_index(configurations, place))
            yield head, configurations[place], group, figures


def _figures(analyses: Analyses, revision: int, place: int) -> dict[str, list[Content]]:
    figures: dict[str, list[Content]] = {}
    for figure in (analyses.get((revision, place)) or {"wagers": ()})["wagers"]:
        figures.setdefault(figure["wager"], []).append(figure)
    return figures


def _head(version: Any) -> Row:
    return {
        "receipt": version.revision.receipt,
        "licensee": version.organization.slug,
        "licensee_name": version.organization.name,
        "chapter": version.chapter,
        "game": title_of(version.chapter),
    }


def _parts(rows: QuerySet[Version], size: int, *unread: str) -> Iterator[Sequence[Any]]:
    """Yield the versions in the order in which they were approved, `size` at a time."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    related = Version.objects.select_related("organization", "revision__document", "period")
    light = related.defer(*UNREAD, *unread)
    for start in range(0, len(keys), size):
        yield list(light.filter(pk__in=keys[start : start + size]).order_by("pk"))


RowValues = Mapping[str, Any]
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
LINES_AT_ONCE = 200  # rows that are sent together


def as_csv(table: OpenTable, rows: Iterable[RowValues]) -> Iterator[str]:
    """Return a heading, and a line for each row. What begins like a formula and is no number gets an apostrophe."""
    names = [column.name for column in table.columns]
    return _together(csv_lines(names, ([_cell(row[name]) for name in names] for row in rows)))


def as_json(table: OpenTable, rows: Iterable[RowValues], about: Mapping[str, object]) -> Iterator[str]:
    """Return `{…about, "rows": [{…}, …]}`, a line for each row."""
    return _together(_json_lines(table, rows, about))


def _json_lines(table: OpenTable, rows: Iterable[RowValues], about: Mapping[str, object]) -> Iterator[str]:
    names, separator = [column.name for column in table.columns], "\n"
    yield f'{json.dumps(about, ensure_ascii=False, default=_plain)[:-1]}, "rows": ['
    for row in rows:
        yield separator + json.dumps({name: row[name] for name in names}, ensure_ascii=False, default=_plain)
        separator = ",\n"
    yield "\n]}\n"


def _together(lines: Iterable[str]) -> Iterator[str]:
    """Yield the text in larger pieces: each piece that is sent costs a call of the web server."""
    rest = iter(lines)
    while piece := "".join(islice(rest, LINES_AT_ONCE)):
        yield piece


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}"  # 0.000001, never 1e-06
    return str(_plain(value)) if isinstance(value, date) else str(value)


def _plain(value: object) -> str:
    """Return a time to the second, a day as year, month and day."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a table")


SOURCE_FOLDERS = ("submissions/public", "submissions/filings")  # what makes the rows


@dataclass(frozen=True, slots=True)
class OpenDataState:
    """`changed_at`: when an approval, a document or a figure was last added; None: there is nothing yet."""

    digest: str
    changed_at: datetime | None


def open_data_state() -> OpenDataState:
    """Return the state of all tables together; four queries."""
    versions = Version.objects.aggregate(count=Count("pk"), last=Max("pk"), at=Max("made_at"))
    documents = Document.objects.aggregate(count=Count("pk"), last=Max("pk"), at=Max("signed_at"))
    approved = Simulation.objects.filter(revision__version__isnull=False)
    figures = approved.aggregate(count=Count("analysis"), last=Max("pk"), at=Max("finished_at"))
    orders = {chapter: decision.order.pk for chapter, decision in chapter_decisions().items()}
    parts = (
        versions, documents, figures, orders,
        list(licensees().values_list("slug", "name")),
        [(number, title_of(number)) for number in folders()],
        settings.PUBLIC_URL, settings.OPEN_DATA_TERMS, program_digest(SOURCE_FOLDERS),
    )  # fmt: skip
    times = [part["at"] for part in (versions, documents, figures) if part["at"]]
    return OpenDataState(sha256(repr(parts).encode()).hexdigest(), max(times, default=None))
