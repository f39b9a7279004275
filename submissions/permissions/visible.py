"""What a person may see: the rows of each kind. A row without an owner is seen by nobody. A person without an
organization sees nothing. What a person may do is `may`.
"""

from functools import lru_cache

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from submissions.jobs.export_files import exports_of
from submissions.models import (
    Attachment,
    Computation,
    Decision,
    Event,
    LayoutDrawing,
    LayoutFiling,
    LayoutRevision,
    Notice,
    Order,
    Organization,
    Paper,
    SavedFilter,
    Submission,
    TableEntry,
    Version,
)
from submissions.permissions.read_scope import ReadScope, Visitor, is_readable, read_scope_of, readable_submissions

BOARD_ONLY_VERBS = (  # the licensee learns of them with the next decision
    "remarked", "replied", "resolved", "reopened", "layout-judged", "work-assigned", "work-unassigned",
)  # fmt: skip
TABLE_GROUP_VERBS = ("grouped", "regrouped", "ungrouped")  # changes of the table groups
DISCLOSING_DECISIONS = (Decision.Kind.RETURN, Decision.Kind.APPROVE, Decision.Kind.REJECT)  # what the licensee hears
UNFILED_VERBS = (
    "saved",
    "attached",
    "answered",
    "disputed",
    "planned",
    *TABLE_GROUP_VERBS,
)  # what the Board sees only once it is filed
LICENSEE_ONLY_VERBS = (
    "layout-started",
    "layout-drawn",
    "layout-positions",
    "layout-inspected",
    "layout-given-up",
    "copied",
    "sent-to-manager",
    "sent-back",
    "commented",
)  # the draft of a layout, what is prepared at another property, and what its people say to each other


def visible_to(person: Visitor) -> QuerySet[Submission]:
    """The submissions that a person may read: their own casino's; for Board staff, all that were ever filed."""
    return readable_submissions(read_scope_of(person)).all()


def is_visible_to(person: Visitor, submission: Submission) -> bool:
    """Whether the person may read it. A yes is remembered with the row: filings stay, and licensees do not change."""
    reach = read_scope_of(person)
    if reach not in submission.readable_within and visible_to(person).filter(pk=submission.pk).exists():
        submission.readable_within.add(reach)
    return reach in submission.readable_within


def licensees_visible_to(person: Visitor) -> QuerySet[Organization]:
    """The licensees whose submissions a person may search: all for Board staff, else their own."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return Organization.objects.none()
    if not person.at_regulator:
        return Organization.objects.filter(pk=person.organization.pk)
    return licensees(live=person.organization.is_live)


def licensees(*, live: bool = True) -> QuerySet[Organization]:
    """Every licensee, which is public; or, with `live=False`, the sandboxes of their test systems."""
    rows = Organization.objects.filter(kind=Organization.Kind.LICENSEE, sandbox_of__isnull=live)
    return rows.order_by("name")


def versions_visible_to(person: Visitor) -> QuerySet[Version]:
    """The versions that concern a person: every licensee's for Board staff, else their own."""
    return Version.objects.filter(organization__in=licensees_visible_to(person))


def filters_visible_to(person: Visitor) -> QuerySet[SavedFilter]:
    """The searches that this person saved."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return SavedFilter.objects.none()
    return SavedFilter.objects.filter(person=person)


def history_visible_to(person: Visitor, submission: Submission) -> QuerySet[Event]:
    """The events that a person may read. What a licensee changes after its last filing is not the Board's yet."""
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return Event.objects.none()
    events = Event.objects.filter(submission=submission).select_related("actor").order_by("sequence")
    if not person.at_regulator:
        return events.exclude(verb__in=BOARD_ONLY_VERBS)
    filed = Event.objects.filter(submission=submission, verb="filed").order_by("-sequence").values("sequence")[:1]
    since = Coalesce(Subquery(filed), 0)
    return events.exclude(verb__in=UNFILED_VERBS, sequence__gt=since).exclude(verb__in=LICENSEE_ONLY_VERBS)


def notices_visible_to(person: Visitor) -> QuerySet[Notice]:
    """The notices of a person, of what the person may still see."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return Notice.objects.none()
    return readable_notices(read_scope_of(person)).filter(person=person)


def readable_notices(reach: ReadScope | None) -> QuerySet[Notice]:
    """The notices of anyone, of what this read scope lets read."""
    return Notice.objects.filter(Q(submission=None) | Q(is_readable(reach, "submission")))


def attachments_visible_to(person: Visitor, submission: Submission) -> QuerySet[Attachment]:
    """The files that a person may open: all of their own casino's; for Board staff, those of a filing."""
    files = submission.attachments.select_related("stored")
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return files.none()
    if not person.at_regulator:
        return files
    filed = {file["sha256"] for revision in submission.revisions.all() for file in revision.content["attachments"]}
    return files.filter(stored_id__in=filed)


def layouts_visible_to(person: Visitor) -> QuerySet[LayoutFiling]:
    """The layout filings that a person may read: their own casino's; for Board staff, all that were ever filed."""
    return _readable_layouts(read_scope_of(person)).all()


@lru_cache(maxsize=256)
def _readable_layouts(reach: ReadScope | None) -> QuerySet[LayoutFiling]:
    """Put together once for each scope, and never asked itself: `all` copies it."""
    filings = LayoutFiling.objects.filter(is_readable(reach, "submission"))
    if reach is None or not reach.at_regulator:
        return filings
    return filings.filter(Exists(LayoutRevision.objects.filter(filing=OuterRef("pk"))))


def drawings_visible_to(person: Visitor, filing: LayoutFiling) -> QuerySet[LayoutDrawing]:
    """The drawings that a person may open: all of their own casino's; for Board staff, those that were filed."""
    drawings = LayoutDrawing.objects.filter(filing=filing).select_related("stored")
    if isinstance(person, AnonymousUser) or not layouts_visible_to(person).filter(pk=filing.pk).exists():
        return drawings.none()
    if not person.at_regulator:
        return drawings
    return drawings.filter(pk__in=LayoutRevision.objects.filter(filing=filing).values("drawing"))


def papers_visible_to(person: Visitor) -> QuerySet[Paper]:
    """The signed layouts, signs and guides. They are displayed in public, so everyone may see them."""
    return Paper.objects.select_related("layout_revision__filing__submission__organization", "signed")


def orders_visible_to(person: Visitor) -> QuerySet[Order]:
    """The Board's orders: all for its staff, for a licensee its own and those for all; in a sandbox those for all."""
    return orders_within(read_scope_of(person))


def orders_within(reach: ReadScope | None) -> QuerySet[Order]:
    """The same for everyone with this read scope."""
    if reach is None:
        return Order.objects.none()
    if not reach.live:
        return Order.objects.filter(all_licensees=True)
    if reach.at_regulator:
        return Order.objects.all()
    return Order.objects.filter(Q(all_licensees=True) | Q(organization=reach.organization))


def exports_visible_to(person: Visitor) -> QuerySet[Computation]:
    """The exports that this person requested, and no one else's; none for a person who has left."""
    if isinstance(person, AnonymousUser) or read_scope_of(person) is None:
        return Computation.objects.none()
    return exports_of(person)


def tables_visible_to(person: Visitor) -> QuerySet[TableEntry]:
    """The table lists that a person may read in full: their own casino's; for Board staff every licensee's."""
    return TableEntry.objects.filter(organization__in=licensees_visible_to(person))


def published_tables() -> QuerySet[TableEntry]:
    """What everyone may see of the licensees' table lists: number, game, open or closed, and the day. Each of these can
    be seen on the floor, and an inspector needs no sign-in. The pit is left out: nothing that governs a table needs it.
    """
    return TableEntry.objects.filter(organization__in=licensees()).defer("pit")
