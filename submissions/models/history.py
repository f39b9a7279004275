"""The history: every step, who took it, why, and what it changed.

With checkpoints, notices and mails, legal holds, and what is sent to webhooks.

Each event contains the digest and the code of the one before. Rows of events and checkpoints are never changed
(`core.append_only`), and a legal hold is lifted by another row. Events are written by `audit.record`, checkpoints by
`documents.checkpoints`, webhooks are called by `notifications.webhooks`.
"""

from urllib.parse import urlsplit

from django.db import models

from submissions.models.accounts import Organization, Person
from submissions.models.filings import Submission


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
    """The end of the chain, written with every event: one row.

    It shows when the last events were cut off. The next event continues from it, so a cut stays visible as a gap.
    Without the key, no end but a former one can be written.
    """

    sequence = models.PositiveBigIntegerField()
    link = models.CharField(max_length=64)  # of the last event
    mac = models.CharField(max_length=64)  # of both


class Checkpoint(models.Model):
    """A proof that the event with this number, and so every event before it, has its link; `seal` proves when.

    An event records each, and seals its row.
    """

    sequence = models.PositiveBigIntegerField(primary_key=True)
    link = models.CharField(max_length=64)
    seal = models.TextField()  # base64 of a detached CMS signature with a timestamp (`documents.checkpoints`)
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


class LegalHold(models.Model):
    """A legal hold on a submission, on a licensee with all its filings, or (both None) on everything."""

    number = models.CharField(max_length=20, unique=True)  # LH-2026-00001
    organization = models.ForeignKey(Organization, models.PROTECT, null=True, related_name="+")
    submission = models.ForeignKey(Submission, models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(organization=None) | models.Q(submission=None), name="legal_hold_has_one_scope"
            ),
        )

    def __str__(self) -> str:
        return self.number

    @property
    def scope(self) -> str:
        """Return the scope in words: a submission's number, a licensee's name, or everything."""
        if self.submission:
            return self.submission.number
        return self.organization.name if self.organization else "everything"


class LegalHoldEnd(models.Model):
    """The lifting of a hold; by whom and why."""

    legal_hold = models.OneToOneField(LegalHold, models.PROTECT, related_name="end")
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


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
        """Return the webhook without the path, because some services put their secret there."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"


class Delivery(models.Model):
    """One event for one webhook; without an event, a test. `note`: the result of the last attempt, as text."""

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
