"""Writes the security log: one row for each thing that happened, and one line of JSON for each row, for a SIEM.

Nothing secret goes in: no passphrase, code, key or link; of an account that does not exist only a keyed digest and a
masked form, because people enter their passphrase into the wrong field. A row is written before its effect leaves the
portal: what cannot be recorded fails. Rows are numbered in the order in which they are committed, so that a reader who
continues after a number misses none.

Failures are bounded: a source is an IPv4 address or the /64 network of an IPv6 address. In one minute each source gets
at most `PER_SOURCE` rows of a kind, all sources together `IN_ALL`; the others are one row that counts them
(`record_counts`, once the minute is over). The fields of a line are described in docs/operations.md, "The security
log"; fields are added, never renamed. Not here: which request means what (`web.security_records`, `api.framework`).
"""

import hashlib
import ipaddress
import json
import logging
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from submissions.core.digests import canonical_json
from submissions.core.errors import Refusal
from submissions.core.log_context import LONGEST_REQUEST_ID, VALID_REQUEST_ID, storable_text
from submissions.models import AccessRecord, FailureCount, Organization, Person

IPV6_NETWORK = 64  # bits: one customer of an internet provider has as many addresses
IPV4_IN_IPV6 = 0xFFFF << 32  # RFC 4291, 2.5.5.2
EXCERPT_LENGTH = 40  # characters of what was entered, in a message


def network_of_address(address: str) -> str:
    """Return an IPv4 address as it is; of an IPv6 address its network."""
    parsed = ipaddress.ip_address(address)
    if parsed.version == 6:
        return str(ipaddress.ip_network(f"{address}/{IPV6_NETWORK}", strict=False))
    return str(parsed)


def address_order(address: str) -> str:
    """Return 32 hexadecimal digits: the IPv6 address, or the IPv4 address mapped into IPv6; "" for none."""
    return f"{_number(ipaddress.ip_address(address)):032x}" if address else ""


def order_range(text: str) -> tuple[str, str]:
    """Return first and last address of a network such as 203.0.113.0/24, or of one address. Errors: `Refusal`."""
    try:
        network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise Refusal("network-wrong/search", text=text[:EXCERPT_LENGTH]) from None
    return f"{_number(network[0]):032x}", f"{_number(network[-1]):032x}"


def _number(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    return int(address) if address.version == 6 else IPV4_IN_IPV6 + int(address)


PER_SOURCE = 20  # rows a minute of one kind
IN_ALL = 100
ALL = ""  # the address of the counter of all sources together
GRACE = timedelta(seconds=30)  # after the minute: what began in it has ended


def count_failure(kind: AccessRecord.Kind, address: str, at: datetime) -> bool:
    """Count one failure; whether it gets a row of its own. Called in the transaction that writes the row."""
    minute, source = at.replace(second=0, microsecond=0), network_of_address(address) if address else "unknown"
    total = FailureCount.objects.filter(key=_key(kind, minute, ALL)).values_list("count", flat=True).first() or 0
    if total >= IN_ALL:
        _increment(kind, minute, ALL, "unrecorded")
        return False
    if _increment(kind, minute, source, "count") > PER_SOURCE:
        _increment(kind, minute, source, "unrecorded")
        return False
    _increment(kind, minute, ALL, "count")
    return True


def _increment(kind: AccessRecord.Kind, minute: datetime, address: str, name: str) -> int:
    """Increment the counter, and return its new value."""
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


LOGGER = "portal.security"  # `PORTAL_SECURITY_LOG` says where its lines go; nowhere if it is not set
AT_ONCE = 500  # rows

log = logging.getLogger(LOGGER)


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a row, made only if a handler wants it."""

    row: AccessRecord

    def __str__(self) -> str:
        return json_line(self.row)


def records_after(cursor: int) -> Iterator[AccessRecord]:
    """Yield the rows after that number, in the order in which they were committed, each once."""
    ordered = AccessRecord.objects.select_related("person", "organization").order_by("pk")
    while rows := list(ordered.filter(pk__gt=cursor)[:AT_ONCE]):
        yield from rows
        cursor = rows[-1].pk


def json_line(row: AccessRecord) -> str:
    """Return one line, in ASCII, without a line break."""
    return json.dumps(serialize_record(row), separators=(",", ":"))


def serialize_record(row: AccessRecord) -> dict[str, object]:
    """Return the fields of a line, always all of them; null or "" where there is nothing."""
    return {
        "cursor": row.pk,
        "id": row.reference,
        "at": timezone.localtime(row.at).isoformat(timespec="microseconds"),
        "kind": row.kind,
        "outcome": row.outcome,
        "reason": row.reason,
        "count": row.count,
        "person": row.person.email if row.person else None,
        "person_id": row.person_id,
        "organization": row.organization.slug if row.organization else None,
        "credential": row.credential,
        "account": row.account_masked,
        "account_digest": row.account_digest,
        "address": row.address,
        "agent": row.agent,
        "session": row.session,
        "request_id": row.request_id,
        "object": row.object_reference,
        "details": row.details,
    }


MAC_SALT, ACCOUNT_SALT, SESSION_SALT = (f"submissions.security-log.{use}" for use in ("row", "account", "session"))
MASK = "…"
# Characters
LONGEST_AGENT, LONGEST_REFERENCE, LONGEST_REASON, LONGEST_ACCOUNT = 200, 200, 60, 260
LONGEST_DETAIL = 500
EXPORTED_FILTER = "portal.exported-filter"  # the same: the filter, where it is not that of the address
EXPORTED_ROWS = "portal.exported-rows"  # key of a WSGI environment: the number of rows of the table in the response
_LOCK = 0x5055_534C  # any number: the advisory lock that orders writers on PostgreSQL
_UNSEALED = ("id", "mac")


@dataclass(frozen=True, slots=True)
class Caller:
    """Where a request comes from. `session` is the digest of its key, not the key."""

    address: str = ""
    agent: str = ""
    session: str = ""
    request_id: str = ""


PORTAL = Caller()  # the portal itself


@dataclass(frozen=True, slots=True)
class Access:
    """What happened, as far as it is known. `reason`: the code of a failure; "" is a success.

    `account`: what was entered to sign in, where no person is known. `credential`: the part of an API key that may be
    displayed. `details`: text and whole numbers.
    """

    kind: AccessRecord.Kind
    reason: str = ""
    person: Person | None = None
    organization: Organization | None = None
    account: str = ""
    credential: str = ""
    object_reference: str = ""
    details: Mapping[str, str | int] = field(default_factory=dict)
    count: int = 1


def caller_from(environment: Mapping[str, Any], address: str, session_key: str | None = None) -> Caller:
    """Return the caller of a WSGI request; its address is the one by which attempts and calls are counted."""
    number = str(environment.get("HTTP_X_REQUEST_ID", ""))  # as a proxy numbers requests
    return Caller(
        address=address,
        agent=str(environment.get("HTTP_USER_AGENT", "")),
        session=session_digest(session_key),
        request_id=number if VALID_REQUEST_ID.fullmatch(number) else "",
    )


def record_access(caller: Caller, access: Access) -> AccessRecord | None:
    """Write one row; None for a failure that is only counted, because there were too many in this minute."""
    at = timezone.now()
    with transaction.atomic():
        lock_security_log()
        if access.reason and not count_failure(access.kind, caller.address, at):
            return None
        return write_record(caller, access, at)


def record_counts(now: datetime) -> int:
    """Write a row for the failures of each minute that had none of their own; the number of rows."""
    written, over = 0, now - timedelta(minutes=1) - GRACE
    with transaction.atomic():
        lock_security_log()
        for counter in FailureCount.objects.select_for_update(skip_locked=True).filter(minute__lte=over).order_by("pk"):
            if counter.unrecorded:
                minute = timezone.localtime(counter.minute).isoformat(timespec="minutes")
                details = {"minute": minute, "source": counter.address or "all together"}
                kind = AccessRecord.Kind(counter.kind)
                write_record(PORTAL, Access(kind, "repeated", details=details, count=counter.unrecorded), now)
                written += 1
            counter.delete()
    return written


def write_record(caller: Caller, access: Access, at: datetime) -> AccessRecord:
    """Write one row, in the transaction of the caller, who has called `lock_security_log`."""
    person = access.person
    row = AccessRecord(
        reference=secrets.token_hex(16),
        at=at,
        kind=access.kind,
        outcome=AccessRecord.Outcome.FAILURE if access.reason else AccessRecord.Outcome.SUCCESS,
        reason=storable_text(access.reason, LONGEST_REASON),
        count=access.count,
        person=person,
        organization_id=access.organization.pk if access.organization else person.organization_id if person else None,
        credential=access.credential,
        account_digest=account_digest(access.account),
        account_masked=storable_text(masked_account(access.account), LONGEST_ACCOUNT),
        address=caller.address,
        address_order=address_order(caller.address),
        agent=storable_text(caller.agent, LONGEST_AGENT),
        session=caller.session,
        request_id=storable_text(caller.request_id, LONGEST_REQUEST_ID),
        object_reference=storable_text(access.object_reference, LONGEST_REFERENCE),
        details={
            name: storable_text(value, LONGEST_DETAIL) if isinstance(value, str) else value
            for name, value in access.details.items()
        },
    )
    row.mac = _row_mac(row_digest(row), settings.SECRET_KEY)
    row.save(force_insert=True)
    transaction.on_commit(lambda: log.info("%s", Line(row)))
    return row


def lock_security_log() -> None:
    """Let other writers wait until the caller's transaction ends: numbers are given in the order of commits."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # SQLite's IMMEDIATE transactions are in order already
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def row_digest(row: AccessRecord) -> str:
    """SHA-256 of everything in the row but its number."""
    columns = [column for column in row._meta.concrete_fields if column.attname not in _UNSEALED]
    content = {column.attname: getattr(row, column.attname) for column in columns}
    content["at"] = row.at.astimezone(UTC).isoformat(timespec="microseconds")
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def has_valid_mac(row: AccessRecord) -> bool:
    """Return whether this portal wrote the row as it is, by its present secret key or an earlier one."""
    digest = row_digest(row)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(row.mac, _row_mac(digest, key)) for key in keys)


def account_digest(account: str) -> str:
    """Return a keyed digest of the account, equal in any case of letters: without the key no guess can be tested."""
    return _keyed(ACCOUNT_SALT, account.strip().lower()) if account.strip() else ""


def session_digest(session_key: str | None) -> str:
    """Return a digest that all records of one session share."""
    return _keyed(SESSION_SALT, session_key) if session_key else ""


def masked_account(account: str) -> str:
    """Return the first character and the domain: "m…@casino.example"; of a domain that no person has, only "…"."""
    name, at, domain = account.strip().lower().rpartition("@")
    if not (at and name and len(domain) < 255 and Person.objects.filter(email__iendswith=f"@{domain}").exists()):
        return MASK if account.strip() else ""
    return f"{name[0]}{MASK}@{domain}"


def _row_mac(digest: str, key: str | bytes) -> str:
    return salted_hmac(MAC_SALT, digest, secret=key, algorithm="sha256").hexdigest()


def _keyed(salt: str, value: Any) -> str:
    return salted_hmac(salt, value, algorithm="sha256").hexdigest()
