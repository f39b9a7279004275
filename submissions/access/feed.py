"""Every event that a person may read, of all submissions, in the order in which each could first be read.

What a licensee drafts is the Board's from the next filing on: here it comes with that filing, after whatever happened
in between. So nothing is ever put before a place that was reached, and who keeps it goes on from there. Which events
these are is `history_visible_to`, submission by submission; their words are `submissions.story`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser

from submissions.access.seeing import NEVER_FILED, NOT_FILED_YET, WITHIN_BOARD, Visitor, visible_to
from submissions.models import Event

Place = tuple[int, int]  # the event with which it could be read, and the event itself
START: Place = (0, 0)
BEGUN = ("started", "amends")  # with the first filing the Board learns of the submission
DRAFTED = (*NOT_FILED_YET, *BEGUN)


def feed(person: Visitor, after: Place, most: int) -> list[tuple[Place, Event]]:
    """The next events after the place, at most so many."""
    next_ones = [place for place in _places(person, after, most) if place > after][:most]
    rows = Event.objects.select_related("actor", "submission__organisation")
    events = rows.in_bulk([event for _, event in next_ones])
    return [(place, events[place[1]]) for place in next_ones]


def _places(person: Visitor, after: Place, most: int) -> list[Place]:
    """The places from that one on, as many as are asked for and some more, in order."""
    seen = Event.objects.filter(submission__in=visible_to(person).values("pk"), sequence__gte=after[0])
    if isinstance(person, AnonymousUser) or not person.at_regulator:
        seen = seen.exclude(verb__in=WITHIN_BOARD)
        return [(one, one) for one in seen.order_by("sequence").values_list("pk", flat=True)[: most + 1]]
    rows = seen.exclude(verb__in=(*DRAFTED, *NEVER_FILED)).order_by("sequence")
    told = list(rows.values_list("pk", "submission", "verb")[: most + 1])
    filings = {event: submission for event, submission, verb in told if verb == "filed"}
    return sorted([*((event, event) for event, _, _ in told), *_drafted(filings)])


def _drafted(filings: dict[int, int]) -> Iterable[Place]:
    """What was drafted for each of these filings."""
    rows = Event.objects.filter(submission__in=set(filings.values()), verb__in=("filed", *DRAFTED))
    drafted = defaultdict(list)
    for event, submission, verb in rows.order_by("sequence").values_list("pk", "submission", "verb"):
        if verb != "filed":
            drafted[submission].append(event)
            continue
        since = drafted.pop(submission, [])
        if event in filings:
            yield from ((event, one) for one in since)
