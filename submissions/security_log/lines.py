"""The security log as lines of JSON for other systems (a SIEM): what a line has, and the logger that gets each one.

The fields are described in docs/operations.md, "The security log". Fields are added, never renamed.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from submissions.models import AccessRecord

LOGGER = "portal.security"  # `PORTAL_SECURITY_LOG` says where its lines go; nowhere if it is not set
AT_ONCE = 500  # rows

log = logging.getLogger(LOGGER)


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a row, made only if a handler wants it."""

    row: AccessRecord

    def __str__(self) -> str:
        return json_line(self.row)


def write_line(row: AccessRecord) -> None:
    """The row as a line of the logger."""
    log.info("%s", Line(row))


def records_after(cursor: int) -> Iterator[AccessRecord]:
    """The rows after that number, in the order in which they were committed, each once."""
    while rows := list(_rows().filter(pk__gt=cursor)[:AT_ONCE]):
        yield from rows
        cursor = rows[-1].pk


def json_line(row: AccessRecord) -> str:
    """One line, in ASCII, without a line break."""
    return json.dumps(serialize_record(row), separators=(",", ":"))


def serialize_record(row: AccessRecord) -> dict[str, object]:
    """The fields of a line, always all of them; null or "" where there is nothing."""
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


def _rows() -> QuerySet[AccessRecord]:
    return AccessRecord.objects.select_related("person", "organization").order_by("pk")
