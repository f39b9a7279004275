"""`manage.py status`: whether the portal works as it should; 0 if it does, 1 if something is wrong, 2 for bad use."""

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from portal.checks import SERVICE_TAG
from submissions.operations.checks import Check
from submissions.operations.work_checks import all_checks


class Command(BaseCommand):
    help = (
        "Check database, broker, keys, disk, jobs, processes, checkpoint and certificates. The exit status is 1 if "
        "something is wrong; each wrong line says what to do."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        checks = all_checks(timezone.now())
        is_good = all(check.is_good for check in checks)
        if options["json"]:
            rows = [asdict(check) for check in checks]
            self.stdout.write(json.dumps({"is_good": is_good, "checks": rows}, ensure_ascii=False, indent=2))
        else:
            for check in checks:
                self.stdout.write(_line(check))
        if not is_good:
            sys.exit(1)


def _line(check: Check) -> str:
    """Return the state, the name, the value met, the limit; what to do, if it is wrong."""
    state = "ok   " if check.is_good else "WRONG"
    line = f"{state}  {check.name}: {check.value}; limit: {check.limit}"
    return line if check.is_good else f"{line}\n       {check.fix}"
