"""The signed documents of the submissions found, in one ZIP archive with their table; written to a file on disk."""

import zipfile
from io import TextIOWrapper
from tempfile import TemporaryFile
from typing import IO, Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.models import Document, Submission
from submissions.search.csv import file_name, table

MOST = 1_000  # documents
LARGEST = 500_000_000  # bytes of all of them together
INDEX = "index.csv"


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
