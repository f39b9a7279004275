"""What a program may do with a batch that waits to be confirmed: discard it; and in a sandbox confirm it.

There nothing is signed, so the sandbox's signer takes the steps. In life a named person does, on the batch's page.
"""

from __future__ import annotations

from django.conf import settings

from submissions.access.programs import demand_scope
from submissions.actions import sandboxes
from submissions.actions.bulk import taking
from submissions.actions.bulk.shapes import needed_scopes
from submissions.errors import Forbidden
from submissions.models import Batch, Credential


def confirm(credential: Credential, batch: Batch) -> Batch:
    if batch.organisation.is_live:
        raise Forbidden(
            "person-needed",
            f"{batch.number} is confirmed by a named person.",
            fix=f"Have somebody with the role confirm it at {page_of(batch)}.",
        )
    _demand_scopes(credential, batch)
    return taking.confirm(sandboxes.signer_of(batch.organisation), batch, attested=True)


def discard(credential: Credential, batch: Batch) -> Batch:
    _demand_scopes(credential, batch)
    return taking.discard(credential.seat, batch)


def page_of(batch: Batch) -> str:
    """Where people look at the batch."""
    return f"{settings.PUBLIC_URL}/bulk/{batch.number}/"


def _demand_scopes(credential: Credential, batch: Batch) -> None:
    """Whoever could have sent all of it."""
    actions = batch.items.order_by().values_list("given__action", flat=True).distinct()
    for scope in sorted(needed_scopes([{"action": action} for action in actions])):
        demand_scope(credential, scope)
