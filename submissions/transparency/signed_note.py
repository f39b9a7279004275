"""Signed notes and log checkpoints as the C2SP specifies them: `signed-note`, `tlog-checkpoint`, `tlog-cosignature`.

A note is a text, an empty line and signature lines. Keys are Ed25519. Not here: where keys are stored (`log_key`).
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LOG, COSIGNATURE = 1, 4  # types of keys
DASH = "\N{EM DASH} "
EMPTY_LINE = "\n\n"
COSIGNED = "cosignature/v1\ntime {time}\n{text}"
LARGEST = 100_000  # characters of a note that is read


class InvalidNote(ValueError):
    """A note that is not well formed, or has no valid signature of the expected key."""


@dataclass(frozen=True, slots=True)
class NoteKey:
    """The public key with the name that signs; `kind`: `LOG` or `COSIGNATURE`."""

    name: str
    public: bytes  # 32 bytes
    kind: int = LOG

    @property
    def key_id(self) -> bytes:
        """4 bytes."""
        return hashlib.sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        """The verifier key: `name+key id+base64 of type and key`."""
        return f"{self.name}+{self.key_id.hex()}+{_base64(bytes([self.kind]) + self.public)}"


def read_key(text: str) -> NoteKey:
    """The key of a verifier key's text; `InvalidNote` if it is none."""
    try:
        name, key_id, encoded = text.strip().split("+", 2)
        content = base64.b64decode(encoded, validate=True)
        key = NoteKey(name, content[1:], content[0])
        is_valid = name and len(key.public) == 32 and key.key_id.hex() == key_id and key.kind in (LOG, COSIGNATURE)
    except (ValueError, IndexError):
        is_valid = False
    if not is_valid:
        raise InvalidNote(f"“{text[:80]}” is not a verifier key: name+key id+base64.")
    return key


@dataclass(frozen=True, slots=True)
class LogCheckpointText:
    """The content of a checkpoint: which log, how many leaves, and the root hash of 32 bytes."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"


def read_checkpoint(text: str) -> LogCheckpointText:
    """The content of a note's text; lines after the third are extensions. `InvalidNote` if it is no checkpoint."""
    origin, size, root, *_ = [*text.split("\n"), "", "", ""]
    try:
        content = LogCheckpointText(origin, int(size), base64.b64decode(root, validate=True))
    except (ValueError, binascii.Error):
        raise InvalidNote("The text is not a checkpoint with origin, size and root hash, each on a line.") from None
    if not origin or not text.endswith("\n") or len(content.root) != 32 or str(content.size) != size:
        raise InvalidNote("The text is not a checkpoint with origin, size and root hash, each on a line.")
    return content


def sign_note(text: str, name: str, private: Ed25519PrivateKey) -> str:
    """The note: the text with the signature line of a log's key."""
    key = NoteKey(name, private.public_key().public_bytes_raw())
    return f"{text}\n{_signature_line(key, private.sign(text.encode()))}"


def cosign(note: str, name: str, private: Ed25519PrivateKey, time: int) -> str:
    """The note with one more line: a cosignature with its time (POSIX seconds)."""
    text, _ = split_note(note)
    key = NoteKey(name, private.public_key().public_bytes_raw(), COSIGNATURE)
    signature = private.sign(COSIGNED.format(time=time, text=text).encode())
    return note + _signature_line(key, time.to_bytes(8, "big") + signature)


def open_note(note: str, key: NoteKey) -> str:
    """The text of the note, if the key signed it; else `InvalidNote`."""
    text, signatures = split_note(note)
    for name, content in signatures:
        if name == key.name and content[:4] == key.key_id and _is_valid(key, text, content[4:]):
            return text
    raise InvalidNote(f"The note has no valid signature of {key.name} with the key {key.key_id.hex()}.")


def split_note(note: str) -> tuple[str, list[tuple[str, bytes]]]:
    """The text, and (name, key id and signature) of each signature line."""
    text, separator, lines = note.rpartition(EMPTY_LINE)
    if not separator or not lines.endswith("\n") or len(note) > LARGEST:
        raise InvalidNote("A note is a text, an empty line and signature lines.")
    return text + "\n", [_read_signature(line) for line in lines.splitlines()]


def _read_signature(line: str) -> tuple[str, bytes]:
    try:
        name, encoded = line.removeprefix(DASH).split(" ")
        content = base64.b64decode(encoded, validate=True)
    except ValueError:
        name, content = "", b""
    if not line.startswith(DASH) or not name or len(content) < 5:
        raise InvalidNote(f"“{line[:80]}” is not a signature line.")
    return name, content


def _is_valid(key: NoteKey, text: str, signature: bytes) -> bool:
    signed = text.encode()
    if key.kind == COSIGNATURE:
        time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
        signed = COSIGNED.format(time=time, text=text).encode()
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _signature_line(key: NoteKey, signature: bytes) -> str:
    return f"{DASH}{key.name} {_base64(key.key_id + signature)}\n"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()
