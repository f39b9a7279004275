"""Where an organisation wants to be told of events, and every telling. How they are sent is `actions.webhooks`."""

from __future__ import annotations

from django.db import models

from submissions.models.event import Event
from submissions.models.organisation import Organisation, Person


class Webhook(models.Model):
    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="webhooks")
    url = models.URLField(max_length=500)
    verbs = models.JSONField(default=list)  # of events; empty = all
    secret = models.TextField()  # encrypted: it signs each delivery
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)  # nothing is sent any more

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event for one webhook. `note`: what came of the last attempt, in words."""

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="deliveries")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    key = models.CharField(max_length=32, unique=True)  # whoever gets it twice knows it by this
    body = models.TextField()
    made_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    attempted_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)  # of the last answer
    note = models.TextField(blank=True)
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "deliveries"
