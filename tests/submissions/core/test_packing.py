"""Bytes are packed where that makes them smaller, and come back whole or not at all."""

from __future__ import annotations

import hashlib
import random
import zlib

import pytest
from django.db import connection

from submissions.core import append_only
from submissions.core.packing import PackedBytesDamaged, pack, unpack
from submissions.models import StoredFile

TEXT = b"<< /Type /StructElem /S /TD >>\n" * 2_000
NOISE = random.Random(1).randbytes(20_000)


@pytest.mark.parametrize("content", [b"", b"%", TEXT, NOISE], ids=["empty", "short", "text", "noise"])
def test_what_is_packed_comes_back(content: bytes) -> None:
    stored, packing = pack(content)
    assert unpack(stored, packing, len(content)) == content
    assert len(stored) <= len(content)


def test_only_what_gets_smaller_is_packed() -> None:
    assert pack(NOISE) == (NOISE, "")
    packed, packing = pack(TEXT)
    assert (packing, len(packed) < len(TEXT) / 10) == ("zlib", True)


@pytest.mark.parametrize(
    ("stored", "packing", "size"),
    [
        (zlib.compress(TEXT)[:-5], "zlib", len(TEXT)),
        (zlib.compress(TEXT), "zlib", len(TEXT) - 1),
        (zlib.compress(TEXT), "zlib", len(TEXT) + 1),
        (TEXT, "zlib", len(TEXT)),
        (TEXT, "zstd", len(TEXT)),
    ],
)
def test_damaged_bytes_are_refused(stored: bytes, packing: str, size: int) -> None:
    with pytest.raises(PackedBytesDamaged):
        unpack(stored, packing, size)


@pytest.mark.django_db
def test_stored_file_is_smaller_and_read_as_it_was() -> None:
    key = StoredFile.keep(TEXT, "application/pdf").pk
    stored = StoredFile.objects.get(pk=key)
    assert (stored.content, stored.size, stored.packing) == (TEXT, len(TEXT), "zlib")
    assert len(bytes(stored.packed)) < len(TEXT) / 10
    assert hashlib.sha256(stored.content).hexdigest() == key
    assert StoredFile.keep(TEXT, "application/pdf").pk == key
    append_only.drop(connection, ("submissions_storedfile",))
    StoredFile.objects.update(packed=b"\x78not packed")
    append_only.create(connection, ("submissions_storedfile",))
    assert hashlib.sha256(StoredFile.objects.get().content).hexdigest() != key
