"""Alerts: what needs an operator is reported once, in the log and to the administrators of the Board.

It is mailed at once to those who chose that.

An occurrence has a key: a job that stopped and its fence, the last report of the sweepers, the last checkpoint, a
certificate, a machine with a wrong clock and the day. The first process that sees it stores the key, and writes one
event for all new alerts of a kind, from which people get their notices. May be called by several processes at any
moment. Not here: what is wrong now (`checks`, `work_checks`).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet

from submissions.audit.record import lock_history, record_event
from submissions.core.dates import short_moment
from submissions.core.text import counted
from submissions.documents.seal_conditions import CLOCK_TOLERANCE, clock_difference_words
from submissions.jobs import clock
from submissions.models import Alert, Event, Organization, Person
from submissions.notifications.notices import notify
from submissions.operations import work_checks
from submissions.operations.checks import CLOCK_FIX
from submissions.operations.work_checks import duration_words, last_sweep, late_checkpoint_event, needed_certificates

SHOWN = 10  # messages in one notice


def notify_administrators(events: Sequence[Event], **_: object) -> None:
    """Create a notice of an alert for each administrator of the Board; a receiver of `events_recorded`."""
    for event in events:
        if event.verb == RAISED:
            notify(event, board_administrators(), partial(_words, event), subject="The portal needs an operator")


def board_administrators() -> QuerySet[Person]:
    """Return the people who are alerted: those who may open the page of the operators."""
    board = Organization.Kind.REGULATOR
    people = Person.objects.filter(organization__kind=board, organization__sandbox_of=None, administrator=True)
    return people.filter(is_active=True, is_system=False).order_by("pk")


def _words(event: Event, _: Person) -> str:
    """Return the first messages, one after the other, and how many more there are."""
    messages = event.after["messages"]
    more = len(messages) - SHOWN
    rest = f" {more} more: see the page Operations." if more > 0 else ""
    return f"The portal needs an operator. {' '.join(messages[:SHOWN])}{rest}"


log = logging.getLogger(__name__)
RAISED = "alert-raised"  # verb of the event
AT_ONCE = 100  # stopped jobs that one alert can be about
LONGEST_MESSAGE = 300  # characters


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One thing that went wrong: its key and a sentence."""

    key: str
    message: str


def raise_alerts(now: datetime, *, sweep: bool = True) -> int:
    """Raise an alert for each new occurrence; returns how many. `sweep`: also if the sweeper is late."""
    finders = {kind: find for kind, find in FINDERS.items() if sweep or kind != Alert.Kind.SWEEP}
    return sum(raise_alert(kind, find(now), now) for kind, find in finders.items())


def raise_alert(kind: Alert.Kind, occurrences: Sequence[Occurrence], now: datetime) -> int:
    """Raise one alert for those of the occurrences that are new; returns how many are."""
    if not _new(kind, occurrences):
        return 0
    with transaction.atomic():
        lock_history()  # of several processes, one raises it
        new = _new(kind, occurrences)
        Alert.objects.bulk_create(Alert(kind=kind, key=each.key, message=each.message, at=now) for each in new)
        if new:
            after = {"alert": kind.value, "messages": [each.message for each in new]}
            record_event(None, None, RAISED, after=after)
    for each in new:
        log.error("alert: %s", each.message)
    return len(new)


def _new(kind: Alert.Kind, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    keys = [each.key for each in occurrences]
    known = set(Alert.objects.filter(kind=kind, key__in=keys).values_list("key", flat=True)) if keys else set()
    return [each for each in occurrences if each.key not in known]


def stopped_jobs(now: datetime) -> list[Occurrence]:
    """Jobs that stopped by an error; one that stops again after it was run again is a new occurrence."""
    occurrences = []
    for job in reversed(list(work_checks.given_up_jobs().order_by("-pk")[:AT_ONCE])):
        message = f"Job {job.pk} ({job.get_kind_display()} {job.subject}) stopped by an error: {job.message}"
        occurrences.append(Occurrence(f"{job.pk}:{job.fence}", message[:LONGEST_MESSAGE]))
    return occurrences


def late_sweep(now: datetime) -> list[Occurrence]:
    """Return an occurrence if no sweeper has reported for too long."""
    last = last_sweep()
    if last is None or now - last.at <= settings.PROCESS_LATE:
        return []
    how_long = duration_words(now - last.at)
    message = f"No sweeper has reported for {how_long}, the last one from {last.host}. Start manage.py sweep."
    return [Occurrence(last.at.isoformat(), message)]


def late_checkpoint(now: datetime) -> list[Occurrence]:
    """Return an occurrence if changes are in no checkpoint when they must be."""
    event = late_checkpoint_event(now)
    if event is None:
        return []
    message = f"No checkpoint has the changes since {short_moment(event.at)}. The sweeper's log says why."
    return [Occurrence(str(event.sequence), message)]


def ending_certificates(now: datetime) -> list[Occurrence]:
    """Certificates that end soon, or have ended."""
    occurrences = []
    for row in needed_certificates():
        if (days := row.days_left(now)) < settings.CERTIFICATE_DAYS:
            end = "has ended" if days < 0 else f"ends in {counted(days, 'day')}"
            occurrences.append(Occurrence(row.sha256, f"The {row.name} ({row.subject}) {end}."[:LONGEST_MESSAGE]))
    return occurrences


def wrong_clock(now: datetime) -> list[Occurrence]:
    """Return an occurrence if this machine's clock is wrong, once for each day of the database's clock."""
    difference = min(clock.difference(), clock.difference(), key=abs)  # one slow answer is no wrong clock
    if abs(difference) <= CLOCK_TOLERANCE:
        return []
    host, day = work_checks.host_name(), (now - difference).date()
    message = f"The clock of the machine {host} is {clock_difference_words(difference)}. {CLOCK_FIX}"
    return [Occurrence(f"{host}:{day}", message)]


FINDERS: dict[Alert.Kind, Callable[[datetime], list[Occurrence]]] = {
    Alert.Kind.JOB: stopped_jobs,
    Alert.Kind.SWEEP: late_sweep,
    Alert.Kind.CHECKPOINT: late_checkpoint,
    Alert.Kind.CERTIFICATE: ending_certificates,
    Alert.Kind.CLOCK: wrong_clock,
}


def mail_alerts(now: datetime) -> int:
    """Send new alerts to the address of the settings, in one mail; tried again while the server is away."""
    new = Alert.objects.filter(mailed_at=None)
    rows = new.order_by("pk")[:AT_ONCE] if settings.ALERT_EMAIL else new.none()
    mine = [row for row in rows if new.filter(pk=row.pk).update(mailed_at=now)]  # the first process sends it
    if not mine:
        return 0
    body = "\n".join(f"{row.at:%Y-%m-%d %H:%M %Z}  {row.message}" for row in mine)
    body += f"\n\nAll that is wrong now: {settings.PUBLIC_URL}/operations/ or manage.py status\n"
    try:
        EmailMessage(f"Rules Submission Portal: {len(mine)} alert(s)", body, to=settings.ALERT_EMAIL).send()
    except (OSError, SMTPException) as error:
        log.warning("alerts are not mailed, tried again in a minute (%s)", error)
        Alert.objects.filter(pk__in=[row.pk for row in mine]).update(mailed_at=None)
        return 0
    return len(mine)
