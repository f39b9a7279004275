"""What makes filings findable: the answers of each filing, line by line, and the searches that people keep."""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Person
from submissions.models.revision import Revision


class Answered(models.Model):
    """One answered line of a filing, as it was frozen: an index over the snapshot, made with it, never the truth."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="answered")
    configuration = models.PositiveSmallIntegerField()
    option = models.CharField(max_length=60)
    value = models.CharField(max_length=200)  # "yes", "no", a choice, a paytable's name, a number; long text is cut

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("revision", "configuration", "option"), name="one_answer_per_line"),
        )
        indexes = (models.Index(fields=("option", "value"), name="answered_value"),)


class SavedFilter(models.Model):
    """A search that a person keeps under a name; `query` is the address's query string, cleaned."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="filters")
    name = models.CharField(max_length=80)
    query = models.TextField()

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("person", "name"), name="one_filter_per_name"),)
