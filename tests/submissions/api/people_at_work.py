"""What people and workers do for a filing while a program waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from django.db import connection, transaction

from submissions.bulk import intake
from submissions.documents.document_record import sealed_record
from submissions.documents.signed_pdf import seal_pdf
from submissions.documents.submission_document import store_document
from submissions.filings.review import decisions
from submissions.models import Batch, Job, Person, Revision, Simulation, Status, Submission
from submissions.tasks import run_task
from tests.submissions.signed_documents import two_pages

KINDS = (Job.Kind.CHECK, Job.Kind.BULK, Job.Kind.SIMULATE)
PAUSE = 0.2  # seconds


def run_jobs(*kinds: Job.Kind) -> None:
    """What the workers do."""
    for job in Job.objects.filter(state=Job.State.DUE, kind__in=kinds).order_by("pk"):
        run_task(job)


def seal_documents() -> None:
    """Seal two pages of each document that is due, so that its job finds them there."""
    for job in Job.objects.filter(state=Job.State.DUE, kind=Job.Kind.DOCUMENT):
        revision = Revision.objects.get(pk=job.subject)
        content = sealed_record(revision)
        sealed = seal_pdf(two_pages(content), f"Rules Submission {revision.receipt}", content["approved"]["by"])
        with transaction.atomic():
            store_document(revision, content, sealed)
    run_jobs(Job.Kind.DOCUMENT)


@dataclass(frozen=True, slots=True)
class Signers:
    """Who confirms, recommends and approves."""

    manager: Person
    analyst: Person
    director: Person

    def confirm(self) -> None:
        """Each batch that waits for the casino."""
        waiting = Batch.objects.filter(state=Batch.State.UNCONFIRMED, organization=self.manager.organization)
        for batch in waiting:
            intake.confirm_batch(self.manager, batch, attested=True)

    def approve(self, number: str) -> None:
        """With so few rounds, chance alone may miss the exact figures."""
        Simulation.objects.filter(revision__submission__number=number).update(passed=True)
        submission = Submission.objects.get(number=number)
        decisions.recommend_approval(self.analyst, submission, version=submission.version)
        submission.refresh_from_db()
        decisions.approve_submission(self.director, submission, version=submission.version, confirmed=True)

    def approve_simulated(self) -> None:
        """Everything whose simulations have ended."""
        filed = Submission.objects.filter(status=Status.FILED, organization=self.manager.organization)
        running = Simulation.objects.filter(finished_at=None).values("revision__submission")
        for number in filed.exclude(pk__in=running).values_list("number", flat=True):
            self.approve(number)


@contextmanager
def at_work(signers: Signers) -> Iterator[None]:
    """They do what is to be done, in a thread of their own, until the block ends."""
    over, failures = Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.wait(PAUSE):
                run_jobs(*KINDS)
                signers.confirm()
                signers.approve_simulated()
                seal_documents()
        except Exception as failure:
            failures.append(failure)
        finally:
            connection.close()

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        if failures:
            raise failures[0]
