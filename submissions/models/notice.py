"""What a person is told of, and whether it was mailed. Written with the event that it tells of, never later."""

from __future__ import annotations

from django.db import models

from submissions.models.event import Event
from submissions.models.organisation import Person
from submissions.models.submission import Submission


class Mail(models.Model):
    """One message to one person: a decision, or a day's digest. Sent by a job, once."""

    to = models.ForeignKey(Person, models.PROTECT, related_name="+")
    subject = models.CharField(max_length=200)
    body = models.TextField()
    message_id = models.CharField(max_length=200, unique=True)
    day = models.DateField(null=True)  # of a digest
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("to", "day"), name="one_digest_a_day"),)


class Notice(models.Model):
    """That a person is to know of an event. `mail` is the message that told of it, null while none has."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="notices")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="+")
    decides = models.BooleanField(default=False)  # of a decision: mailed at once to who wants that
    words = models.TextField()
    at = models.DateTimeField()
    to_mail = models.BooleanField(default=True)  # no longer, once its person wants nothing mailed
    mail = models.ForeignKey(Mail, models.PROTECT, null=True, related_name="notices")
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("person", "event"), name="one_notice_of_an_event"),)
        indexes = (
            models.Index(fields=("person",), condition=models.Q(to_mail=True, mail=None), name="notice_to_mail"),
            models.Index(fields=("person",), condition=models.Q(seen_at=None), name="notice_unseen"),
        )
