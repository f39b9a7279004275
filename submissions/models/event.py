"""The history: every step, who took it, why, and what it changed; each row seals the one before.

Append-only: database triggers refuse UPDATE and DELETE (see `append_only`). Writing is
`submissions.actions.history.record`, checking the chain is `submissions.actions.chain.verify`.
"""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Organisation, Person
from submissions.models.submission import Submission


class Event(models.Model):
    sequence = models.PositiveBigIntegerField(primary_key=True)  # 1, 2, 3 … without a gap
    at = models.DateTimeField()
    actor = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # None = the portal itself
    organisation = models.ForeignKey(Organisation, models.PROTECT, null=True, related_name="+")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="events")
    verb = models.CharField(max_length=40)  # saved, filed, simulated, recommended, …
    reason = models.TextField(blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ("sequence",)


class Tip(models.Model):
    """Where the chain ends, written with every event: one row. It tells when the last events are cut off.

    It is what the next event continues, so that a cut is never grown over: it stays a gap.
    """

    sequence = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
