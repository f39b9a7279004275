"""Rulemakings of the Board: what they change of the chapters, from which days on, and which versions that affects.

Once published, a rulemaking and its changes are never edited (see `append_only`): a later one corrects them. What a
change consists of is `games.rules.changes`; the actions are in `submissions.rulemakings`.
"""

from django.db import models

from submissions.models.accounts import Person
from submissions.models.filings import Version


class Rulemaking(models.Model):
    """One rulemaking, as a draft of the Board's staff or published."""

    class State(models.TextChoices):
        DRAFT = "draft", "Draft"
        PUBLISHED = "published", "Published"
        WITHDRAWN = "withdrawn", "Withdrawn"

    number = models.CharField(max_length=20, unique=True)  # RM-2026-00001
    title = models.CharField(max_length=200)
    source = models.CharField(max_length=200)  # the document that adopts it
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    version = models.PositiveIntegerField(default=1)  # grows with each change: detects concurrent changes
    created_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    written_by = models.ForeignKey(Person, models.PROTECT, related_name="+")  # of the last change: does not publish it
    written_at = models.DateTimeField()
    published_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(null=True)
    trial_sha256 = models.CharField(max_length=64, blank=True)  # of what the confirmed trial was computed from

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.number

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT


class RulemakingChange(models.Model):
    """A rulemaking's change of one chapter from a day on. `text`: TOML, as `games.rules.changes` reads it."""

    rulemaking = models.ForeignKey(Rulemaking, models.PROTECT, related_name="changes")
    chapter = models.CharField(max_length=8)
    effective = models.DateField()
    text = models.TextField()
    published_at = models.DateTimeField(null=True, db_index=True)  # of its rulemaking

    class Meta:
        ordering = ("chapter", "effective")
        constraints = (
            models.UniqueConstraint(fields=("rulemaking", "chapter", "effective"), name="one_change_per_day"),
        )

    @property
    def query(self) -> str:
        """Return the query string that names it within its rulemaking."""
        return f"?chapter={self.chapter}&effective={self.effective.isoformat()}"


class ChangeEffect(models.Model):
    """The `effects` (`rulemakings.trials`; none: no change) of a published change on a version of its first day."""

    change = models.ForeignKey(RulemakingChange, models.PROTECT, related_name="affected")
    version = models.ForeignKey(Version, models.PROTECT, related_name="+")
    effects = models.JSONField()
    notified_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("change", "version"), name="one_row_per_change_and_version"),)
