"""The signed daily word on how far the chain of events went. Rows are never changed (see `append_only`)."""

from __future__ import annotations

from django.db import models


class Checkpoint(models.Model):
    """At the end of `day` the chain had `sequence` events, the last of them with `digest`; `signature` seals that."""

    day = models.DateField(unique=True)
    sequence = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    signature = models.BinaryField()  # CMS, detached; over what is told in `documents.checkpoints`
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("day",)
