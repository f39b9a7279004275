"""Legal holds: what they cover is not deleted, however old it is, until they are lifted.

Rows are never changed (see `append_only`): a hold is lifted by another row. Not here: what is deleted and when
(`submissions.retention`).
"""

from django.db import models

from submissions.models.organization import Organization, Person
from submissions.models.submission import Submission


class LegalHold(models.Model):
    """Its scope is a submission, or a licensee with all its filings, or (both None) everything."""

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
        """In words: a submission's number, a licensee's name, or everything."""
        if self.submission:
            return self.submission.number
        return self.organization.name if self.organization else "everything"


class LegalHoldEnd(models.Model):
    """That a hold was lifted; by whom and why."""

    legal_hold = models.OneToOneField(LegalHold, models.PROTECT, related_name="end")
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
