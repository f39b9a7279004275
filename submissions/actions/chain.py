"""The chain that the history is: how an event is sealed with the one before, and where the chain breaks.

It is held against itself, against the tip (the events after the last checkpoint) and against the checkpoints (a chain
written anew from some event on, with digests that fit). Not here: writing events (`history`), the signatures of the
checkpoints (`documents.checkpoints`), what was done without an event (`unrecorded`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from submissions.canonical import canonical_json
from submissions.models import Checkpoint, Event, Tip

GENESIS = "0" * 64
NOT_OURS = (ValueError, TypeError, AttributeError, ArithmeticError)  # a value that no event of ours has


@dataclass(frozen=True, slots=True)
class Break:
    """The first link that does not hold."""

    sequence: int
    problem: str


def digest_of(event: Event) -> str:
    """SHA-256 over everything the event says, and the digest of the one before."""
    content = {
        "sequence": event.sequence,
        "at": event.at.isoformat(),
        "actor": event.actor_id,
        "organisation": event.organisation_id,
        "submission": event.submission_id,
        "verb": event.verb,
        "reason": event.reason,
        "before": event.before,
        "after": event.after,
        "previous": event.previous,
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def verify(checkpoints: Iterable[Checkpoint] = ()) -> tuple[int, Break | None]:
    """How many events hold, and the first broken link, if any. What comes while it is read is read too."""
    walk = _Walk({checkpoint.sequence: checkpoint for checkpoint in checkpoints})
    while True:
        stood, broken = walk.count, walk.on()
        tip = Tip.objects.first() or Tip(sequence=0, digest="")
        if broken or walk.count >= tip.sequence or walk.count == stood:
            return walk.count, broken or walk.wrong_end(tip)


@dataclass(slots=True)
class _Walk:
    """How far the chain holds: so many events, the last of them with this digest."""

    sealed: Mapping[int, Checkpoint]
    count: int = 0
    digest: str = GENESIS

    def on(self) -> Break | None:
        """From where it stands to the last event there is, or to the first that breaks."""
        rows = Event.objects.filter(sequence__gt=self.count) if self.count else Event.objects.all()
        try:
            return self._through(rows.order_by("sequence").iterator())
        except NOT_OURS:  # somewhere among those that were fetched together
            pass
        try:
            return self._through(self._one_by_one())
        except NOT_OURS as error:
            return Break(self.count + 1, f"it cannot be read ({error})")

    def _through(self, events: Iterable[Event]) -> Break | None:
        for event in events:
            if broken := self._problem(event):
                return broken
            self.count, self.digest = event.sequence, event.digest
        return None

    def _one_by_one(self) -> Iterator[Event]:
        while event := Event.objects.filter(sequence__gt=self.count).order_by("sequence").first():
            yield event

    def _problem(self, event: Event) -> Break | None:
        expected, checkpoint = self.count + 1, self.sealed.get(event.sequence)
        if event.sequence < expected:
            return Break(event.sequence, "it was slipped in before the first one")
        if event.sequence > expected:
            return Break(expected, f"it is missing; the next one found is {event.sequence}")
        if event.previous != self.digest:
            return Break(expected, "it does not continue the event before it")
        if event.digest != digest_of(event):
            return Break(expected, "its content is not what was sealed")
        if checkpoint and checkpoint.digest != event.digest:
            return Break(expected, f"it or an event before it was written anew since {_sealed(checkpoint)}")
        return None

    def wrong_end(self, tip: Tip) -> Break | None:
        """Whether events are missing at the end, or were slipped in there."""
        last = self.sealed.get(max(self.sealed, default=0))
        if last and self.count < last.sequence:
            return Break(self.count + 1, f"it is missing; there were {last.sequence} at {_sealed(last)}")
        if self.count < tip.sequence:
            return Break(self.count + 1, f"it is missing; there were {tip.sequence}")
        if self.count > tip.sequence:
            return Break(tip.sequence + 1, f"it was slipped in: the portal wrote {tip.sequence} events")
        if self.count and self.digest != tip.digest:
            return Break(self.count, "it or an event before it was written anew")
        return None


def _sealed(checkpoint: Checkpoint) -> str:
    return f"the checkpoint of {checkpoint.day}"
