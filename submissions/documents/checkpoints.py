"""Checkpoints of the history: sealed and timestamped, after each approval and once an hour with changes.

With the secret key the chain of events could be written again; a checkpoint before that would not fit it. Each is
recorded by an event that seals its row, and a line of it is stored outside of the database, in the folder
`settings.CHECKPOINTS` of the machine that made it. A document carries the checkpoint at the event of its approval
(`paper_checkpoint`), so that everyone who holds one can prove a later change. Not here: the seal (`checkpoint_seal`),
comparing the chain (`audit.hash_chain`).
"""

import json
import logging
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from submissions.audit.chain import CHECKPOINT_MADE, link_of
from submissions.audit.hash_chain import ChainBreak, ChainWalk
from submissions.audit.record import record_event
from submissions.audit.row_verification import verify_history
from submissions.core.errors import Refusal
from submissions.documents.checkpoint_seal import check_seal, make_seal
from submissions.documents.seal_certificate import certificates
from submissions.documents.signing_keys import listed_seals, load_seal, root_file
from submissions.models import Checkpoint, Event

log = logging.getLogger(__name__)


def make_hourly_checkpoint(now: datetime) -> Checkpoint | None:
    """The checkpoint at the last event; None while the newest one is younger than an hour, or nothing has changed."""
    newest = Checkpoint.objects.defer("seal").order_by("-made_at").first()
    if newest and now - newest.made_at < settings.CHECKPOINT_EVERY:
        return None
    last = last_change()
    if last is None or Checkpoint.objects.filter(sequence__gte=last.sequence).exists():
        return None
    return checkpoint_at(last)


def last_change() -> Event | None:
    """The last event that is not of a checkpoint."""
    return Event.objects.exclude(verb=CHECKPOINT_MADE).order_by("-sequence").first()


def checkpoint_at(event: Event) -> Checkpoint:
    """The checkpoint at this event, made if there is none.

    Errors: `Refusal` `history-broken` if the chain is broken since the checkpoint before.
    """
    if there := Checkpoint.objects.filter(pk=event.sequence).first():
        return there
    before = Checkpoint.objects.filter(pk__lt=event.sequence).last()
    _refuse_broken(before, event)
    link = link_of(event.digest, event.mac)
    row = Checkpoint(
        sequence=event.sequence,
        link=link,
        seal=make_seal(event.sequence, link, load_seal()),
        made_at=timezone.now(),
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            record_event(None, None, CHECKPOINT_MADE, after={"sequence": row.sequence, "link": link}, seals=[row])
    except IntegrityError:  # another process was faster
        return Checkpoint.objects.get(pk=event.sequence)
    _keep_outside(row)
    return row


def checked_checkpoints() -> tuple[list[Checkpoint], str]:
    """The checkpoints up to the last whose seal is valid, and the first problem as text.

    The seals of those before need no check: the chain that they are in leads to the last one, and events seal their
    rows.
    """
    rows = list(Checkpoint.objects.order_by("sequence"))
    problem = ""
    while rows and (why := seal_problem(rows[-1])):
        problem = f"checkpoint at event {rows.pop().sequence}: {why}"
    return rows, problem or next(_missing(rows), "")


def seal_problem(row: Checkpoint) -> str:
    """Why the seal of the checkpoint is not valid; "" if it is."""
    return check_seal(row.sequence, row.link, row.seal, certificates(root_file()), listed_seals()).problem


def refuse_broken_history(now: datetime) -> int:
    """Verify the whole history: chain, checkpoints, rows. Done once a day; returns the number of events.

    Errors: `Refusal` `history-broken` for a broken chain. Rows that differ are logged.
    """
    rows, where = checked_checkpoints()
    report = verify_history(rows)
    for difference in report.differences:  # the events are whole
        log.error("verify_history: %s", difference)
    if where or report.broken:
        raise _broken(report.broken, where)
    return report.count


def _refuse_broken(before: Checkpoint | None, event: Event) -> None:
    """Verify the chain from the checkpoint before to the event."""
    if before and (why := seal_problem(before)):
        raise _broken(None, f"checkpoint at event {before.sequence}: {why}")
    walk = ChainWalk({before.sequence: before}, count=before.sequence, link=before.link) if before else ChainWalk({})
    if broken := walk.advance(event.sequence):
        raise _broken(broken)


def _broken(broken: ChainBreak | None, where: str = "") -> Refusal:
    return Refusal("history-broken", where=where if broken is None else f"event {broken.sequence}: {broken.problem}")


def _copies() -> Path:
    return Path(settings.CHECKPOINTS) / "checkpoints.jsonl"


def _keep_outside(row: Checkpoint) -> None:
    path = _copies()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"sequence": row.sequence, "link": row.link, "seal": row.seal}) + "\n")


def _missing(rows: Sequence[Checkpoint]) -> Iterator[str]:
    """A text for each copy outside that the database lost or changed, or that cannot be read."""
    stored, path = {row.sequence: (row.link, row.seal) for row in rows}, _copies()
    for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else (), 1):
        try:
            copy = json.loads(line)
            sequence, of_copy = copy["sequence"], (copy["link"], copy["seal"])
        except (ValueError, TypeError, KeyError):
            yield f"line {number} of {path} cannot be read"
        else:
            if stored.get(sequence) != of_copy:
                yield f"checkpoint at event {sequence}: it is not in the database as it was kept in {path}"
