"""The rows of the tables, read in parts: however long a table is, only one part of it is in memory.

From the frozen filings and their figures alone, and only of approved versions of licensees; a sandbox has none. Which
versions are meant is settled at the start.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from games.registry import title_of
from submissions.core.canonical_json import Content
from submissions.core.configuration_index import evidence_index
from submissions.core.dates import day_before
from submissions.filings.effective_periods import version_state
from submissions.filings.offered_wagers import Analyses, OfferedGroup, analyses_of, offered_groups
from submissions.filings.snapshot import refuse_damaged
from submissions.models import Version
from submissions.orders.chapter_decisions import chapter_decisions
from submissions.permissions import licensees
from submissions.rules.effective_rules import published_changes_read_once

Row = dict[str, Any]
VERSIONS_AT_ONCE = 500
FILINGS_AT_ONCE = 50  # each with all that was frozen, some 100 KB
UNREAD = ("revision__attestation", "revision__document__verification")
FIGURES = (
    "method", "hold_pct", "hold_fraction", "standard_error_pct", "loss_per_ante_pct", "loss_per_initial_pct",
    "average_wagered", "hit_frequency_pct",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FiledConfiguration:
    """What is read for the rows of one table group; `figures`: wager → its figures, one for each spot."""

    head: Row
    configuration: Content
    group: OfferedGroup
    figures: Mapping[str, list[Content]]


def public_versions(rows: QuerySet[Version]) -> QuerySet[Version]:
    """Those of these versions that are public: of a licensee, and of a filing."""
    return rows.filter(organization__in=licensees(), revision__isnull=False)


def register_rows(rows: QuerySet[Version], day: date) -> Iterator[Row]:
    """A row for each version, with its status on the day."""
    decisions = chapter_decisions()
    for version in _in_parts(rows, VERSIONS_AT_ONCE, "revision__snapshot"):
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
    """A row for each wager of each table group; of one with several spots, for each spot."""
    for filed in _configurations(rows):
        sections = {table["wager"]: table.get("citation") for table in filed.configuration["paytables"]}
        sections = {wager["key"]: wager.get("citation") for wager in filed.configuration["wagers"]} | sections
        for offer in filed.group.offers:
            known = {
                "wager": offer.wager, "wager_name": offer.name, "paytable": offer.paytable or None,
                "section": sections.get(offer.wager),
            }  # fmt: skip
            for figure in filed.figures.get(offer.wager) or ({},):
                shown = {name: figure.get(name) for name in FIGURES}
                yield {**filed.head, **known, "spot": figure.get("spot") or None, **shown}


def paytable_rows(rows: QuerySet[Version]) -> Iterator[Row]:
    """A row for each pay of each row of each paytable in use."""
    for filed in _configurations(rows):
        for table in filed.configuration["paytables"]:
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
                        **filed.head, **known, "row": place, "outcome": outcome, "column": heading, "pays": pay,
                        "envy_bonus": envy or None,
                    }  # fmt: skip


def _configurations(rows: QuerySet[Version]) -> Iterator[FiledConfiguration]:
    """Each configuration of the filings. The published changes are read once for each part, and not longer kept."""
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
            yield FiledConfiguration(head, configurations[place], group, figures)


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


def _in_parts(rows: QuerySet[Version], size: int, *unread: str) -> Iterator[Any]:
    for part in _parts(rows, size, *unread):
        yield from part


def _parts(rows: QuerySet[Version], size: int, *unread: str) -> Iterator[Sequence[Any]]:
    """The versions in the order in which they were approved, so many at a time."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    related = Version.objects.select_related("organization", "revision__document", "period")
    light = related.defer(*UNREAD, *unread)
    for start in range(0, len(keys), size):
        yield list(light.filter(pk__in=keys[start : start + size]).order_by("pk"))
