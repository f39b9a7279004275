"""`manage.py run_again [JOB …]`: what stopped, and why; with numbers, those jobs are run again from where they stood.

For work that the portal gave up: a timestamp authority that was away too long, a certificate that was replaced.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.checks import SERVICE_TAG
from submissions.jobs import leases
from submissions.models import Job


class Command(BaseCommand):
    help = "List the jobs that stopped, or run the named ones again."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("jobs", nargs="*", type=int, metavar="JOB", help="its number; none: list what stopped")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["jobs"]:
            for job in Job.objects.filter(state__in=leases.STOPPED).order_by("pk"):
                stopped = f"{job.get_kind_display()} of {job.subject}  {job.get_state_display()}"
                self.stdout.write(f"{job.pk}  {stopped}: {job.message}")
        for number in options["jobs"]:
            if not leases.run_again(number):
                raise CommandError(f"Job {number} has not stopped, or is not there. Without a number, all are listed.")
            self.stdout.write(f"job {number} is sent again")
