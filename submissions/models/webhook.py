"""Webhooks of an organization, and every delivery. Sending is `notifications.webhook_delivery`."""

from urllib.parse import urlsplit

from django.db import models

from submissions.models.event import Event
from submissions.models.organization import Organization, Person


class Webhook(models.Model):
    organization = models.ForeignKey(Organization, models.PROTECT, db_column="organisation_id", related_name="webhooks")
    url = models.URLField(max_length=500)
    verbs = models.JSONField(default=list)  # of events; empty = all
    secret = models.TextField()  # encrypted: it signs each delivery
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)  # nothing is sent afterwards
    failures = models.PositiveIntegerField(default=0)  # since the last successful delivery
    rests_until = models.DateTimeField(null=True)  # no attempt before

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        """Without the path, because some services put their secret there."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


class Delivery(models.Model):
    """One event for one webhook; without an event, a test. `note`: the result of the last attempt, as text. While
    neither delivered nor given up, it waits for the next attempt, which the job schedules.
    """

    webhook = models.ForeignKey(Webhook, models.PROTECT, related_name="deliveries")
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="+")
    key = models.CharField(max_length=32, unique=True)  # receivers recognize a repeated delivery by it
    body = models.TextField()
    made_at = models.DateTimeField()
    asked_at = models.DateTimeField()  # when it was made, or replayed last
    attempts = models.PositiveIntegerField(default=0)  # since then
    attempted_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)  # of the last answer
    note = models.TextField(blank=True)
    delivered_at = models.DateTimeField(null=True)
    given_up_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "deliveries"
        indexes = (
            models.Index(
                fields=("webhook", "attempts"),
                condition=models.Q(delivered_at=None, given_up_at=None),
                name="deliveries_waiting",
            ),
        )

    @property
    def waits(self) -> bool:
        return self.delivered_at is None and self.given_up_at is None
