"""Exports that take longer than a page may: a job writes the table part by part; the person downloads it for a day.

Each part is stored under the lease, so a job that was killed continues with the next part, and rows done of all rows
are what is stored. The arguments settle at the request what is exported. Not here: the rows of each kind (its
maker, `tasks.EXPORT_MAKERS`), who may see an export (`permissions.exports_visible_to`), the pages (`public.pages`).
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet, Sum

from submissions.core.errors import TooManyAtOnce
from submissions.jobs import leases
from submissions.jobs.progress import pending_jobs, retry_after
from submissions.models import Computation, ExportPart, Job, Person

PART_ROWS = 500  # of one part
MOST_AT_ONCE = 3  # exports of one person that are not ready yet


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """An export's content: `query` is its filter as in the address, `content` what the maker of the kind needs."""

    kind: str
    file_name: str
    media_type: str
    rows: int
    query: str
    content: Mapping[str, Any]


ExportMaker = Callable[[Person, ExportRequest, int], str]
"""The lines of one part (0, 1, …) of what the person may see; the first part has the heading, too."""


def request_export(person: Person, wanted: ExportRequest) -> Computation:
    """Return the export with its job, or the same one that the person waits for. Errors: `TooManyAtOnce`."""
    pending = exports_of(person).filter(pk__in=pending_jobs(Job.Kind.EXPORT).values("subject"))
    for row in pending:
        if (request_of(row).kind, request_of(row).query) == (wanted.kind, wanted.query):
            return row
    if pending.count() >= MOST_AT_ONCE:
        raise TooManyAtOnce("too-many-at-once/exports", retry_after=retry_after(Job.Kind.EXPORT), limit=MOST_AT_ONCE)
    with transaction.atomic():
        arguments = {"person": person.pk, "export": asdict(wanted)}
        row = Computation.objects.create(kind=Job.Kind.EXPORT, key=f"export:{uuid4()}", arguments=arguments)
        leases.enqueue(Job.Kind.EXPORT, row.pk)
    return row


def exports_of(person: Person) -> QuerySet[Computation]:
    """Return the exports that this person requested and that are still stored."""
    return Computation.objects.filter(kind=Job.Kind.EXPORT, arguments__person=person.pk)


def request_of(row: Computation) -> ExportRequest:
    """Return the request that the row stores."""
    return ExportRequest(**row.arguments["export"])


def export_size(row: Computation) -> int:
    """Return the bytes of all its parts."""
    return row.parts.aggregate(size=Sum("size"))["size"] or 0


def run_export(lease: leases.Lease, makers: Mapping[str, ExportMaker]) -> None:
    """Write the parts that do not exist yet."""
    row = Computation.objects.get(pk=lease.job.subject)
    wanted, person = request_of(row), Person.objects.get(pk=row.arguments["person"])
    make, parts = makers[wanted.kind], max(1, -(-wanted.rows // PART_ROWS))
    for part in range(row.parts.count(), parts):
        lease.beat(min(part * PART_ROWS, wanted.rows), wanted.rows, "Writing rows")
        text = make(person, wanted, part)
        with lease.commit():
            ExportPart.objects.create(export=row, number=part, text=text, size=len(text.encode()))
    with lease.commit():
        Computation.objects.filter(pk=row.pk).update(result={"parts": parts})
