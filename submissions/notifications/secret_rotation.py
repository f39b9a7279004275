"""Encrypt every stored secret again with the present key: the second step of changing `PORTAL_SECRET_KEY`.

First the old key becomes a fallback; afterwards it can be forgotten. `manage.py rotate_secrets` calls this. Each row is
locked while it changes, so the portal may run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django.db import models, transaction

from submissions.accounts import factor_secrets
from submissions.core.encryption import rotate
from submissions.core.errors import Refusal
from submissions.jobs import idempotency
from submissions.models import KeyedCall, Webhook
from submissions.notifications import webhook_delivery


@dataclass(frozen=True, slots=True)
class StoredSecrets:
    """The rows of one table that have a secret, and how a row's column looks with the secret rotated."""

    name: str
    rows: Callable[[], models.QuerySet[Any]]
    column: str
    rotated: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class RotationResult:
    """How many rows of a table were encrypted again, and the keys of those that no known key can read."""

    name: str
    count: int
    unreadable: tuple[int, ...]


TABLES = (
    StoredSecrets(
        "second factors",
        lambda: Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN),
        "data",
        partial(factor_secrets.convert_secrets, convert=partial(rotate, purpose=factor_secrets.PURPOSE)),
    ),
    StoredSecrets("webhooks", Webhook.objects.all, "secret", partial(rotate, purpose=webhook_delivery.PURPOSE)),
    StoredSecrets(
        "stored API answers",
        lambda: KeyedCall.objects.exclude(answer=""),
        "answer",
        partial(rotate, purpose=idempotency.PURPOSE),
    ),
)


def rotate_stored_secrets() -> Iterator[RotationResult]:
    """Table by table; a row that cannot be read stays as it is."""
    for table in TABLES:
        keys = list(table.rows().values_list("pk", flat=True))
        unreadable = tuple(key for key in keys if not _rotate_row(table, key))
        yield RotationResult(table.name, len(keys) - len(unreadable), unreadable)


@transaction.atomic
def _rotate_row(table: StoredSecrets, key: int) -> bool:
    row = table.rows().select_for_update().filter(pk=key).first()
    if row is None:  # deleted in the meantime
        return True
    try:
        setattr(row, table.column, table.rotated(getattr(row, table.column)))
    except Refusal:
        return False
    row.save(update_fields=[table.column])
    return True
