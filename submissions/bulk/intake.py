"""Batches: accepted, confirmed or discarded, by a person or an API client.

The items of a batch are then processed by `batch_worker`.

A batch that needs a confirmation, or must be applied as a whole, is checked first. The items of another live batch are
applied at once. An API client can also send a single item: a step that a named person signs becomes a batch of one,
which waits for the confirmation. In a sandbox nothing is signed: the sandbox's signer takes the steps.
"""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from submissions import permissions
from submissions.accounts import api_credentials
from submissions.audit.record import record_event
from submissions.bulk.batch_worker import too_many_together
from submissions.bulk.item_handlers import ItemActor, ItemOutcome, apply_item, refuse_item
from submissions.bulk.items import ITEM_VERBS, LARGEST_ITEM, MOST_ITEMS, is_signed, needed_scopes, parse_item
from submissions.core.errors import Conflict, Forbidden, NotFound, Refusal
from submissions.filings.filing import attestation_by
from submissions.jobs import leases
from submissions.models import SCOPES_OF, Batch, Credential, Item, Job, Organization, Person, Scope
from submissions.permissions.credentials import batches_visible_to, require_scope
from submissions.permissions.workflow import TRANSITIONS

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON writes it; PostgreSQL cannot store it


@dataclass(frozen=True, slots=True)
class Upload:
    """The items as sent, in their order; of a spreadsheet with the label of each one's row."""

    items: Sequence[Any]
    form: str  # json, csv, xlsx
    sha256: str
    rows: Sequence[str] = ()
    name: str = ""
    note: str = ""  # about rows that were left out


def accept_upload(
    by: Person,
    upload: Upload,
    *,
    mode: str,
    atomic: bool,
    credential: Credential | None = None,
    needs_confirmation: bool = False,
) -> Batch:
    """Create the batch, with its job. `needs_confirmation`: a person confirms it, even if nothing in it is signed."""
    _refuse_misshapen(upload, mode, atomic=atomic)
    if credential:
        _require_scopes(credential, upload.items)
    else:
        permissions.require(by, "bulk")
    signs = mode == Batch.Mode.LIVE and is_signed(list(upload.items))
    needs_confirmation = mode == Batch.Mode.LIVE and (needs_confirmation or signs)
    is_checked = needs_confirmation or mode == Batch.Mode.VALIDATE
    batch = Batch(
        number=uuid.uuid4().hex[:20],  # until the row has its key
        organization=cast(Organization, by.organization),
        by=by,
        credential=credential,
        mode=mode,
        atomic=atomic,
        state=Batch.State.CHECKING if is_checked else Batch.State.RUNNING,
        form=upload.form,
        name=upload.name[:200],
        sha256=upload.sha256,
        total=len(upload.items),
        signs=signs,
        needs_confirmation=needs_confirmation,
        note=upload.note,
    )
    given = zip(upload.items, upload.rows or [""] * len(upload.items), strict=True)
    items = [_item_row(batch, place, *pair) for place, pair in enumerate(given, 1)]  # before others have to wait
    with transaction.atomic():
        batch.save(force_insert=True)
        batch.number = f"B-{timezone.localdate().year}-{batch.pk:05d}"
        batch.save(update_fields=["number"])
        Item.objects.bulk_create(items, batch_size=500)
        leases.enqueue(Job.Kind.CHECK if is_checked else Job.Kind.BULK, batch.pk)
    return batch


def confirm_batch(person: Person, batch: Batch, *, attested: bool) -> Batch:
    """Apply the items that passed the check; this person takes the signed steps and attests them."""
    with transaction.atomic():
        batch = _locked(person, batch)
        _refuse_not_waiting(batch)
        require_confirmation_rights(person, batch)
        attestation = attestation_of(batch, person)
        if attestation and not attested:
            raise Refusal("attestation-missing")
        if not batch.items.filter(state=Item.State.PASSED).exists():
            raise Refusal("nothing-to-confirm", number=batch.number)
        batch.state, batch.signer, batch.signed_at = Batch.State.RUNNING, person, timezone.now()
        batch.attestation = attestation
        batch.save(update_fields=["state", "signer", "signed_at", "attestation"])
        after = {"batch": batch.number, "items": batch.total, "sha256": batch.sha256}
        record_event(person, None, "bulk-confirmed", after=after, seals=(batch,))
        leases.enqueue(Job.Kind.BULK, batch.pk)
    return batch


def discard_batch(person: Person, batch: Batch) -> Batch:
    """End the batch; none of its items is applied."""
    with transaction.atomic():
        batch = _locked(person, batch)
        permissions.require(person, "bulk")
        _refuse_not_waiting(batch)
        batch.state, batch.finished_at = Batch.State.DISCARDED, timezone.now()
        batch.note = f"{batch.note} Discarded by {person.name}.".strip()
        batch.save(update_fields=["state", "finished_at", "note"])
        record_event(person, None, "bulk-discarded", after={"batch": batch.number, "items": batch.total})
    return batch


def attestation_of(batch: Batch, person: Person) -> str:
    """Return the attestation of the person who confirms the batch; "" if it takes no signed step."""
    passed = batch.items.filter(state=Item.State.PASSED).order_by()
    actions = set(passed.values_list("given__action", flat=True).distinct())
    texts = (step.attestation for verb, step in TRANSITIONS.items() if verb in actions)
    return attestation_by(person, " ".join(texts))


def require_confirmation_rights(person: Person, batch: Batch) -> None:
    """Raise `Forbidden` unless the person may confirm the batch: by role, and only of their own organization."""
    if person.organization_id != batch.organization_id:
        raise Forbidden("not-allowed/batch")
    permissions.require(person, "sign-bulk" if batch.signs else "bulk")


def _locked(person: Person, batch: Batch) -> Batch:
    if not batches_visible_to(person).filter(pk=batch.pk).exists():
        raise NotFound("not-found/batch")
    return Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)


def _refuse_not_waiting(batch: Batch) -> None:
    if batch.state != Batch.State.UNCONFIRMED:
        who = f" {batch.signer.name} confirmed it." if batch.signer else ""
        is_checking = batch.state == Batch.State.CHECKING
        fix = "Wait until it is checked." if is_checking else "It has ended or is being applied. Read its items."
        state = batch.get_state_display()
        raise Conflict("batch-not-waiting", theirs=batch.state, fix=fix, number=batch.number, state=state, who=who)


def _refuse_misshapen(upload: Upload, mode: str, *, atomic: bool) -> None:
    if mode not in Batch.Mode.values:
        modes = ", ".join(Batch.Mode.values)
        if not mode:
            raise Refusal("unknown-mode/missing", option="mode", modes=modes)
        raise Refusal("unknown-mode", option="mode", mode=str(mode)[:40], modes=modes)
    if not 1 <= len(upload.items) <= MOST_ITEMS:
        raise Refusal("items-count", option="items", count=len(upload.items), most=MOST_ITEMS)
    if wrong := next((place for place, item in enumerate(upload.items, 1) if not isinstance(item, Mapping)), 0):
        raise Refusal("item-shape", option="items", wrong=wrong)
    if atomic and (refusal := too_many_together(upload.items)):
        raise refusal


def _require_scopes(credential: Credential, items: Sequence[Any]) -> None:
    """Require the scopes of the items; for a batch without a known item any scope that can write."""
    needed = needed_scopes(list(items))
    writing = [scope for scope in SCOPES_OF[Organization.Kind(credential.organization.kind)] if scope != Scope.READ]
    if not needed and not set(writing) & set(credential.scopes):
        needed = {writing[0]}
    for scope in sorted(needed):
        require_scope(credential, scope)


def _item_row(batch: Batch, place: int, given: Mapping[str, Any], row: str) -> Item:
    """Return the item's row; one that cannot be stored is refused at once, and keeps only its action and submission."""
    item = Item(batch=batch, place=place, row=row[:60], given=dict(given))
    try:
        refuse_unstorable(given)
    except Refusal as refusal:
        action, submission = str(given.get("action", "")), str(given.get("submission", ""))[:40]
        stored = {"action": action if action in ITEM_VERBS else "", "submission": submission}
        item.given = {name: value for name, value in stored.items() if value and not _NUL.search(json.dumps(value))}
        refuse_item(item, refusal)
    return item


def refuse_unstorable(given: Mapping[str, Any]) -> None:
    """Raise a `Refusal` if the item is too large, or the database cannot store it."""
    text = json.dumps(given)
    if len(text) > LARGEST_ITEM:
        raise Refusal("item-too-large", count=len(text), largest=LARGEST_ITEM)
    if _NUL.search(text):
        raise Refusal("control-characters/item")


def apply_single_item(credential: Credential, given: Mapping[str, Any]) -> ItemOutcome:
    """Apply the item in the caller's transaction, which a refusal must undo."""
    refuse_unstorable(given)
    sent = parse_item(given)
    return apply_item(ItemActor(credential.service_account), sent, sent.text("submission"))


def send_for_signature(credential: Credential, given: Mapping[str, Any]) -> Batch:
    """Create a batch of one, which a named person confirms."""
    parse_item(given)
    upload = Upload([given], "json", sha256(json.dumps(given, sort_keys=True).encode()).hexdigest())
    return accept_upload(credential.service_account, upload, mode=Batch.Mode.LIVE, atomic=False, credential=credential)


def confirm_in_sandbox(credential: Credential, batch: Batch) -> Batch:
    """Confirm a batch of a sandbox; `Forbidden` for any other."""
    if batch.organization.is_live:
        raise Forbidden("person-needed", number=batch.number, batch=page_address(batch))
    _require_scopes_of(credential, batch)
    return confirm_batch(api_credentials.sandbox_signer(batch.organization), batch, attested=True)


def discard_by_client(credential: Credential, batch: Batch) -> Batch:
    _require_scopes_of(credential, batch)
    return discard_batch(credential.service_account, batch)


def page_address(batch: Batch) -> str:
    """Return the address of the batch's page."""
    return f"{settings.PUBLIC_URL}/bulk/{batch.number}/"


def _require_scopes_of(credential: Credential, batch: Batch) -> None:
    """Raise `Forbidden` unless the credential may send every item of the batch."""
    actions = batch.items.order_by().values_list("given__action", flat=True).distinct()
    for scope in sorted(needed_scopes([{"action": action} for action in actions])):
        require_scope(credential, scope)
