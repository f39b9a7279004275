"""`manage.py sweep`: send again what is due and was not taken up (see `submissions.jobs.leases`)."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from portal.checks import SERVICE_TAG
from portal.processes import sweeper
from portal.processes.daily import Daily
from portal.processes.verification_upkeep import run_upkeep
from submissions.jobs import leases


class Command(BaseCommand):
    help = "Send again the jobs that are due, and what is done once a day; every few seconds, or one turn."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one turn, then end")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        if once:
            self.stdout.write(f"{leases.sweep_due_jobs()} jobs sent")
            Daily().turn()
            run_upkeep(timezone.now())
        else:
            sweeper.loop()
