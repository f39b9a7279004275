"""`manage.py verify_history`: whether history and rows are what was written; 0 where they are, 1 where not, 2 for bad
use.
"""

import sys
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand

from portal.checks import SERVICE_TAG
from submissions.audit import reconciliation
from submissions.audit.row_verification import HistoryReport, verify_history
from submissions.security_log.daily_seals import security_log_problems
from submissions.transparency.log_verification import log_problems
from submissions.verification import checkpoints

SHOWN = 20  # differences of a kind


class Command(BaseCommand):
    help = (
        "Check the history. Was an event changed, removed or inserted? Does each row, also of the security log, still "
        "have the values that its event sealed?"
    )
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        rows, wrong = checkpoints.checked_checkpoints()
        report = verify_history(rows, most=SHOWN)
        unrecorded = [f"{change}: no event records it" for change in reconciliation.unrecorded_changes()]
        unrecorded = list(islice((*unrecorded, *log_problems(), *security_log_problems()), SHOWN))
        self._report_problems(report, wrong, unrecorded)
        if wrong or unrecorded or not report.good:
            sys.exit(1)
        last = f"the last of {rows[-1].day}" if rows else "the first one is made after midnight"
        self.stdout.write(f"{report.count} events, each sealed with the one before; {len(rows)} checkpoints, {last}")
        self.stdout.write(f"{report.sealed} rows, each as the events sealed it")
        if report.older:
            self.stdout.write(
                f"{report.older} of them not sealed when they were written, only as they were found later"
            )

    def _report_problems(self, report: HistoryReport, wrong: str, unrecorded: list[str]) -> None:
        if report.broken:
            self.stderr.write(
                f"event {report.broken.sequence}: {report.broken.problem}; {report.count} before it are valid"
            )
        if wrong:
            self.stderr.write(wrong)
        for difference in report.differences:
            self.stderr.write(str(difference))
        if len(report.differences) == SHOWN:
            self.stderr.write(f"There may be more: only {SHOWN} differences are shown.")
        for change in unrecorded:
            self.stderr.write(change)
        if report.uncovered:
            self.stderr.write(f"not sealed yet: {', '.join(report.uncovered)}. Run manage.py prepare.")
