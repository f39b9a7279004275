"""Backups: making one, and restoring one.

To make one, a copy of the database and of the files is staged and written into one encrypted file. The files are copied
before the database: a checkpoint's copy outside is written after its row, so that every copy in the backup has its row
there. To restore one, every digest is verified first, then come the database and the files, then the comparison with
the manifest. Files and database that were there are moved aside, never deleted. Not here: the format (`archive`), the
engines (`databases`), whether history and documents are whole (`restored_contents`), which a process of its own
verifies, with the restored keys.
"""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.crypto import salted_hmac

from portal.backups.archive import (
    OURS,
    SECRET_KEY,
    VAR_PREFIX,
    BackupRefused,
    Manifest,
    Member,
    Progress,
    different_files,
    file_member,
    files_to_back_up,
    put_files_back,
    read_archive,
    sync_to_disk,
    write_archive,
)
from portal.backups.databases import Database, figure_problems, present_database

DATABASE = "database"  # name of the member


def make_backup(target: Path, recipients: list[object]) -> tuple[Path, Manifest]:
    """Return the file and what is in it. Errors: `BackupRefused`; nothing of the file remains then."""
    path = target / f"portal-{timezone.now():%Y%m%dT%H%M%SZ}.age" if target.is_dir() else target
    _refuse_target(path)
    with staging_folder(".backup-") as folder:
        paths = _copies(folder)
        database = present_database()
        progress = Progress("database")
        figures = database.copy(folder / DATABASE, progress)
        progress.end()
        paths[DATABASE] = folder / DATABASE
        manifest = Manifest(
            portal=portal_version(),
            made_at=timezone.now().isoformat(timespec="seconds"),
            vendor=database.vendor,
            figures=figures,
            members=tuple(file_member(name, path) for name, path in paths.items()),
            secret_key=secret_key_fingerprint(),
        )
        _write(path, manifest, paths, recipients)
    return path, manifest


@contextmanager
def staging_folder(prefix: str) -> Iterator[Path]:
    """Make a private folder in `PORTAL_VAR`, on the disk of the portal's own files; delete it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=settings.VAR))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def portal_version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def secret_key_fingerprint() -> str:
    """Return a fingerprint of the secret key. It does not reveal the key, which is long and random."""
    return salted_hmac("portal.backups", "secret key", algorithm="sha256").hexdigest()


def _refuse_target(path: Path) -> None:
    if path.exists():
        raise BackupRefused(f"{path} exists. Name a file that does not exist, or a folder.")
    if not path.parent.is_dir():
        raise BackupRefused(f"The folder {path.parent} does not exist. Create it first.")
    if path.resolve().is_relative_to(settings.VAR.resolve()):
        raise BackupRefused(f"{path} is in PORTAL_VAR, which is what the backup is of. Name another folder.")


def _copies(folder: Path) -> dict[str, Path]:
    """Copy the files, since the portal may change one while it is read; leave out one that was deleted since."""
    copies = {}
    for number, (name, path) in enumerate(files_to_back_up().items()):
        copy = folder / f"file-{number}"
        try:
            shutil.copyfile(path, copy)
        except FileNotFoundError:
            continue
        copies[name] = copy
    return copies


def _write(path: Path, manifest: Manifest, paths: dict[str, Path], recipients: list[object]) -> None:
    """Write under another name until all of it is on the disk."""
    partial = path.with_name(f".{path.name}.partial")
    progress = Progress("written", total=sum(member.size for member in manifest.members))
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            write_archive(file, manifest, paths, recipients, progress)
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, path)  # unlike a rename, it never replaces a file
        sync_to_disk(path.parent)
    except FileExistsError as error:
        raise BackupRefused(f"{error.filename2 or error.filename} exists. Is another backup being made?") from None
    except OSError as error:
        raise BackupRefused(f"{path} cannot be written ({error}). Free some space or name another place.") from None
    finally:
        partial.unlink(missing_ok=True)
    progress.end()


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
    """Restore under the lock of `serve`. Errors: `BackupDamaged`, `BackupRefused`; nothing was changed then."""
    database = present_database()
    if not replace and not database.is_empty():
        raise BackupRefused(
            "The database is not empty. Nothing was changed. Name an empty one, or use --replace, which moves aside "
            "what is there."
        )
    with staging_folder(".restore-") as folder:
        manifest, staged = _staged(path, identities, folder)
        behind = _refuse_other_version(manifest, database)
        copy = staged.pop(DATABASE)
        aside = settings.VAR / f"{OURS[2]}{timezone.now():%Y%m%dT%H%M%SZ}"
        if not replace and (different := [name for name in different_files(staged) if name != VAR_PREFIX + SECRET_KEY]):
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


def _staged(path: Path, identities: list[object], folder: Path) -> tuple[Manifest, dict[str, Path]]:
    """Return the verified members as files in the folder."""
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
    return parts[0] == VAR_PREFIX.rstrip("/") and len(parts) > 1 and not {"", ".", ".."} & set(parts[1:])


def _refuse_other_version(manifest: Manifest, database: Database) -> bool:
    """Return whether the backup is of an earlier version; refuse a later version's, or another engine's."""
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
