"""The table lists of the licensees. Rows are never changed (see `append_only`): each says what a table is from a day
on, until a later row of the same table. What counts on a day is in `table_list.listed_tables`.
"""

from django.db import models

from submissions.models.organization import Organization, Person


class TableState(models.TextChoices):
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"
    REMOVED = "removed", "Removed from the list"


class TableEntry(models.Model):
    """One table of a licensee from a day on: its pit, its game, and whether it is open."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="tables")
    number = models.CharField(max_length=12)  # as on the felt, in the form of `games.rules.tables`: "12", "BJ-4"
    pit = models.CharField(max_length=80, blank=True)
    chapter = models.CharField(max_length=8)
    state = models.CharField(max_length=8, choices=TableState)
    from_day = models.DateField()  # Eastern Time
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("organization", "number", "from_day"), name="table_on_a_day"),)

    def __str__(self) -> str:
        return f"{self.organization.slug} {self.number}"
