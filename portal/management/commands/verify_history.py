"""`manage.py verify_history`: whether the history is what was written; 0 where it is, 1 where not, 2 for bad use."""

import sys
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand

from portal.checks import SERVICE_TAG
from submissions.audit import hash_chain, reconciliation
from submissions.verification import checkpoints

SHOWN = 20  # deeds without an event


class Command(BaseCommand):
    help = "Check that no event was changed, removed or slipped in, by the chain, its tip and the daily checkpoints."
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        rows, wrong = checkpoints.checked_checkpoints()
        count, broken = hash_chain.verify_chain(rows)
        unrecorded = list(islice(reconciliation.unrecorded_changes(), SHOWN))
        if broken:
            self.stderr.write(f"event {broken.sequence}: {broken.problem}; the {count} before it hold")
        if wrong:
            self.stderr.write(wrong)
        for change in unrecorded:
            self.stderr.write(f"{change}: no event tells of it")
        if broken or wrong or unrecorded:
            sys.exit(1)
        last = f"the last of {rows[-1].day}" if rows else "the first one is made after midnight"
        self.stdout.write(f"{count} events, each sealed with the one before; {len(rows)} checkpoints, {last}")
