"""Work in the background: the jobs, simulations of filed configurations, results that only pages show.

And what operators see of it: when each process last reported, and alerts.

The row of a job is authoritative; the broker only says that one is due.
"""

from django.db import models
from django.db.models import Q

from submissions.models.filings import Revision


class Job(models.Model):
    """Work to be done exactly once, by the owner of the lease.

    `fence` grows with every lease: what a worker with an older lease writes is refused. `failed` is an expected end
    (the work refused), `errored` a bug.
    """

    class Kind(models.TextChoices):
        SIMULATE = "simulate", "Simulation"
        DEAL = "deal", "Part of a simulation"
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
        TRIAL = "trial", "Trial of a rulemaking"
        TRIAL_PDF = "trial-pdf", "Trial of a rulemaking (PDF)"
        RULE_EFFECTS = "rule-effects", "Changes after an approval"
        EXPORT = "export", "Export"

    class State(models.TextChoices):
        DUE = "due", "Waiting"
        RUNNING = "running", "Running"
        DIVIDED = "divided", "Running in parts"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"
        ERRORED = "errored", "Stopped by an error"

    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.PositiveBigIntegerField()  # primary key of what it is about
    queue = models.CharField(max_length=12, default="long")  # which workers do it, and what first there:
    urgency = models.PositiveSmallIntegerField(default=2)  # `jobs.queues` says so for each kind
    parent = models.ForeignKey("self", models.CASCADE, null=True, related_name="parts")  # the job that it is a part of
    state = models.CharField(max_length=8, choices=State, default=State.DUE)
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    not_before = models.DateTimeField()
    done_units = models.PositiveBigIntegerField(default=0)
    total_units = models.PositiveBigIntegerField(default=0)
    message = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True, default="", db_default="")  # of what made it; "": none
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("kind", "subject"), name="one_job_per_subject"),)
        indexes = (
            models.Index(fields=("queue", "urgency", "not_before", "id"), condition=Q(state="due"), name="job_due"),
            models.Index(fields=("lease_until",), condition=Q(state="running"), name="job_running"),
            models.Index(fields=("finished_at",), name="job_finished"),
            models.Index(fields=("state", "kind"), name="job_state"),  # which stopped, and how many there are of each
        )

    @property
    def ended(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.ERRORED)


class SweepTurn(models.Model):
    """The moment when a sweeper last swept the jobs, of all sweepers of all machines; one row."""

    at = models.DateTimeField()


class Computation(models.Model):
    """A computation (the figures of a chapter's paytables, a replayed round) and, once a job has done it, the result.

    `key` names everything that the result depends on (rules, engine, run …), so that a result is never out of date.
    """

    kind = models.CharField(max_length=12)  # of the job that computes it
    key = models.CharField(max_length=200, unique=True)
    arguments = models.JSONField()
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)


class ExportPart(models.Model):
    """Some lines of a table that a job exports, in the order of their numbers; deleted with its `Computation`."""

    export = models.ForeignKey(Computation, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()  # 0, 1, …
    text = models.TextField()
    size = models.PositiveIntegerField()  # bytes of the text in UTF-8

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=("export", "number"), name="one_export_part_per_number"),)


class Simulation(models.Model):
    """One simulation run. The seed follows from the revision's digest, so that nobody can choose it."""

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="simulations")
    configuration = models.PositiveSmallIntegerField(default=0)  # position within the snapshot
    seed = models.PositiveBigIntegerField()
    rounds = models.PositiveBigIntegerField()
    block_rounds = models.PositiveBigIntegerField()
    retest_rounds = models.PositiveBigIntegerField(null=True)  # of the second stage, if the first raised a suspicion
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
    def all_rounds(self) -> int:
        """Rounds of both stages."""
        return self.rounds + (self.retest_rounds or 0)

    @property
    def blocks_needed(self) -> int:
        return sum(-(-rounds // self.block_rounds) for rounds in (self.rounds, self.retest_rounds or 0))


class SimulationPart(models.Model):
    """A range of a simulation's blocks that one worker deals: `first` and `count` are indexes of blocks."""

    simulation = models.ForeignKey(Simulation, models.PROTECT, related_name="parts")
    first = models.PositiveIntegerField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("simulation", "first"), name="one_part_per_first_block"),)


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


class ProcessReport(models.Model):
    """The last report of a sweeper or a worker on one machine; `stopped`: it ended as it was asked to."""

    process = models.CharField(max_length=40)  # "sweeper", or the name of a worker
    host = models.CharField(max_length=120)
    at = models.DateTimeField()
    stopped = models.BooleanField(default=False)

    class Meta:
        ordering = ("process", "host")
        constraints = (models.UniqueConstraint(fields=("process", "host"), name="one_report_of_a_process"),)


class Alert(models.Model):
    """An alert about something that needs an operator; `key` names the occurrence, so that each is reported once."""

    class Kind(models.TextChoices):
        JOB = "job", "Job that stopped"
        SWEEP = "sweep", "Sweeper late"
        CHECKPOINT = "checkpoint", "Checkpoint late"
        CERTIFICATE = "certificate", "Certificate near its end"
        CLOCK = "clock", "Wrong clock of a machine"

    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=120)
    message = models.TextField()
    at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True)  # to the address of the settings

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("kind", "key"), name="one_alert_of_an_occurrence"),)


class CachedValue(models.Model):
    """Numbers as JSON, until `expires_at`. They can be lost without harm, and are not sealed."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires_at = models.DateTimeField(db_index=True)
