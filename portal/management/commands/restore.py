"""`manage.py restore SOURCE --identity FILE [--replace] [--deep]`: the portal of a backup, compared with it.

0 nothing is lost, 1 something is, or the backup is damaged, 2 bad use. `--verify` compares once more what was restored.
"""

import logging
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections

from portal.backups.archive import BackupDamaged, BackupRefused, read_identities, read_manifest
from portal.backups.backup import MANIFEST, Restored, restore_backup
from portal.checks import SERVICE_TAG
from portal.processes import supervisor

LOST, BAD_USE = 1, 2  # exit statuses


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty database and PORTAL_VAR, and compare every row, event, document and checkpoint "
        "with it. Nothing is changed until every digest in the backup is verified."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="?", type=Path, help="the backup")
        parser.add_argument("--identity", type=Path, help="the file of the private key")
        parser.add_argument(
            "--passphrase-file", type=Path, help="the passphrase of the private key; else it is asked for"
        )
        parser.add_argument(
            "--replace", action="store_true", help="move aside what is there; the portal must be stopped"
        )
        parser.add_argument("--deep", action="store_true", help="also verify the signature of every signed document")
        parser.add_argument("--verify", action="store_true", help="only compare what the last restore wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            status = self._verify(options["deep"]) if options["verify"] else self._restore(options)
        except BackupDamaged as problem:
            self.stderr.write(f"DAMAGED: {problem} Nothing was changed.")
            sys.exit(LOST)
        except (BackupRefused, supervisor.AlreadyRunning) as problem:
            self.stderr.write(str(problem))
            sys.exit(BAD_USE)
        sys.exit(status)

    def _restore(self, options: dict[str, Any]) -> int:
        if not (options["source"] and options["identity"]):
            raise BackupRefused("Name the backup and the private key: restore SOURCE --identity FILE.")
        identities = read_identities(options["identity"], options["passphrase_file"])
        with supervisor.only_one(supervisor.locks()):
            restored = restore_backup(options["source"], identities, replace=options["replace"])
            connections.close_all()
            self._report(restored)
            if restored.behind:
                self.stdout.write("The backup is of an earlier version: prepare brings the tables up to date.")
                self.stdout.flush()
                if _manage("prepare"):
                    return LOST
            contents = _manage("restore", "--verify", *(["--deep"] if options["deep"] else []))
        return LOST if restored.problems or contents else 0

    def _report(self, restored: Restored) -> None:
        figures = restored.manifest.figures
        self.stdout.write(f"restored   {restored.manifest.made_at}, portal {restored.manifest.portal}")
        for place in restored.moved:
            self.stdout.write(f"moved      {place}: what was there before. Delete it when you no longer need it.")
        self._table([("tables with all rows", len(figures.tables), len(figures.tables) - len(restored.problems))])
        self._table([("rows", figures.rows, figures.rows)] if not restored.problems else [], head=False)
        self._table([("files beside the database", len(restored.manifest.members) - 1, restored.files)], head=False)
        for problem in restored.problems:
            self.stderr.write(problem)
        self.stdout.flush()

    def _verify(self, deep: bool) -> int:
        from portal.backups.restored_contents import verify_contents  # Start-up cost: 2 s, only for this step

        logging.getLogger("pyhanko_certvalidator").setLevel(logging.WARNING)  # it reports each step of each chain
        path = settings.VAR / MANIFEST
        if not path.exists():
            raise BackupRefused("Nothing was restored into this PORTAL_VAR: it has no restored.json.")
        figures, problems = verify_contents(read_manifest(path.read_bytes()), deep=deep)
        self._table(figures, head=False)
        for problem in problems:
            self.stderr.write(problem)
        lost = sum(max(0, figure.expected - figure.good) for figure in figures)
        self.stdout.write(f"lost {lost}" + (f", and {len(problems)} problems" if problems else ""))
        return LOST if lost or problems else 0

    def _table(self, rows: Sequence[tuple[str, int, int]], *, head: bool = True) -> None:
        if head:
            self.stdout.write(f"{'':<48} {'in the backup':>14} {'restored':>10} {'lost':>6}")
        for name, expected, good in rows:
            self.stdout.write(f"{name:<48} {expected:>14,} {good:>10,} {max(0, expected - good):>6,}")


def _manage(*arguments: str) -> int:
    """Run a command in a process of its own, which reads the restored keys; return its exit status."""
    return subprocess.run([sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]).returncode
