"""Bounds the rows of failures: the first ones of a minute get a row each, the others one row that counts them.

A source is an IPv4 address or the /64 network of an IPv6 address. In one minute each source gets at most `PER_SOURCE`
rows of a kind, all sources together `IN_ALL`; beyond that nothing grows but a number. `record_counts` writes the rows
that count, once the minute is over.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F

from submissions.models import AccessRecord, FailureCount
from submissions.security_log.addresses import source_of_address

PER_SOURCE = 20  # rows a minute of one kind
IN_ALL = 100
ALL = ""  # the address of the counter of all sources together
GRACE = timedelta(seconds=30)  # after the minute: what began in it has ended


def count_failure(kind: AccessRecord.Kind, address: str, at: datetime) -> bool:
    """Count one failure; whether it gets a row of its own. Called in the transaction that writes the row."""
    minute, source = at.replace(second=0, microsecond=0), source_of_address(address)
    total = FailureCount.objects.filter(key=_key(kind, minute, ALL)).values_list("count", flat=True).first() or 0
    if total >= IN_ALL:
        _increment(kind, minute, ALL, "unrecorded")
        return False
    if _increment(kind, minute, source or "unknown", "count") > PER_SOURCE:
        _increment(kind, minute, source or "unknown", "unrecorded")
        return False
    _increment(kind, minute, ALL, "count")
    return True


def finished_counts(now: datetime) -> Iterable[FailureCount]:
    """The counters of minutes that are over, locked until the caller's transaction ends."""
    over = now - timedelta(minutes=1) - GRACE
    return FailureCount.objects.select_for_update(skip_locked=True).filter(minute__lte=over).order_by("pk")


def _increment(kind: AccessRecord.Kind, minute: datetime, address: str, name: str) -> int:
    """The counter with this one."""
    key = _key(kind, minute, address)
    rows = FailureCount.objects.filter(key=key)
    if not rows.update(**{name: F(name) + 1}):
        try:
            with transaction.atomic():
                FailureCount.objects.create(key=key, kind=kind, address=address, minute=minute, **{name: 1})
        except IntegrityError:  # another request was faster
            rows.update(**{name: F(name) + 1})
    return int(rows.values_list(name, flat=True)[0])


def _key(kind: AccessRecord.Kind, minute: datetime, address: str) -> str:
    return f"{kind} {minute.timestamp():.0f} {address}"
