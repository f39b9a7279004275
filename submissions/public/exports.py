"""The submissions that a search finds as files: a CSV table, or a ZIP with that table and the signed documents.

Both are written as they are sent. A long table is written by a job first (`write_table_part`).
"""

import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import IO, Any, cast

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from games.registry import title_of
from submissions.core.csv_export import csv_lines, csv_rows
from submissions.core.errors import Refusal
from submissions.filings.offered_wagers import OfferedGroup, OfferedWager, analyses_of, offered_groups
from submissions.jobs.export_files import PART_ROWS, ExportRequest
from submissions.models import Document, Person, Revision, Submission
from submissions.permissions import read_scope_of
from submissions.public.submission_search import with_latest_within
from submissions.rules import published_changes_read_once

AT_ONCE = PART_ROWS  # rows of the table that are read together
KIND = "submissions"  # of an export that a job writes
MOST = 1_000  # documents of an archive
LARGEST = 500_000_000  # bytes of all of them together
INDEX = "index.csv"
HEADERS_OF_ENTRY, END_OF_ARCHIVE = 30 + 16 + 46, 22  # bytes (APPNOTE 4.3.7, 4.3.9, 4.3.12; 4.3.16), names left out
COLUMNS = (
    "Number", "Receipt", "Licensee", "Chapter", "Game", "State", "Filed at", "In effect from", "Paytables", "Holds",
    "Signed document",
)  # fmt: skip


def table(rows: QuerySet[Submission]) -> Iterator[str]:
    """Return the table of the results (`rows`, settled at the start), line by line, with its heading."""
    keys = list(rows.values_list("pk", flat=True))
    parts = (table_rows(rows, keys[start : start + AT_ONCE]) for start in range(0, len(keys), AT_ONCE))
    return csv_lines(COLUMNS, chain.from_iterable(parts))


def write_table_part(person: Person, wanted: ExportRequest, part: int) -> str:
    """Return the lines of one part of the table; the request has the primary keys of the results (`keys`)."""
    keys = wanted.content["keys"][part * AT_ONCE : (part + 1) * AT_ONCE]
    cells = table_rows(with_latest_within(read_scope_of(person)), keys)
    return "".join(csv_rows(cells) if part else csv_lines(COLUMNS, cells))


def signed_documents(rows: QuerySet[Any]) -> QuerySet[Document]:
    """Return the signed documents of what was found, for an archive; refuse an archive too large or without one."""
    documents = Document.objects.filter(revision__in=rows.order_by().values("latest"))
    total = documents.aggregate(count=Count("pk"), size=Sum("signed__size"))
    count, size = total["count"], total["size"]
    if not count:
        raise Refusal("nothing-signed", count=rows.count())
    if count > MOST or size > LARGEST:
        raise Refusal("archive-too-large", count=count, megabytes=size / 1e6, most=MOST, most_megabytes=LARGEST / 1e6)
    return documents


def archive(index: bytes, documents: QuerySet[Document]) -> Iterator[bytes]:
    """Yield a ZIP of `index.csv` and of these documents, entry by entry."""
    sink = _Sink()
    with zipfile.ZipFile(cast(IO[bytes], sink), "w") as packed:  # which needs no more of a file than it has
        packed.writestr(_entry(INDEX), index)
        yield sink.take()
        ordered = documents.order_by("revision__receipt").select_related("revision", "signed")
        for document in ordered.defer("revision__snapshot").iterator(chunk_size=10):
            packed.writestr(_entry(file_name(document.revision.receipt)), document.signed.content)
            yield sink.take()
    yield sink.take()


def archive_size(index: int, documents: QuerySet[Document]) -> int:
    """Return the bytes of that ZIP, before any of it is written; `index`: the bytes of its table."""
    sizes = [(INDEX, index)]
    for receipt, size in documents.values_list("revision__receipt", "signed__size"):
        sizes.append((file_name(receipt), size))
    return END_OF_ARCHIVE + sum(HEADERS_OF_ENTRY + 2 * len(name.encode()) + size for name, size in sizes)


class _Sink:
    """A file that is only written, and emptied after each entry."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, content: bytes) -> int:
        self._written.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        """Do nothing: nothing waits."""

    def take(self) -> bytes:
        written, self._written = b"".join(self._written), []
        return written


def file_name(receipt: str) -> str:
    """Return the name of the file of a filing's signed document."""
    return f"{receipt}.pdf"


def table_rows(rows: QuerySet[Any], keys: Sequence[int]) -> list[tuple[str, ...]]:
    """Return the cells of those with these primary keys, in this order, in five queries; the unseen are left out.

    A list, not an iterator: the published changes are read once for all of them, which must not outlive this call.
    """
    existing = rows.order_by().in_bulk(keys)
    with published_changes_read_once():
        return list(_cells([existing[key] for key in keys if key in existing]))


def _cells(rows: Sequence[Any]) -> Iterator[tuple[str, ...]]:
    latest = [row.latest for row in rows if row.latest]
    snapshots = dict(Revision.objects.filter(pk__in=latest).order_by().values_list("pk", "snapshot"))
    analyses = analyses_of(latest)
    signed = set(Document.objects.filter(revision__in=latest).values_list("revision_id", flat=True))
    for row in rows:
        snapshot = snapshots.get(row.latest)
        offered = offered_groups(row.latest, json.loads(snapshot), analyses) if snapshot else []
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
    """Return the text of each wager that has one, by group; with the group's name where there are several."""
    wagers = [[f"{offer.name}: {text_of(offer)}" for offer in group.offers if text_of(offer)] for group in offered]
    if len(offered) == 1:
        return "; ".join(wagers[0])
    return " | ".join(f"{group.name}: {'; '.join(texts)}" for group, texts in zip(offered, wagers, strict=True))


def _entry(name: str) -> zipfile.ZipInfo:
    """Return an entry that is stored as it is: a PDF is compressed already."""
    return zipfile.ZipInfo(name, timezone.localtime().timetuple()[:6])
