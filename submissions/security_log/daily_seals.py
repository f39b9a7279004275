"""Seals of the security log: after each day one event with the number and the digest of its rows. Old days are deleted.

The event is part of the history, so a later change of a row is found like a change of the history. The rows of a day
that is not sealed yet have a message authentication code each. What was deleted after its time is an event, too: the
seals of those days stay.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.audit.record import lock_history, record_event
from submissions.core.dates import start_of
from submissions.models import AccessRecord, Event
from submissions.security_log.records import has_valid_mac, row_digest

SEALED, DELETED = "security-log-sealed", "security-log-deleted"  # verbs
NOT_AUTHENTIC = "this portal did not write it as it is"
NAMED_AT_MOST = 5  # changed rows of one day


@dataclass(slots=True)
class DayDigest:
    """SHA-256 over the number and the digest of each row of one day, in the order of the numbers."""

    records: int = 0
    content: Any = field(default_factory=hashlib.sha256)

    def add(self, row: AccessRecord) -> None:
        self.records += 1
        self.content.update(f"{row.pk} {row_digest(row)}\n".encode())

    @property
    def payload(self) -> dict[str, object]:
        return {"records": self.records, "sha256": self.content.hexdigest()}


def seal_days(now: datetime) -> int:
    """Seal every day before today that has rows and no seal; the number of days."""
    with transaction.atomic():
        lock_history()  # of several sweepers one seals
        rows = AccessRecord.objects.filter(at__lt=start_of(timezone.localdate(now)))
        if sealed := _seals():
            rows = rows.filter(at__gte=start_of(max(sealed) + timedelta(days=1)))
        digests = _digests(rows)
        for day, digest in sorted(digests.items()):
            record_event(None, None, SEALED, after={"day": day.isoformat(), **digest.payload})
    return len(digests)


def delete_old_records(now: datetime) -> int:
    """Delete the rows of sealed days older than `SECURITY_LOG_DAYS`; how many there were."""
    with transaction.atomic():
        lock_history()
        if not (sealed := _seals()):
            return 0
        last = min(timezone.localdate(now) - timedelta(days=settings.SECURITY_LOG_DAYS + 1), max(sealed))
        count, _ = AccessRecord.objects.filter(at__lt=start_of(last + timedelta(days=1))).delete()
        if count:
            record_event(None, None, DELETED, after={"through": last.isoformat(), "records": count})
    return count


def security_log_problems() -> Iterator[str]:
    """Yield a text for each day whose rows are not those sealed, and for each later row that the portal did not write.

    The day's seal does not cover the codes of its rows: a row of a sealed day must have one, by whichever secret key.
    """
    newer = AccessRecord.objects.all()
    if sealed := _seals():
        newer_from = start_of(max(sealed) + timedelta(days=1))
        yield from _problems_of_sealed_days(sealed, _digests(newer.filter(at__lt=newer_from)))
        newer = newer.filter(Q(at__gte=newer_from) | Q(mac=""))
    for row in newer.order_by("pk").iterator():
        if not has_valid_mac(row):
            yield f"security log, record {row.pk}: {NOT_AUTHENTIC}"


def _problems_of_sealed_days(sealed: dict[date, dict[str, Any]], digests: dict[date, DayDigest]) -> Iterator[str]:
    events: Iterable[dict[str, Any]] = Event.objects.filter(verb=DELETED).values_list("after", flat=True)
    deleted = max((date.fromisoformat(after["through"]) for after in events), default=date.min)
    for day in sorted(sealed.keys() | digests.keys()):
        expected = None if day <= deleted else sealed.get(day)
        present = digests[day].payload if day in digests else None
        if present != expected:
            yield from _problems_of_day(day, expected, present)


def _problems_of_day(day: date, expected: dict[str, Any] | None, present: dict[str, Any] | None) -> Iterator[str]:
    was, now = (int(payload["records"]) if payload else 0 for payload in (expected, present))
    yield f"security log of {day}: the {now} records are not the {was} that an event sealed"
    rows = AccessRecord.objects.filter(at__gte=start_of(day), at__lt=start_of(day + timedelta(days=1)))
    changed = (row.pk for row in rows.order_by("pk").iterator() if not has_valid_mac(row))
    for number in islice(changed, NAMED_AT_MOST):
        yield f"security log of {day}, record {number}: {NOT_AUTHENTIC}"


def _seals() -> dict[date, dict[str, Any]]:
    """Return what the event of each day sealed."""
    events = Event.objects.filter(verb=SEALED).order_by("sequence").values_list("after", flat=True)
    return {
        date.fromisoformat(after["day"]): {"records": after["records"], "sha256": after["sha256"]} for after in events
    }


def _digests(rows: QuerySet[AccessRecord]) -> dict[date, DayDigest]:
    digests: dict[date, DayDigest] = defaultdict(DayDigest)
    for row in rows.order_by("pk").iterator():
        digests[timezone.localdate(row.at)].add(row)
    return digests
