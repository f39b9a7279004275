"""Notices of a published rulemaking: to the people of every licensee whose version it concerns, mailed by their choice.

Also where a version is approved after the publication, under rules that then change.

Each notice names the licensee's own games, whether its version must be filed again, and by when. Not here: notices of a
submission's events (`notices`), who has filed again (`rulemakings.refiling`).
"""

from collections import defaultdict

from django.db.models import QuerySet

from games.registry import title_of
from submissions.core.dates import date_text
from submissions.models import ChangeEffect, Event, MailPreference, Notice, Person, Rulemaking
from submissions.notifications import email
from submissions.permissions import PREPARER_ROLES
from submissions.rules.effective_rules import changes_rules

VERB = "rulemaking-published"
AFFECTS = "rulemaking-affects"
PAPERS = {"layout": "layout", "sign": "payout sign", "guide": "gaming guide"}


def notify_licensees(event: Event) -> list[Notice]:
    """A notice for each preparer and manager of the licensees concerned; a subscriber of events."""
    if event.verb == VERB:
        rulemaking = Rulemaking.objects.get(number=event.after["rulemaking"])
        rows = ChangeEffect.objects.filter(change__rulemaking=rulemaking)
        first = f"The Board published {rulemaking.number}, “{rulemaking.title}” ({rulemaking.source})."
        return _notify(event, rows, first, f"{rulemaking.number}: {rulemaking.title}")
    if event.verb == AFFECTS:
        rows = ChangeEffect.objects.filter(version=event.after["version"]).exclude(effects=[])
        numbers = ", ".join(dict.fromkeys(number for number, *_ in event.after["changes"]))
        receipt = event.after["receipt"]
        first = f"{receipt} was approved under rules that the Board has already changed for a later day ({numbers})."
        return _notify(event, rows, first, f"{receipt}: the rules change")
    return []


def _notify(event: Event, affected: QuerySet[ChangeEffect], first: str, subject: str) -> list[Notice]:
    rows = affected.select_related("change__rulemaking", "version")
    by_licensee: dict[int, list[ChangeEffect]] = defaultdict(list)
    for row in rows:
        by_licensee[row.version.organization_id].append(row)
    people = Person.objects.filter(
        organization__in=by_licensee, role__in=PREPARER_ROLES, is_active=True, is_system=False
    ).order_by("pk")
    notices = [_notice(event, first, person, by_licensee[person.organization_id or 0]) for person in people]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, subject)
    return notices


def _notice(event: Event, first: str, person: Person, rows: list[ChangeEffect]) -> Notice:
    sentences = dict.fromkeys(map(_sentence, rows))
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
    if row.effects and not changes_rules(row.change):
        papers = " and ".join(PAPERS.get(kind, kind) for kind in row.effects)
        return f"{game}: from {day} your {papers} must show something else. You need not refile the Rules Submission."
    if row.effects:
        return f"{game}: refile by {day}. Your version in effect stays as it is until then."
    return f"{game}: the rules change on {day}; nothing changes for your version."
