"""A bulk update: the batch as it was sent, and what became of each of its items.

How a batch is taken in, confirmed and carried out is `actions.bulk`; who may see one is `access.programs`.
"""

from __future__ import annotations

from django.db import models

from submissions.models.credential import Credential
from submissions.models.organisation import Organisation, Person


class Batch(models.Model):
    """Up to 5,000 items of one organisation, by a program's seat or by the person who uploaded them."""

    class Mode(models.TextChoices):
        VALIDATE = "validate", "Say what would happen"
        LIVE = "live", "Do it"

    class State(models.TextChoices):
        CHECKING = "checking", "Being checked"
        WAITING = "waiting", "Waiting for confirmation"
        RUNNING = "running", "Being carried out"
        DONE = "done", "Done"
        DISCARDED = "discarded", "Discarded"

    number = models.CharField(max_length=20, unique=True)  # B-2026-00001
    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="batches")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    credential = models.ForeignKey(Credential, models.PROTECT, null=True, related_name="+")  # None = uploaded on a page
    mode = models.CharField(max_length=8, choices=Mode)
    together = models.BooleanField()  # all or nothing
    state = models.CharField(max_length=9, choices=State)
    form = models.CharField(max_length=4)  # json, csv, xlsx
    name = models.CharField(max_length=200, blank=True)  # of the file, as uploaded
    sha256 = models.CharField(max_length=64)  # of what was sent
    total = models.PositiveIntegerField()
    signs = models.BooleanField()  # some item is a step that a named person attests and confirms
    asks = models.BooleanField()  # nothing happens before somebody confirms it
    signer = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # who confirmed it
    attestation = models.TextField(blank=True)
    signed_at = models.DateTimeField(null=True)
    note = models.TextField(blank=True)  # rows that were left out; why it ended otherwise than by its items
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return self.number


class Item(models.Model):
    """One item and its answer. `status`, `code` and the words are those that the same call alone would have got."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        PASSED = "passed", "Would be done"
        DONE = "done", "Done"
        REFUSED = "refused", "Refused"
        UNDONE = "undone", "Not done, because of others"

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="items")
    place = models.PositiveIntegerField()  # 1, 2, … as sent
    row = models.CharField(max_length=60, blank=True)  # where it stood in a spreadsheet: "649a!7"
    given = models.JSONField()  # as sent
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    status = models.PositiveSmallIntegerField(null=True)
    code = models.CharField(max_length=60, blank=True)
    message = models.TextField(blank=True)
    fix = models.TextField(blank=True)
    section = models.CharField(max_length=200, blank=True)
    option = models.CharField(max_length=60, blank=True)
    findings = models.JSONField(default=list)
    made = models.JSONField(default=dict)  # what it came to: the submission's number, versions, receipt
    changes = models.JSONField(default=list)  # what it changes: [{option, question, before, after}], in words
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
        """What it names: a number, or `#3`."""
        return str(self.given.get("submission", ""))[:40]
