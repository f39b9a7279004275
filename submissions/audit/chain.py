"""The format of the chain of events: digest, message authentication code, link.

    digest   SHA-256 of the event's content, which has the link of the event before. Reason, earlier values and sealed
             rows are in it as one digest, so that an event can be shown to others without them
    code     HMAC-SHA-256 (FIPS 198-1) of the digest, by a key that is not in the database
    link     SHA-256 of digest and code; the next event, the tip and the checkpoints have it

So no code can be removed or replaced without a break at the next link, and write access to the database alone is not
enough to continue the chain. The format is that of version 0.9 and stays: documents that others hold depend on it.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from submissions.core.canonical_json import digest
from submissions.models import Event, Tip

GENESIS = "0" * 64  # what the first event has in place of a link
CHECKPOINT_MADE = "checkpoint-made"  # the verb of the event that records a checkpoint
Content = Mapping[str, Any]


def event_content(event: Event) -> Content:
    """The content that the event's digest is of, as canonical JSON takes it."""
    return {
        "sequence": event.sequence,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "organization": event.organization_id,
        "submission": event.submission_id,
        "verb": event.verb,
        "after": event.after,
        "withheld": digest({"reason": event.reason, "before": event.before, "rows": event.rows}),
        "previous": event.previous,
    }


def event_digest(event: Event) -> str:
    """SHA-256 of the event's content, in hexadecimal."""
    return digest(event_content(event))


def link_of(event_digest: str, code: str) -> str:
    """SHA-256 of an event's digest and code, in hexadecimal."""
    return hashlib.sha256(f"{event_digest} {code}".encode()).hexdigest()


def seal_event(event: Event, previous: str) -> None:
    """Give the event the link of the one before, its digest and its code."""
    event.previous = previous
    event.digest = event_digest(event)
    event.mac = _code("event", event.digest, settings.SECRET_KEY)


def move_tip(tip: Tip, event: Event) -> None:
    """Make the event the end of the chain."""
    tip.sequence, tip.link = event.sequence, link_of(event.digest, event.mac)
    tip.mac = _code("tip", _tip_text(tip), settings.SECRET_KEY)


def has_valid_code(event: Event) -> bool:
    """Return True if this portal wrote the event, by its present secret key or an earlier one."""
    return _is_code_of("event", event.digest, event.mac)


def is_own_tip(tip: Tip) -> bool:
    """Return True if this portal wrote the end of the chain."""
    return _is_code_of("tip", _tip_text(tip), tip.mac)


def _tip_text(tip: Tip) -> str:
    return f"{tip.sequence} {tip.link}"


def _code(kind: str, text: str, key: str | bytes) -> str:
    return salted_hmac(f"submissions.audit.{kind}", text, secret=key, algorithm="sha256").hexdigest()


def _is_code_of(kind: str, text: str, code: str) -> bool:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(code, _code(kind, text, key)) for key in keys)
