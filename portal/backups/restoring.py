"""Restores a backup: every digest first, then the database and the files, then the comparison with the manifest.

What was there is moved aside, never deleted. Not here: whether history and documents are whole (`restored_contents`),
which a process of its own verifies, with the restored keys.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from portal.backups.archive import read_archive
from portal.backups.databases import Database, present_database
from portal.backups.errors import BackupRefused
from portal.backups.making import DATABASE, moment_name, staging_folder
from portal.backups.manifest import Manifest, Member
from portal.backups.portal_files import OURS, PREFIX, SECRET_KEY, different_files, put_files_back
from portal.backups.progress import Progress
from portal.backups.table_figures import figure_problems

MANIFEST = "restored.json"  # in PORTAL_VAR: the manifest of the backup that it was restored from


@dataclass(frozen=True, slots=True)
class Restored:
    """`moved`: where what was there is now, "" if there was nothing. `behind`: made by an earlier version."""

    manifest: Manifest
    files: int
    moved: tuple[str, ...]
    problems: tuple[str, ...]  # tables that differ from the backup
    behind: bool


def check_backup(path: Path, identities: list[object]) -> Manifest:
    """Read all of it, and write nothing. Errors: `BackupDamaged`, `BackupRefused`."""
    progress = Progress("checked")
    with _opened(path) as file:
        manifest = read_archive(file, identities, lambda member: None, progress)
    progress.end()
    return manifest


def restore_backup(path: Path, identities: list[object], *, replace: bool) -> Restored:
    """The caller has the lock of `serve`. Errors: `BackupDamaged`, `BackupRefused`; nothing was changed then."""
    database = present_database()
    if not replace:
        _refuse_used(database)
    with staging_folder(".restore-") as folder:
        manifest, staged = _staged(path, identities, folder)
        behind = _refuse_other_version(manifest, database)
        copy = staged.pop(DATABASE)
        aside = settings.VAR / f"{OURS[2]}{moment_name(timezone.now())}"
        if not replace and (different := [name for name in different_files(staged) if name != PREFIX + SECRET_KEY]):
            raise BackupRefused(
                f"PORTAL_VAR has files that the backup has with another content: {', '.join(different[:5])}. Use an "
                "empty folder, or --replace, which moves them aside."
            )
        if replace and (users := database.others_connected()):
            raise BackupRefused(
                f"The database is in use: {', '.join(sorted(set(users))[:5])}. Stop the portal on every machine first."
            )
        earlier = database.put_back(copy, aside)
        if not replace:
            (settings.VAR / SECRET_KEY).unlink(missing_ok=True)  # made by this command's start, used for nothing
        count, moved_files = len(staged), put_files_back(staged, aside)
        (settings.VAR / MANIFEST).write_bytes(manifest.to_json())
    problems = tuple(figure_problems(manifest.figures, database.figures()))
    moved = tuple(place for place in (earlier, *map(str, moved_files)) if place)
    return Restored(manifest, count, moved, problems, behind)


def _refuse_used(database: Database) -> None:
    if not database.is_empty():
        raise BackupRefused(
            "The database is not empty. Nothing was changed. Name an empty one, or use --replace, which moves aside "
            "what is there."
        )


def _staged(path: Path, identities: list[object], folder: Path) -> tuple[Manifest, dict[str, Path]]:
    """The verified members as files in the folder."""
    staged: dict[str, Path] = {}

    def receive(member: Member) -> BinaryIO:
        if member.name != DATABASE and not _is_inside(member.name):
            raise BackupRefused(f"The backup names a file outside of PORTAL_VAR: {member.name}. Nothing was changed.")
        staged[member.name] = folder / f"member-{len(staged)}"
        return staged[member.name].open("wb")

    progress = Progress("read")
    with _opened(path) as file:
        manifest = read_archive(file, identities, receive, progress)
    progress.end()
    if DATABASE not in staged:
        raise BackupRefused("The backup has no database. Nothing was changed.")
    return manifest, staged


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return parts[0] == PREFIX.rstrip("/") and len(parts) > 1 and not {"", ".", ".."} & set(parts[1:])


def _refuse_other_version(manifest: Manifest, database: Database) -> bool:
    """Whether the backup is of an earlier version; a later version's, or another engine's, is refused."""
    if manifest.vendor != database.vendor:
        raise BackupRefused(
            f"The backup is of {manifest.vendor}, the database of this portal is {database.vendor}. Nothing changed. "
            f"Set DATABASE_URL to a database of {manifest.vendor}."
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    made = set(manifest.figures.migrations)
    if later := sorted(name for name in made - known if not name.endswith("__squashed")):
        raise BackupRefused(
            f"The backup was made by a later version, {manifest.portal}, with {later[-1]}. Install that version first."
        )
    return bool(known - made)


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read ({error.strerror}).") from None


def read_stored_manifest() -> dict[str, object] | None:
    """The manifest that the last restore left in `PORTAL_VAR`."""
    path = settings.VAR / MANIFEST
    return json.loads(path.read_bytes()) if path.exists() else None
