"""Verifies the hash chain of the history.

The chain is compared with itself, with the tip (which shows missing last events), with the checkpoints (which show a
chain rewritten with matching digests) and with the message authentication codes of the events. Each event has a code,
from the first one that the settings name; since the last checkpoint it must also be right. No row decides whether codes
are demanded: anyone who can write rows would switch the check off. Not here: writing events (`record`), the signatures
of checkpoints (`verification.checkpoints`), the rows that events seal (`row_verification`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

from submissions.audit.record import GENESIS, event_digest, has_valid_mac
from submissions.models import Checkpoint, Event, Tip

UNREADABLE = (ValueError, TypeError, AttributeError, ArithmeticError)  # raised by values that no event of ours has

NOT_AUTHENTIC = (
    "this portal did not write it: its message authentication code is wrong or missing. If PORTAL_SECRET_KEY was "
    "replaced, name the old one in PORTAL_SECRET_KEY_FALLBACKS until the next checkpoint"
)


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first broken link."""

    sequence: int
    problem: str


def verify_chain(checkpoints: Iterable[Checkpoint] = ()) -> tuple[int, ChainBreak | None]:
    """The number of valid events, and the first broken link. Events written during the check are included."""
    walk = ChainWalk({checkpoint.sequence: checkpoint for checkpoint in checkpoints})
    return walk.count_to_tip()


def _ignore(_: Event) -> None: ...


@dataclass(slots=True)
class ChainWalk:
    """The part of the chain that is verified: `count` events, the last one with `digest`. Each is given to `visit`."""

    sealed: Mapping[int, Checkpoint]
    visit: Callable[[Event], None] = _ignore
    count: int = 0
    digest: str = GENESIS

    def count_to_tip(self) -> tuple[int, ChainBreak | None]:
        """Continue to the last event. The number of valid events, and the first broken link."""
        while True:
            before, broken = self.count, self.advance()
            tip = Tip.objects.first() or Tip(sequence=0, digest="")
            if broken or self.count >= tip.sequence or self.count == before:
                return self.count, broken or self.end_problem(tip)

    def advance(self) -> ChainBreak | None:
        """Continue to the last event, or to the first broken one."""
        rows = Event.objects.filter(sequence__gt=self.count) if self.count else Event.objects.all()
        with suppress(*UNREADABLE):  # some event of those fetched in one batch
            return self._through(rows.order_by("sequence").iterator())
        try:
            return self._through(self._one_by_one())
        except UNREADABLE as error:
            return ChainBreak(self.count + 1, f"it cannot be read ({error})")

    def _through(self, events: Iterable[Event]) -> ChainBreak | None:
        for event in events:
            if broken := self._problem(event):
                return broken
            self.visit(event)
            self.count, self.digest = event.sequence, event.digest
        return None

    def _one_by_one(self) -> Iterator[Event]:
        while event := Event.objects.filter(sequence__gt=self.count).order_by("sequence").first():
            yield event

    def _problem(self, event: Event) -> ChainBreak | None:
        expected, checkpoint = self.count + 1, self.sealed.get(event.sequence)
        if event.sequence < expected:
            return ChainBreak(event.sequence, "it was slipped in before the first one")
        if event.sequence > expected:
            return ChainBreak(expected, f"it is missing; the next one found is {event.sequence}")
        if event.previous != self.digest:
            return ChainBreak(expected, "it does not continue the event before it")
        if event.digest != event_digest(event):
            return ChainBreak(expected, "its content is not what was sealed")
        if checkpoint and checkpoint.digest != event.digest:
            return ChainBreak(expected, f"it or an event before it was rewritten since {_sealed(checkpoint)}")
        if expected >= settings.EVENT_CODES_FROM and not self._is_authentic(event):
            return ChainBreak(expected, NOT_AUTHENTIC)
        return None

    def _is_authentic(self, event: Event) -> bool:
        """Whether the event has its code. A checkpoint seals those before it, also by secret keys of the past."""
        return bool(event.mac) if event.sequence <= max(self.sealed, default=0) else has_valid_mac(event)

    def end_problem(self, tip: Tip) -> ChainBreak | None:
        """The break at the end: missing or added events."""
        last = self.sealed.get(max(self.sealed, default=0))
        if last and self.count < last.sequence:
            return ChainBreak(self.count + 1, f"it is missing; there were {last.sequence} at {_sealed(last)}")
        if self.count < tip.sequence:
            return ChainBreak(self.count + 1, f"it is missing; there were {tip.sequence}")
        if self.count > tip.sequence:
            return ChainBreak(tip.sequence + 1, f"it was slipped in: the portal wrote {tip.sequence} events")
        if self.count and self.digest != tip.digest:
            return ChainBreak(self.count, "it or an event before it was rewritten")
        return None


def _sealed(checkpoint: Checkpoint) -> str:
    return f"the checkpoint of {checkpoint.day}"
