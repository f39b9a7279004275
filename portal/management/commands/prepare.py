"""`manage.py prepare`: what must be so before the portal starts: tables, the seal's certificate, private files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from portal import storage
from portal.checks import TAG
from portal.env import take_from_others
from submissions.audit.row_verification import begin_sealing
from submissions.core.errors import Refusal
from submissions.documents.seal_conditions import introduce_seal, newest_seal
from submissions.documents.signing_keys import load_seal, settings_seal
from submissions.operations.checks import applied_migrations, foreign_migrations

OTHER_VERSION = (
    "Nothing was changed: another version of the portal made this database (migration {}). Version 0.9 begins with an "
    "empty database: name another one in DATABASE_URL, or move PORTAL_VAR away; or run the version that made it."
)


class Command(BaseCommand):
    help = (
        "Bring the database up to date, introduce the seal's certificate at the first start, make stored files "
        "readable by their owner only, and collect the static files. It is safe to run it again."
    )
    requires_system_checks = [TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        if unknown := foreign_migrations(applied_migrations()):
            raise CommandError(OTHER_VERSION.format(unknown[0]))
        call_command("migrate", interactive=False, verbosity=0)
        if older := begin_sealing():
            self.stdout.write(f"history    {older} rows of an earlier version sealed as they are")
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        storage.collect()
        take_from_others(_own_files())
        self.stdout.write("database   up to date")
        if settings.SIGNS:
            self._introduce_first_seal()

    def _introduce_first_seal(self) -> None:
        try:
            if newest_seal() is None:
                row = introduce_seal(settings_seal().signer.signing_cert)
                self.stdout.write(f"seal       introduced: {row.subject}, SHA-256 {row.sha256}")
            load_seal()
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix} ({refusal.code})") from None


def _own_files() -> Iterator[Path]:
    """Yield the files stored at run time: all in `PORTAL_VAR` but static files, and SQLite's wherever they are."""
    database = settings.DATABASES["default"]
    if str(database["ENGINE"]).endswith("sqlite3"):
        yield from (Path(f"{database['NAME']}{ending}") for ending in ("", "-wal", "-shm"))
    yield from (path for path in settings.VAR.rglob("*") if settings.STATIC_ROOT not in path.parents)
