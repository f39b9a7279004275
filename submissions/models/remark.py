"""The Board's remarks on the lines of a filing, and the replies to them. A remark for the licensee is shown to it with
the Board's next decision; with a return it is a question, which unlocks its line. Permissions are in `permissions`,
changes in `review.comments`.
"""

from django.db import models

from submissions.models.organization import Person
from submissions.models.revision import Decision, Revision


class Remark(models.Model):
    """One remark, tied to a line (or, without `option`, to the whole filing) and to the revision it is about."""

    class Audience(models.TextChoices):
        LICENSEE = "licensee", "For the licensee"
        BOARD = "board", "Internal (Board only)"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        ANSWER_GIVEN = "answered", "Answered"
        DISPUTED = "disputed", "Disputed"
        RESOLVED = "resolved", "Resolved"

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="remarks")
    configuration = models.PositiveSmallIntegerField(default=0)  # position within the snapshot
    option = models.CharField(max_length=60, blank=True)  # the line's key; "" = the whole filing
    audience = models.CharField(max_length=8, choices=Audience)
    text = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    shown_with = models.ForeignKey(Decision, models.PROTECT, null=True, related_name="remarks")  # null = not yet
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("state",), name="remark_state"),)


class Reply(models.Model):
    """A reply to a remark, with its effect on the remark's state. Rows are never changed (see `append_only`)."""

    class Kind(models.TextChoices):
        SAID = "said", "replied"
        ANSWER = "answered", "answered"
        DISPUTED = "disputed", "disputed it"
        RESOLVED = "resolved", "resolved it"
        REOPENED = "reopened", "reopened it"

    remark = models.ForeignKey(Remark, models.PROTECT, related_name="replies")
    kind = models.CharField(max_length=8, choices=Kind)
    text = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "replies"
