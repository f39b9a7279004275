"""The rows of each kind that a person may see.

A row without an owner is seen by nobody, and a person without an organization sees nothing. What a person may do is
`may`.

The feed of events has those of all submissions, in the order in which each could first be read. The Board sees the
events of a draft from the next filing on: here they come with that filing, after everything that happened in between,
so no event is ever put before a cursor that a reader was given. The words of events are `submissions.audit.timeline`.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

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
    LineComment,
    Notice,
    Order,
    Organization,
    Paper,
    Person,
    Remark,
    Reply,
    Revision,
    Rulemaking,
    SavedFilter,
    Submission,
    TableEntry,
    Version,
)

Visitor = Person | AnonymousUser


class ReadScope(NamedTuple):
    """All that decides which submissions a person may read: who has the same one reads the same."""

    organization: int
    at_regulator: bool
    live: bool


def read_scope_of(person: Visitor) -> ReadScope | None:
    """Return the person's read scope; None: nothing can be read."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return None
    return ReadScope(person.organization.pk, person.at_regulator, person.organization.is_live)


@lru_cache(maxsize=256)
def readable_submissions(reach: ReadScope | None) -> QuerySet[Submission]:
    """Put together once for each scope, which decides everything, and never asked itself: `all` copies it."""
    return readable_within(reach, Submission.objects.all())


@lru_cache(maxsize=256)
def is_readable(reach: ReadScope | None, submission: str) -> Exists:
    """Return the condition that the row's `submission` may be read, put together once for each scope."""
    return Exists(readable_submissions(reach).filter(pk=OuterRef(submission)))


def readable_within(reach: ReadScope | None, rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """Return the rows among these that may be read."""
    if reach is None:
        return rows.none()
    if reach.at_regulator:
        filed = Exists(Revision.objects.filter(submission=OuterRef("pk")))
        # Written as a negation: otherwise SQLite starts from the organizations and sorts all submissions for each page.
        return rows.filter(filed, ~Q(organization__sandbox_of__isnull=not reach.live))
    return rows.filter(organization=reach.organization)


BOARD_ONLY_VERBS = (  # the licensee learns of them with the next decision
    "remarked", "replied", "resolved", "reopened", "layout-judged", "work-assigned", "work-unassigned",
)  # fmt: skip
TABLE_GROUP_VERBS = ("grouped", "regrouped", "ungrouped")  # changes of the table groups
DISCLOSING_DECISIONS = (Decision.Kind.RETURN, Decision.Kind.APPROVE, Decision.Kind.REJECT)  # what the licensee hears
# What the Board sees only once it is filed.
UNFILED_VERBS = ("saved", "attached", "answered", "disputed", "planned", *TABLE_GROUP_VERBS)
LICENSEE_ONLY_VERBS = (  # the draft of a layout, what is prepared elsewhere, and what its people say to each other
    "layout-started", "layout-drawn", "layout-positions", "layout-inspected", "layout-given-up", "copied",
    "sent-to-manager", "sent-back", "commented",
)  # fmt: skip


def visible_to(person: Visitor) -> QuerySet[Submission]:
    """Return the submissions that a person may read: their own casino's; for Board staff, all that were ever filed."""
    return readable_submissions(read_scope_of(person)).all()


def is_visible_to(person: Visitor, submission: Submission) -> bool:
    """Return whether the person may read it; a yes is remembered with the row, whose licensee never changes."""
    reach = read_scope_of(person)
    if reach not in submission.readable_within and visible_to(person).filter(pk=submission.pk).exists():
        submission.readable_within.add(reach)
    return reach in submission.readable_within


def licensees_visible_to(person: Visitor) -> QuerySet[Organization]:
    """Return the licensees whose submissions a person may search: all for Board staff, else their own."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return Organization.objects.none()
    if not person.at_regulator:
        return Organization.objects.filter(pk=person.organization.pk)
    return licensees(live=person.organization.is_live)


def licensees(*, live: bool = True) -> QuerySet[Organization]:
    """Return every licensee, which is public; or, with `live=False`, the sandboxes of their test systems."""
    rows = Organization.objects.filter(kind=Organization.Kind.LICENSEE, sandbox_of__isnull=live)
    return rows.order_by("name")


def versions_visible_to(person: Visitor) -> QuerySet[Version]:
    """Return the versions that concern a person: every licensee's for Board staff, else their own."""
    return Version.objects.filter(organization__in=licensees_visible_to(person))


def filters_visible_to(person: Visitor) -> QuerySet[SavedFilter]:
    """Return the searches that this person saved."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return SavedFilter.objects.none()
    return SavedFilter.objects.filter(person=person)


def history_visible_to(person: Visitor, submission: Submission) -> QuerySet[Event]:
    """Return the events that a person may read; the Board's without what a licensee changed after its last filing."""
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return Event.objects.none()
    events = Event.objects.filter(submission=submission).select_related("actor").order_by("sequence")
    if not person.at_regulator:
        return events.exclude(verb__in=BOARD_ONLY_VERBS)
    filed = Event.objects.filter(submission=submission, verb="filed").order_by("-sequence").values("sequence")[:1]
    since = Coalesce(Subquery(filed), 0)
    return events.exclude(verb__in=UNFILED_VERBS, sequence__gt=since).exclude(verb__in=LICENSEE_ONLY_VERBS)


def notices_visible_to(person: Visitor) -> QuerySet[Notice]:
    """Return a person's notices of events that the person may still see."""
    if isinstance(person, AnonymousUser) or not person.is_active:
        return Notice.objects.none()
    return readable_notices(read_scope_of(person)).filter(person=person)


def readable_notices(reach: ReadScope | None) -> QuerySet[Notice]:
    """Return anyone's notices of events within this read scope."""
    return Notice.objects.filter(Q(submission=None) | Q(is_readable(reach, "submission")))


def attachments_visible_to(person: Visitor, submission: Submission) -> QuerySet[Attachment]:
    """Return the files that a person may open: all of their own casino's; for Board staff, those of a filing."""
    files = submission.attachments.select_related("stored")
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return files.none()
    if not person.at_regulator:
        return files
    filed = {file["sha256"] for revision in submission.revisions.all() for file in revision.content["attachments"]}
    return files.filter(stored_id__in=filed)


def layouts_visible_to(person: Visitor) -> QuerySet[LayoutFiling]:
    """Return the layout filings that a person may read: their own casino's; for Board staff, all ever filed."""
    return _readable_layouts(read_scope_of(person)).all()


@lru_cache(maxsize=256)
def _readable_layouts(reach: ReadScope | None) -> QuerySet[LayoutFiling]:
    """Put together once for each scope, and never asked itself: `all` copies it."""
    filings = LayoutFiling.objects.filter(is_readable(reach, "submission"))
    if reach is None or not reach.at_regulator:
        return filings
    return filings.filter(Exists(LayoutRevision.objects.filter(filing=OuterRef("pk"))))


def drawings_visible_to(person: Visitor, filing: LayoutFiling) -> QuerySet[LayoutDrawing]:
    """Return the drawings that a person may open: all of their own casino's; for Board staff, those that were filed."""
    drawings = LayoutDrawing.objects.filter(filing=filing).select_related("stored")
    if isinstance(person, AnonymousUser) or not layouts_visible_to(person).filter(pk=filing.pk).exists():
        return drawings.none()
    if not person.at_regulator:
        return drawings
    return drawings.filter(pk__in=LayoutRevision.objects.filter(filing=filing).values("drawing"))


def papers_visible_to(person: Visitor) -> QuerySet[Paper]:
    """Return the signed layouts, signs and guides. They are displayed in public, so everyone may see them."""
    return Paper.objects.select_related("layout_revision__filing__submission__organization", "signed")


def orders_visible_to(person: Visitor) -> QuerySet[Order]:
    """Return the Board's orders: all for its staff, a licensee's own and those for all; in a sandbox those for all."""
    return orders_within(read_scope_of(person))


def orders_within(reach: ReadScope | None) -> QuerySet[Order]:
    """Return the Board's orders for everyone with this read scope."""
    if reach is None:
        return Order.objects.none()
    if not reach.live:
        return Order.objects.filter(all_licensees=True)
    if reach.at_regulator:
        return Order.objects.all()
    return Order.objects.filter(Q(all_licensees=True) | Q(organization=reach.organization))


def rulemakings_visible_to(person: Visitor) -> QuerySet[Rulemaking]:
    """Return the rulemakings that a person may read: what was published; for the Board's own staff drafts, too."""
    if sees_drafts(person):
        return Rulemaking.objects.all()
    return Rulemaking.objects.filter(state=Rulemaking.State.PUBLISHED)


def sees_drafts(person: Visitor) -> bool:
    """Return whether the person is of the Board itself."""
    scope = read_scope_of(person)
    return scope is not None and scope.at_regulator and scope.live


def exports_visible_to(person: Visitor) -> QuerySet[Computation]:
    """Return the exports that this person requested, and no one else's; none for a person who has left."""
    if isinstance(person, AnonymousUser) or read_scope_of(person) is None:
        return Computation.objects.none()
    return exports_of(person)


def tables_visible_to(person: Visitor) -> QuerySet[TableEntry]:
    """Return the table lists that a person may read in full: their own casino's; for Board staff every licensee's."""
    return TableEntry.objects.filter(organization__in=licensees_visible_to(person))


def published_tables() -> QuerySet[TableEntry]:
    """Return what everyone may see of the licensees' table lists: number, game, open or closed, and the day.

    Each of these can be seen on the floor, and an inspector needs no sign-in. Everything else is left out, such as the
    pit: nothing that governs a table needs it.
    """
    rows = TableEntry.objects.filter(organization__in=licensees())
    return rows.only("organization", "number", "chapter", "state", "from_day")


def remarks_visible_to(person: Visitor, submission: Submission) -> QuerySet[Remark]:
    """Return the remarks that a person may read: the licensee those for it that a decision has shown."""
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return Remark.objects.none()
    return _remarks(submission.pk, person.at_regulator).select_related("by", "shown_with", "revision")


def read_remarks(person: Visitor, submission: Submission) -> list[Remark]:
    """Return those remarks, read without what was filed."""
    return list(remarks_visible_to(person, submission).select_related(None).select_related("by", "shown_with"))


def _remarks(submission: int, at_regulator: bool) -> QuerySet[Remark]:
    remarks = Remark.objects.filter(revision__submission=submission)
    return remarks if at_regulator else remarks.filter(audience=Remark.Audience.LICENSEE, shown_with__isnull=False)


def read_replies(person: Visitor, submission: Submission) -> list[Reply]:
    """Return the replies to those remarks; the other side's only once they were sent, by a filing or a decision."""
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return []
    if person.at_regulator:
        theirs = (Reply.Kind.ANSWER, Reply.Kind.DISPUTED)
        filings = Revision.objects.filter(submission=submission).order_by("-filed_at")
        sent = Subquery(filings.values("filed_at")[:1])
    else:
        theirs = (Reply.Kind.RESOLVED, Reply.Kind.REOPENED)
        heard = Decision.objects.filter(revision__submission=submission, kind__in=DISCLOSING_DECISIONS)
        sent = Subquery(heard.order_by("-at").values("at")[:1])
    remarks = _remarks(submission.pk, person.at_regulator)
    replies = Reply.objects.filter(remark__in=remarks).select_related("by")
    return list(replies.filter(~Q(kind__in=theirs) | Q(at__lte=sent)))


def line_comments_visible_to(person: Visitor, submission: Submission) -> QuerySet[LineComment]:
    """Return the comments between people of one licensee: for people of that licensee only, never for the Board."""
    comments = LineComment.objects.filter(submission=submission).select_related("by")
    if isinstance(person, AnonymousUser) or not person.is_active or not person.at_licensee:
        return comments.none()
    return comments.filter(submission__organization=person.organization)


def acting_rows(account: int) -> list[Person]:
    """Return the row with this primary key, then its memberships by the name of the property.

    Each with its organization; one query. Empty for a membership, a service account and someone who was deactivated:
    they do not sign in.
    """
    rows = Person.objects.filter(Q(pk=account) | Q(account=account)).select_related("organization")
    all_rows = list(rows.order_by("organization__name", "pk"))
    own = next((row for row in all_rows if row.pk == account), None)
    if own is None or own.account_id or own.is_system or not own.is_active:
        return []
    memberships = [row for row in all_rows if row.account_id == account]
    for row in memberships:
        row.account = own
    return [own, *(row for row in memberships if _may_act_as(row, own))]


def _may_act_as(membership: Person, account: Person) -> bool:
    home, there = account.organization, membership.organization
    return membership.is_active and home is not None and there is not None and home.is_of_same_company(there)


FeedCursor = tuple[int, int]  # the event with which it could be read, and the event itself
START: FeedCursor = (0, 0)
DRAFT_START_VERBS = ("started", "amends")  # with the first filing the Board learns of the submission
DRAFT_VERBS = (*UNFILED_VERBS, *DRAFT_START_VERBS)
FIELDS = (
    "pk", "at", "verb", "reason", "before", "after", "actor__name", "actor__role", "submission__number",
    "submission__chapter", "submission__takes_effect", "submission__organization__slug",
)  # fmt: skip


def events_after(person: Visitor, after: FeedCursor, limit: int) -> list[tuple[FeedCursor, Any]]:
    """Return the next events after that place, at most `limit`, each as a row of `FIELDS`."""
    places = [place for place in _places(read_scope_of(person), after, limit) if place > after][:limit]
    events = {row.pk: row for row in _events().filter(pk__in=[event for _, event in places])}
    return [(place, events[place[1]]) for place in places]


def _places(scope: ReadScope | None, after: FeedCursor, limit: int) -> list[FeedCursor]:
    """Return the places from that one on, at least `limit` and one more if there are as many, in order."""
    rows = list(_readable_events(scope).filter(sequence__gte=after[0])[: limit + 1])
    places = [(event, event) for event, _, _ in rows]
    if scope is None or not scope.at_regulator:
        return places
    filings = {event: submission for event, submission, verb in rows if verb == "filed"}
    return sorted([*places, *_drafted(filings)])


# These query sets are put together once and narrowed for each call: composing one takes longer than asking it.
@cache
def _events() -> QuerySet[Any, Any]:
    return Event.objects.order_by().values_list(*FIELDS, named=True)


@lru_cache(maxsize=1000)
def _readable_events(scope: ReadScope | None) -> QuerySet[Any, tuple[int, int, str]]:
    """Return the events that can be read as soon as they happen; for the Board, without what was drafted."""
    hidden = (*DRAFT_VERBS, *LICENSEE_ONLY_VERBS) if scope and scope.at_regulator else BOARD_ONLY_VERBS
    submissions = readable_within(scope, Submission.objects.all())
    rows = Event.objects.filter(submission__in=submissions.values("pk")).exclude(verb__in=hidden)
    return rows.order_by("sequence").values_list("pk", "submission", "verb")


def _drafted(filings: dict[int, int]) -> Iterable[FeedCursor]:
    """Yield the events that were drafted for each of these filings."""
    rows = Event.objects.filter(submission__in=set(filings.values()), verb__in=("filed", *DRAFT_VERBS))
    drafted = defaultdict(list)
    for event, submission, verb in rows.order_by("sequence").values_list("pk", "submission", "verb"):
        if verb != "filed":
            drafted[submission].append(event)
            continue
        since = drafted.pop(submission, [])
        if event in filings:
            yield from ((event, draft_event) for draft_event in since)
