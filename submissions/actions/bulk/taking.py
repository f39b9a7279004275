"""A batch comes in, is confirmed or discarded. What then becomes of its items is `running`.

It is checked first where something has to be confirmed, and where all or nothing is to be done. Otherwise, live, each
item is done as it comes.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction
from django.utils import timezone

from submissions import access
from submissions.access.programs import batches_visible_to, demand_scope
from submissions.actions import jobs
from submissions.actions.bulk.answering import refuse
from submissions.actions.bulk.doing import ATTESTATION
from submissions.actions.bulk.shapes import LARGEST, MOST, VERBS, is_signed, needed_scopes
from submissions.actions.history import record
from submissions.errors import Conflict, Forbidden, NotThere, Refusal
from submissions.models import SCOPES_OF, Batch, Credential, Item, Job, Organisation, Person, Scope

_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON writes it; PostgreSQL cannot keep it


@dataclass(frozen=True, slots=True)
class Parcel:
    """What was sent: the items in their order, and where each one stood if it was a spreadsheet."""

    items: Sequence[Any]
    form: str  # json, csv, xlsx
    sha256: str
    rows: Sequence[str] = ()
    name: str = ""
    note: str = ""  # what is said of it from the start: rows that were left out


def take_in(
    by: Person, parcel: Parcel, *, mode: str, together: bool, credential: Credential | None = None, asks: bool = False
) -> Batch:
    """The batch and its job, in the caller's transaction if there is one. `asks`: it is to be confirmed first."""
    _refuse_misshapen(parcel, mode)
    if credential:
        _demand_scopes(credential, parcel.items)
    else:
        access.demand(by, "bulk")
    signs = mode == Batch.Mode.LIVE and is_signed(list(parcel.items))
    asks = mode == Batch.Mode.LIVE and (asks or signs)
    with transaction.atomic():
        batch = Batch.objects.create(
            number=uuid.uuid4().hex[:20],  # until the row has its own
            organisation=cast(Organisation, by.organisation),
            by=by,
            credential=credential,
            mode=mode,
            together=together,
            state=Batch.State.CHECKING if asks or mode == Batch.Mode.VALIDATE else Batch.State.RUNNING,
            form=parcel.form,
            name=parcel.name[:200],
            sha256=parcel.sha256,
            total=len(parcel.items),
            signs=signs,
            asks=asks,
            note=parcel.note,
        )
        batch.number = f"B-{timezone.localdate().year}-{batch.pk:05d}"
        batch.save(update_fields=["number"])
        Item.objects.bulk_create(_items(batch, parcel), batch_size=500)
        kind = Job.Kind.CHECK if batch.state == Batch.State.CHECKING else Job.Kind.BULK
        jobs.enqueue(kind, batch.pk)
    return batch


def confirm(person: Person, batch: Batch, *, attested: bool) -> Batch:
    """Carry out what was checked. Where it takes steps of filings, by this person, who attests them."""
    with transaction.atomic():
        batch = _held(person, batch)
        _refuse_not_waiting(batch)
        demand_confirming(person, batch)
        attestation = attestation_of(batch)
        if attestation and not attested:
            raise Refusal("attestation-missing", "The attestation is not ticked.", fix="Read it and tick it.")
        if not batch.items.filter(state=Item.State.PASSED).exists():
            raise Refusal(
                "nothing-to-confirm",
                f"No item of {batch.number} can be done.",
                fix="Mend the items, send them anew.",
            )
        batch.state, batch.signer, batch.signed_at = Batch.State.RUNNING, person, timezone.now()
        batch.attestation = attestation
        batch.save(update_fields=["state", "signer", "signed_at", "attestation"])
        told = {"batch": batch.number, "items": batch.total, "sha256": batch.sha256}
        record(person, None, "bulk-confirmed", after=told)
        jobs.enqueue(Job.Kind.BULK, batch.pk)
    return batch


def discard(person: Person, batch: Batch) -> Batch:
    """Nothing of it is done."""
    with transaction.atomic():
        batch = _held(person, batch)
        access.demand(person, "bulk")
        _refuse_not_waiting(batch)
        batch.state, batch.finished_at = Batch.State.DISCARDED, timezone.now()
        batch.note = f"Discarded by {person.name}."
        batch.save(update_fields=["state", "finished_at", "note"])
        record(person, None, "bulk-discarded", after={"batch": batch.number, "items": batch.total})
    return batch


def attestation_of(batch: Batch) -> str:
    """What whoever confirms it attests; empty where no step is taken, as where each was refused."""
    passed = batch.items.filter(state=Item.State.PASSED).order_by()
    named = set(passed.values_list("given__action", flat=True).distinct())
    return " ".join(text for verb, text in ATTESTATION.items() if verb in named)


def demand_confirming(person: Person, batch: Batch) -> None:
    """Raise `Forbidden` unless the person may confirm the batch: by role; a program never, but in a sandbox."""
    if person.organisation_id != batch.organisation_id:
        raise Forbidden("not-allowed", "This batch belongs to another organisation.")
    access.demand(person, "sign-bulk" if batch.signs else "bulk")


def _held(person: Person, batch: Batch) -> Batch:
    found = batches_visible_to(person).filter(pk=batch.pk).first()
    if found is None:
        raise NotThere("not-found", "There is no such batch, or not for you.", fix="Look for it in the list above it.")
    return Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)


def _refuse_not_waiting(batch: Batch) -> None:
    if batch.state != Batch.State.WAITING:
        who = f" {batch.signer.name} confirmed it." if batch.signer else ""
        raise Conflict(
            "batch-not-waiting",
            f"{batch.number} is “{batch.get_state_display()}”.{who}",
            theirs=batch.state,
            fix="Read it anew." if batch.state != Batch.State.CHECKING else "Wait until it is checked.",
        )


def _refuse_misshapen(parcel: Parcel, mode: str) -> None:
    if mode not in Batch.Mode.values:
        raise Refusal(
            "unknown-mode", f"“{str(mode)[:40]}” is no mode.", fix=f"There are: {', '.join(Batch.Mode.values)}.",
            option="mode",
        )  # fmt: skip
    if not 1 <= len(parcel.items) <= MOST:
        raise Refusal(
            "items-count", f"{len(parcel.items):,} items were sent.", fix=f"Send 1 to {MOST:,}.", option="items"
        )
    if wrong := next((place for place, one in enumerate(parcel.items, 1) if not isinstance(one, Mapping)), 0):
        raise Refusal(
            "item-shape", f"Item {wrong} is no object.", fix='Send objects: {"action": "update", …}.', option="items"
        )


def _demand_scopes(credential: Credential, items: Sequence[Any]) -> None:
    """The scopes of its items; a batch of nothing known takes a credential that could write at all."""
    needed = needed_scopes(list(items))
    writing = [scope for scope in SCOPES_OF[Organisation.Kind(credential.organisation.kind)] if scope != Scope.READ]
    if not needed and not set(writing) & set(credential.scopes):
        needed = {writing[0]}
    for scope in sorted(needed):
        demand_scope(credential, scope)


def _items(batch: Batch, parcel: Parcel) -> list[Item]:
    rows = parcel.rows or [""] * len(parcel.items)
    return [
        _item(batch, place, given, row) for place, (given, row) in enumerate(zip(parcel.items, rows, strict=True), 1)
    ]


def _item(batch: Batch, place: int, given: Mapping[str, Any], row: str) -> Item:
    """The item as it is kept; one that cannot be kept is answered at once, and only its action stays."""
    item = Item(batch=batch, place=place, row=row[:60], given=dict(given))
    try:
        refuse_unkept(given)
    except Refusal as refusal:
        action = str(given.get("action", ""))
        item.given = {"action": action if action in VERBS else "", "submission": str(given.get("submission", ""))[:40]}
        item.given = {name: value for name, value in item.given.items() if value and not _NUL.search(json.dumps(value))}
        refuse(item, refusal)
    return item


def refuse_unkept(given: Mapping[str, Any]) -> None:
    """Raise a `Refusal` if the item is too large, or the database cannot keep it."""
    text = json.dumps(given)
    if len(text) > LARGEST:
        raise Refusal(
            "item-too-large",
            f"The item has {len(text):,} characters; {LARGEST:,} can be taken.",
            fix="Attach a document for longer text.",
        )
    if _NUL.search(text):
        raise Refusal(
            "control-characters", "The item contains a character that cannot be kept (U+0000).", fix="Remove it."
        )
