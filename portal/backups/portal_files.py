"""The files of `PORTAL_VAR` that belong in a backup: everything but what the portal makes again, and the database.

A file that this module does not know is backed up: keys, checkpoints, mail, the secret key.
"""

import os
import shutil
from pathlib import Path

from django.conf import settings

MADE_AGAIN = ("static", "metrics", "compiled", "broker.log", "broker.sock", "restored.json")
OURS = (".backup-", ".restore-", "replaced-", "serve-")  # prefixes of what backups and restores make, and of locks
PREFIX = "var/"  # of the members' names
SECRET_KEY = "secret-key"  # noqa: S105  the name of a file


def files_to_back_up() -> dict[str, Path]:
    """Name of the member → file."""
    return {
        f"{PREFIX}{path.relative_to(settings.VAR).as_posix()}": path
        for path in sorted(settings.VAR.rglob("*"))
        if path.is_file() and not path.is_symlink() and _is_needed(path)
    }


def _is_needed(path: Path) -> bool:
    first = path.relative_to(settings.VAR).parts[0]
    if first == SECRET_KEY and os.environ.get("PORTAL_SECRET_KEY"):
        return False  # not the one in use
    return first not in MADE_AGAIN and not first.startswith(OURS) and not _is_database(path)


def _is_database(path: Path) -> bool:
    name = str(settings.DATABASES["default"]["NAME"])
    return str(path) in (name, f"{name}-wal", f"{name}-shm", f"{name}-journal")


def not_in_backup() -> list[str]:
    """A sentence for each secret that this portal uses and that a backup does not contain."""
    missing = []
    if os.environ.get("PORTAL_SECRET_KEY"):
        missing.append(
            "PORTAL_SECRET_KEY: without it no one reads the secrets of second factors and webhooks in the backup, and "
            "sessions end. Store it elsewhere."
        )
    named = {
        "PORTAL_SIGNING_PKCS12": settings.SIGNING_PKCS12,
        "PORTAL_SIGNING_PASSPHRASE_FILE": settings.SIGNING_PASSPHRASE_FILE,
        "PORTAL_SIGNING_ROOT": settings.SIGNING_ROOT,
        "PORTAL_SIGNING_SEALS": settings.SIGNING_SEALS,
    }
    inside = set(files_to_back_up().values())
    for name, value in named.items():
        if value and Path(value).resolve() not in {path.resolve() for path in inside} and Path(value).exists():
            missing.append(f"the file of {name}, which is not in PORTAL_VAR. Store it elsewhere.")
    return missing


def different_files(staged: dict[str, Path]) -> list[str]:
    """Members whose file in `PORTAL_VAR` exists with another content."""
    return [
        name
        for name, source in staged.items()
        if (target := destination(name)).exists() and target.read_bytes() != source.read_bytes()
    ]


def destination(name: str) -> Path:
    return Path(settings.VAR / name.removeprefix(PREFIX))


def put_files_back(staged: dict[str, Path], aside: Path) -> list[Path]:
    """Move the staged files to their places. Returns what was moved aside: files with another content, and copies of
    checkpoints that the backup does not have, because it is older. Other files stay.
    """
    moved = []
    for name in [*different_files(staged), *_later_checkpoints(staged)]:
        target = aside / name.removeprefix(PREFIX)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        moved.append(destination(name).rename(target))
    for name, source in staged.items():
        target = destination(name)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.move(source, target)
        target.chmod(0o600)
    return moved


def _later_checkpoints(staged: dict[str, Path]) -> list[str]:
    inside = (name for name, path in files_to_back_up().items() if path.is_relative_to(settings.CHECKPOINTS))
    return [name for name in inside if name not in staged]


def sync_to_disk(path: Path) -> None:
    """Wait until the file, or the names in the folder, are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
