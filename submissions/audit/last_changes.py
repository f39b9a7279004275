"""Who changed each line of a checklist last, and when: from the events that record the answers, in one query."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from submissions.audit.record import IN_GROUP
from submissions.models import Event, Submission

SAVING_VERBS = ("saved", "attached")


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of a line; `name` of the person, or "The portal"."""

    name: str
    at: datetime
    person: int | None = None  # the key of the person's record; None for the portal


def last_changes(submission: Submission, group: int) -> dict[str, LastChange]:
    """By line, of the table group at this position. A line that nobody changed since the draft was started, or that the
    group or a copy began with, is not in it.
    """
    rows = Event.objects.filter(submission=submission, verb__in=(*SAVING_VERBS, "grouped")).order_by("sequence")
    changes: dict[str, LastChange] = {}
    for verb, after, at, name, person in rows.values_list("verb", "after", "at", "actor__name", "actor"):
        if verb == "grouped":  # a position that another group had begins without changes
            if after.get("position") == group:
                changes.clear()
        elif _position(after) == group:
            changes |= {key: LastChange(name or "The portal", at, person) for key in after if key != IN_GROUP}
    return changes


def _position(after: Mapping[str, Any]) -> int:
    position: int = after.get(IN_GROUP, {"position": 0})["position"]
    return position
