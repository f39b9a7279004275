"""Who of the Board works on a filing. The row is changed or deleted with each assignment; events keep what was before.

An assignment limits nobody: every analyst and director may still act on the filing.
"""

from django.db import models
from django.db.models import Q

from submissions.models.layout import LayoutFiling
from submissions.models.organization import Person
from submissions.models.submission import Submission


class Assignment(models.Model):
    """The person of the Board to whom a Rules Submission or a layout filing is assigned; exactly one of the two."""

    submission = models.OneToOneField(Submission, models.PROTECT, null=True, related_name="assignment")
    layout_filing = models.OneToOneField(LayoutFiling, models.PROTECT, null=True, related_name="assignment")
    person = models.ForeignKey(Person, models.PROTECT, related_name="assignments")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(submission=None, layout_filing__isnull=False)
                | Q(submission__isnull=False, layout_filing=None),
                name="assignment_of_one_filing",
            ),
        )

    @property
    def filing(self) -> Submission | LayoutFiling:
        """What is assigned."""
        filing = self.submission or self.layout_filing
        if filing is None:
            raise ValueError("An assignment without a filing")
        return filing
