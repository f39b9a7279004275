"""What the tables are made from, as one short text: it is another one as soon as any table may be another one.

A few counts and maxima, so that a cache learns in a moment that nothing changed.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db.models import Count, Max

from games.registry import folders, title_of
from submissions.core.program_digest import program_digest
from submissions.models import Document, Simulation, Version
from submissions.orders.chapter_decisions import chapter_decisions
from submissions.permissions import licensees

FOLDERS = ("submissions/open_data", "submissions/filings")  # what makes the rows


@dataclass(frozen=True, slots=True)
class OpenDataState:
    """`changed_at`: when an approval, a document or a figure was last added; None: there is nothing yet."""

    digest: str
    changed_at: datetime | None


def open_data_state() -> OpenDataState:
    """Of all tables together; four queries."""
    versions = Version.objects.aggregate(count=Count("pk"), last=Max("pk"), at=Max("made_at"))
    documents = Document.objects.aggregate(count=Count("pk"), last=Max("pk"), at=Max("signed_at"))
    approved = Simulation.objects.filter(revision__version__isnull=False)
    figures = approved.aggregate(count=Count("analysis"), last=Max("pk"), at=Max("finished_at"))
    orders = {chapter: decision.order.pk for chapter, decision in chapter_decisions().items()}
    parts = (
        versions, documents, figures, orders,
        list(licensees().values_list("slug", "name")),
        [(number, title_of(number)) for number in folders()],
        settings.PUBLIC_URL, settings.OPEN_DATA_TERMS, program_digest(FOLDERS),
    )  # fmt: skip
    times = [part["at"] for part in (versions, documents, figures) if part["at"]]
    return OpenDataState(sha256(repr(parts).encode()).hexdigest(), max(times, default=None))
