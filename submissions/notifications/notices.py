"""Notices of an event: their recipients and their text. Created with the event, in its transaction (`audit.record`).

`NOTICE_RULES` defines them. A notice names the affected lines by their questions. It never has remarks, and nothing
internal to the Board or from before filing. E-mail is in `email`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.registry import title_of
from submissions.audit.affected_lines import affected_lines
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.layouts.not_cleared import parts_not_approved
from submissions.layouts.payout_limit import joined
from submissions.layouts.readiness import readiness_of_revision
from submissions.models import ROLES_OF, Event, MailPreference, Notice, Organization, Person, Role, Submission
from submissions.notifications import email
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES, stand_ins_on


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """`title` is the subject of the mail, `did` follows the actor's name. Each role belongs to one side."""

    title: str
    did: str
    at_once: tuple[Role, ...] = ()  # it is a decision for them
    daily: tuple[Role, ...] = ()
    with_note: bool = False  # the reason is a note among people of the licensee, and part of the text


NOTICE_RULES: dict[str, NoticeRule] = {
    "sent-to-manager": NoticeRule("sent to manager", "sent {it} to you", (Role.MANAGER,), with_note=True),
    "sent-back": NoticeRule("sent back to preparer", "sent {it} back to you", (Role.PREPARER,), with_note=True),
    "filed": NoticeRule("filed", "filed {it}", daily=(Role.ANALYST, *PREPARER_ROLES)),
    "withdrew": NoticeRule("withdrawn", "withdrew {it}", daily=(*REVIEWER_ROLES, *PREPARER_ROLES)),
    "recommended": NoticeRule(
        "recommended for approval", "recommended {it} for approval", (Role.DIRECTOR,), (Role.ANALYST, *PREPARER_ROLES)
    ),
    "returned": NoticeRule("returned with questions", "returned {it} with questions", PREPARER_ROLES, REVIEWER_ROLES),
    "approved": NoticeRule("approved", "approved {it}", PREPARER_ROLES, REVIEWER_ROLES),
    "rejected": NoticeRule("rejected", "rejected {it}", PREPARER_ROLES, REVIEWER_ROLES),
    "signed": NoticeRule("signed document", "made the signed document of {it}", daily=PREPARER_ROLES),
    "discontinued": NoticeRule("discontinued", "discontinued {it}", daily=(*REVIEWER_ROLES, *PREPARER_ROLES)),
    "layout-filed": NoticeRule("layout filed", "filed {filing} for {it}", daily=(Role.ANALYST, *PREPARER_ROLES)),
    "layout-withdrew": NoticeRule(
        "layout withdrawn", "withdrew {filing} for {it}", daily=(*REVIEWER_ROLES, *PREPARER_ROLES)
    ),
    "layout-found-deficient": NoticeRule(
        "layout found deficient", "issued a deficiency notice for {filing} for {it}", PREPARER_ROLES, REVIEWER_ROLES
    ),
    "layout-recommended": NoticeRule(
        "layout reported", "reported on {filing} for {it}", (Role.DIRECTOR,), (Role.ANALYST, *PREPARER_ROLES)
    ),
    "layout-approved": NoticeRule("layout approved", "approved {filing} for {it}", PREPARER_ROLES, REVIEWER_ROLES),
    "layout-rejected": NoticeRule("layout rejected", "rejected {filing} for {it}", PREPARER_ROLES, REVIEWER_ROLES),
    "papers-signed": NoticeRule("signed papers", "made the signed papers of {filing} for {it}", daily=PREPARER_ROLES),
}


def notify_people(event: Event) -> list[Notice]:
    """A notice for each recipient but the actor; a decision is mailed at once to those who chose that."""
    rule = NOTICE_RULES.get(event.verb)
    if rule is None or event.submission is None:
        return []
    lines, stand_ins = affected_lines(event), _stand_ins(event.submission)
    not_cleared = _not_cleared(event.submission) if event.verb == "approved" else ""
    notices = [
        Notice(
            person=person,
            event=event,
            submission=event.submission,
            decides=person.role in rule.at_once or (Role.MANAGER in rule.at_once and person.pk in stand_ins),
            words=_text(event, event.submission, rule, lines, not_cleared, to_board=person.at_regulator),
            at=event.at,
            to_mail=person.mails != MailPreference.NONE,
        )
        for person in _recipients(event, event.submission, rule, stand_ins)
    ]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.decides and notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, f"{event.submission.number} {rule.title}: {_game(event.submission)}")
    return notices


def mark_seen(notices: list[Notice]) -> None:
    """Note that these were shown to their person."""
    shown = [notice.pk for notice in notices if notice.seen_at is None]
    if shown:
        Notice.objects.filter(pk__in=shown, seen_at=None).update(seen_at=timezone.now())


def choose_mail_preference(person: Person, choice: str) -> None:
    """Set the person's preference. With `NONE`, notices that wait for a digest are not mailed either."""
    if choice not in MailPreference.values:
        raise Refusal("mails-unknown", choice=choice, choices="; ".join((label for _, label in MailPreference.choices)))
    Person.objects.filter(pk=person.pk).update(mails=choice)
    if choice == MailPreference.NONE:
        Notice.objects.filter(person=person, to_mail=True, mail=None).update(to_mail=False)


def _stand_ins(submission: Submission) -> set[int]:
    """The primary keys of those who act for the manager today, and get a manager's notices."""
    rows = stand_ins_on(timezone.localdate()).filter(organization=submission.organization_id)
    return set(rows.values_list("person", flat=True))


def _recipients(event: Event, submission: Submission, rule: NoticeRule, stand_ins: Collection[int]) -> QuerySet[Person]:
    """People of the licensee and, after filing, of the Board, by role; without the actor and those who left."""
    sides = Q(organization=submission.organization, role__in=ROLES_OF[Organization.Kind.LICENSEE])
    if submission.organization.is_live and submission.revisions.exists():
        board = Organization.Kind.REGULATOR
        sides |= Q(organization__kind=board, role__in=ROLES_OF[board])
    roles = rule.at_once + rule.daily
    served = Q(role__in=roles) | (Q(pk__in=stand_ins) if Role.MANAGER in roles else Q(pk__in=()))
    people = Person.objects.filter(sides, served, is_active=True, is_system=False)
    return people.exclude(pk=event.actor_id or 0).select_related("organization").order_by("pk")


def _text(
    event: Event, submission: Submission, rule: NoticeRule, lines: Sequence[str], not_cleared: str, *, to_board: bool
) -> str:
    """A sentence, a line for each affected line, and a warning if the approved game is not cleared for play."""
    who = event.actor.name if event.actor else "The portal"
    it = f"{submission.number} ({_game(submission)}{f', {submission.organization.name}' if to_board else ''})"
    day = event.after.get("from_day")
    when = f", from {date_text(date.fromisoformat(day))}" if day else ""
    note = f" Note: {event.reason}" if rule.with_note and event.reason else ""
    sentence = f"{who} {rule.did.format(it=it, filing=event.after.get('filing', ''))}{when}.{note}"
    text = [f"{sentence} Lines concerned:", *(f"- {line}" for line in lines)] if lines else [sentence]
    if not_cleared:
        game = "the game under these rules" if submission.amends_id else "the game"
        warning = "The game is not cleared for play yet." if to_board else f"Do not offer {game} yet."
        text.append(f"{warning} {not_cleared}")
    return "\n".join(text)


def _not_cleared(submission: Submission) -> str:
    """Name what the approved game lacks before it may be offered (§ 601a.10); "" if nothing."""
    groups = readiness_of_revision(submission.revisions.latest("number"))
    parts = [part.value for part in parts_not_approved(groups)]
    missing = f"The {joined(parts)} {'is' if len(parts) == 1 else 'are'} not approved." if parts else ""
    why = next((group.not_cleared_for_play for group in groups if group.not_cleared_for_play), "")
    return " ".join(filter(None, (missing, why and f"Sign and guide are not cleared for play. {why}")))


def _game(submission: Submission) -> str:
    return title_of(submission.chapter) or f"chapter {submission.chapter}"
