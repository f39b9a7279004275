"""Encrypts stored secrets again with the present PORTAL_SECRET_KEY, after the old one became a fallback."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from portal.checks import SERVICE_TAG
from submissions.audit.record import record_event
from submissions.notifications.secret_rotation import rotate_stored_secrets


class Command(BaseCommand):
    help = "Encrypt the stored secrets of second factors, webhooks and API answers with the present PORTAL_SECRET_KEY."
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        unreadable = []
        for result in rotate_stored_secrets():
            self.stdout.write(f"{result.name}: {result.count} encrypted with the present key")
            unreadable += [f"{result.name} {key}" for key in result.unreadable]
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
