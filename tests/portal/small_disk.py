"""A small file system, and how it is filled. Imports nothing of the portal: a process that only counts uses it, too."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = 64  # MiB of the disk


@contextmanager
def small_disk() -> Iterator[Path]:
    """A file system that is full after `SIZE` MiB, where any user may write."""
    folder = Path(tempfile.mkdtemp(prefix="portal-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m,mode=0777", "none", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("this machine mounts no file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


@contextmanager
def filled(disk: Path, left: int) -> Iterator[None]:
    """The disk with `left` bytes of room."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - left))
    try:
        yield
    finally:
        ballast.unlink()
