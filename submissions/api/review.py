"""What was said and done: remarks with their replies, the history of a submission in words, the feed of all events."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from rest_framework import serializers as of

from submissions.api.filings.submissions import submission_at
from submissions.api.framework.pagination import EventPagination
from submissions.api.framework.read_views import PagedListView, ReadSerializer, UnpagedListView
from submissions.audit.timeline import (
    VERB_TEXTS,
    TimelineEntry,
    changed_lines,
    event_chapter,
    event_detail,
    line_changes,
    timeline,
)
from submissions.models import Remark, Reply, Role
from submissions.review.threads import Thread, load_threads


class ReplySerializer(ReadSerializer):
    kind = of.ChoiceField(Reply.Kind.choices)
    text = of.CharField()
    by = of.CharField(source="by.name")
    at = of.DateTimeField()


class RemarkSerializer(ReadSerializer):
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


class EventChangeSerializer(ReadSerializer):
    option = of.CharField()
    question = of.CharField()
    before = of.CharField(help_text="In words")
    after = of.CharField(help_text="In words")


class EventSerializer(ReadSerializer):
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


class RemarksView(UnpagedListView):
    """The remarks that one may read, in the order in which they were written."""

    serializer_class = RemarkSerializer

    def get_items(self) -> Iterable[Thread]:
        return load_threads(self.reader, submission_at(self)).all


class EventsView(UnpagedListView):
    """Who did what, when and why, the latest first; consecutive changes of one person are one entry."""

    serializer_class = EventSerializer

    def get_items(self) -> Iterable[TimelineEntry]:
        return timeline(submission_at(self), self.reader)


class FeedView(PagedListView):
    """Every event of every submission that one may read, in the order in which each could first be read."""

    serializer_class = FedSerializer
    pagination_class = EventPagination

    def get_page(self) -> Sequence[Any]:
        return cast(EventPagination, self.paginator).paginate_feed(self.reader, self.request)

    def prepare(self, rows: Sequence[Any]) -> Iterable[dict[str, Any]]:
        return map(_fed, rows)


def _fed(event: Any) -> dict[str, Any]:
    """A row of `permissions.event_feed` in the words of `timeline_entry`."""
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
