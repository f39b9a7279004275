"""Rules Submissions while they are worked on; filings, frozen, with decisions and effective dates; orders; table lists.

How the state of a submission may change is `permissions.workflow`. But for drafts, assignments and the search index no
row is ever changed (`core.append_only`): an amended order is a new row that replaces one, its early end is a row of its
own, and a row of a table list says what a table is from a day on. `LatestFiling` and `VersionPeriod` are views of the
database (`core.database_views`). What people of one licensee pass on to each other is seen by none of the Board, which
reads who is stand-in only where they sign. A remark of the Board for the licensee is shown with its next decision; with
a return it is a question, which unlocks its line.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Self

from django.db import models
from django.utils.functional import cached_property

from submissions.core.packing import PLAIN, PackedBytesDamaged, pack, unpack
from submissions.models.accounts import Organization, Person


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
        """Return the row of these bytes, created if necessary."""
        packed, packing = pack(content)
        stored, _ = cls.objects.get_or_create(
            sha256=hashlib.sha256(content).hexdigest(),
            defaults={"media_type": media_type, "size": len(content), "packed": packed, "packing": packing},
        )
        return stored

    @property
    def content(self) -> bytes:
        """Return the bytes of the file; stored ones that cannot be unpacked as they are, which fit no digest."""
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


class Party(models.TextChoices):
    LICENSEE = "licensee", "The licensee"
    ANALYST = "analyst", "An analyst of the Board"
    DIRECTOR = "director", "A director of the Board"


WAITS_ON: Mapping[Status, Party] = {  # who acts next; a status that is not here is over
    Status.DRAFT: Party.LICENSEE,
    Status.FILED: Party.ANALYST,
    Status.RETURNED: Party.LICENSEE,
    Status.RECOMMENDED: Party.DIRECTOR,
}
OPEN_STATUSES = tuple(WAITS_ON)
WITH_LICENSEE = tuple(status for status, party in WAITS_ON.items() if party == Party.LICENSEE)
WITH_BOARD = tuple(status for status in OPEN_STATUSES if status not in WITH_LICENSEE)
OVER = tuple(status for status in Status if status not in OPEN_STATUSES)  # decided, or ended by the licensee


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
        """Return the read scopes within which this row is known to be readable (`visible.is_visible_to`)."""
        return set()

    @property
    def editable(self) -> bool:
        return self.status in WITH_LICENSEE


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
        """Return the group's name in a list: the first configuration is for all tables that the others do not name."""
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
        """Return the snapshot (`filings.snapshot` describes its shape) as data, read once because it never changes."""
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
        """Return the file name without its ending."""
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
    """The end of a version's effect, and what takes its place."""

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


class Handover(models.Model):
    """Handover of a draft or returned filing to the manager, or back; the last row of the present `version` counts."""

    class Kind(models.TextChoices):
        SENT = "sent", "Sent to manager"
        SENT_BACK = "sent-back", "Sent back to preparer"

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="handovers")
    version = models.PositiveIntegerField()  # of the submission, when it was sent
    kind = models.CharField(max_length=9, choices=Kind)
    note = models.TextField(blank=True)
    answers_sha256 = models.CharField(max_length=64)  # of what was answered then
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class LineComment(models.Model):
    """A comment between people of the licensee on one line of a draft or of a returned filing."""

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="line_comments")
    position = models.PositiveSmallIntegerField(default=0)  # of the table group
    option = models.CharField(max_length=60)  # the line's key
    text = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class StandIn(models.Model):
    """A person of the licensee who acts for the Table Games Manager from day to day, both included (Eastern Time)."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="stand_ins")
    person = models.ForeignKey(Person, models.PROTECT, related_name="stand_ins")
    first_day = models.DateField()
    last_day = models.DateField()
    reason = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="stand_in_has_its_days_in_order"
            ),
        )


class StandInEnd(models.Model):
    """The end of a stand-in before its last day, or before its first: at once."""

    stand_in = models.OneToOneField(StandIn, models.PROTECT, related_name="end")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)


class Remark(models.Model):
    """One remark, tied to a line (or, without `option`, to the whole filing) and to the revision it is about."""

    class Audience(models.TextChoices):
        LICENSEE = "licensee", "For the licensee"
        BOARD = "board", "Internal (Board only)"

    class State(models.TextChoices):
        OPEN = "open", "Open"
        ANSWER_GIVEN = "answered", "Answered"
        DISPUTED = "disputed", "Disputed"
        RESOLVED = "resolved", "Resolved"

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="remarks")
    configuration = models.PositiveSmallIntegerField(default=0)  # position within the snapshot
    option = models.CharField(max_length=60, blank=True)  # the line's key; "" = the whole filing
    audience = models.CharField(max_length=8, choices=Audience)
    text = models.TextField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    shown_with = models.ForeignKey(Decision, models.PROTECT, null=True, related_name="remarks")  # null = not yet
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("state",), name="remark_state"),)


class Reply(models.Model):
    """A reply to a remark, with its effect on the remark's state. Rows are never changed (see `append_only`)."""

    class Kind(models.TextChoices):
        SAID = "said", "replied"
        ANSWER = "answered", "answered"
        DISPUTED = "disputed", "disputed it"
        RESOLVED = "resolved", "resolved it"
        REOPENED = "reopened", "reopened it"

    remark = models.ForeignKey(Remark, models.PROTECT, related_name="replies")
    kind = models.CharField(max_length=8, choices=Kind)
    text = models.TextField(blank=True)
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "replies"


class OrderKind(models.TextChoices):
    ORDER = "order", "Order"
    WAIVER = "waiver", "Waiver"
    CONDITION = "condition", "Condition"


class ChapterEffect(models.TextChoices):
    """The effect of an order on a temporary chapter; its last day is the day that is meant."""

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
    """The end of an order before its last day, or of a condition that was met; by whom and why."""

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


class TableState(models.TextChoices):
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"
    REMOVED = "removed", "Removed from the list"


class TableEntry(models.Model):
    """One table of a licensee from a day on: its pit, its game, and whether it is open."""

    DETAILS = ("pit",)  # optional texts: a column of sheets and pages, a field of the form, a member in the API each

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="tables")
    number = models.CharField(max_length=12)  # as on the felt, in the form of `games.rules.lists`: "12", "BJ-4"
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

    @property
    def details(self) -> dict[str, str]:
        """Return the optional texts by their names."""
        return {name: getattr(self, name) for name in self.DETAILS}
