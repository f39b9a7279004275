"""Notices of orders, waivers and conditions: that one was entered, ended early, or ends soon.

They go to the licensees that it concerns and to the Board's reviewers, once, with the digests. Conditions that are
entered with an approval are in the notice of the approval. Not here: notices of filings (`notices`).
"""

from datetime import date

from django.db.models import Q, QuerySet

from submissions.core.dates import date_text
from submissions.models import ROLES_OF, Event, MailPreference, Notice, Order, Organization, Person
from submissions.orders.order_entry import ENDED, ENTERED
from submissions.orders.order_periods import order_periods
from submissions.orders.order_tasks import ENDING, affected_licensees
from submissions.orders.order_words import chapter_words, days_words, licensee_words, order_name, tables_words
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES

VERBS = (ENTERED, ENDED, ENDING)


def notify_about_order(event: Event) -> list[Notice]:
    """A notice for each recipient but the actor."""
    if event.verb not in VERBS:
        return []
    order = Order.objects.select_related("organization").get(number=event.after["order"])
    words = _words(event, order)
    notices = [
        Notice(person=person, event=event, words=words, at=event.at, to_mail=person.mails != MailPreference.NONE)
        for person in _recipients(event, order)
    ]
    return Notice.objects.bulk_create(notices)


def _recipients(event: Event, order: Order) -> QuerySet[Person]:
    board = Organization.Kind.REGULATOR
    own = Q(organization__in=affected_licensees(order), role__in=PREPARER_ROLES)
    reviewers = Q(organization__kind=board, organization__sandbox_of=None, role__in=REVIEWER_ROLES)
    people = Person.objects.filter(own | (reviewers & Q(role__in=ROLES_OF[board])), is_active=True, is_system=False)
    return people.exclude(pk=event.actor_id or 0).order_by("pk")


def _words(event: Event, order: Order) -> str:
    """A sentence on what happened, and one on what the order is about."""
    who = event.actor.name if event.actor else "The portal"
    scope = f"{licensee_words(order)}, {chapter_words(order)}, {tables_words(order)}, {order.citation}"
    if event.verb == ENDING:
        return f"{order_name(order)} ends: its last day is {_day(event, 'last_day')}. {scope}."
    if event.verb == ENDED:
        met = event.after["outcome"] == "met"
        what = "noted as met" if met else "ended"
        return f"{who} {what}: {order_name(order)}, from {_day(event, 'from_day')}. {scope}. {event.reason}"
    (period,) = order_periods(Order.objects.filter(pk=order.pk))
    replaced = f", in the place of {event.after['replaces']}" if "replaces" in event.after else ""
    return f"{who} entered {order_name(order)}{replaced}: {scope}. {days_words(period)}."


def _day(event: Event, name: str) -> str:
    return date_text(date.fromisoformat(event.after[name]))
