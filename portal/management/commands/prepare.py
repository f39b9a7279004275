"""`manage.py prepare`: what must be there before the portal starts: tables, the cache's table, static files."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from portal.checks import TAG
from submissions.audit.row_verification import begin_sealing


class Command(BaseCommand):
    help = "Bring the database up to date and, in service mode, collect the static files. Does nothing twice."
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
