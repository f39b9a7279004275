"""The review: comments with their replies, the history of a submission in words, the feed of all events.

Also assignments of submissions and layout filings to people of the Board. The actions are those of the pages. A program
is never assigned: it names an analyst or director by their number.
"""

from typing import Any, cast

from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView

from submissions.api.framework.pagination import EventPagination
from submissions.api.framework.serializers import HIGHEST, StrictSerializer
from submissions.api.framework.views import BaseView, WriteResult
from submissions.audit.timeline import (
    VERB_TEXTS,
    changed_lines,
    event_chapter,
    event_detail,
    line_changes,
    timeline,
)
from submissions.core.errors import NotFound
from submissions.filings.api.submissions import Row, first_or_not_found, submission_at
from submissions.filings.review.assignments import assign_work, assignable_people, assignment_of, unassign_work
from submissions.filings.review.comments import Thread, load_threads
from submissions.models import Event, LayoutFiling, Person, Remark, Reply, Role, Scope, Submission
from submissions.permissions import layouts_visible_to, require


class ReplySerializer(of.Serializer[Any]):
    kind = of.ChoiceField(Reply.Kind.choices)
    text = of.CharField()
    by = of.CharField(source="by.name")
    at = of.DateTimeField()


class RemarkSerializer(of.Serializer[Any]):
    id = of.IntegerField(source="remark.pk")
    receipt = of.CharField(source="remark.revision.receipt", help_text="The filing that it is about")
    group = of.IntegerField(source="position", help_text="Of the configuration")
    option = of.CharField(source="remark.option", help_text="The line; empty = the whole filing")
    citation = of.CharField()
    audience = of.ChoiceField(Remark.Audience.choices, source="remark.audience")
    state = of.ChoiceField(Remark.State.choices)
    text = of.CharField(source="remark.text")
    by = of.CharField(source="remark.by.name")
    at = of.DateTimeField(source="remark.at")
    asked = of.BooleanField(
        source="of_latest_return", help_text="Whether the Board's return asks it, and it needs an answer"
    )
    answer_then = of.SerializerMethodField(help_text="The answer of the line, in words; empty if there is none")
    answer_now = of.SerializerMethodField()
    replies = ReplySerializer(many=True)

    def get_answer_then(self, thread: Thread) -> str:
        return thread.before if thread.remark.option else ""

    def get_answer_now(self, thread: Thread) -> str:
        return thread.now if thread.remark.option else ""


class EventChangeSerializer(of.Serializer[Any]):
    option = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class EventSerializer(of.Serializer[Any]):
    number = of.IntegerField(help_text="Its number in the chain of all events; of several in one entry, the last")
    at = of.DateTimeField()
    who = of.CharField()
    role = of.CharField()
    verb = of.CharField(help_text="Stable: programs can rely on it")
    what = of.CharField(help_text="The same in words")
    detail = of.CharField()
    reason = of.CharField()
    changes = EventChangeSerializer(many=True, source="lines", help_text="The lines that were changed")


class FedSerializer(EventSerializer):
    number = of.IntegerField(help_text="Its number in the chain of all events")
    submission = of.CharField()
    licensee = of.CharField(help_text="By its short name")


class RemarksView(BaseView, ListAPIView[Any]):
    """The remarks that one may read, in the order in which they were written."""

    serializer_class = RemarkSerializer

    def get_queryset(self) -> Any:
        return load_threads(self.reader, submission_at(self)).all


class EventsView(BaseView, ListAPIView[Any]):
    """Who did what, when and why, the latest first; consecutive changes of one person are one entry."""

    serializer_class = EventSerializer

    def get_queryset(self) -> Any:
        return timeline(submission_at(self), self.reader)


class FeedView(BaseView, ListAPIView[Any]):
    """Every event of every submission that one may read, in the order in which each could first be read."""

    serializer_class = FedSerializer
    pagination_class = EventPagination
    queryset = Event.objects.none()  # its rows come from `permissions.visible`, in an order of their own

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return [_fed(event) for event in cast(EventPagination, self.paginator).paginate_feed(self.reader, self.request)]


def _fed(event: Any) -> dict[str, Any]:
    """Return an event, a row of `permissions.visible`, in the words of `timeline_entry`."""
    chapter = event_chapter(event.submission__chapter, event.submission__takes_effect, event.at)
    return {
        "number": event.pk,
        "at": event.at,
        "who": event.actor__name or "The portal",
        "role": Role(event.actor__role).label if event.actor__role else "",
        "verb": event.verb,
        "what": VERB_TEXTS.get(event.verb, event.verb),
        "detail": event_detail(chapter, event) if chapter else "",
        "reason": event.reason,
        "lines": line_changes(dict(changed_lines(chapter, event))) if chapter else [],
        "submission": event.submission__number,
        "licensee": event.submission__organization__slug,
    }


class AssignmentRequestSerializer(StrictSerializer):
    codes = {"required": "field-shape"}
    person = of.IntegerField(
        min_value=0,
        max_value=2**63 - 1,
        allow_null=True,
        help_text="The number of a person from `assignable`; null unassigns the filing",
    )
    version = of.IntegerField(min_value=0, max_value=HIGHEST, help_text="The version of the filing that you saw")


class AssignablePersonSerializer(of.Serializer[Any]):
    id = of.IntegerField()
    name = of.CharField()


class AssignmentSerializer(of.Serializer[Any]):
    number = of.CharField(help_text="Of the submission or the layout filing")
    version = of.IntegerField(help_text="Of the submission or the layout filing")
    assigned_to = AssignablePersonSerializer(
        allow_null=True, help_text="The person of the Board who works on it; always null for a licensee"
    )
    assigned_at = of.DateTimeField(allow_null=True)
    assignable = AssignablePersonSerializer(
        many=True, help_text="The people to whom it can be assigned; empty for a licensee"
    )


class AssignmentView(BaseView, RetrieveAPIView[Any]):
    """Who works on the submission: only the Board sees it."""

    post = BaseView.write_once
    serializer_class = AssignmentSerializer
    result_serializer = AssignmentSerializer
    operation = "assignSubmission"
    write_summary = "Assign the submission to a person of the Board, or unassign it."
    write_scopes = (Scope.REVIEW,)
    request_serializer = AssignmentRequestSerializer
    statuses = {200: "It is assigned to this person, or to no one"}

    def filing(self) -> Submission | LayoutFiling:
        """Return the filing that the address names, if the caller may see it."""
        return submission_at(self)

    def get_object(self) -> Row:
        return self._assignment(self.filing())

    def write(self, sent: dict[str, Any]) -> WriteResult:
        filing = self.filing()
        require(self.reader, "assign", filing)
        if sent["person"] is None:
            unassign_work(self.reader, filing, version=sent["version"])
        else:
            assign_work(self.reader, filing, self._person(sent["person"]), version=sent["version"])
        return WriteResult(self._assignment(filing))

    def _person(self, number: int) -> Person:
        person = assignable_people(self.reader).filter(pk=number).first()
        if person is None:
            raise NotFound("not-found/assignee", option="person", person=number)
        return person

    def _assignment(self, filing: Submission | LayoutFiling) -> Row:
        at_regulator = self.reader.at_regulator
        assignment = assignment_of(filing) if at_regulator else None
        people = assignable_people(self.reader).values("pk", "name") if at_regulator else ()
        return {
            "number": filing.number,
            "version": filing.version,
            "assigned_to": {"id": assignment.person_id, "name": assignment.person.name} if assignment else None,
            "assigned_at": assignment.at if assignment else None,
            "assignable": [{"id": row["pk"], "name": row["name"]} for row in people],
        }


class LayoutAssignmentView(AssignmentView):
    """Who works on the layout filing: only the Board sees it."""

    operation = "assignLayout"
    write_summary = "Assign the layout filing to a person of the Board, or unassign it."

    def filing(self) -> LayoutFiling:
        rows = layouts_visible_to(self.reader).select_related("submission__organization")
        return first_or_not_found(rows.filter(number=self.kwargs["number"]), "layout filing")
