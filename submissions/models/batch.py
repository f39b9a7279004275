"""A bulk update: the batch as it was sent, and the result of each of its items.

Intake, confirmation and application are in `bulk`; who may see a batch is in `permissions.credentials`.
"""

from django.db import models

from submissions.models.accounts import Credential, Organization, Person


class Batch(models.Model):
    """Up to 5,000 items of one organization, by a program's service account or by the person who uploaded them."""

    class Mode(models.TextChoices):
        VALIDATE = "validate", "Preview only (dry run)"
        LIVE = "live", "Apply"

    class State(models.TextChoices):
        CHECKING = "checking", "Being checked"
        UNCONFIRMED = "waiting", "Waiting for confirmation"
        RUNNING = "running", "In progress"
        DONE = "done", "Done"
        DISCARDED = "discarded", "Discarded"

    number = models.CharField(max_length=20, unique=True)  # B-2026-00001
    organization = models.ForeignKey(Organization, models.PROTECT, db_column="organisation_id", related_name="batches")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    credential = models.ForeignKey(Credential, models.PROTECT, null=True, related_name="+")  # None: uploaded on a page
    mode = models.CharField(max_length=8, choices=Mode)
    atomic = models.BooleanField(db_column="together")  # all or nothing
    state = models.CharField(max_length=9, choices=State)
    form = models.CharField(max_length=4)  # json, csv, xlsx
    name = models.CharField(max_length=200, blank=True)  # of the file, as uploaded
    sha256 = models.CharField(max_length=64)  # of what was sent
    total = models.PositiveIntegerField()
    signs = models.BooleanField()  # some item is a step that a named person signs
    needs_confirmation = models.BooleanField(db_column="asks")  # nothing is applied before a person confirms it
    signer = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # who confirmed it
    attestation = models.TextField(blank=True)
    signed_at = models.DateTimeField(null=True)
    note = models.TextField(blank=True)  # ignored rows; why it ended early
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return self.number


class Item(models.Model):
    """One item and its result. `status`, `code` and texts are those of the same call without a batch."""

    class State(models.TextChoices):
        PENDING = "waiting", "Waiting"
        PASSED = "passed", "Can be applied"
        DONE = "done", "Done"
        REFUSED = "refused", "Refused"
        UNDONE = "undone", "Not applied, because of other items"

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="items")
    place = models.PositiveIntegerField()  # 1, 2, … as sent
    row = models.CharField(max_length=60, blank=True)  # its place in a spreadsheet: "649a!7"
    given = models.JSONField()  # as sent
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    status = models.PositiveSmallIntegerField(null=True)
    code = models.CharField(max_length=60, blank=True)
    message = models.TextField(blank=True)
    fix = models.TextField(blank=True)
    section = models.CharField(max_length=200, blank=True)
    option = models.CharField(max_length=60, blank=True)
    findings = models.JSONField(default=list)
    made = models.JSONField(default=dict)  # its result: the submission's number, versions, receipt
    changes = models.JSONField(default=list)  # what it changes: [{option, question, before, after}], as text
    at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("batch", "place"), name="one_item_per_place"),)
        indexes = (models.Index(fields=("batch", "state"), name="items_by_state"),)

    @property
    def action(self) -> str:
        return str(self.given.get("action", ""))[:40]

    @property
    def submission(self) -> str:
        """Return the reference as sent: a number, or `#3`."""
        return str(self.given.get("submission", ""))[:40]
