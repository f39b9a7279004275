"""Encrypts every stored secret again with the present PORTAL_SECRET_KEY, after the old one became a fallback.

Afterwards the old one can be forgotten. Each row is locked while it changes, so the portal may run.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError
from django.db import models, transaction

from portal.checks import SERVICE_TAG
from submissions.accounts import second_factor
from submissions.audit.record import record_event
from submissions.core.encryption import rotate
from submissions.core.errors import Refusal
from submissions.jobs import idempotency
from submissions.models import KeyedCall, Webhook
from submissions.notifications import webhooks


class StoredSecrets(NamedTuple):
    """The rows of one table that have a secret, and how a row's column looks with the secret rotated."""

    name: str
    rows: Callable[[], models.QuerySet[Any]]
    column: str
    rotated: Callable[[Any], Any]


TABLES = (
    StoredSecrets(
        "second factors",
        lambda: Authenticator.objects.exclude(type=Authenticator.Type.WEBAUTHN),
        "data",
        partial(second_factor.convert_secrets, convert=partial(rotate, purpose=second_factor.PURPOSE)),
    ),
    StoredSecrets("webhooks", Webhook.objects.all, "secret", partial(rotate, purpose=webhooks.ENCRYPTION_PURPOSE)),
    StoredSecrets(
        "stored API answers",
        lambda: KeyedCall.objects.exclude(answer=""),
        "answer",
        partial(rotate, purpose=idempotency.PURPOSE),
    ),
)


@transaction.atomic
def _rotate_row(table: StoredSecrets, key: int) -> bool:
    """Return whether the row could be read; one that cannot stays as it is."""
    row = table.rows().select_for_update().filter(pk=key).first()
    if row is None:  # deleted in the meantime
        return True
    try:
        setattr(row, table.column, table.rotated(getattr(row, table.column)))
    except Refusal:
        return False
    row.save(update_fields=[table.column])
    return True


class Command(BaseCommand):
    help = "Encrypt the stored secrets of second factors, webhooks and API answers with the present PORTAL_SECRET_KEY."
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        unreadable = []
        for table in TABLES:
            keys = list(table.rows().values_list("pk", flat=True))
            left = [key for key in keys if not _rotate_row(table, key)]
            self.stdout.write(f"{table.name}: {len(keys) - len(left)} encrypted with the present key")
            unreadable += [f"{table.name} {key}" for key in left]
        if unreadable:
            raise CommandError(
                f"No known key reads {', '.join(unreadable)}. Add the key that was in use to "
                "PORTAL_SECRET_KEY_FALLBACKS and run this again; if it is lost, set these up again."
            )
        with transaction.atomic():  # a change, so that the next checkpoint covers what the old key wrote
            event = record_event(None, None, "secrets-rotated")
        self.stdout.write(
            "PORTAL_SECRET_KEY_FALLBACKS is no longer needed for stored secrets. The history needs it until there is a "
            f"checkpoint at event {event.sequence} or later: manage.py verify_history names the last one."
        )
