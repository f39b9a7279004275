"""What an operator does with a job that stopped: run it again. Who and when is in the history."""

from django.db import transaction

from submissions.audit.record import lock_history, record_event
from submissions.core.errors import Conflict
from submissions.jobs import leases
from submissions.models import Job, Person
from submissions.permissions import require

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
