"""Work in the background: the jobs, simulations of filed configurations, and results that only pages show.

The row of a job is authoritative; the broker only carries its number.
"""

from django.db import models

from submissions.models.revision import Revision


class Job(models.Model):
    """Work to be done exactly once, by the owner of the lease. `fence` grows with every lease: what a worker with an
    older lease writes is refused. `failed` is an expected end (the work refused), `errored` a bug.
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
        ANALYZE = "analyze", "Exact figures of a chapter"
        REPLAY = "replay", "Replayed round"
        VERIFY = "verify", "Verification of a file"
        REVERIFY = "reverify", "Verification of a signed document again"
        DRAFT = "draft", "Draft (PDF)"
        ERRATA_HOLDS = "errata-holds", "Holds that interpretation notes change"
        ERRATA = "errata", "Signed errata report"
        TRIAL = "trial", "Trial of a rulemaking"
        TRIAL_PDF = "trial-pdf", "Trial of a rulemaking (PDF)"
        RULE_EFFECTS = "rule-effects", "Changes after an approval"

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


class Computation(models.Model):
    """What to compute (the figures of a chapter's paytables, a replayed round) and, once a job has done so, the result.

    `key` names everything that the result depends on (rules, engine, run …), so that a result is never out of date.
    """

    kind = models.CharField(max_length=12)  # of the job that computes it
    key = models.CharField(max_length=200, unique=True)
    arguments = models.JSONField()
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)


class Simulation(models.Model):
    """One simulation run. The seed follows from the revision's digest, so that nobody can choose it."""

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="simulations")
    configuration = models.PositiveSmallIntegerField(default=0)  # position within the snapshot
    seed = models.PositiveBigIntegerField()
    rounds = models.PositiveBigIntegerField()
    block_rounds = models.PositiveBigIntegerField()
    analysis = models.JSONField(null=True)  # the exact figures, as `games` writes them
    result = models.JSONField(null=True)  # SimulationResult with its `spreads`, once every block is dealt
    passed = models.BooleanField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("revision", "configuration"), name="one_simulation_per_configuration"),
        )

    @property
    def blocks_needed(self) -> int:
        return -(-self.rounds // self.block_rounds)


class Block(models.Model):
    """The tally of one block. A block dealt twice (by a redelivered job) is stored once."""

    simulation = models.ForeignKey(Simulation, models.PROTECT, related_name="blocks")
    index = models.PositiveIntegerField()
    rounds = models.PositiveBigIntegerField()
    tally = models.JSONField()
    dealt_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("index",)
        constraints = (models.UniqueConstraint(fields=("simulation", "index"), name="one_block_per_index"),)
