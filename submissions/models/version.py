"""Which approved filing holds from which day. Rows are never changed (see `append_only`).

In force for a licensee's game on a day is the version with the latest `from_day` that is not after it; of several
with the same day the one made last. Looking that up is `actions.versions`.
"""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Organisation, Person
from submissions.models.revision import Revision


class Version(models.Model):
    """An approved revision that holds from a day on; without a revision, the game is not offered from then on."""

    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="versions")
    chapter = models.CharField(max_length=8)
    from_day = models.DateField()
    revision = models.OneToOneField(Revision, models.PROTECT, null=True, related_name="version")
    reason = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("from_day", "pk")
        indexes = (models.Index(fields=("organisation", "chapter", "from_day"), name="version_in_force"),)
