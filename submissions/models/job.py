"""A job row is the truth about work in the background; the broker only carries its number."""

from __future__ import annotations

from django.db import models


class Job(models.Model):
    """Work to be done exactly once, by whoever holds the lease.

    `fence` grows with every lease: a worker that was thought dead and comes back holds an old one, and
    what it writes is refused. `failed` is an expected end (the work said no), `errored` a bug.
    """

    class Kind(models.TextChoices):
        SIMULATE = "simulate", "Simulation"
        DOCUMENT = "document", "Signed document"
        MAIL = "mail", "Mail"
        INSPECT = "inspect", "Inspection of a drawing"
        PAPERS = "papers", "Signed layout, sign and guide"
        CHECK = "check", "Check of a batch"
        BULK = "bulk", "Bulk update"
        WEBHOOK = "webhook", "Webhook"

    class State(models.TextChoices):
        DUE = "due", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        ERRORED = "errored", "Stopped by an error"

    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.PositiveBigIntegerField()  # primary key of what it is about
    state = models.CharField(max_length=8, choices=State, default=State.DUE)
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField()
    done_units = models.PositiveBigIntegerField(default=0)
    total_units = models.PositiveBigIntegerField(default=0)
    message = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("kind", "subject"), name="one_job_per_subject"),)
        indexes = (models.Index(fields=("state", "not_before"), name="job_due"),)

    @property
    def ended(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.ERRORED)
