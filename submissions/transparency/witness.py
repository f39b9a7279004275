"""A witness of a public log: remembers the last checkpoint, checks that the next one continues it, and cosigns it.

Anyone runs it, anywhere, without an account: it reads the log's public addresses only. A portal that rewrites its past
cannot prove that the new log begins with the one that the witness remembers. State is a folder with the log's key, the
last cosigned checkpoint, and the witness's own key. Not here: the command (`manage.py witness`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from submissions.core.whole_file import write_whole
from submissions.transparency.log_key import load_key
from submissions.transparency.merkle import consistency_proof, is_consistent, root_hash
from submissions.transparency.signed_note import (
    COSIGNATURE,
    LogCheckpointText,
    NoteKey,
    cosign,
    open_note,
    read_checkpoint,
    read_key,
)
from submissions.transparency.tiles import HASH, subtree_reader, tile_address

Fetch = Callable[[str], bytes]
"""An address below the log's → its content. Errors: `OSError`."""


class LogRewritten(Exception):
    """The log does not continue what the witness remembers. The message says how."""


@dataclass(frozen=True, slots=True)
class Witness:
    """`folder`: its state; `name`: under which it cosigns."""

    folder: Path
    name: str

    @property
    def key(self) -> Ed25519PrivateKey:
        return load_key(self.folder / "witness.pem", make=True)

    @property
    def verifier(self) -> NoteKey:
        return NoteKey(self.name, self.key.public_key().public_bytes_raw(), COSIGNATURE)

    def log_key(self, given: str, fetch: Fetch) -> NoteKey:
        """The log's key: the given one, else the remembered one, else the one that the log prints, at first sight."""
        path = self.folder / "log.key"
        remembered = path.read_text("utf-8") if path.exists() else ""
        if given and remembered and given.strip() != remembered.strip():
            raise LogRewritten(f"The key that you gave is not the one remembered in {path.name}.")
        text = given or remembered or fetch("key").decode()
        key = read_key(text)
        if not remembered:
            write_whole(path, f"{key}\n")
        return key

    def remembered(self, key: NoteKey) -> LogCheckpointText | None:
        """The last checkpoint that this witness cosigned. Errors: `InvalidNote` where its file was changed."""
        path = self.folder / "checkpoint"
        if not path.exists():
            return None
        note = path.read_text("utf-8")
        open_note(note, self.verifier)
        return read_checkpoint(open_note(note, key))

    def observe(self, key: NoteKey, fetch: Fetch, now: int) -> LogCheckpointText:
        """Check the log's present checkpoint, cosign it and remember it.

        Errors: `LogRewritten`; `InvalidNote` where the log's key did not sign; `OSError` where it cannot be read.
        """
        before = self.remembered(key)
        note = fetch("checkpoint").decode()
        current = read_checkpoint(open_note(note, key))
        if current.origin != key.name:
            raise LogRewritten(f"The checkpoint is of {current.origin}, not of {key.name}.")
        _refuse_rewritten(before, current, fetch)
        write_whole(self.folder / "checkpoint", cosign(note, self.name, self.key, now))
        return current


def _refuse_rewritten(before: LogCheckpointText | None, current: LogCheckpointText, fetch: Fetch) -> None:
    """Raise `LogRewritten` unless the log is the remembered one, with more leaves at the end or the same ones."""

    def tiles(level: int, index: int, width: int) -> bytes:
        return fetch(tile_address(level, index, width))[: HASH * width]

    try:
        read = subtree_reader(tiles, current.size)
        if root_hash(current.size, read) != current.root:
            raise LogRewritten(f"The tiles of {current.size} leaves do not have the root that the checkpoint signs.")
        if before is None:
            return
        if current.size < before.size:
            raise LogRewritten(f"The log has {current.size} leaves; it had {before.size}.")
        proof = consistency_proof(before.size, current.size, read) if before.size else []
    except ValueError as error:
        raise LogRewritten(f"The tiles of the log are not complete: {error}.") from None
    if before.size and not is_consistent(before.size, current.size, before.root, current.root, proof):
        raise LogRewritten(f"The log no longer begins with the {before.size} leaves that this witness remembers.")
