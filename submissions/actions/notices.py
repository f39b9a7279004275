"""Who is told of an event, and in which words: written with the event, in its transaction (`history.record`).

The table says it all. A notice names the lines concerned, by their questions: never what was remarked about them,
and nothing within the Board or not yet filed. What is mailed of it, and when, is `mails`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.dateformat import format as format_date

from games.rules.registry import UnknownChapter
from games.rules.registry import chapter as chapter_of
from submissions.access import PREPARING, REVIEWING
from submissions.actions import mails
from submissions.actions.concerned import lines_concerned
from submissions.errors import Refusal
from submissions.models import ROLES_OF, Event, Mails, Notice, Organisation, Person, Role, Submission


@dataclass(frozen=True, slots=True)
class Told:
    """`title` heads the mail, `did` is the sentence after the name of who did it. Roles belong to one side each."""

    title: str
    did: str
    at_once: tuple[Role, ...] = ()  # a decision, for them
    daily: tuple[Role, ...] = ()

    @property
    def everyone(self) -> tuple[Role, ...]:
        return self.at_once + self.daily


TOLD: dict[str, Told] = {
    "filed": Told("filed", "filed {it}", daily=(Role.ANALYST, *PREPARING)),
    "withdrew": Told("withdrawn", "withdrew {it}", daily=(*REVIEWING, *PREPARING)),
    "recommended": Told(
        "recommended for approval", "recommended {it} for approval", (Role.DIRECTOR,), (Role.ANALYST, *PREPARING)
    ),
    "returned": Told("returned with questions", "returned {it} with questions", PREPARING, REVIEWING),
    "approved": Told("approved", "approved {it}", PREPARING, REVIEWING),
    "rejected": Told("rejected", "rejected {it}", PREPARING, REVIEWING),
    "signed": Told("signed document", "made the signed document of {it}", daily=PREPARING),
    "discontinued": Told("discontinued", "discontinued {it}", daily=(*REVIEWING, *PREPARING)),
    "layout-filed": Told("layout filed", "filed {filing} for {it}", daily=(Role.ANALYST, *PREPARING)),
    "layout-withdrew": Told("layout withdrawn", "withdrew {filing} for {it}", daily=(*REVIEWING, *PREPARING)),
    "layout-found-deficient": Told(
        "layout found deficient", "gave notice of deficiencies of {filing} for {it}", PREPARING, REVIEWING
    ),
    "layout-recommended": Told(
        "layout reported", "reported on {filing} for {it}", (Role.DIRECTOR,), (Role.ANALYST, *PREPARING)
    ),
    "layout-approved": Told("layout approved", "approved {filing} for {it}", PREPARING, REVIEWING),
    "layout-rejected": Told("layout rejected", "rejected {filing} for {it}", PREPARING, REVIEWING),
    "papers-signed": Told("signed papers", "made the signed papers of {filing} for {it}", daily=PREPARING),
}


def tell(event: Event) -> list[Notice]:
    """One notice for everyone concerned but whoever did it; a decision is mailed to who wants that."""
    told = TOLD.get(event.verb)
    if told is None or event.submission is None:
        return []
    lines = lines_concerned(event)
    notices = [
        Notice(
            person=person,
            event=event,
            submission=event.submission,
            decides=person.role in told.at_once,
            words=_in_words(event, event.submission, told, lines, to_board=person.at_regulator),
            at=event.at,
            to_mail=person.mails != Mails.NONE,
        )
        for person in _concerned(event, event.submission, told)
    ]
    Notice.objects.bulk_create(notices)
    for notice in notices:
        if notice.decides and notice.person.mails == Mails.EACH:
            mails.at_once(notice, f"{event.submission.number} {told.title}: {_game(event.submission)}")
    return notices


def mark_seen(notices: list[Notice]) -> None:
    """These were shown to their person."""
    shown = [notice.pk for notice in notices if notice.seen_at is None]
    if shown:
        Notice.objects.filter(pk__in=shown, seen_at=None).update(seen_at=timezone.now())


def choose_mails(person: Person, choice: str) -> None:
    """What is mailed to the person from now on; what waits for a digest is not, once nothing is wanted."""
    if choice not in Mails.values:
        raise Refusal(
            "mails-unknown",
            f"{choice!r} is not a choice of mails.",
            fix=f"Choose one of: {'; '.join(label for _, label in Mails.choices)}.",
        )
    Person.objects.filter(pk=person.pk).update(mails=choice)
    if choice == Mails.NONE:
        Notice.objects.filter(person=person, to_mail=True, mail=None).update(to_mail=False)


def _concerned(event: Event, submission: Submission, told: Told) -> QuerySet[Person]:
    """The licensee's people and, once it was filed, the Board's, by role; not who did it, nor who has left."""
    sides = Q(organisation=submission.organisation, role__in=ROLES_OF[Organisation.Kind.LICENSEE])
    if submission.organisation.is_live and submission.revisions.exists():
        board = Organisation.Kind.REGULATOR
        sides |= Q(organisation__kind=board, role__in=ROLES_OF[board])
    people = Person.objects.filter(sides, role__in=told.everyone, is_active=True, is_system=False)
    return people.exclude(pk=event.actor_id or 0).select_related("organisation").order_by("pk")


def _in_words(event: Event, submission: Submission, told: Told, lines: Sequence[str], *, to_board: bool) -> str:
    """A sentence, and a line for each line concerned."""
    who = event.actor.name if event.actor else "The portal"
    it = f"{submission.number} ({_game(submission)}{f', {submission.organisation.name}' if to_board else ''})"
    day = event.after.get("from_day")
    when = f", from {format_date(date.fromisoformat(day), 'F j, Y')}" if day else ""
    sentence = f"{who} {told.did.format(it=it, filing=event.after.get('filing', ''))}{when}."
    return "\n".join([f"{sentence} Lines concerned:", *(f"- {line}" for line in lines)]) if lines else sentence


def _game(submission: Submission) -> str:
    try:
        return chapter_of(submission.chapter).title
    except UnknownChapter:
        return f"chapter {submission.chapter}"
