"""Jobs that stopped, for an operator: run one again, and the filing or layout filing that it is about.

Who ran it again, and when, is in the history. Jobs name the primary key of another row for each kind; this module knows
which. Only what the person may see is named.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Conflict
from submissions.jobs import leases
from submissions.models import Job, LayoutDrawing, Person, Revision, Simulation
from submissions.permissions import layouts_visible_to, require, visible_to

RUN_AGAIN = "job-run-again"  # verb of the event


def run_job_again(person: Person, job: Job) -> None:
    """Send the job again, from where it stopped, with all its attempts; `Conflict` if it has not stopped."""
    with transaction.atomic():
        require(person, "operate")
        lock_history()
        present = Job.objects.select_for_update().get(pk=job.pk)
        if not leases.run_again(present.pk):
            raise Conflict("job-not-stopped", number=present.pk, state=present.get_state_display().lower())
        before = {"state": present.state, "message": present.message}
        after = {"job": present.pk, "kind": present.kind, "subject": present.subject}
        record_event(person, None, RUN_AGAIN, before=before, after=after)


@dataclass(frozen=True, slots=True)
class JobSubject:
    """The number of a record, and the name of its page."""

    number: str
    page: str


Numbers = Callable[[Person, set[int]], Mapping[int, str]]


def _of_simulations(person: Person, keys: set[int]) -> Mapping[int, str]:
    rows = Simulation.objects.filter(pk__in=keys, revision__submission__in=visible_to(person))
    return dict(rows.values_list("pk", "revision__submission__number"))


def _of_revisions(person: Person, keys: set[int]) -> Mapping[int, str]:
    rows = Revision.objects.filter(pk__in=keys, submission__in=visible_to(person))
    return dict(rows.values_list("pk", "submission__number"))


def _of_layouts(person: Person, keys: set[int]) -> Mapping[int, str]:
    return dict(layouts_visible_to(person).filter(pk__in=keys).values_list("pk", "number"))


def _of_drawings(person: Person, keys: set[int]) -> Mapping[int, str]:
    rows = LayoutDrawing.objects.filter(pk__in=keys, filing__in=layouts_visible_to(person))
    return dict(rows.values_list("pk", "filing__number"))


SUBJECTS: dict[str, tuple[str, Numbers]] = {
    Job.Kind.SIMULATE: ("submission", _of_simulations),
    Job.Kind.DOCUMENT: ("submission", _of_revisions),
    Job.Kind.PAPERS: ("layout", _of_layouts),
    Job.Kind.INSPECT: ("layout", _of_drawings),
}


def subjects_of(person: Person, jobs: Iterable[Job]) -> dict[int, JobSubject]:
    """Return the subjects of these jobs by the job's primary key, one query for each kind; some kinds have no page."""
    rows = list(jobs)
    subjects: dict[int, JobSubject] = {}
    for kind, (page, numbers_of) in SUBJECTS.items():
        of_kind = {job.pk: job.subject for job in rows if job.kind == kind}
        numbers = numbers_of(person, set(of_kind.values())) if of_kind else {}
        subjects |= {pk: JobSubject(numbers[key], page) for pk, key in of_kind.items() if key in numbers}
    return subjects
