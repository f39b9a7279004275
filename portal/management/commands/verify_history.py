"""`manage.py verify_history`: exit status 0 where the chain of events holds, 1 where it is broken."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from submissions.actions import history


class Command(BaseCommand):
    help = "Check that no event was changed, removed or slipped in."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        count, broken = history.verify()
        if broken:
            self.stderr.write(f"event {broken.sequence}: {broken.problem}; the {count} before it hold")
            sys.exit(1)
        self.stdout.write(f"{count} events, each sealed with the one before")
