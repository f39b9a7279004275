"""Saving a page of answers: every line that can be saved is; each one that cannot says why and keeps what was typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from games.rules.model import Answer, Answers
from submissions.actions import drafts
from submissions.actions.configurations import position_in
from submissions.errors import Conflict, Refusal
from submissions.models import Event, Person, Submission


@dataclass(slots=True)
class Clash:
    """One line that two people changed: both answers, and who the other one is."""

    mine: Answer
    theirs: Answer
    by: str = ""
    at: datetime | None = None


@dataclass(slots=True)
class Outcome:
    """What became of a page: what is stored now, what was changed, and the lines that were not saved."""

    answers: Answers = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    clashes: dict[str, Clash] = field(default_factory=dict)
    refusals: dict[str, Refusal] = field(default_factory=dict)

    @property
    def unsaved(self) -> set[str]:
        return {*self.clashes, *self.refusals}


def save(actor: Person, submission: Submission, posted: Answers, seen: Answers, *, group: int = 0) -> Outcome:
    """Save the lines that differ from what this page saw. A line that cannot be saved never holds up another."""
    outcome = Outcome()
    changes = {key: value for key, value in posted.items() if value != seen.get(key)}
    while True:
        try:
            row = drafts.save_answers(actor, submission, changes, seen=seen, configuration=group)
            break
        except Conflict as conflict:
            if conflict.option not in changes:  # not one line: the whole group is gone
                raise
            outcome.clashes[conflict.option] = _clash(submission, conflict, changes.pop(conflict.option), group)
        except Refusal as refusal:
            if refusal.option not in changes:
                raise
            outcome.refusals[refusal.option] = refusal
            del changes[refusal.option]
    outcome.answers, outcome.changed = row.answers, tuple(changes)
    return outcome


def _clash(submission: Submission, conflict: Conflict, mine: Answer, group: int) -> Clash:
    theirs: Answer = conflict.theirs  # type: ignore[assignment]
    event = last_change(submission, conflict.option, group)
    if event is None:
        return Clash(mine, theirs)
    return Clash(mine, theirs, by=event.actor.name if event.actor else "the portal", at=event.at)


def last_change(submission: Submission, option: str, group: int) -> Event | None:
    """The event that last changed this line in this group."""
    events = Event.objects.filter(submission=submission, verb__in=("saved", "attached")).select_related("actor")
    latest = events.order_by("-sequence").iterator()
    return next((event for event in latest if option in event.after and position_in(event) == group), None)
