"""A call that was made with an Idempotency-Key, and what was answered: the same call again gets the same answer.

After draft-ietf-httpapi-idempotency-key-header-07. How it is held is `actions.idempotency`. A form that is to be sent
once is noted here too, without an answer.
"""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Person


class KeyedCall(models.Model):
    """Under way from `begun_at` until it is answered; the answer is kept in the transaction of its effect."""

    seat = models.ForeignKey(Person, models.PROTECT, related_name="+")
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=64)  # of method, address and body
    holder = models.CharField(max_length=32)  # whoever answers it: drawn anew when a dead one's call is taken over
    begun_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)  # the body, enciphered
    headers = models.JSONField(default=dict)  # those that belong to the answer: Location
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("seat", "key"), name="one_call_per_key"),)
        indexes = (models.Index(fields=("begun_at",), name="keyed_calls_by_age"),)
