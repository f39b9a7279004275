"""The file of a backup: a tar archive, compressed with gzip, encrypted with age. The manifest is its first member.

Written and read as a stream, so that nothing of it is on the disk unencrypted but what the caller staged. Not here:
what the members are (`making`, `restoring`).
"""

import gzip
import hashlib
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from portal.backups import manifest as manifests
from portal.backups.age_files import decrypt, encrypt
from portal.backups.errors import BackupDamaged
from portal.backups.manifest import Manifest, Member, read_manifest
from portal.backups.progress import Progress

CHUNK = 1 << 20
FAST = 1  # of gzip's levels: documents are compressed already
LONGEST_MANIFEST = 16 << 20
Receiver = Callable[[Member], BinaryIO | None]
"""Where the content of a member goes; None: nowhere, it is only verified."""


def file_member(name: str, path: Path) -> Member:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return Member(name, size, digest.hexdigest())


def write_archive(
    target: BinaryIO, manifest: Manifest, paths: Mapping[str, Path], recipients: list[object], progress: Progress
) -> None:
    """`paths`: the file of each member. Errors: `OSError`."""

    def produce(pipe: BinaryIO) -> None:
        packed = gzip.GzipFile(fileobj=pipe, mode="wb", compresslevel=FAST)
        with packed, tarfile.open(fileobj=packed, mode="w|") as archive:
            content = manifest.to_json()
            archive.addfile(_entry(manifests.NAME, len(content)), BytesIO(content))
            for member in manifest.members:
                with paths[member.name].open("rb") as file:
                    archive.addfile(_entry(member.name, member.size), _Counted(file, progress))

    with _piped(produce) as pipe:
        encrypt(pipe, target, recipients)


def read_archive(source: BinaryIO, identities: list[object], receive: Receiver, progress: Progress) -> Manifest:
    """The manifest of a backup in which every member is what it says. Errors: `BackupDamaged`.

    `receive` is called with each member; what it returns is written to and closed.
    """

    def produce(pipe: BinaryIO) -> None:
        with suppress(BrokenPipeError):  # the reader has found a fault and has stopped
            decrypt(source, pipe, identities)

    with _piped(produce) as pipe:
        try:
            with gzip.GzipFile(fileobj=pipe, mode="rb") as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
                manifest = _read_members(archive, receive, progress)
            while pipe.read(CHUNK):  # to the end, which is authentic too
                pass
        except (tarfile.TarError, EOFError, gzip.BadGzipFile, OSError) as error:
            raise BackupDamaged(f"It cannot be unpacked ({error}).") from None
    return manifest


def _read_members(archive: tarfile.TarFile, receive: Receiver, progress: Progress) -> Manifest:
    entries = iter(archive)
    first = next(entries, None)
    if first is None or first.name != manifests.NAME or first.size > LONGEST_MANIFEST:
        raise BackupDamaged("It is not a backup of this portal: it does not begin with a manifest.")
    manifest = read_manifest(_content(archive, first).read())
    progress.total = sum(member.size for member in manifest.members)
    for member in manifest.members:
        _read_member(archive, next(entries, None), member, receive, progress)
    if surplus := next(entries, None):
        raise BackupDamaged(f"It has a member that its manifest does not name: {surplus.name}.")
    return manifest


def _read_member(
    archive: tarfile.TarFile, entry: tarfile.TarInfo | None, member: Member, receive: Receiver, progress: Progress
) -> None:
    if entry is None or entry.name != member.name or not entry.isreg():
        raise BackupDamaged(f"{member.name} is missing in it.")
    content, target = _content(archive, entry), receive(member)
    digest, size = hashlib.sha256(), 0
    try:
        while chunk := content.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            progress.add(len(chunk))
            if target:
                target.write(chunk)
    finally:
        if target:
            target.close()
    if (size, digest.hexdigest()) != (member.size, member.sha256):
        raise BackupDamaged(f"{member.name} in it is not what its manifest says.")


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> BinaryIO:
    content = archive.extractfile(entry)
    if content is None:
        raise BackupDamaged(f"{entry.name} in it is not a file.")
    return content  # type: ignore[return-value]  # a buffered reader


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry


class _Counted:
    """A file whose reads are added to the progress."""

    def __init__(self, file: BinaryIO, progress: Progress) -> None:
        self.file, self.progress = file, progress

    def read(self, size: int = -1) -> bytes:
        chunk = self.file.read(size)
        self.progress.add(len(chunk))
        return chunk


@contextmanager
def _piped(produce: Callable[[BinaryIO], None]) -> Iterator[BinaryIO]:
    """The reading end of a pipe that `produce` writes to in a thread. Its exception is raised here, before others."""
    reading, writing = os.pipe()
    failed: list[Exception] = []

    def run() -> None:
        try:
            with os.fdopen(writing, "wb") as pipe:
                produce(pipe)
        except Exception as error:
            failed.append(error)

    thread = Thread(target=run, name="backup-archive", daemon=True)
    thread.start()
    try:
        with os.fdopen(reading, "rb") as pipe:
            yield pipe
    except Exception:
        thread.join()
        if failed and not isinstance(failed[0], BrokenPipeError):
            raise failed[0] from None
        raise
    thread.join()
    if failed:
        raise failed[0]
