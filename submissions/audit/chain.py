"""The chain of events: its format, and its verification.

    digest   SHA-256 of the event's content, which has the link of the event before. Reason, earlier values and sealed
             rows are in it as one digest, so that an event can be shown to others without them
    code     HMAC-SHA-256 (FIPS 198-1) of the digest, by a key that is not in the database
    link     SHA-256 of digest and code; the next event, the tip and the checkpoints have it

So no code can be removed or replaced without a break at the next link, and write access to the database alone is not
enough to continue the chain. The format is that of version 0.9 and stays: documents that others hold depend on it.

The chain is compared with itself, with the tip (which shows missing last events), with the checkpoints (which show a
chain that was written again with the secret key) and, after the last checkpoint, with the codes of the events. No row
decides whether a code is demanded. Not here: writing events (`record`), the seals of checkpoints
(`documents.checkpoints`), the rows that events seal (`row_verification`).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from submissions.core.digests import digest
from submissions.models import Checkpoint, Event, Tip

GENESIS = "0" * 64  # what the first event has in place of a link
CHECKPOINT_MADE = "checkpoint-made"  # the verb of the event that records a checkpoint
Content = Mapping[str, Any]


def event_content(event: Event) -> Content:
    """Return the content that the event's digest is of, as canonical JSON takes it."""
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
    """Return the SHA-256 of the event's content, in hexadecimal."""
    return digest(event_content(event))


def link_of(event_digest: str, code: str) -> str:
    """Return the SHA-256 of an event's digest and code, in hexadecimal."""
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


def is_own_tip(tip: Tip) -> bool:
    """Return True if this portal wrote the end of the chain."""
    return _is_code_of("tip", _tip_text(tip), tip.mac)


def _tip_text(tip: Tip) -> str:
    return f"{tip.sequence} {tip.link}"


def _code(kind: str, text: str, key: str | bytes) -> str:
    return salted_hmac(f"submissions.audit.{kind}", text, secret=key, algorithm="sha256").hexdigest()


def _is_code_of(kind: str, text: str, code: str) -> bool:
    """Return True if this portal wrote it, by its present secret key or an earlier one."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(constant_time_compare(code, _code(kind, text, key)) for key in keys)


UNREADABLE = (ValueError, TypeError, AttributeError, ArithmeticError)  # raised by values that no event of ours has

NOT_AUTHENTIC = (
    "this portal did not write it: its message authentication code is wrong or missing. If PORTAL_SECRET_KEY was "
    "replaced, name the old one in PORTAL_SECRET_KEY_FALLBACKS until the next checkpoint"
)
NOT_OWN_END = (
    "this portal did not end the history with it: the message authentication code of the end is wrong. If "
    "PORTAL_SECRET_KEY was replaced, name the old one in PORTAL_SECRET_KEY_FALLBACKS until the next event is recorded"
)


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first broken link."""

    sequence: int
    problem: str


def verify_chain(checkpoints: Iterable[Checkpoint] = ()) -> tuple[int, ChainBreak | None]:
    """Return the number of valid events, and the first broken link. Events written during the check are included."""
    walk = ChainWalk({checkpoint.sequence: checkpoint for checkpoint in checkpoints})
    return walk.count_to_tip()


def _ignore(_: Event) -> None: ...


@dataclass(slots=True)
class ChainWalk:
    """The part of the chain that is verified: `count` events, the last one with `link`. Each is given to `visit`."""

    sealed: Mapping[int, Checkpoint]
    visit: Callable[[Event], None] = _ignore
    count: int = 0
    link: str = GENESIS

    def count_to_tip(self) -> tuple[int, ChainBreak | None]:
        """Continue to the last event; return the number of valid events, and the first broken link."""
        while True:
            before, broken = self.count, self.advance()
            tip = Tip.objects.first() or Tip(sequence=0, link="")
            if broken or self.count >= tip.sequence or self.count == before:
                return self.count, broken or self.end_problem(tip)

    def advance(self, last: int | None = None) -> ChainBreak | None:
        """Continue to the last event, or to the one with this number; stop at the first broken one."""
        rows = Event.objects.filter(sequence__gt=self.count) if self.count else Event.objects.all()
        rows = rows if last is None else rows.filter(sequence__lte=last)
        with suppress(*UNREADABLE):  # some event of those fetched in one batch
            return self._through(rows.order_by("sequence").iterator())
        try:
            return self._through(self._one_by_one(last))
        except UNREADABLE as error:
            return ChainBreak(self.count + 1, f"it cannot be read ({error})")

    def _through(self, events: Iterable[Event]) -> ChainBreak | None:
        for event in events:
            if broken := self._problem(event):
                return broken
            self.visit(event)
            self.count, self.link = event.sequence, link_of(event.digest, event.mac)
        return None

    def _one_by_one(self, last: int | None) -> Iterator[Event]:
        while event := Event.objects.filter(sequence__gt=self.count).order_by("sequence").first():
            if last is not None and event.sequence > last:
                return
            yield event

    def _problem(self, event: Event) -> ChainBreak | None:
        expected, checkpoint = self.count + 1, self.sealed.get(event.sequence)
        if event.sequence < expected:
            return ChainBreak(event.sequence, "it was slipped in before the first one")
        if event.sequence > expected:
            return ChainBreak(expected, f"it is missing; the next one found is {event.sequence}")
        if event.previous != self.link:
            return ChainBreak(expected, "it does not continue the event before it")
        if event.digest != event_digest(event):
            return ChainBreak(expected, "its content is not what was sealed")
        if checkpoint and checkpoint.link != link_of(event.digest, event.mac):
            return ChainBreak(expected, f"it or an event before it was rewritten since {_sealed(checkpoint)}")
        if expected > max(self.sealed, default=0) and not _is_code_of("event", event.digest, event.mac):
            return ChainBreak(expected, NOT_AUTHENTIC)
        return None

    def end_problem(self, tip: Tip) -> ChainBreak | None:
        """Return the break at the end: missing or added events."""
        last = self.sealed.get(max(self.sealed, default=0))
        if last and self.count < last.sequence:
            return ChainBreak(self.count + 1, f"it is missing; there were {last.sequence} at {_sealed(last)}")
        if self.count < tip.sequence:
            return ChainBreak(self.count + 1, f"it is missing; there were {tip.sequence}")
        if self.count > tip.sequence:
            return ChainBreak(tip.sequence + 1, f"it was slipped in: the portal wrote {tip.sequence} events")
        if self.count and self.link != tip.link:
            return ChainBreak(self.count, "it or an event before it was rewritten")
        if self.count and not is_own_tip(tip):
            return ChainBreak(self.count, NOT_OWN_END)
        return None


def _sealed(checkpoint: Checkpoint) -> str:
    return f"the checkpoint at event {checkpoint.sequence}"
