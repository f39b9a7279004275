"""The file of a backup: a tar archive, compressed with gzip, encrypted with age. The manifest is its first member.

The manifest names what is in it, and what the database said at the moment of the backup. Of `PORTAL_VAR` everything
belongs in it but what the portal makes again, and the database: a file that is not known here is backed up, too, as
keys, checkpoints, mail and the secret key are. The file is written and read as a stream, so that nothing of it is on
the disk unencrypted but what the caller staged.

Encryption is in the age format (age-encryption.org/v1), which other tools open: `age --decrypt -i KEY FILE`. A backup
is encrypted with public keys, so the machine that makes it cannot read it. The identity (the private key) can itself be
encrypted with a passphrase, as `age-keygen | age --passphrase` writes it.
"""

import getpass
import gzip
import hashlib
import json
import os
import shutil
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, TextIO

import pyrage
from django.conf import settings


class BackupRefused(Exception):
    """Nothing was changed. The message says what was met, and the next step."""


class BackupDamaged(BackupRefused):
    """The file is not what was written: it was cut off, changed, or is not a backup."""


FORMAT = 2  # of the file; a later format gets another number
MANIFEST_NAME = "manifest.json"  # of the member


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the backup. `name`: its path there; `size` in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableFigures:
    """Counts that identify a database. `tip`: number and link of the last event, 0 and "" before the first."""

    tables: Mapping[str, int]  # rows of each
    migrations: tuple[str, ...]
    tip: tuple[int, str]
    running_jobs: int

    @property
    def rows(self) -> int:
        return sum(self.tables.values())


@dataclass(frozen=True, slots=True)
class Manifest:
    """`secret_key`: a fingerprint, so that a restore shows whether it has the same; the key is not in it."""

    portal: str  # version of the portal
    made_at: str  # ISO 8601
    vendor: str  # of the database: sqlite or postgresql
    figures: TableFigures
    members: tuple[Member, ...]
    secret_key: str
    format: int = FORMAT

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), indent=1).encode()


def read_manifest(content: bytes) -> Manifest:
    """Return the manifest of the archive. Errors: `BackupDamaged`, also for an unknown format."""
    try:
        data: dict[str, Any] = json.loads(content)
        if data["format"] != FORMAT:
            raise BackupDamaged(
                f"It has format {data['format']}; this version reads format {FORMAT}. Use the version that made it: "
                f"{data.get('portal', 'unknown')}."
            )
        number, link = data["figures"].pop("tip")
        migrations = tuple(data["figures"].pop("migrations"))
        figures = TableFigures(tip=(number, link), migrations=migrations, **data.pop("figures"))
        members = tuple(Member(**member) for member in data.pop("members"))
        return Manifest(figures=figures, members=members, **data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupDamaged(f"Its manifest cannot be read ({error}).") from None


PROGRESS_EVERY = 2.0  # seconds between two lines
MEBIBYTE = 1 << 20


@dataclass(slots=True)
class Progress:
    """One step of the work. `total`: bytes; 0 = unknown."""

    label: str
    total: int = 0
    out: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    began: float = field(default_factory=time.monotonic)
    shown: float = field(default_factory=time.monotonic)

    def add(self, size: int) -> None:
        self.at(self.done + size)

    def at(self, done: int, total: int = 0) -> None:
        """Note how many bytes are done; print a line when the last one is old."""
        self.done, self.total = done, total or self.total
        now = time.monotonic()
        if now - self.shown >= PROGRESS_EVERY:
            self.shown = now
            self.out.write(f"{self.label:<10} {self._text(now - self.began)}\n")
            self.out.flush()

    def end(self) -> None:
        seconds = time.monotonic() - self.began
        self.out.write(f"{self.label:<10} {self.done / MEBIBYTE:,.1f} MiB in {seconds:.1f} s\n")
        self.out.flush()

    def _text(self, seconds: float) -> str:
        size = f"{self.done / MEBIBYTE:,.1f} MiB"
        if not self.total or not self.done:
            return size
        left = seconds * max(0, self.total - self.done) / self.done
        share = min(100, 100 * self.done // self.total)
        return f"{size} of {self.total / MEBIBYTE:,.1f} MiB ({share} %), about {left:.0f} s left"


CHUNK = 1 << 20
FAST = 1  # of gzip's levels: documents are compressed already
LONGEST_MANIFEST = 16 << 20
Receiver = Callable[[Member], BinaryIO | None]
"""Where the content of a member goes; None: nowhere, it is only verified."""


def file_member(name: str, path: Path) -> Member:
    with path.open("rb") as file:
        return Member(name, path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


def write_archive(
    target: BinaryIO, manifest: Manifest, paths: Mapping[str, Path], recipients: list[object], progress: Progress
) -> None:
    """Write the archive; `paths`: the file of each member. Errors: `OSError`."""

    def produce(pipe: BinaryIO) -> None:
        packed = gzip.GzipFile(fileobj=pipe, mode="wb", compresslevel=FAST)
        with packed, tarfile.open(fileobj=packed, mode="w|") as archive:
            content = manifest.to_json()
            _add(archive, MANIFEST_NAME, len(content), BytesIO(content))
            for member in manifest.members:
                with paths[member.name].open("rb") as file:
                    _add(archive, member.name, member.size, _Counted(file, progress))

    with _piped(produce) as pipe:
        try:
            pyrage.encrypt_io(pipe, target, recipients)
        except pyrage.EncryptError as error:
            raise OSError(str(error)) from None


def read_archive(source: BinaryIO, identities: list[object], receive: Receiver, progress: Progress) -> Manifest:
    """Return the manifest of a whole backup; each member goes where `receive` says. Errors: `BackupDamaged`."""

    def produce(pipe: BinaryIO) -> None:
        with suppress(BrokenPipeError):  # the reader has found a fault and has stopped
            _decrypt(source, pipe, identities)

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
    if first is None or first.name != MANIFEST_NAME or first.size > LONGEST_MANIFEST:
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


def _add(archive: tarfile.TarFile, name: str, size: int, content: Any) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    archive.addfile(entry, content)


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
    """Yield the reading end of a pipe that `produce` writes to in a thread; raise its exception before others."""
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


MADE_AGAIN = ("static", "metrics", "compiled", "broker.log", "broker.sock", "restored.json")
OURS = (".backup-", ".restore-", "replaced-", "serve-")  # prefixes of what backups and restores make, and of locks
VAR_PREFIX = "var/"  # of the members' names
SECRET_KEY = "secret-key"  # noqa: S105  the name of a file


def files_to_back_up() -> dict[str, Path]:
    """Return the file of each member by its name."""
    return {
        f"{VAR_PREFIX}{path.relative_to(settings.VAR).as_posix()}": path
        for path in sorted(settings.VAR.rglob("*"))
        if path.is_file() and not path.is_symlink() and _is_needed(path)
    }


def _is_needed(path: Path) -> bool:
    first = path.relative_to(settings.VAR).parts[0]
    if first == SECRET_KEY and os.environ.get("PORTAL_SECRET_KEY"):
        return False  # not the one in use
    database = str(settings.DATABASES["default"]["NAME"])
    is_database = str(path) in (database, f"{database}-wal", f"{database}-shm", f"{database}-journal")
    return first not in MADE_AGAIN and not first.startswith(OURS) and not is_database


def not_in_backup() -> list[str]:
    """Return a sentence for each secret that this portal uses and that a backup does not contain."""
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
    """Return the members whose file in `PORTAL_VAR` exists with another content."""
    return [
        name
        for name, source in staged.items()
        if (target := destination(name)).exists() and target.read_bytes() != source.read_bytes()
    ]


def destination(name: str) -> Path:
    return Path(settings.VAR / name.removeprefix(VAR_PREFIX))


def put_files_back(staged: dict[str, Path], aside: Path) -> list[Path]:
    """Move the staged files to their places; return what was moved aside: other content, and later checkpoints."""
    moved = []
    inside = (name for name, path in files_to_back_up().items() if path.is_relative_to(settings.CHECKPOINTS))
    later_checkpoints = [name for name in inside if name not in staged]
    for name in [*different_files(staged), *later_checkpoints]:
        target = aside / name.removeprefix(VAR_PREFIX)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        moved.append(destination(name).rename(target))
    for name, source in staged.items():
        target = destination(name)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.move(source, target)
        target.chmod(0o600)
    return moved


def sync_to_disk(path: Path) -> None:
    """Wait until the file, or the names in the folder, are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


ARMOR = b"-----BEGIN AGE ENCRYPTED FILE-----"
BINARY = b"age-encryption.org/v1"


def make_identity(path: Path, passphrase: str) -> str:
    """Write a new identity to `path`, for its owner only; the public key. Errors: `BackupRefused` if it exists."""
    identity = pyrage.x25519.Identity.generate()
    public = str(identity.to_public())
    content = f"# public key: {public}\n{identity}\n".encode()
    if passphrase:
        content = pyrage.passphrase.encrypt(content, passphrase)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            os.fsync(file.fileno())
    except OSError as error:
        raise BackupRefused(f"{path} cannot be written ({error.strerror}). Name a file that does not exist.") from None
    return public


def read_recipients(path: Path) -> list[object]:
    """Return the public keys of a file, one a line: `age1…`, or SSH keys. Errors: `BackupRefused`."""
    lines = _key_lines(_key_file(path))
    if not lines:
        raise BackupRefused(
            f"{path} has no public key. Each line is a key that begins with age1, ssh-ed25519 or ssh-rsa."
        )
    try:
        return [(pyrage.ssh if line.startswith("ssh-") else pyrage.x25519).Recipient.from_str(line) for line in lines]
    except pyrage.RecipientError as error:
        raise BackupRefused(
            f"{path} has a line that is not a public key ({error}). Allowed: age1…, ssh-ed25519 …, ssh-rsa …"
        ) from None


def read_identities(path: Path, passphrase_file: Path | None) -> list[object]:
    """Return the private keys of a file (AGE-SECRET-KEY-1…, or SSH). Errors: `BackupRefused`."""
    content = _key_file(path)
    if content.startswith((ARMOR, BINARY)):
        try:
            content = pyrage.passphrase.decrypt(content, read_passphrase(passphrase_file))
        except (pyrage.DecryptError, OSError) as error:
            raise BackupRefused(f"{path} cannot be opened with this passphrase ({error}).") from None
    try:
        if content.startswith(b"-----BEGIN"):
            return [pyrage.ssh.Identity.from_buffer(content)]
        return [pyrage.x25519.Identity.from_str(line) for line in _key_lines(content)]
    except pyrage.IdentityError as error:
        raise BackupRefused(f"{path} is not a private key ({error}). It has a line AGE-SECRET-KEY-1….") from None


def _decrypt(source: BinaryIO, plain: BinaryIO, identities: list[object]) -> None:
    """Decrypt the archive; every part is authentic before it is written. Errors: `BackupDamaged`."""
    try:
        pyrage.decrypt_io(source, plain, identities)
    except pyrage.DecryptError as error:
        raise BackupDamaged(f"It cannot be decrypted: {error}. Was it made for another key, or cut off?") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BackupDamaged(f"It was changed or cut off after it was written ({error}).") from None


def _key_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read ({error.strerror}).") from None


def _key_lines(content: bytes) -> list[str]:
    lines = (line.strip() for line in content.decode(errors="replace").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def read_passphrase(file: Path | None, *, new: bool = False) -> str:
    """Return the first line of the file, or the entered passphrase; `new`: entered twice, empty for none."""
    if file:
        return _first_line(file)
    if not sys.stdin.isatty():
        if new:
            return ""
        raise BackupRefused("The private key is locked with a passphrase. Name its file: --passphrase-file FILE.")
    passphrase = getpass.getpass("Passphrase of the key (empty for none): " if new else "Passphrase of the key: ")
    if new and passphrase != getpass.getpass("The same again: "):
        raise BackupRefused("The two passphrases differ. Nothing was written.")
    return passphrase


def _first_line(file: Path) -> str:
    try:
        line = file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError as error:
        raise BackupRefused(f"{file} cannot be read ({error.strerror}).") from None
    if not line:
        raise BackupRefused(f"The first line of {file} is empty; it must be the passphrase.")
    return line
