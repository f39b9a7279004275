"""Doing one item, and writing what came of it into the item: done, or refused in the words of the action.

Not here: in which order and in which transactions the items are done, and whether they are kept (`running`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from functools import cached_property

from django.db import DatabaseError, DataError, IntegrityError, transaction
from django.utils import timezone

from games.rules.export import finding_data
from submissions.access.programs import refuse_revoked, signers_of
from submissions.actions import sandboxes
from submissions.actions.bulk.doing import UNTOLD, Doer, Done, do
from submissions.actions.bulk.shapes import VERBS, Sent, read
from submissions.actions.bulk.standing import Standings
from submissions.errors import Forbidden, Refusal
from submissions.models import Batch, Item, Person

log = logging.getLogger(__name__)

ANSWER = ("state", "status", "code", "message", "fix", "section", "option", "findings", "made", "changes", "at")
NOBODY = "Have an administrator give somebody the role that takes this step, with a second factor."


class Doers:
    """Who does the items of a batch. Asked anew in each transaction: people leave, and credentials are revoked."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def of(self, sent: Sent) -> Person:
        """Of a step, the person who confirmed it; before that, whoever would have to, without a signature."""
        if self.batch.credential and not self.batch.signer:  # once a person has confirmed what it sent, it is theirs
            refuse_revoked(self.batch.credential)
        person = self._signer if VERBS[sent.verb].signed else self.batch.by
        if not person.is_active:
            raise Forbidden(
                "person-left", f"{person.name} is no longer with {self.batch.organisation}.",
                fix="Have somebody else send it, or confirm it.",
            )  # fmt: skip
        return person

    @cached_property
    def _signer(self) -> Person:
        batch = self.batch
        if batch.signer:
            return batch.signer
        if not batch.organisation.is_live:
            return sandboxes.signer_of(batch.organisation)
        signers = signers_of(batch.organisation).select_related("organisation")
        found: Person | None = signers.filter(pk=batch.by.pk).first() or signers.first()
        if found is None:
            raise Forbidden("nobody-signs", f"Nobody at {batch.organisation} may confirm it.", fix=NOBODY)
        return found


def answer(item: Item, doers: Doers, standings: Standings) -> None:
    """Do it, and write the answer into it; what the machine could not do is raised, and tried again."""
    try:
        with transaction.atomic():
            done = _done(item, doers, standings)
    except Refusal as refusal:
        refuse(item, refusal)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, DatabaseError) and not isinstance(error, DataError | IntegrityError):
            raise
        log.exception("%s, item %s", doers.batch.number, item.place)
        refuse(item, _fault())
    else:
        item.state, item.status, item.at = Item.State.DONE, 200, timezone.now()
        item.made, item.changes = done.made, done.changes
        item.code = item.message = item.fix = item.section = item.option = ""
        item.findings = []
    standings.note(item)


def try_out(items: Sequence[Item], doers: Doers, standings: Standings) -> None:
    """Do them one after the other, write the answers, and take back what was done."""
    with transaction.atomic():
        for item in items:
            answer(item, doers, standings)
        transaction.set_rollback(True)
    for item in items:
        if item.state == Item.State.DONE:  # what it made is gone again
            item.state = Item.State.PASSED
            item.made = {name: value for name, value in item.made.items() if name in UNTOLD}


def refuse(item: Item, refusal: Refusal) -> None:
    item.state, item.status, item.at = Item.State.REFUSED, refusal.status, timezone.now()
    item.code, item.message, item.fix = refusal.code[:60], refusal.message, refusal.fix
    item.section, item.option = refusal.citation[:200], refusal.option[:60]
    item.findings = [finding_data(finding) for finding in refusal.findings]
    item.made, item.changes = {}, []


def keep(items: Iterable[Item]) -> None:
    """Write the answers down. Row by row: one statement for many takes Django longer to make than to run."""
    for item in items:
        item.save(update_fields=ANSWER)


def _done(item: Item, doers: Doers, standings: Standings) -> Done:
    sent = read(item.given)
    number = standings.submission_of(item, sent)
    doer = Doer(doers.of(sent), typed=doers.batch.form != "json", seen=item.made.get("seen", {}))
    return do(doer, sent, number)


def _fault() -> Refusal:
    fault = Refusal("our-fault", "The portal failed.", fix="It is logged. Try again, or tell its operator.")
    fault.status = 500
    return fault
