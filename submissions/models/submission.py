"""A Rules Submission while it is worked on: its state, its draft answers, its attachments.

What was filed is a `Revision`; how the state may change is `submissions.permissions.workflow`.
"""

import hashlib
from functools import cached_property
from typing import Self

from django.db import models

from submissions.core.packing import PLAIN, PackedBytesDamaged, pack, unpack
from submissions.models.organization import Organization, Person


class StoredFile(models.Model):
    """A file that the portal received or made, by its SHA-256. Rows are never changed (see `append_only`).

    It is in the database: written in the same transaction as the rows that refer to it, for every worker and machine.
    """

    sha256 = models.CharField(max_length=64, primary_key=True)
    media_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    packed = models.BinaryField(db_column="content")  # the content as `packing` says
    packing = models.CharField(max_length=8, default=PLAIN, db_default=PLAIN, blank=True)  # not sealed: it may change
    stored_at = models.DateTimeField(auto_now_add=True)

    @classmethod
    def keep(cls, content: bytes, media_type: str) -> Self:
        """The row of these bytes, created if necessary."""
        packed, packing = pack(content)
        stored, _ = cls.objects.get_or_create(
            sha256=hashlib.sha256(content).hexdigest(),
            defaults={"media_type": media_type, "size": len(content), "packed": packed, "packing": packing},
        )
        return stored

    @property
    def content(self) -> bytes:
        """The bytes of the file. Stored ones that cannot be unpacked are returned as they are: no digest is theirs."""
        try:
            return unpack(self.packed, self.packing, self.size)
        except PackedBytesDamaged:
            return bytes(self.packed)

    @content.setter
    def content(self, content: bytes) -> None:
        self.packed, self.packing = pack(content)


class Status(models.TextChoices):
    DRAFT = "draft", "Draft"
    FILED = "filed", "Filed"
    RETURNED = "returned", "Returned with questions"
    RECOMMENDED = "recommended", "Recommended for approval"
    APPROVED = "approved", "Approved"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REJECTED = "rejected", "Rejected"
    DELETED = "deleted", "Deleted"  # a draft that was never filed


OVER = (Status.APPROVED, Status.WITHDRAWN, Status.REJECTED, Status.DELETED)  # decided, or ended by the licensee


class Submission(models.Model):
    """One licensee's Rules Submission (§ 601a.2) for one chapter."""

    number = models.CharField(max_length=20, unique=True)  # RS-2026-00001
    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", related_name="submissions"
    )
    chapter = models.CharField(max_length=8)
    status = models.CharField(max_length=12, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=1)  # grows with each change of status: detects concurrent changes
    amends = models.ForeignKey("self", models.PROTECT, null=True, related_name="amendments")  # the one it changes
    takes_effect = models.DateField(null=True)  # the planned effective day; None: as soon as it is approved
    created_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed_at", "-pk")
        indexes = (
            models.Index(fields=("-changed_at", "-id"), name="submission_changed"),
            models.Index(fields=("status",), name="submission_status"),
        )

    def __str__(self) -> str:
        return f"{self.number} · {self.chapter}"

    @cached_property
    def readable_within(self) -> set[object]:
        """The read scopes within which this row is known to be readable (`permissions.visible.is_visible_to`)."""
        return set()

    @property
    def editable(self) -> bool:
        return self.status in (Status.DRAFT, Status.RETURNED)


class Configuration(models.Model):
    """The answers that define one way of running the game: for all tables, or for a named group of them."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="configurations")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=80, default="All tables")
    tables = models.CharField(max_length=400, blank=True)  # "3, 7-9"; "" = all tables, or all that no other row names
    pit = models.CharField(max_length=80, blank=True)
    answers = models.JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)  # grows with each change: API calls name the one that they read
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("submission", "position"), name="one_configuration_per_position"),
        )

    def display_name(self, *, several: bool) -> str:
        """Its name in a list: the first configuration is for all tables that the others do not name."""
        return "All other tables" if several and self.position == 0 else self.name


class Attachment(models.Model):
    """A file given with a line of the checklist. Replaced by a newer row, never changed."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="attachments")
    option = models.CharField(max_length=60)
    name = models.CharField(max_length=200)  # as uploaded, cleaned
    stored = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    uploaded_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-pk",)
