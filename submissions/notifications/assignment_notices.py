"""The notice to a person of the Board that a filing was assigned to them. Not here: other notices (`notices`)."""

from games.registry import title_of
from submissions.models import Event, MailPreference, Notice, Person
from submissions.review.assignments import ASSIGNED


def notify_assignee(event: Event) -> list[Notice]:
    """A notice for the person, unless they assigned it to themselves; a subscriber of events."""
    if event.verb != ASSIGNED or event.submission is None or event.after["person"] == event.actor_id:
        return []
    person = Person.objects.get(pk=event.after["person"])
    notice = Notice.objects.create(
        person=person,
        event=event,
        submission=event.submission,
        words=_words(event),
        at=event.at,
        to_mail=person.mails != MailPreference.NONE,
    )
    return [notice]


def _words(event: Event) -> str:
    submission = event.submission
    if submission is None:
        return ""
    who = event.actor.name if event.actor else "The portal"
    game = title_of(submission.chapter) or f"chapter {submission.chapter}"
    layout = f"{event.after['filing']} for " if "filing" in event.after else ""
    return f"{who} assigned {layout}{submission.number} ({game}, {submission.organization.name}) to you."
