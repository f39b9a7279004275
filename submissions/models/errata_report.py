"""Signed errata reports: who asked for each, of which chapters, and the sealed PDF.

Rows are never changed (see `append_only`). Not here: the notes themselves, which are data of the chapters
(`games.rules.errata`); the job that makes the PDF (`documents.errata_signing_job`).
"""

from django.db import models

from submissions.models.organization import Person
from submissions.models.submission import StoredFile


class ErrataRequest(models.Model):
    """A report that a person of the Board asked for. Its day is that of the request, in Eastern Time."""

    number = models.CharField(max_length=20, unique=True)  # ER-2026-00001
    chapters = models.JSONField()  # numbers in the Code's order, then "general"
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.number


class ErrataDocument(models.Model):
    """The sealed PDF of a request, and the digest of the reproducible bytes that it starts with."""

    request = models.OneToOneField(ErrataRequest, models.PROTECT, related_name="document")
    digests = models.JSONField()  # chapter → [digest of its rules, digest of its errata]
    record_sha256 = models.CharField(max_length=64)  # of the record that is attached to the PDF
    unsigned_sha256 = models.CharField(max_length=64, db_index=True)
    signed = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    pages = models.PositiveSmallIntegerField()
    signer = models.CharField(max_length=200)
    signed_at = models.DateTimeField()
    verification = models.JSONField()  # the result of the verification right after signing
    demo = models.BooleanField()

    @property
    def name(self) -> str:
        """The file name without its ending."""
        return self.request.number
