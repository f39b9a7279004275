"""The rows of the shared cache (`portal.counter_cache`): counters of attempts, and marks that something is away."""

from django.db import models


class CachedValue(models.Model):
    """Numbers as JSON, until `expires_at`. They can be lost without harm, and are not sealed."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires_at = models.DateTimeField(db_index=True)
