"""Files that the portal makes are its owner's alone: keys, the SQLite database, mail, checkpoints, logs.

The settings call `make_private_folder`, so that it is true of every process that has them: web, workers, sweeper,
broker, commands. Not here: what is stored in the files.
"""

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
