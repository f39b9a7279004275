"""Every event that a person may read, of all submissions, in the order in which each could first be read.

The Board sees what a licensee drafted from the next filing on: here it comes with that filing, after everything that
happened in between. So no event is ever put before a cursor that a reader was given. Which events a person may read is
`history_visible_to`, submission by submission; their words are `submissions.audit.timeline`.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from django.db.models import QuerySet

from submissions.models import Event, Submission
from submissions.permissions.read_scope import ReadScope, Visitor, read_scope_of, readable_within
from submissions.permissions.visible import BOARD_ONLY_VERBS, LICENSEE_ONLY_VERBS, UNFILED_VERBS

FeedCursor = tuple[int, int]  # the event with which it could be read, and the event itself
START: FeedCursor = (0, 0)
DRAFT_START_VERBS = ("started", "amends")  # with the first filing the Board learns of the submission
DRAFT_VERBS = (*UNFILED_VERBS, *DRAFT_START_VERBS)
FIELDS = (
    "pk", "at", "verb", "reason", "before", "after", "actor__name", "actor__role", "submission__number",
    "submission__chapter", "submission__takes_effect", "submission__organization__slug",
)  # fmt: skip


def events_after(person: Visitor, after: FeedCursor, limit: int) -> list[tuple[FeedCursor, Any]]:
    """The next events after that place, at most `limit`, each as a row of `FIELDS`."""
    places = [place for place in _places(read_scope_of(person), after, limit) if place > after][:limit]
    events = {row.pk: row for row in _events().filter(pk__in=[event for _, event in places])}
    return [(place, events[place[1]]) for place in places]


def _places(scope: ReadScope | None, after: FeedCursor, limit: int) -> list[FeedCursor]:
    """The places from that one on, at least `limit` and one more if there are as many, in order."""
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
    """What can be read as soon as it happens; for the Board, without what was drafted."""
    hidden = (*DRAFT_VERBS, *LICENSEE_ONLY_VERBS) if scope and scope.at_regulator else BOARD_ONLY_VERBS
    submissions = readable_within(scope, Submission.objects.all())
    rows = Event.objects.filter(submission__in=submissions.values("pk")).exclude(verb__in=hidden)
    return rows.order_by("sequence").values_list("pk", "submission", "verb")


def _drafted(filings: dict[int, int]) -> Iterable[FeedCursor]:
    """What was drafted for each of these filings."""
    rows = Event.objects.filter(submission__in=set(filings.values()), verb__in=("filed", *DRAFT_VERBS))
    drafted = defaultdict(list)
    for event, submission, verb in rows.order_by("sequence").values_list("pk", "submission", "verb"):
        if verb != "filed":
            drafted[submission].append(event)
            continue
        since = drafted.pop(submission, [])
        if event in filings:
            yield from ((event, draft_event) for draft_event in since)
