"""The submissions found, to take away: a CSV table, made as it is sent, or a ZIP with the signed documents as well."""

import zipfile
from collections.abc import Callable, Iterator, Sequence
from io import TextIOWrapper
from operator import attrgetter
from tempfile import TemporaryFile
from typing import IO, Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from games.registry import title_of
from submissions.core.csv_export import csv_lines
from submissions.core.errors import Refusal
from submissions.filings.offered_wagers import OfferedGroup, OfferedWager, analyses_of, offered_groups
from submissions.models import Document, Revision, Submission

AT_ONCE = 50  # submissions: their filings are large
MOST = 1_000  # documents of an archive
LARGEST = 500_000_000  # bytes of all of them together
INDEX = "index.csv"
COLUMNS = (
    "Number", "Receipt", "Licensee", "Chapter", "Game", "State", "Filed at", "In effect from", "Paytables", "Holds",
    "Signed document",
)  # fmt: skip


def table(rows: QuerySet[Submission]) -> Iterator[str]:
    """The table of what was found (`found`), line by line, with its heading. What is found is settled at the start."""
    return csv_lines(COLUMNS, _rows(rows, list(rows.values_list("pk", flat=True))))


def archive(rows: QuerySet[Any]) -> IO[bytes]:
    """A ZIP of the signed PDF of each submission found (`found`) that has one, and `index.csv`, which lists them all.

    Refuses what is too large for one archive, and an archive without a document.
    """
    documents = Document.objects.filter(revision__in=rows.order_by().values("latest"))
    _refuse_too_many(rows, documents)
    spool = TemporaryFile()  # noqa: SIM115 - closed by the caller that sends it
    with zipfile.ZipFile(spool, "w") as packed:
        with packed.open(_entry(INDEX), "w") as entry, TextIOWrapper(entry, "utf-8", newline="") as index:
            index.writelines(table(rows))
        ordered = documents.order_by("revision__receipt").values_list("revision__receipt", "signed__content")
        for receipt, content in ordered.iterator(chunk_size=10):
            packed.writestr(_entry(file_name(receipt)), bytes(content))
    spool.seek(0)
    return spool


def file_name(receipt: str) -> str:
    """What the signed document of a filing is called."""
    return f"{receipt}.pdf"


def _rows(rows: QuerySet[Submission], keys: Sequence[int]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE]
        there = rows.in_bulk(some)
        yield from _cells([there[key] for key in some if key in there])


def _cells(rows: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    latest = [row.latest for row in rows if row.latest]
    revisions = Revision.objects.in_bulk(latest)
    analyses = analyses_of(latest)
    signed = set(Document.objects.filter(revision__in=latest).values_list("revision_id", flat=True))
    for row in rows:
        revision = revisions.get(row.latest)
        offered = offered_groups(revision.pk, revision.content, analyses) if revision else []
        yield (
            row.number,
            row.receipt or "",
            row.organization.name,
            row.chapter,
            title_of(row.chapter),
            row.get_status_display(),
            timezone.localtime(row.filed_at).isoformat(timespec="seconds") if row.filed_at else "",
            row.from_day.isoformat() if row.from_day else "",
            _by_group(offered, attrgetter("paytable")),
            _by_group(offered, attrgetter("hold")),
            file_name(row.receipt) if row.latest in signed else "",
        )


def _by_group(offered: Sequence[OfferedGroup], text_of: Callable[[OfferedWager], str]) -> str:
    """This text of each wager that has one, by group; with the group's name where there are several."""
    wagers = [[f"{offer.name}: {text_of(offer)}" for offer in group.offers if text_of(offer)] for group in offered]
    if len(offered) == 1:
        return "; ".join(wagers[0])
    return " | ".join(f"{group.name}: {'; '.join(texts)}" for group, texts in zip(offered, wagers, strict=True))


def _refuse_too_many(rows: QuerySet[Submission], documents: QuerySet[Document]) -> None:
    total = documents.aggregate(count=Count("pk"), size=Sum("signed__size"))
    if not total["count"]:
        raise Refusal("nothing-signed", count=rows.count())
    if total["count"] > MOST or total["size"] > LARGEST:
        raise Refusal(
            "archive-too-large",
            count=total["count"],
            megabytes=total["size"] / 1e6,
            most=MOST,
            most_megabytes=LARGEST / 1e6,
        )


def _entry(name: str) -> zipfile.ZipInfo:
    """Stored as it is: a PDF is compressed already."""
    return zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6])
