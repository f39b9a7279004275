"""`manage.py sweep`: wake workers for what is due (see `submissions.jobs.sweep`)."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from portal.checks import SERVICE_TAG
from portal.processes import sweeper
from portal.processes.sweeper import Daily, run_upkeep
from submissions.jobs.sweep import sweep_due_jobs
from submissions.operations.work_checks import SWEEPER, report_process


class Command(BaseCommand):
    help = "Wake workers for jobs that are due, and do what is done once a day; every few seconds, or one turn."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="one turn, then end")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        if once:
            self.stdout.write(f"{sweep_due_jobs()} wake-ups sent")
            Daily().turn()
            run_upkeep(timezone.now())
            report_process(SWEEPER, timezone.now())
        else:
            sweeper.loop()
