"""Signed notes against the example of the specification, and against changes of any character."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from submissions.transparency.signed_note import (
    COSIGNATURE,
    InvalidNote,
    LogCheckpointText,
    NoteKey,
    cosign,
    open_note,
    read_checkpoint,
    read_key,
    sign_note,
)

# The example of golang.org/x/mod/sumdb/note, from which C2SP's signed-note was specified.
EXAMPLE_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
EXAMPLE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NAME = "portal.example/log"
KEY = NoteKey(NAME, PRIVATE.public_key().public_bytes_raw())
TEXT = str(LogCheckpointText(NAME, 41, bytes(range(32))))


def test_example_of_the_specification_is_accepted() -> None:
    key = read_key(EXAMPLE_KEY)
    assert str(key) == EXAMPLE_KEY
    assert open_note(EXAMPLE, key).startswith("If you think cryptography")


def test_checkpoint_is_read_as_it_was_written() -> None:
    note = sign_note(TEXT, NAME, PRIVATE)
    assert read_checkpoint(open_note(note, read_key(str(KEY)))) == LogCheckpointText(NAME, 41, bytes(range(32)))


def test_note_with_any_changed_character_is_refused() -> None:
    note = sign_note(TEXT, NAME, PRIVATE)
    for place, character in enumerate(note):
        changed = note[:place] + ("A" if character != "A" else "B") + note[place + 1 :]
        with pytest.raises(InvalidNote):
            open_note(changed, KEY)


def test_note_by_another_key_of_the_same_name_is_refused() -> None:
    note = sign_note(TEXT, NAME, Ed25519PrivateKey.generate())
    with pytest.raises(InvalidNote, match=r"no valid signature of portal\.example/log"):
        open_note(note, KEY)


def test_cosignature_is_bound_to_its_time_and_note() -> None:
    witness = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key = NoteKey("witness.example", witness.public_key().public_bytes_raw(), COSIGNATURE)
    note = cosign(sign_note(TEXT, NAME, PRIVATE), key.name, witness, 1_790_000_000)
    assert open_note(note, KEY) == open_note(note, key) == TEXT
    with pytest.raises(InvalidNote):
        open_note(note.replace("\n41\n", "\n42\n"), key)
    with pytest.raises(InvalidNote):  # a log's signature is no cosignature
        open_note(sign_note(TEXT, key.name, witness), key)


@pytest.mark.parametrize("text", ["", "a", "a+b", "a+b+c", EXAMPLE_KEY[:-4], EXAMPLE_KEY.replace("c74f", "c74e")])
def test_text_that_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidNote, match="verifier key"):
        read_key(text)


@pytest.mark.parametrize(
    "text", ["", "a\n", "a\n1\n", "a\n01\n" + TEXT.split("\n")[2] + "\n", "a\n-1\nAA==\n", "a\nx\nAA==\n"]
)
def test_text_that_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(InvalidNote, match="not a checkpoint"):
        read_checkpoint(text)
