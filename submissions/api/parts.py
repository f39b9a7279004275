"""What was said and done: remarks with their replies, the history of a submission in words, the feed of all events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from rest_framework import serializers as of

from games.rules.registry import held
from submissions.api.paging import EVENT_CURSOR, Page, page_of_events
from submissions.api.reading import Paged, Shape, Whole
from submissions.api.submissions import submission_at
from submissions.models import Event, Remark, Reply, Submission
from submissions.story import Entry, entry_of, history
from submissions.talks import Talk, talks


class ReplyShape(Shape):
    kind = of.ChoiceField(Reply.Kind.choices)
    text = of.CharField()
    by = of.CharField(source="by.name")
    at = of.DateTimeField()


class RemarkShape(Shape):
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
    asked = of.BooleanField(help_text="Whether the Board's return asks it, and it wants an answer")
    answer_then = of.SerializerMethodField(help_text="The line's answer that it is about, in words; empty without one")
    answer_now = of.SerializerMethodField()
    replies = ReplyShape(many=True)

    def get_answer_then(self, talk: Talk) -> str:
        return talk.before if talk.remark.option else ""

    def get_answer_now(self, talk: Talk) -> str:
        return talk.now if talk.remark.option else ""


class EventShape(Shape):
    number = of.IntegerField(help_text="Its place in the chain of all events; of several told together, the last")
    at = of.DateTimeField()
    who = of.CharField()
    role = of.CharField()
    verb = of.CharField(help_text="Stable: rely on it")
    what = of.CharField(help_text="The same in words")
    detail = of.CharField()
    reason = of.CharField()
    changes = of.SerializerMethodField(help_text="The lines that were changed")

    def get_changes(self, entry: Entry) -> list[dict[str, str]]:
        return entry.lines


class FedShape(EventShape):
    number = of.IntegerField(help_text="Its place in the chain of all events")
    submission = of.CharField()
    licensee = of.CharField(help_text="By its short name")


class Remarks(Whole):
    """The remarks that one may read, in the order in which they were written."""

    serializer_class = RemarkShape

    def things(self) -> Iterable[Talk]:
        return talks(self.reader, submission_at(self)).all


class Events(Whole):
    """Who did what, when and why, the latest first; consecutive changes of one person are told together."""

    serializer_class = EventShape

    def things(self) -> Iterable[Entry]:
        return history(submission_at(self), self.reader)


@dataclass(slots=True)
class Fed(Entry):
    """One event of many submissions."""

    submission: str = ""
    licensee: str = ""


class Feed(Paged):
    """Every event of every submission that one may read, in the order in which each could first be read."""

    serializer_class = FedShape
    cursor = EVENT_CURSOR

    def page(self) -> Page:
        return page_of_events(self.request, self.reader)

    def seen(self, rows: Sequence[Event]) -> Iterable[Fed]:
        return [_fed(event, event.submission) for event in rows if event.submission]


def _fed(event: Event, submission: Submission) -> Fed:
    entry = entry_of(held(submission.chapter), event)
    told = {one.name: getattr(entry, one.name) for one in fields(entry)}
    return Fed(**told, submission=submission.number, licensee=submission.organisation.slug)
