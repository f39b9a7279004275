"""Filings, frozen: their answers for the search, the decisions, the signed documents and the effective dates.

Rows are never changed (see `append_only`), except those of the search index. `LatestFiling` and `VersionPeriod` are
views of the database (`database_views`): what these tables say, one row each, for lists and their filters.
"""

import json
from typing import Any

from django.db import models
from django.utils.functional import cached_property

from submissions.models.organization import Organization, Person
from submissions.models.submission import StoredFile, Submission


class Revision(models.Model):
    """One filing: the canonical JSON of everything that was filed, with its digest and that of the rules."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()  # 1, 2, … within the submission
    receipt = models.CharField(max_length=30, unique=True)  # RS-2026-00001-R1
    snapshot = models.TextField()  # canonical JSON; its SHA-256 is `sha256`
    sha256 = models.CharField(max_length=64, db_index=True)
    rules_digest = models.CharField(max_length=64)
    engine = models.CharField(max_length=40)
    attestation = models.TextField()
    filed_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("submission", "number"), name="one_revision_per_number"),)
        # SQLite has to read past the snapshot to find `filed_at` in a row.
        indexes = (models.Index(fields=("submission", "number", "filed_at"), name="filing_times"),)

    def __str__(self) -> str:
        return self.receipt

    @cached_property
    def content(self) -> dict[str, Any]:
        """The snapshot as data; its shape is described in `filings.snapshot`. Never changed, so it is read once."""
        content: dict[str, Any] = json.loads(self.snapshot)
        return content


class Decision(models.Model):
    """A decision of the Board's staff on a revision. A second director's click finds the first one's row."""

    class Kind(models.TextChoices):
        RETURN = "return", "Returned with questions"
        RECOMMEND = "recommend", "Recommended for approval"
        APPROVE = "approve", "Approved"
        REJECT = "reject", "Rejected"

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=12, choices=Kind)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField(blank=True)
    confirmed = models.JSONField(
        null=True
    )  # an approval: what the director confirmed, in words; None = nothing had to be

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("revision", "kind"), name="one_decision_of_a_kind"),)


class Document(models.Model):
    """The signed PDF of an approved revision, and the digest of the reproducible bytes that it starts with."""

    revision = models.OneToOneField(Revision, models.PROTECT, related_name="document")
    unsigned_sha256 = models.CharField(max_length=64)
    signed = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    pages = models.PositiveSmallIntegerField()
    signer = models.CharField(max_length=200)
    signed_at = models.DateTimeField()
    verification = models.JSONField()  # the result of the verification right after signing
    demo = models.BooleanField()

    @property
    def name(self) -> str:
        """The file name without its ending."""
        return self.revision.receipt


class Version(models.Model):
    """An approved revision and its effective date; without a revision, the game is discontinued from then on.

    In effect on a day is the version with the latest `from_day` that is not after it; of several with the same day, the
    last one made. The queries are in `filings.versions`.
    """

    organization = models.ForeignKey(Organization, models.PROTECT, db_column="organisation_id", related_name="versions")
    chapter = models.CharField(max_length=8)
    from_day = models.DateField()
    revision = models.OneToOneField(Revision, models.PROTECT, null=True, related_name="version")
    reason = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("from_day", "pk")
        indexes = (
            models.Index(fields=("organization", "chapter", "from_day"), name="version_in_force"),
            models.Index(fields=("-made_at", "-id"), name="version_made"),
        )


class LatestFiling(models.Model):
    """The latest filing of each submission; `revision` is None where nothing was filed yet."""

    submission = models.OneToOneField(Submission, models.DO_NOTHING, primary_key=True, related_name="latest_filing")
    revision = models.OneToOneField(Revision, models.DO_NOTHING, null=True, related_name="+")

    class Meta:
        managed = False
        db_table = "submissions_latest_filing"


class VersionPeriod(models.Model):
    """When a version stops being in effect, and what takes its place."""

    version = models.OneToOneField(Version, models.DO_NOTHING, primary_key=True, related_name="period")
    ends = models.DateField(null=True)  # the first day on which it is no longer in effect; None: no end is known
    successor = models.CharField(max_length=30, null=True)  # the receipt; None: none, or the game is discontinued

    class Meta:
        managed = False
        db_table = "submissions_version_period"


class AnswersDigest(models.Model):
    """A digest of what a filing says, without licensee, number, day and tables: equal filings have the same one.

    An index of the snapshot, which is authoritative: only for finding candidates. Filings with waivers have none.
    """

    revision = models.OneToOneField(Revision, models.CASCADE, primary_key=True, related_name="answers_digest")
    sha256 = models.CharField(max_length=64, db_index=True)


class IndexedAnswer(models.Model):
    """One answered line of a filing, as it was frozen: an index of the snapshot, which is authoritative."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="answered")
    configuration = models.PositiveSmallIntegerField()
    option = models.CharField(max_length=60)
    value = models.CharField(max_length=200)  # "yes", "no", a choice, a paytable's name, a number; long text is cut

    class Meta:
        db_table = "submissions_answered"  # as its migration named it
        constraints = (
            models.UniqueConstraint(fields=("revision", "configuration", "option"), name="one_answer_per_line"),
        )
        indexes = (models.Index(fields=("option", "value"), name="answered_value"),)
