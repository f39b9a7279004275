"""What an API client does beside sending batches: send a single item, discard a batch, confirm one in its sandbox.

A step that a named person signs becomes a batch of one, which waits for the confirmation. In a sandbox nothing is
signed: the sandbox's signer takes the steps.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.conf import settings

from submissions.accounts import sandboxes
from submissions.bulk import intake
from submissions.bulk.item_answers import ItemActor, ItemOutcome
from submissions.bulk.item_handlers import apply_item
from submissions.bulk.item_schema import needed_scopes, parse_item
from submissions.core.errors import Forbidden
from submissions.models import Batch, Credential
from submissions.permissions.credentials import require_scope


def apply_single_item(credential: Credential, given: Mapping[str, Any]) -> ItemOutcome:
    """Apply the item in the caller's transaction, which a refusal must undo."""
    intake.refuse_unstorable(given)
    sent = parse_item(given)
    return apply_item(ItemActor(credential.service_account), sent, sent.text("submission"))


def send_for_signature(credential: Credential, given: Mapping[str, Any]) -> Batch:
    """The batch of one that a named person confirms."""
    parse_item(given)
    upload = intake.Upload([given], "json", sha256(json.dumps(given, sort_keys=True).encode()).hexdigest())
    return intake.accept_upload(
        credential.service_account, upload, mode=Batch.Mode.LIVE, atomic=False, credential=credential
    )


def confirm(credential: Credential, batch: Batch) -> Batch:
    """Confirm a batch of a sandbox; `Forbidden` for any other."""
    if batch.organization.is_live:
        raise Forbidden("person-needed", number=batch.number, batch=page_of(batch))
    _require_scopes(credential, batch)
    return intake.confirm_batch(sandboxes.sandbox_signer(batch.organization), batch, attested=True)


def discard(credential: Credential, batch: Batch) -> Batch:
    _require_scopes(credential, batch)
    return intake.discard_batch(credential.service_account, batch)


def page_of(batch: Batch) -> str:
    """The address of the batch's page."""
    return f"{settings.PUBLIC_URL}/bulk/{batch.number}/"


def _require_scopes(credential: Credential, batch: Batch) -> None:
    """Raise `Forbidden` unless the credential may send every item of the batch."""
    actions = batch.items.order_by().values_list("given__action", flat=True).distinct()
    for scope in sorted(needed_scopes([{"action": action} for action in actions])):
        require_scope(credential, scope)
