"""Notices of open tables without an approval, to those who file for the licensee and to the Board's reviewers.

Not here: which tables they are, and when the notice is due (`filings.uncovered_tables`).
"""

from datetime import date

from django.db.models import Q, QuerySet

from games.registry import title_of
from games.rules.tables import parse_tables, tables_with_noun
from submissions.core.dates import date_text
from submissions.filings.uncovered_tables import OPEN_WITHOUT_APPROVAL
from submissions.models import Event, MailPreference, Notice, Organization, Person
from submissions.notifications import email
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES


def notify_about_tables(event: Event) -> list[Notice]:
    """One notice for each recipient, mailed at once to those who chose that."""
    if event.verb != OPEN_WITHOUT_APPROVAL or event.organization is None:
        return []
    notices = [
        Notice(
            person=person,
            event=event,
            decides=True,
            words=_words(event, event.organization, to_licensee=person.at_licensee),
            at=event.at,
            to_mail=person.mails != MailPreference.NONE,
        )
        for person in _recipients(event.organization)
    ]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, f"Open without an approval: {title_of(event.after['chapter'])}")
    return notices


def _recipients(licensee: Organization) -> QuerySet[Person]:
    own = Q(organization=licensee, role__in=PREPARER_ROLES)
    board = Organization.Kind.REGULATOR
    reviewers = Q(organization__kind=board, organization__sandbox_of=None, role__in=REVIEWER_ROLES)
    people = Person.objects.filter(own | reviewers, is_active=True, is_system=False)
    return people.select_related("organization").order_by("pk")


def _words(event: Event, licensee: Organization, *, to_licensee: bool) -> str:
    """State what is open where and why that is a fault; tell the licensee what to do."""
    chapter, day = event.after["chapter"], date_text(date.fromisoformat(event.after["day"]))
    tables = tables_with_noun(parse_tables(event.after["tables"]))
    words = (
        f"Open without an approval: {licensee.name}, {title_of(chapter)} ({chapter}), {tables}. "
        f"No approved version of the game is in effect on {day} (§ 601a.2)."
    )
    return f"{words} Close the tables until the Board approves the game." if to_licensee else words
