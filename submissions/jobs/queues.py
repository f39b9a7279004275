"""The queues of jobs: which kind of job is in which queue, and how urgent it is there. This table is the only place.

Each queue has worker processes of its own, so that what waits in one delays nothing in another. Within a queue the most
urgent job that is due is taken first, and the oldest of equally urgent ones. A job that runs is not interrupted, but
long ones give way between two steps (`leases.Lease.give_way`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from submissions.jobs import clock
from submissions.models import Job

SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS = "short", "long", "outbound", "verification", "drafts"
QUEUES = (SHORT, LONG, OUTBOUND, VERIFICATION, DRAFTS)


class Place(NamedTuple):
    """Where jobs of a kind wait. `urgency`: 0 comes first."""

    queue: str
    urgency: int


PLACES: Mapping[str, Place] = {
    # Short: someone waits for it. Batches of thousands of items give way every second.
    Job.Kind.CHECK: Place(SHORT, 1),
    Job.Kind.BULK: Place(SHORT, 1),
    Job.Kind.DOCUMENT: Place(SHORT, 1),
    Job.Kind.PAPERS: Place(SHORT, 1),
    # Outbound: waits for the machines of others, which may not answer.
    Job.Kind.MAIL: Place(OUTBOUND, 0),
    Job.Kind.WEBHOOK: Place(OUTBOUND, 1),
    # Long: computes for seconds to minutes. First what a page waits for.
    Job.Kind.ANALYZE: Place(LONG, 0),
    Job.Kind.REPLAY: Place(LONG, 0),
    Job.Kind.INSPECT: Place(LONG, 0),
    Job.Kind.ERRATA_HOLDS: Place(LONG, 1),
    Job.Kind.RULE_EFFECTS: Place(LONG, 1),
    Job.Kind.SIMULATE: Place(LONG, 2),
    Job.Kind.DEAL: Place(LONG, 2),
    Job.Kind.TRIAL: Place(LONG, 2),
    # Files and drafts that visitors and people ask for: neither simulations nor signing wait for them.
    Job.Kind.VERIFY: Place(VERIFICATION, 0),
    Job.Kind.REVERIFY: Place(VERIFICATION, 1),
    Job.Kind.DRAFT: Place(DRAFTS, 0),
    Job.Kind.TRIAL_PDF: Place(DRAFTS, 0),
    Job.Kind.EXPORT: Place(DRAFTS, 1),
}
UNKNOWN = Place(LONG, 2)  # of a kind that this version does not have


def due_jobs(queue: str) -> QuerySet[Job]:
    """What may be taken now, the most urgent first and of those the oldest."""
    due = Job.objects.filter(state=Job.State.DUE, queue=queue, not_before__lte=clock.now())
    return due.order_by("urgency", "not_before", "pk")
