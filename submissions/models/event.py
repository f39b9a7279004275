"""The history: every step, who took it, why, and what it changed; with its checkpoints, notices and mails.

Each event contains the digest and the code of the one before. Rows of events and checkpoints are never changed (see
`append_only`). They are written by `audit.record` and `documents.checkpoints`; `audit.hash_chain` verifies the chain.
"""

from django.db import models

from submissions.models.organization import Organization, Person
from submissions.models.submission import Submission


class Event(models.Model):
    sequence = models.PositiveBigIntegerField(primary_key=True)  # 1, 2, 3 … without a gap
    at = models.DateTimeField()
    actor = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # None: the portal itself
    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", null=True, related_name="+"
    )
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="events")
    verb = models.CharField(max_length=40)  # saved, filed, simulated, recommended, …
    reason = models.TextField(blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    rows = models.TextField(blank=True)  # the rows that it seals, as `audit.row_seals` writes them
    previous = models.CharField(max_length=64)  # the link of the event before: of its digest and its code
    digest = models.CharField(max_length=64, unique=True)
    mac = models.CharField(max_length=64)  # the code: of the digest, by a key that is not in the database

    class Meta:
        ordering = ("sequence",)
        indexes = (models.Index(fields=("submission", "verb", "sequence"), name="event_steps"),)


class Tip(models.Model):
    """The end of the chain, written with every event: one row. It shows when the last events were cut off. The next
    event continues from it, so a cut stays visible as a gap. Without the key, no end but a former one can be written.
    """

    sequence = models.PositiveBigIntegerField()
    link = models.CharField(max_length=64)  # of the last event
    mac = models.CharField(max_length=64)  # of both


class Checkpoint(models.Model):
    """The event with this number has this link, and so has every event before it its own; `seal` proves when.

    An event records each, and seals its row.
    """

    sequence = models.PositiveBigIntegerField(primary_key=True)
    link = models.CharField(max_length=64)
    seal = models.TextField()  # base64 of a detached CMS signature with a timestamp (`documents.checkpoint_seal`)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("sequence",)


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
    """One person's notification of an event. `mail`: the message that contained it; null while there is none."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="notices")
    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="+")
    decides = models.BooleanField(default=False)  # of a decision: mailed immediately to people who want that
    words = models.TextField()
    at = models.DateTimeField()
    to_mail = models.BooleanField(default=True)  # false once the person wants no mail
    mail = models.ForeignKey(Mail, models.PROTECT, null=True, related_name="notices")
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("person", "event"), name="one_notice_of_an_event"),)
        indexes = (
            models.Index(fields=("person",), condition=models.Q(to_mail=True, mail=None), name="notice_to_mail"),
            models.Index(fields=("person",), condition=models.Q(seen_at=None), name="notice_unseen"),
        )
