"""`manage.py verify_history [--against FILE.pdf …]`: whether history and rows are what was written.

Also what the papers that others hold say of them; 0 where they are, 1 where not, 2 for bad use.
"""

import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from portal.checks import SERVICE_TAG
from submissions.audit import row_verification
from submissions.audit.chain import UNREADABLE
from submissions.audit.row_verification import HistoryReport, verify_history
from submissions.core.text import counted
from submissions.documents import checkpoints
from submissions.documents.checkpoints import check_paper_isolated, history_problem
from submissions.documents.seal_certificate import certificates
from submissions.documents.signing_keys import listed_seals, root_file
from submissions.documents.verify import verify_isolated
from submissions.models import Checkpoint
from submissions.security_log.daily_seals import security_log_problems

SHOWN = 20  # differences of a kind


class Command(BaseCommand):
    help = (
        "Check the history. Was an event changed, removed or inserted? Does each row, also of the security log, still "
        "have the values that its event sealed? Signed PDFs that licensees hold show whether it was written again."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--against",
            nargs="+",
            type=Path,
            default=[],
            metavar="FILE.pdf",
            help="signed PDFs from outside of this portal, whose checkpoints the history must have",
        )

    def handle(self, *args: Any, against: list[Path], **options: Any) -> None:
        if missing := [path for path in against if not path.is_file()]:
            self.stderr.write(f"{missing[0]} is not a file. Use: manage.py verify_history --against FILE.pdf …")
            sys.exit(2)
        try:
            rows, report = self._verify(against)
        except (*UNREADABLE, DatabaseError) as error:  # SQLite stores any value in any column
            self.stderr.write(f"The history could not be read to its end ({error}).")
            sys.exit(1)
        last = f"the last at event {rows[-1].sequence}" if rows else "the first is made within an hour"
        self.stdout.write(
            f"{report.count} events, each sealed with the one before; {counted(len(rows), 'checkpoint')}, {last}"
        )
        self.stdout.write(f"{report.sealed} rows, each as the events sealed it")
        if against:
            self.stdout.write(f"{counted(len(against), 'paper')}, each of this history")
        if report.older:
            self.stdout.write(
                f"{report.older} of them not sealed when they were written, only as they were found later"
            )

    def _verify(self, against: list[Path]) -> tuple[list[Checkpoint], HistoryReport]:
        """Return checkpoints and report of an intact history; write any problem, which ends the command."""
        rows, wrong = checkpoints.checked_checkpoints()
        report = verify_history(rows, most=SHOWN)
        self._report_problems(report, wrong)
        unrecorded = (f"{change}: no event records it" for change in row_verification.unrecorded_changes())
        further = [*islice(chain(unrecorded, security_log_problems()), SHOWN), *_paper_problems(against)]
        for problem in further:
            self.stderr.write(problem)
        if wrong or further or not report.good:
            sys.exit(1)
        return rows, report

    def _report_problems(self, report: HistoryReport, wrong: str) -> None:
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
        if report.uncovered:
            self.stderr.write(f"not sealed yet: {', '.join(report.uncovered)}. Run manage.py prepare.")


def _paper_problems(paths: list[Path]) -> Iterator[str]:
    """Yield a text for each paper that is not genuine, or not of this history."""
    for path in paths:
        content = path.read_bytes()
        if problems := verify_isolated(content, root_file(), listed_seals()).problems:
            yield f"{path.name}: it proves nothing. {problems[0]}"
            continue
        paper = check_paper_isolated(content, certificates(root_file()), listed_seals())
        if problem := paper.problem or history_problem(paper):
            yield f"{path.name}: {problem}"
