"""Applying one item and writing its result into the row: done, or refused with the refusal of the action.

Not here: the order and the transactions of the items, and whether they are kept (`batch_worker`).
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from django.db import DatabaseError, DataError, IntegrityError, transaction
from django.utils import timezone

from games.rules.export import finding_data
from submissions.accounts import sandboxes
from submissions.bulk.item_answers import UNREPORTED, ItemActor, ItemOutcome
from submissions.bulk.item_dependencies import ItemDependencies
from submissions.bulk.item_handlers import apply_item
from submissions.bulk.item_schema import ITEM_VERBS, ItemRequest, parse_item
from submissions.core.errors import Forbidden, Refusal
from submissions.core.row_updates import update_rows
from submissions.models import Batch, Item, Person
from submissions.permissions.credentials import refuse_revoked, signers_of

log = logging.getLogger(__name__)

DONE_FIELDS = ("state", "status", "made", "at")
RESULT_FIELDS = (*DONE_FIELDS, "changes", "code", "message", "fix", "section", "option", "findings")
Action = Callable[[ItemActor, ItemRequest, str], ItemOutcome]


class ActorResolver:
    """The actors of a batch's items. Made for each transaction: people leave, and credentials are revoked."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def of(self, sent: ItemRequest) -> Person:
        """For a signed step the person who confirmed it, before that one who may; for others the sender."""
        if self.batch.credential and not self.batch.signer:  # a confirmed batch is the person's
            refuse_revoked(self.batch.credential)
        person = self._signer if ITEM_VERBS[sent.verb].signed else self.batch.by
        if not person.is_active:
            raise Forbidden("person-left", name=person.name, organization=self.batch.organization)
        return person

    @cached_property
    def _signer(self) -> Person:
        batch = self.batch
        if batch.signer:
            return batch.signer
        if not batch.organization.is_live:
            return sandboxes.sandbox_signer(batch.organization)
        signers = signers_of(batch.organization).select_related("organization")
        signer: Person | None = signers.filter(pk=batch.by.pk).first() or signers.first()
        if signer is None:
            raise Forbidden("nobody-signs", organization=batch.organization)
        return signer


def _apply_or_undo(actor: ItemActor, sent: ItemRequest, submission: str) -> ItemOutcome:
    with transaction.atomic():
        return apply_item(actor, sent, submission)


def answer_item(
    item: Item, actors: ActorResolver, dependencies: ItemDependencies, action: Action = _apply_or_undo
) -> None:
    """Apply the item and write its result; failures of the machine are raised, so that the job is tried again.

    `action`: what is done for the actor, with the item and the number of the submission that it refers to.
    """
    try:
        sent = parse_item(item.given)
        number = dependencies.submission_of(item, sent)
        seen, is_text = item.made.get("seen", {}), actors.batch.form != "json"
        done = action(ItemActor(actors.of(sent), answers_are_text=is_text, seen=seen), sent, number)
    except Refusal as refusal:
        refuse_item(item, refusal)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, DatabaseError) and not isinstance(error, DataError | IntegrityError):
            raise
        log.exception("%s, item %s", actors.batch.number, item.place)
        fault = Refusal("our-fault")
        fault.status = 500
        refuse_item(item, fault)
    else:
        item.state, item.status, item.at = Item.State.DONE, 200, timezone.now()
        item.made, item.changes = done.made, done.changes
        item.code = item.message = item.fix = item.section = item.option = ""
        item.findings = []
    dependencies.note(item)


def check_items(items: Sequence[Item], actors: ActorResolver, dependencies: ItemDependencies) -> None:
    """Apply the items one after the other, write their results, and roll back."""
    with transaction.atomic():
        for item in items:
            answer_item(item, actors, dependencies)
        transaction.set_rollback(True)
    mark_as_checked(items)


def mark_as_checked(items: Iterable[Item]) -> None:
    """Of items that would be applied: that they can be, without what only applying them creates."""
    for item in items:
        if item.state == Item.State.DONE:
            item.state = Item.State.PASSED
            item.made = {name: value for name, value in item.made.items() if name in UNREPORTED}


def refuse_item(item: Item, refusal: Refusal) -> None:
    item.state, item.status, item.at = Item.State.REFUSED, refusal.status, timezone.now()
    item.code, item.message, item.fix = refusal.code[:60], refusal.message, refusal.fix
    item.section, item.option = refusal.citation[:200], refusal.option[:60]
    item.findings = [finding_data(finding) for finding in refusal.findings]
    item.made, item.changes = {}, []


def save_results(items: Iterable[Item], stored: Mapping[int, object] | None = None) -> None:
    """Store the results of items that had none yet: of those that are not refused, the texts are empty as before.
    `stored`: by the items' places, the changes that a check has stored; the same ones are not stored again.
    """
    rows, stored = list(items), stored or {}
    applied = [row for row in rows if row.state != Item.State.REFUSED]
    update_rows([row for row in rows if row.state == Item.State.REFUSED], RESULT_FIELDS)
    update_rows([row for row in applied if stored.get(row.place) != row.changes], (*DONE_FIELDS, "changes"))
    update_rows([row for row in applied if stored.get(row.place) == row.changes], DONE_FIELDS)
