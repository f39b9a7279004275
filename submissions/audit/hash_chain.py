"""Verifies the chain of events.

It is compared with itself, with the tip (which shows missing last events), with the checkpoints (which show a chain
that was written again with the secret key) and, after the last checkpoint, with the codes of the events. No row decides
whether a code is demanded: each event has one, and it is in the link of the next event. Not here: the format (`chain`),
writing events (`record`), the seals of checkpoints (`documents.checkpoints`), the rows that events seal
(`row_verification`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from submissions.audit.chain import GENESIS, event_digest, has_valid_code, is_own_tip, link_of
from submissions.models import Checkpoint, Event, Tip

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
    """The number of valid events, and the first broken link. Events written during the check are included."""
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
        """Continue to the last event. The number of valid events, and the first broken link."""
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
        if expected > max(self.sealed, default=0) and not has_valid_code(event):
            return ChainBreak(expected, NOT_AUTHENTIC)
        return None

    def end_problem(self, tip: Tip) -> ChainBreak | None:
        """The break at the end: missing or added events."""
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
