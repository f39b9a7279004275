"""A Rules Submission while it is worked on: its state, its draft answers, its attachments.

What was filed is a `Revision`; how the state may change is `submissions.workflow`.
"""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Organisation, Person
from submissions.models.stored import StoredFile


class Status(models.TextChoices):
    DRAFT = "draft", "Draft"
    FILED = "filed", "Filed"
    RETURNED = "returned", "Returned with questions"
    RECOMMENDED = "recommended", "Recommended for approval"
    APPROVED = "approved", "Approved"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REJECTED = "rejected", "Rejected"


class Submission(models.Model):
    """One licensee's Rules Submission (§ 601a.2) for one chapter."""

    number = models.CharField(max_length=20, unique=True)  # RS-2026-00001
    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="submissions")
    chapter = models.CharField(max_length=8)
    status = models.CharField(max_length=12, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=1)  # one more at each change of state: who is second is told
    amends = models.ForeignKey("self", models.PROTECT, null=True, related_name="amendments")  # the one it changes
    created_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed_at", "-pk")

    def __str__(self) -> str:
        return f"{self.number} · {self.chapter}"

    @property
    def editable(self) -> bool:
        return self.status in (Status.DRAFT, Status.RETURNED)


class Configuration(models.Model):
    """The answers that define one way of running the game: for all tables, or for a named group of them."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="configurations")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=80, default="All tables")
    tables = models.CharField(max_length=400, blank=True)  # "3, 7-9"; "" = all tables, or all that no other row names
    pit = models.CharField(max_length=80, blank=True)
    answers = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)  # one more at each change: a program says which one it saw
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("submission", "position"), name="one_configuration_per_position"),
        )

    def called(self, *, several: bool) -> str:
        """Its name beside others: the first stands for whatever the others do not name."""
        return "All other tables" if several and self.position == 0 else self.name


class Attachment(models.Model):
    """A file given with a line of the checklist. Replaced by a newer row, never changed."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="attachments")
    option = models.CharField(max_length=60)
    name = models.CharField(max_length=200)  # as uploaded, cleaned
    stored = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    uploaded_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)
