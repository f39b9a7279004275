"""What people of one licensee pass on to each other: a draft sent to the manager or back, comments on its lines, and
who is stand-in for the Table Games Manager. Rows are never changed (see `append_only`). The Board sees none of them; it
reads who is stand-in only where they sign.
"""

from django.db import models

from submissions.models.organization import Organization, Person
from submissions.models.submission import Submission


class Handover(models.Model):
    """That a draft or a returned filing was sent to the manager, or back to the preparer. The last row of the present
    `version` of the submission counts: each change of status ends it.
    """

    class Kind(models.TextChoices):
        SENT = "sent", "Sent to manager"
        SENT_BACK = "sent-back", "Sent back to preparer"

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="handovers")
    version = models.PositiveIntegerField()  # of the submission, when it was sent
    kind = models.CharField(max_length=9, choices=Kind)
    note = models.TextField(blank=True)
    answers_sha256 = models.CharField(max_length=64)  # of what was answered then
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class LineComment(models.Model):
    """A comment between people of the licensee on one line of a draft or of a returned filing."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="line_comments")
    position = models.PositiveSmallIntegerField(default=0)  # of the table group
    option = models.CharField(max_length=60)  # the line's key
    text = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class StandIn(models.Model):
    """A person of the licensee who acts for the Table Games Manager from day to day, both included (Eastern Time)."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="stand_ins")
    person = models.ForeignKey(Person, models.PROTECT, related_name="stand_ins")
    first_day = models.DateField()
    last_day = models.DateField()
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="stand_in_has_its_days_in_order"
            ),
        )


class StandInEnd(models.Model):
    """That a stand-in was ended before its last day, or before its first: at once."""

    stand_in = models.OneToOneField(StandIn, models.PROTECT, related_name="end")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
