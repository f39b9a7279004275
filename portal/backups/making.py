"""Makes a backup: stages a copy of the database and of the files, and writes them into one encrypted file.

The files are copied before the database: a checkpoint's copy outside is written after its row, so that every copy in
the backup has its row there. Not here: the format (`archive`), the engines (`databases`).
"""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from portal.backups.archive import file_member, write_archive
from portal.backups.databases import present_database
from portal.backups.errors import BackupRefused
from portal.backups.manifest import Manifest
from portal.backups.portal_files import files_to_back_up, sync_to_disk
from portal.backups.progress import Progress

DATABASE = "database"  # name of the member


def make_backup(target: Path, recipients: list[object]) -> tuple[Path, Manifest]:
    """The file and what is in it. Errors: `BackupRefused`; nothing of the file remains then."""
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
    """A private folder in `PORTAL_VAR`, on the disk of the portal's own files; deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=settings.VAR))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def portal_version() -> str:
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def secret_key_fingerprint(key: str = "") -> str:
    """The same for the same secret key; says nothing of the key, which is long and random."""
    return salted_hmac(
        "portal.backups", "secret key", secret=key or settings.SECRET_KEY, algorithm="sha256"
    ).hexdigest()


def moment_name(now: datetime) -> str:
    return f"{now:%Y%m%dT%H%M%SZ}"


def _refuse_target(path: Path) -> None:
    if path.exists():
        raise BackupRefused(f"{path} exists. Name a file that does not exist, or a folder.")
    if not path.parent.is_dir():
        raise BackupRefused(f"The folder {path.parent} does not exist. Create it first.")
    if path.resolve().is_relative_to(settings.VAR.resolve()):
        raise BackupRefused(f"{path} is in PORTAL_VAR, which is what the backup is of. Name another folder.")


def _copies(folder: Path) -> dict[str, Path]:
    """Copies of the files: the portal may change one while it is read. One that was deleted since is left out."""
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
    """Under another name until all of it is on the disk."""
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
