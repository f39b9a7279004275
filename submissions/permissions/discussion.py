"""What a person may read of what was said about a filing: remarks, the replies to them, comments within a licensee."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet, Subquery

from submissions.models import Decision, LineComment, Remark, Reply, Revision, Submission
from submissions.permissions.read_scope import Visitor
from submissions.permissions.visible import DISCLOSING_DECISIONS, is_visible_to


def remarks_visible_to(person: Visitor, submission: Submission) -> QuerySet[Remark]:
    """The remarks that a person may read: the licensee those for it that a decision has shown."""
    if isinstance(person, AnonymousUser) or not is_visible_to(person, submission):
        return Remark.objects.none()
    return _remarks(submission.pk, person.at_regulator).select_related("by", "shown_with", "revision")


def read_remarks(person: Visitor, submission: Submission) -> list[Remark]:
    """The same, read without what was filed."""
    return list(remarks_visible_to(person, submission).select_related(None).select_related("by", "shown_with"))


def _remarks(submission: int, at_regulator: bool) -> QuerySet[Remark]:
    remarks = Remark.objects.filter(revision__submission=submission)
    return remarks if at_regulator else remarks.filter(audience=Remark.Audience.LICENSEE, shown_with__isnull=False)


def read_replies(person: Visitor, submission: Submission) -> list[Reply]:
    """The replies to those remarks; the other side's only once they were sent, by a filing or a decision."""
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
    """What people of the licensee say to each other: to people of the same licensee only, and never to the Board."""
    comments = LineComment.objects.filter(submission=submission).select_related("by")
    if isinstance(person, AnonymousUser) or not person.is_active or not person.at_licensee:
        return comments.none()
    return comments.filter(submission__organization=person.organization)
