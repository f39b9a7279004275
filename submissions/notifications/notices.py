"""Notices of an event: their recipients and their text. Created with the event, in its transaction (`audit.record`).

`NOTICE_RULES` defines those of a submission's events. A notice names the affected lines by their questions. It never
has remarks, and nothing internal to the Board or from before filing. Conditions that are entered with an approval are
in its notice. E-mail is in `email`; who has filed again after a rulemaking, in `rulemakings.refiling`; when a notice of
open tables is due, in `filings.tables.table_status`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import get_text_list

from games.registry import title_of
from games.rules.lists import parse_tables, tables_with_noun
from submissions.audit.timeline import affected_lines
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.filings.orders.order_entry import ENDED, ENTERED
from submissions.filings.orders.order_periods import order_periods
from submissions.filings.orders.order_tasks import (
    ENDING,
    affected_licensees,
    chapter_words,
    days_words,
    licensee_words,
    order_name,
    tables_words,
)
from submissions.filings.review.assignments import ASSIGNED
from submissions.filings.tables.table_status import OPEN_WITHOUT_APPROVAL
from submissions.layouts.readiness import parts_not_approved, readiness_of_revision
from submissions.models import (
    ROLES_OF,
    ChangeEffect,
    Event,
    MailPreference,
    Notice,
    Order,
    Organization,
    Person,
    Role,
    Rulemaking,
    Submission,
)
from submissions.notifications import email
from submissions.permissions import PREPARER_ROLES, REVIEWER_ROLES, stand_ins_on
from submissions.rules import changes_rules


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


def create_notices(events: Sequence[Event], **_: object) -> None:
    """Create the notices of these events; a receiver of `events_recorded`."""
    for event in events:
        notify_people(event)
        notify_about_order(event)
        notify_licensees(event)
        notify_assignee(event)
        notify_about_tables(event)


def notify_people(event: Event) -> None:
    """Create a notice for each recipient but the actor."""
    rule = NOTICE_RULES.get(event.verb)
    if rule is None or (submission := event.submission) is None:
        return
    lines = affected_lines(event)
    # They act for the manager today, and get a manager's notices.
    acting = stand_ins_on(timezone.localdate()).filter(organization=submission.organization_id)
    stand_ins = set(acting.values_list("person", flat=True))
    not_cleared = _not_cleared(submission) if event.verb == "approved" else ""
    notify(
        event,
        _recipients(event, submission, rule, stand_ins),
        lambda person: _text(event, submission, rule, lines, not_cleared, to_board=person.at_regulator),
        submission=submission,
        decides=lambda person: person.role in rule.at_once or (Role.MANAGER in rule.at_once and person.pk in stand_ins),
        subject=f"{submission.number} {rule.title}: {_game(submission)}",
    )


def notify(
    event: Event,
    people: Iterable[Person],
    words: Callable[[Person], str],
    *,
    subject: str = "",
    submission: Submission | None = None,
    decides: Callable[[Person], bool] = lambda _: True,
) -> None:
    """Create a notice for each person. A decision has a `subject`, and is mailed at once to those who chose that."""
    notices = [
        Notice(
            person=person,
            event=event,
            submission=submission,
            decides=bool(subject) and decides(person),
            words=words(person),
            at=event.at,
            to_mail=person.mails != MailPreference.NONE,
        )
        for person in people
    ]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.decides and notice.person.mails == MailPreference.EACH:
            email.mail_now(notice, subject)


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
    """Return a sentence, a line for each affected line, and a warning if the approved game is not cleared for play."""
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
    missing = f"The {get_text_list(parts, 'and')} {'is' if len(parts) == 1 else 'are'} not approved." if parts else ""
    why = next((group.not_cleared_for_play for group in groups if group.not_cleared_for_play), "")
    return " ".join(filter(None, (missing, why and f"Sign and guide are not cleared for play. {why}")))


def _game(submission: Submission) -> str:
    return title_of(submission.chapter) or f"chapter {submission.chapter}"


def notify_assignee(event: Event) -> None:
    """Create a notice for the person, unless they assigned it to themselves."""
    if event.verb != ASSIGNED or (submission := event.submission) is None or event.after["person"] == event.actor_id:
        return
    who = event.actor.name if event.actor else "The portal"
    layout = f"{event.after['filing']} for " if "filing" in event.after else ""
    it = f"{layout}{submission.number} ({_game(submission)}, {submission.organization.name})"
    people = Person.objects.filter(pk=event.after["person"])
    notify(event, people, lambda _: f"{who} assigned {it} to you.", submission=submission)


ORDER_VERBS = (ENTERED, ENDED, ENDING)


def notify_about_order(event: Event) -> None:
    """Create a notice for each recipient but the actor."""
    if event.verb in ORDER_VERBS:
        order = Order.objects.select_related("organization").get(number=event.after["order"])
        words = _order_text(event, order)
        people = _filers_and_reviewers(affected_licensees(order)).exclude(pk=event.actor_id or 0)
        notify(event, people, lambda _: words)


def _filers_and_reviewers(licensees: Iterable[Organization]) -> QuerySet[Person]:
    """Return those who file for these licensees, and the Board's reviewers."""
    board = Q(organization__kind=Organization.Kind.REGULATOR, organization__sandbox_of=None)
    own = Q(organization__in=licensees, role__in=PREPARER_ROLES)
    people = Person.objects.filter(own | board & Q(role__in=REVIEWER_ROLES), is_active=True, is_system=False)
    return people.select_related("organization").order_by("pk")


def _order_text(event: Event, order: Order) -> str:
    """Return a sentence on what happened, and one on what the order is about."""
    who = event.actor.name if event.actor else "The portal"
    scope = f"{licensee_words(order)}, {chapter_words(order)}, {tables_words(order)}, {order.citation}"
    if event.verb == ENDING:
        return f"{order_name(order)} ends: its last day is {_order_day(event, 'last_day')}. {scope}."
    if event.verb == ENDED:
        met = event.after["outcome"] == "met"
        what = "noted as met" if met else "ended"
        return f"{who} {what}: {order_name(order)}, from {_order_day(event, 'from_day')}. {scope}. {event.reason}"
    (period,) = order_periods(Order.objects.filter(pk=order.pk))
    replaced = f", in the place of {event.after['replaces']}" if "replaces" in event.after else ""
    return f"{who} entered {order_name(order)}{replaced}: {scope}. {days_words(period)}."


def _order_day(event: Event, name: str) -> str:
    return date_text(date.fromisoformat(event.after[name]))


PUBLISHED = "rulemaking-published"
AFFECTS = "rulemaking-affects"
PAPERS = {"layout": "layout", "sign": "payout sign", "guide": "gaming guide"}


def notify_licensees(event: Event) -> None:
    """Create a notice for each preparer and manager of the licensees concerned."""
    if event.verb == PUBLISHED:
        rulemaking = Rulemaking.objects.get(number=event.after["rulemaking"])
        rows = ChangeEffect.objects.filter(change__rulemaking=rulemaking)
        first = f"The Board published {rulemaking.number}, “{rulemaking.title}” ({rulemaking.source})."
        _notify_of_effects(event, rows, first, f"{rulemaking.number}: {rulemaking.title}")
    elif event.verb == AFFECTS:
        rows = ChangeEffect.objects.filter(version=event.after["version"]).exclude(effects=[])
        numbers = ", ".join(dict.fromkeys(number for number, *_ in event.after["changes"]))
        receipt = event.after["receipt"]
        first = f"{receipt} was approved under rules that the Board has already changed for a later day ({numbers})."
        _notify_of_effects(event, rows, first, f"{receipt}: the rules change")


def _notify_of_effects(event: Event, affected: QuerySet[ChangeEffect], first: str, subject: str) -> None:
    sentences: dict[int | None, list[str]] = defaultdict(list)  # by licensee
    for row in affected.select_related("change__rulemaking", "version"):
        sentences[row.version.organization_id].append(f"- {_effect_sentence(row)}")
    people = Person.objects.filter(organization__in=sentences, role__in=PREPARER_ROLES, is_active=True, is_system=False)
    notify(
        event,
        people.order_by("pk"),
        lambda person: "\n".join([first, *dict.fromkeys(sentences[person.organization_id])]),
        subject=subject,
    )


def _effect_sentence(row: ChangeEffect) -> str:
    chapter, day = row.change.chapter, date_text(row.change.effective)
    game = f"{chapter}, {title_of(chapter)}"
    if row.effects and not changes_rules(row.change):
        papers = " and ".join(PAPERS.get(kind, kind) for kind in row.effects)
        return f"{game}: from {day} your {papers} must show something else. You need not refile the Rules Submission."
    if row.effects:
        return f"{game}: refile by {day}. Your version in effect stays as it is until then."
    return f"{game}: the rules change on {day}; nothing changes for your version."


def notify_about_tables(event: Event) -> None:
    """Create a notice for each recipient, mailed at once to those who chose that."""
    if event.verb == OPEN_WITHOUT_APPROVAL and (licensee := event.organization) is not None:
        notify(
            event,
            _filers_and_reviewers([licensee]),
            lambda person: _table_text(event, licensee, to_licensee=person.at_licensee),
            subject=f"Open without an approval: {title_of(event.after['chapter'])}",
        )


def _table_text(event: Event, licensee: Organization, *, to_licensee: bool) -> str:
    """State what is open where and why that is a fault; tell the licensee what to do."""
    chapter, day = event.after["chapter"], date_text(date.fromisoformat(event.after["day"]))
    tables = tables_with_noun(parse_tables(event.after["tables"]))
    words = (
        f"Open without an approval: {licensee.name}, {title_of(chapter)} ({chapter}), {tables}. "
        f"No approved version of the game is in effect on {day} (§ 601a.2)."
    )
    return f"{words} Close the tables until the Board approves the game." if to_licensee else words
