"""Notices of alerts to the administrators of the Board, mailed at once to those who chose that."""

from django.db.models import QuerySet

from submissions.models import Event, MailPreference, Notice, Organization, Person
from submissions.notifications import email
from submissions.operations.alerts import RAISED

SHOWN = 10  # messages in one notice


def notify_administrators(event: Event) -> list[Notice]:
    """One notice for each administrator of the Board; a subscriber of events."""
    if event.verb != RAISED:
        return []
    words = _words(event)
    notices = [
        Notice(
            person=person,
            event=event,
            decides=True,
            words=words,
            at=event.at,
            to_mail=person.mails != MailPreference.NONE,
        )
        for person in board_administrators()
    ]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, "The portal needs an operator")
    return notices


def board_administrators() -> QuerySet[Person]:
    """Who is alerted: the same people who may open the page of the operators."""
    board = Organization.Kind.REGULATOR
    people = Person.objects.filter(organization__kind=board, organization__sandbox_of=None, administrator=True)
    return people.filter(is_active=True, is_system=False).order_by("pk")


def _words(event: Event) -> str:
    """The first messages, one after the other, and how many more there are."""
    messages = event.after["messages"]
    more = len(messages) - SHOWN
    rest = f" {more} more: see the page Operations." if more > 0 else ""
    return f"The portal needs an operator. {' '.join(messages[:SHOWN])}{rest}"
