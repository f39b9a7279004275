"""The signed Rules Submission of an approved revision. Rows are never changed (see `append_only`)."""

from __future__ import annotations

from django.db import models

from submissions.models.revision import Revision
from submissions.models.stored import StoredFile


class Document(models.Model):
    """One signed PDF per revision: the reproducible bytes before signing, and the signed ones that start with them."""

    revision = models.OneToOneField(Revision, models.PROTECT, related_name="document")
    unsigned_sha256 = models.CharField(max_length=64)
    signed = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    pages = models.PositiveSmallIntegerField()
    signer = models.CharField(max_length=200)
    signed_at = models.DateTimeField()
    verification = models.JSONField()  # what the check at once after signing said
    demo = models.BooleanField()

    @property
    def name(self) -> str:
        """What the file is called, without its ending."""
        return self.revision.receipt
