"""Orders, waivers and conditions of the Board. Rows are never changed (see `append_only`): an amendment is a new row
that replaces one, and an early end is a row of its own. Which of them counts on a day is in `orders.order_periods`.
"""

from django.db import models

from submissions.models.organization import Organization, Person
from submissions.models.revision import Decision
from submissions.models.submission import StoredFile


class OrderKind(models.TextChoices):
    ORDER = "order", "Order"
    WAIVER = "waiver", "Waiver"
    CONDITION = "condition", "Condition"


class ChapterEffect(models.TextChoices):
    """What an order says of a temporary chapter; its last day is the day that is meant."""

    CONTINUES = "continues", "The chapter continues"
    ENDS = "ends", "The chapter ends"


class Order(models.Model):
    """An order, a waiver of a requirement, or a condition of an approval, with its scope and its days."""

    number = models.CharField(max_length=20, unique=True)  # BO-2026-00001
    kind = models.CharField(max_length=10, choices=OrderKind)
    docket = models.CharField(max_length=80, blank=True)  # the Board's own number, as on its document
    citation = models.CharField(max_length=80)  # the section it is about
    organization = models.ForeignKey(Organization, models.PROTECT, null=True, related_name="orders")
    all_licensees = models.BooleanField(default=False)  # a row with neither is seen by nobody and covers nothing
    chapter = models.CharField(max_length=8, blank=True)  # "" = every chapter; of an order only
    tables = models.CharField(max_length=400, blank=True)  # "3, 5-8"; "" = all tables
    option = models.CharField(max_length=60, blank=True)  # the line of the checklist that it is about
    rule = models.CharField(max_length=120, blank=True)  # the requirement that it waives
    chapter_effect = models.CharField(max_length=10, choices=ChapterEffect, blank=True)
    first_day = models.DateField()
    last_day = models.DateField(null=True)  # None = until it is ended
    text = models.TextField()
    document = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    document_name = models.CharField(max_length=200, blank=True)  # as uploaded, cleaned
    decision = models.ForeignKey(Decision, models.PROTECT, null=True, related_name="conditions")  # of a condition
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(organization=None, all_licensees=True)
                | models.Q(organization__isnull=False, all_licensees=False),
                name="order_has_a_scope",
            ),
        )
        indexes = (models.Index(fields=("chapter", "kind"), name="order_of_chapter"),)

    def __str__(self) -> str:
        return self.number


class OrderEnd(models.Model):
    """That an order ended before its last day, or that a condition was met; by whom and why."""

    class Outcome(models.TextChoices):
        ENDED = "ended", "Ended"
        MET = "met", "Met"

    order = models.OneToOneField(Order, models.PROTECT, related_name="end")
    outcome = models.CharField(max_length=6, choices=Outcome)
    from_day = models.DateField()  # the first day on which it no longer counts
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
