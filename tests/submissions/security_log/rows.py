"""Rows of the security log, written as the portal writes them."""

from __future__ import annotations

from datetime import datetime, timedelta

import time_machine

from submissions.models import AccessRecord, Person
from submissions.security_log.records import Access, Caller, record_access

HOME = Caller("192.0.2.10", "Firefox")


def sign_in(person: Person, at: datetime | None = None) -> AccessRecord:
    """A sign-in of this person, now or at this time."""
    access = Access(AccessRecord.Kind.SIGN_IN, person=person)
    if at is None:
        row = record_access(HOME, access)
    else:
        with time_machine.travel(at, tick=False):
            row = record_access(HOME, access)
    assert row is not None
    return row


def fail(address: str, times: int = 1, kind: AccessRecord.Kind = AccessRecord.Kind.KEY_REFUSED) -> int:
    """So many failures from this address; how many of them got a row."""
    access = Access(kind, "credential-wrong")
    return sum(record_access(Caller(address), access) is not None for _ in range(times))


def days_before(now: datetime, days: int) -> datetime:
    return now - timedelta(days=days)
