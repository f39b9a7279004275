"""`manage.py security_log`: the security log as lines of JSON on standard output, for a SIEM that reads a stream.

Each line has a `cursor`. A reader that stores the last one and continues with `--since` gets every record once.
"""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import close_old_connections

from portal.checks import SERVICE_TAG
from submissions.security_log.records import json_line, records_after

PAUSE = 1.0  # seconds between two looks


class Command(BaseCommand):
    help = (
        "Write the security log as lines of JSON, oldest first. Each line has a cursor, from which --since continues."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--since", type=int, default=0, metavar="CURSOR", help="only records after the one with this cursor"
        )
        parser.add_argument("--follow", action="store_true", help="keep running, and write new records as they come")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            cursor = self._write(options["since"])
            while options["follow"]:
                time.sleep(PAUSE)
                close_old_connections()
                cursor = self._write(cursor)
        except (KeyboardInterrupt, BrokenPipeError):  # the reader is done
            return

    def _write(self, cursor: int) -> int:
        """Write what follows the cursor; the cursor of the last line."""
        for row in records_after(cursor):
            self.stdout.write(json_line(row))
            cursor = row.pk
        self.stdout.flush()
        return cursor
