"""Files that the portal makes are its owner's alone: keys, the SQLite database, mail, checkpoints, logs.

Also where those are that cannot be anywhere: compiled code, and files that are mapped into memory.

The settings call `make_private_folder`, so that it is true of every process that has them: web, workers, sweeper,
broker, commands. Not here: what is stored in the files.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

GROUP_AND_OTHERS = 0o077  # what the group and everyone else may do


def make_private_folder(folder: Path) -> None:
    """Make the folder for its owner only, and from now on every file of this process and of those that it starts."""
    os.umask(GROUP_AND_OTHERS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def take_from_others(files: Iterable[Path]) -> list[Path]:
    """Change the files that others may read or write, made by an earlier version or restored from a backup: which."""
    own = (file for file in files if file.is_file() and not file.is_symlink())
    loose = [file for file in own if file.stat().st_mode & GROUP_AND_OTHERS]
    for file in loose:
        file.chmod(file.stat().st_mode & 0o700)
    return loose


def compiled_code(beside_sources: Path, otherwise: Path) -> None:
    """Have compiled mathematics stored where this user may write, if no one said where: `games.maths` reads it."""
    folder = beside_sources if beside_sources.exists() else beside_sources.parent
    if not os.environ.get("NUMBA_CACHE_DIR") and not os.access(folder, os.W_OK):
        os.environ["NUMBA_CACHE_DIR"] = str(otherwise)


def memory_folder(path: Path) -> Path:
    """A place in memory for the folder, which is not made: a process that maps a file is killed when the file's disk is
    full. `path` itself where there is none.
    """
    memory = Path("/dev/shm")  # noqa: S108  of Linux; the folder is made for its owner only, or not at all
    if not os.access(memory, os.W_OK | os.X_OK):
        return path
    return memory / f"portal-{os.getuid()}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
