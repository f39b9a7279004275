"""`manage.py backup TARGET --recipients FILE`: one encrypted file of the database and `PORTAL_VAR`.

The portal may run. `--check FILE` reads one, `--make-key FILE` makes the key. 0 done, 1 damaged, 2 bad use.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from portal.backups.archive import (
    BackupDamaged,
    BackupRefused,
    Manifest,
    make_identity,
    not_in_backup,
    read_identities,
    read_passphrase,
    read_recipients,
)
from portal.backups.backup import check_backup, make_backup
from portal.checks import SERVICE_TAG

DAMAGED, BAD_USE = 1, 2  # exit statuses


class Command(BaseCommand):
    help = (
        "Back up the database, the keys and the checkpoints into one file, which only the owner of a key can read "
        "(age format). The portal may run. --check reads a backup and restores nothing. --make-key makes the key."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", nargs="?", type=Path, help="the new file, or a folder for it")
        parser.add_argument("--recipients", type=Path, help="the file of the public keys, one a line: age1…, ssh-…")
        parser.add_argument("--check", type=Path, metavar="FILE", help="verify every digest of this backup")
        parser.add_argument("--identity", type=Path, help="with --check: the file of the private key")
        parser.add_argument(
            "--make-key", type=Path, metavar="FILE", help="write a new private key, show its public key"
        )
        parser.add_argument(
            "--passphrase-file", type=Path, help="the passphrase of the private key; else it is asked for"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._run(options)
        except BackupDamaged as problem:
            self._stop(f"DAMAGED: {problem}", DAMAGED)
        except BackupRefused as problem:
            self._stop(str(problem), BAD_USE)

    def _run(self, options: dict[str, Any]) -> None:
        target, check, key, phrase = (options[name] for name in ("target", "check", "make_key", "passphrase_file"))
        if sum(value is not None for value in (target, check, key)) != 1:
            raise BackupRefused("Name one of: TARGET with --recipients, --check FILE with --identity, --make-key FILE.")
        if key:
            public = make_identity(key, read_passphrase(phrase, new=True))
            self.stdout.write(f"# Store {key.name} where no machine of the portal can read it. Its public key:")
            self.stdout.write(public)
        elif check:
            if not options["identity"]:
                raise BackupRefused("Name the private key: --identity FILE.")
            self._show(check_backup(check, read_identities(options["identity"], phrase)), f"{check}: whole")
        else:
            if not options["recipients"]:
                raise BackupRefused("Name the public keys: --recipients FILE. Make a key with --make-key FILE.")
            path, manifest = make_backup(target, read_recipients(options["recipients"]))
            self._show(manifest, f"{path}: {path.stat().st_size:,} bytes")
            for warning in not_in_backup():
                self.stderr.write(f"NOT in the backup: {warning}")

    def _show(self, manifest: Manifest, first: str) -> None:
        figures = manifest.figures
        self.stdout.write(first)
        self.stdout.write(f"  made       {manifest.made_at}, portal {manifest.portal}, {manifest.vendor}")
        self.stdout.write(f"  database   {len(figures.tables):,} tables, {figures.rows:,} rows")
        self.stdout.write(f"  history    {figures.tip[0]:,} events, the last with digest {figures.tip[1][:12]}…")
        self.stdout.write(f"  files      {len(manifest.members) - 1:,}, beside the database")

    def _stop(self, message: str, status: int) -> None:
        self.stderr.write(message)
        sys.exit(status)
