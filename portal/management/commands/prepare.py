"""`manage.py prepare`: what must be so before the portal starts: tables, static files, files that are private."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from portal.checks import TAG
from portal.private_files import take_from_others


class Command(BaseCommand):
    help = (
        "Bring the database up to date, take stored files from all but their owner and, in service mode, collect the "
        "static files. Does nothing twice."
    )
    requires_system_checks = [TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        if settings.SERVICE:
            call_command("collectstatic", interactive=False, verbosity=0)
        take_from_others(_own_files())
        self.stdout.write("database   up to date")


def _own_files() -> Iterator[Path]:
    """What is stored at run time: everything in `PORTAL_VAR` but static files, and SQLite's files wherever they are."""
    database = settings.DATABASES["default"]
    if str(database["ENGINE"]).endswith("sqlite3"):
        yield from (Path(f"{database['NAME']}{ending}") for ending in ("", "-wal", "-shm"))
    yield from (path for path in settings.VAR.rglob("*") if settings.STATIC_ROOT not in path.parents)
