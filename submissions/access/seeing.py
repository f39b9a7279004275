"""What a person may see: the rows of each kind. A row without an owner is seen by nobody.

A person without an organisation sees nothing. What a person may do is `doing`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from submissions.models import (
    Attachment,
    Decision,
    Event,
    LayoutDrawing,
    LayoutFiling,
    LayoutRevision,
    Notice,
    Organisation,
    Paper,
    Person,
    Remark,
    Reply,
    Revision,
    SavedFilter,
    Status,
    Submission,
    Version,
)

Visitor = Person | AnonymousUser

WITHIN_BOARD = (  # a decision tells the licensee what is for it
    "remarked", "replied", "resolved", "reopened", "layout-judged",
)  # fmt: skip
GROUPED = ("grouped", "regrouped", "ungrouped")  # changes of the table groups
SHOWING = (Decision.Kind.RETURN, Decision.Kind.APPROVE, Decision.Kind.REJECT)  # what the licensee hears
NOT_FILED_YET = ("saved", "attached", "answered", "disputed", *GROUPED)  # what the Board sees only once it is filed
NEVER_FILED = ("layout-started", "layout-drawn", "layout-given-up")  # a layout's draft is its licensee's own


class Reach(NamedTuple):
    """All that decides which submissions a person may read: who has the same one reads the same."""

    organisation: int
    at_regulator: bool
    live: bool


def reach_of(person: Visitor) -> Reach | None:
    """None = nothing at all."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organisation is None:
        return None
    return Reach(person.organisation.pk, person.at_regulator, person.organisation.is_live)


def visible_to(person: Visitor) -> QuerySet[Submission]:
    """The submissions that a person may read: one's own casino's; at the Board, whatever was ever filed."""
    return within(reach_of(person), Submission.objects.all())


def within(reach: Reach | None, rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Those of the rows that may be read."""
    if reach is None:
        return rows.none()
    if reach.at_regulator:
        return rows.filter(_filed(reach.live))
    return rows.filter(organisation=reach.organisation)


@cache
def _filed(live: bool) -> Exists:
    """Whether it was ever filed: by a licensee, or in a sandbox."""
    filings = Revision.objects.filter(submission=OuterRef("pk"))
    return Exists(filings.filter(submission__organisation__sandbox_of__isnull=live))


def licensees_visible_to(person: Visitor) -> QuerySet[Organisation]:
    """The licensees whose submissions a person may look for: every one for the Board, else one's own."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organisation is None:
        return Organisation.objects.none()
    if not person.at_regulator:
        return Organisation.objects.filter(pk=person.organisation.pk)
    return licensees(live=person.organisation.is_live)


def licensees(*, live: bool = True) -> QuerySet[Organisation]:
    """Every licensee, as everybody may know them; or the sandboxes in which their programs are tried out."""
    rows = Organisation.objects.filter(kind=Organisation.Kind.LICENSEE, sandbox_of__isnull=live)
    return rows.order_by("name")


def versions_visible_to(person: Visitor) -> QuerySet[Version]:
    """The versions that a person is responsible for: every licensee's for the Board, else one's own."""
    return Version.objects.filter(organisation__in=licensees_visible_to(person))


def filters_visible_to(person: Visitor) -> QuerySet[SavedFilter]:
    """The searches that a person keeps: nobody else's."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return SavedFilter.objects.none()
    return SavedFilter.objects.filter(person=person)


def history_visible_to(person: Visitor, submission: Submission) -> QuerySet[Event]:
    """The events that a person may read. What a licensee changes after its last filing is not the Board's yet."""
    events = submission.events.select_related("actor").order_by("sequence")
    if isinstance(person, AnonymousUser) or not visible_to(person).filter(pk=submission.pk).exists():
        return events.none()
    if not person.at_regulator:
        return events.exclude(verb__in=WITHIN_BOARD)
    filed = events.filter(verb="filed").last()
    return events.exclude(verb__in=NOT_FILED_YET, sequence__gt=filed.sequence if filed else 0).exclude(
        verb__in=NEVER_FILED
    )


def remarks_visible_to(person: Visitor, submission: Submission) -> QuerySet[Remark]:
    """The remarks that a person may read: the licensee those for it that a decision has shown."""
    remarks = Remark.objects.filter(revision__submission=submission).select_related("by", "shown_with", "revision")
    if isinstance(person, AnonymousUser) or not visible_to(person).filter(pk=submission.pk).exists():
        return remarks.none()
    if person.at_regulator:
        return remarks
    return remarks.filter(audience=Remark.Audience.LICENSEE, shown_with__isnull=False)


def notices_visible_to(person: Visitor) -> QuerySet[Notice]:
    """The notices of a person, of what the person may still see."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return Notice.objects.none()
    seen = visible_to(person).values("pk")
    return Notice.objects.filter(Q(submission=None) | Q(submission__in=seen), person=person)


def replies_visible_to(person: Visitor, submission: Submission) -> QuerySet[Reply]:
    """What was said to those remarks: of the other side, only what it has sent off, by a filing or a decision."""
    replies = Reply.objects.filter(remark__in=remarks_visible_to(person, submission)).select_related("by")
    if isinstance(person, AnonymousUser) or person.at_regulator:
        theirs = (Reply.Kind.ANSWERED, Reply.Kind.DISPUTED)
        sent = submission.revisions.aggregate(at=Max("filed_at"))["at"]
    else:
        theirs = (Reply.Kind.RESOLVED, Reply.Kind.REOPENED)
        decisions = Decision.objects.filter(revision__submission=submission, kind__in=SHOWING)
        sent = decisions.aggregate(at=Max("at"))["at"]
    return replies.exclude(kind__in=theirs, at__gt=sent) if sent else replies.none()


def attachments_visible_to(person: Visitor, submission: Submission) -> QuerySet[Attachment]:
    """The files that a person may open: the licensee's own; for the Board those of a filing."""
    files = submission.attachments.select_related("stored")
    if isinstance(person, AnonymousUser) or not visible_to(person).filter(pk=submission.pk).exists():
        return files.none()
    if not person.at_regulator:
        return files
    filed = {file["sha256"] for revision in submission.revisions.all() for file in revision.content["attachments"]}
    return files.filter(stored_id__in=filed)


def layouts_visible_to(person: Visitor) -> QuerySet[LayoutFiling]:
    """The filings of layouts that a person may read: one's own casino's; at the Board, whatever was ever filed."""
    filings = LayoutFiling.objects.filter(submission__in=visible_to(person).values("pk"))
    if isinstance(person, Person) and person.at_regulator:
        return filings.filter(Exists(LayoutRevision.objects.filter(filing=OuterRef("pk"))))
    return filings


def drawings_visible_to(person: Visitor, filing: LayoutFiling) -> QuerySet[LayoutDrawing]:
    """The drawings of a filing that a person may open: the licensee's own; for the Board those that were filed."""
    drawings = LayoutDrawing.objects.filter(filing=filing).select_related("stored")
    if isinstance(person, AnonymousUser) or not layouts_visible_to(person).filter(pk=filing.pk).exists():
        return drawings.none()
    if not person.at_regulator:
        return drawings
    return drawings.filter(pk__in=LayoutRevision.objects.filter(filing=filing).values("drawing"))


def papers_visible_to(person: Visitor) -> QuerySet[Paper]:
    """The signed layouts, signs and guides: they hang in public, so everybody sees them."""
    return Paper.objects.select_related("layout_revision__filing__submission__organisation", "signed")


def is_public(submission: Submission) -> bool:
    """Approved versions are in the public register; nothing else is."""
    return submission.status == Status.APPROVED
