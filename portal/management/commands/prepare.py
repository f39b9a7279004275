"""`manage.py prepare`: what must be there before the portal starts: tables, the seal's certificate, static files."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from portal.checks import TAG
from submissions.audit.row_verification import begin_sealing
from submissions.core.errors import Refusal
from submissions.documents.seal_register import introduce_seal, newest_seal
from submissions.documents.signing_keys import load_seal, settings_seal


class Command(BaseCommand):
    help = "Bring the database up to date, introduce the seal's certificate at the first start, collect static files."
    requires_system_checks = [TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        if older := begin_sealing():
            self.stdout.write(f"history    {older} rows of an earlier version sealed as they are")
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        if settings.SERVICE:
            call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write("database   up to date")
        self._introduce_first_seal()

    def _introduce_first_seal(self) -> None:
        try:
            if newest_seal() is None:
                row = introduce_seal(settings_seal().signer.signing_cert)
                self.stdout.write(f"seal       introduced: {row.subject}, SHA-256 {row.sha256}")
            load_seal()
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix} ({refusal.code})") from None
