"""Notices of a published rulemaking: to the people of every licensee whose version it concerns, mailed by their choice.

Each notice names the licensee's own games, whether its version must be filed again, and by when. Not here: notices of a
submission's events (`notices`), who has filed again (`rulemakings.refiling`).
"""

from collections import defaultdict

from games.registry import title_of
from submissions.core.dates import date_text
from submissions.models import ChangeEffect, Event, MailPreference, Notice, Person, Rulemaking
from submissions.notifications import email
from submissions.permissions import PREPARER_ROLES

VERB = "rulemaking-published"


def notify_licensees(event: Event) -> list[Notice]:
    """A notice for each preparer and manager of the licensees concerned; a subscriber of events."""
    if event.verb != VERB:
        return []
    rulemaking = Rulemaking.objects.get(number=event.after["rulemaking"])
    rows = ChangeEffect.objects.filter(change__rulemaking=rulemaking).select_related("change", "version")
    by_licensee: dict[int, list[ChangeEffect]] = defaultdict(list)
    for row in rows:
        by_licensee[row.version.organization_id].append(row)
    people = Person.objects.filter(
        organization__in=by_licensee, role__in=PREPARER_ROLES, is_active=True, is_system=False
    ).order_by("pk")
    notices = [_notice(event, rulemaking, person, by_licensee[person.organization_id or 0]) for person in people]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, f"{rulemaking.number}: {rulemaking.title}")
    return notices


def _notice(event: Event, rulemaking: Rulemaking, person: Person, rows: list[ChangeEffect]) -> Notice:
    sentences = dict.fromkeys(map(_sentence, rows))
    first = f"The Board published {rulemaking.number}, “{rulemaking.title}” ({rulemaking.source})."
    return Notice(
        person=person,
        event=event,
        submission=None,
        decides=True,
        words="\n".join([first, *(f"- {sentence}" for sentence in sentences)]),
        at=event.at,
        to_mail=person.mails != MailPreference.NONE,
    )


def _sentence(row: ChangeEffect) -> str:
    chapter, day = row.change.chapter, date_text(row.change.effective)
    game = f"{chapter}, {title_of(chapter)}"
    if row.effects:
        return f"{game}: refile by {day}. Your version in effect stays as it is until then."
    return f"{game}: the rules change on {day}; nothing changes for your version."
