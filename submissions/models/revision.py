"""What was filed, frozen, and what was decided about it. Rows are never changed (see `append_only`)."""

from __future__ import annotations

import json
from typing import Any

from django.db import models

from submissions.models.organisation import Person
from submissions.models.submission import Submission


class Revision(models.Model):
    """One filing: the canonical JSON of everything that was filed, with its digest and the rules it was judged by."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()  # 1, 2, … within the submission
    receipt = models.CharField(max_length=30, unique=True)  # RS-2026-00001-R1
    snapshot = models.TextField()  # canonical JSON; its SHA-256 is `sha256`
    sha256 = models.CharField(max_length=64, db_index=True)
    rules_digest = models.CharField(max_length=64)
    engine = models.CharField(max_length=40)
    attestation = models.TextField()
    filed_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("submission", "number"), name="one_revision_per_number"),)

    def __str__(self) -> str:
        return self.receipt

    @property
    def content(self) -> dict[str, Any]:
        """The snapshot as data; its shape is told in `submissions.actions.snapshot`."""
        content: dict[str, Any] = json.loads(self.snapshot)
        return content


class Decision(models.Model):
    """What the Board's staff said of a revision. A second director's second click finds the first one's row."""

    class Kind(models.TextChoices):
        RETURN = "return", "Returned with questions"
        RECOMMEND = "recommend", "Recommended for approval"
        APPROVE = "approve", "Approved"
        REJECT = "reject", "Rejected"

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=12, choices=Kind)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("revision", "kind"), name="one_decision_of_a_kind"),)
