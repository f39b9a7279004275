"""The filing of a table's layout, payout sign and guide (§ 601a.10), and the assignment of filings of any kind.

A layout filing is separate from its Rules Submission. Rows are never changed (`core.append_only`), except
`LayoutFiling` itself, the marks of a draft, and assignments. An assignment limits nobody: every analyst and director
may still act on the filing. Not here: reading and reviewing drawings (`submissions.layouts`), permissions and status
changes (`permissions`).
"""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.text import capfirst, get_text_list

from submissions.models.accounts import Organization, Person
from submissions.models.filings import Party, Revision, StoredFile, Submission


class Part(models.TextChoices):
    LAYOUT = "layout", "Layout"
    SIGN = "sign", "Payout sign"
    GUIDE = "guide", "Gaming guide"


class LayoutStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    FILED = "filed", "Filed"
    DEFICIENT = "deficient", "Deficient"
    RECOMMENDED = "recommended", "Reported to the Executive Director"
    APPROVED = "approved", "Approved"
    WITHDRAWN = "withdrawn", "Withdrawn"
    REJECTED = "rejected", "Rejected"


LAYOUT_WAITS_ON: Mapping[LayoutStatus, Party] = {  # who acts next; a status that is not here is over
    LayoutStatus.DRAFT: Party.LICENSEE,
    LayoutStatus.FILED: Party.ANALYST,
    LayoutStatus.DEFICIENT: Party.LICENSEE,
    LayoutStatus.RECOMMENDED: Party.DIRECTOR,
}
OPEN_LAYOUTS = tuple(LAYOUT_WAITS_ON)
LAYOUTS_WITH_BOARD = tuple(status for status, party in LAYOUT_WAITS_ON.items() if party != Party.LICENSEE)


class LayoutFiling(models.Model):
    """The filing for one group of tables of a Rules Submission: those of the three parts that must be updated."""

    number = models.CharField(max_length=20, unique=True)  # LF-2026-00001
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="layout_filings")
    group = models.PositiveSmallIntegerField(default=0)  # see `submissions.core.configurations`
    parts = models.JSONField(default=list)  # of `Part`, in its order
    positions = models.PositiveSmallIntegerField(default=0)  # betting positions at these tables; 0 = the most allowed
    rules_on = models.DateField(null=True)  # the day whose rules its parts follow; None: the day of the filed answers
    status = models.CharField(max_length=12, choices=LayoutStatus, default=LayoutStatus.DRAFT)
    version = models.PositiveIntegerField(default=1)  # grows with each change of status: detects concurrent changes
    created_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-changed_at", "-pk")

    def __str__(self) -> str:
        return f"{self.number} · {self.submission.number}"

    @property
    def organization(self) -> Organization:
        return self.submission.organization

    @property
    def editable(self) -> bool:
        return self.status in (LayoutStatus.DRAFT, LayoutStatus.DEFICIENT)

    @property
    def has_layout(self) -> bool:
        return Part.LAYOUT in self.parts

    def parts_in_words(self) -> str:
        """Return "Layout, payout sign and gaming guide"."""
        return capfirst(get_text_list([Part(part).label.lower() for part in self.parts], "and"))


class LayoutDrawing(models.Model):
    """An uploaded drawing and the filed answers that it is compared with; replaced by a newer row."""

    filing = models.ForeignKey(LayoutFiling, models.PROTECT, related_name="drawings")
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="+")
    place = models.PositiveSmallIntegerField()  # of the configuration within the revision's snapshot
    name = models.CharField(max_length=200)  # as uploaded, cleaned
    kind = models.CharField(max_length=8)  # svg, pdf, picture
    stored = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    by_portal = models.BooleanField(default=False)  # the reference drawing
    uploaded_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration of the snapshot that the drawing is compared with."""
        configuration: dict[str, Any] = self.revision.content["configurations"][self.place]
        return configuration


class LayoutInspection(models.Model):
    """The inspection's `report` of a drawing, or the code (`refused`) of the reason why it could not be read."""

    drawing = models.OneToOneField(LayoutDrawing, models.PROTECT, related_name="inspection")
    report = models.JSONField(default=dict)  # `layouts.inspection.findings`, with source and pages [[width, height]]
    previews = models.JSONField(default=list)  # SHA-256 of a picture of each page; empty for SVG
    refused = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    fix = models.TextField(blank=True)
    made_at = models.DateTimeField()


class LayoutMark(models.Model):
    """The licensee's mark of an element's area, as shares of the page from its upper left."""

    drawing = models.ForeignKey(LayoutDrawing, models.PROTECT, related_name="marks")
    element = models.CharField(max_length=80)
    page = models.PositiveSmallIntegerField()  # from 1
    left = models.FloatField()
    top = models.FloatField()
    width = models.FloatField()
    height = models.FloatField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class LayoutRevision(models.Model):
    """One filing: the drawing with its marks, and the digests of each part's required facts."""

    filing = models.ForeignKey(LayoutFiling, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()  # 1, 2, … within the filing
    receipt = models.CharField(max_length=30, unique=True)  # LF-2026-00001-R1
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="layout_revisions")
    place = models.PositiveSmallIntegerField()
    drawing = models.ForeignKey(LayoutDrawing, models.PROTECT, null=True, related_name="+")  # null: no layout in it
    marks = models.JSONField(default=list)  # [{element, page, left, top, width, height}], as of this filing
    shown = models.JSONField(default=dict)  # part → digest of its facts (`layouts.required_facts`)
    note = models.TextField(blank=True)  # why it is filed although elements were not found
    filed_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=("filing", "number"), name="one_layout_revision_per_number"),)

    def __str__(self) -> str:
        return self.receipt


class LayoutJudgment(models.Model):
    """A reviewer's decision on an element that the inspection did not find; the latest one counts."""

    layout_revision = models.ForeignKey(LayoutRevision, models.PROTECT, related_name="judgments")
    element = models.CharField(max_length=80)
    accepted = models.BooleanField()
    reason = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        db_table = "submissions_layoutjudgement"  # as the first migration of layouts named it
        ordering = ("pk",)


class LayoutDecision(models.Model):
    """The Board's decision on a filing: a deficiency notice (§ 601a.10(d)), the report, the director's decision."""

    class Kind(models.TextChoices):
        NOTICE = "notice", "Deficiency notice"
        RECOMMEND = "recommend", "Reported to the Executive Director"
        APPROVE = "approve", "Approved"
        REJECT = "reject", "Rejected"

    layout_revision = models.ForeignKey(LayoutRevision, models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=12, choices=Kind)
    elements = models.JSONField(default=list)  # of a notice: [{key, element, citation, text}]
    reason = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("layout_revision", "kind"), name="one_layout_decision_of_a_kind"),
        )


class Paper(models.Model):
    """A signed PDF of an approved filing: its layout, sign or guide. Like `Document`, of a Rules Submission."""

    layout_revision = models.ForeignKey(LayoutRevision, models.PROTECT, related_name="papers")
    part = models.CharField(max_length=8, choices=Part)
    unsigned_sha256 = models.CharField(max_length=64)
    signed = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    pages = models.PositiveSmallIntegerField()
    signer = models.CharField(max_length=200)
    signed_at = models.DateTimeField()
    verification = models.JSONField()
    demo = models.BooleanField()

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("layout_revision", "part"), name="one_paper_of_a_part"),)

    @property
    def name(self) -> str:
        """The name of the file and its address on the verification page: LF-2026-00001-R1-sign."""
        return f"{self.layout_revision.receipt}-{self.part}"


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
        """The filing that is assigned."""
        filing = self.submission or self.layout_filing
        if filing is None:
            raise ValueError("An assignment without a filing")
        return filing
