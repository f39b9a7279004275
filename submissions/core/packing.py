"""Bytes as they are stored: packed with zlib where that makes them smaller. Which was done is stored beside them.

Digests are always of the bytes themselves. Not here: which columns are packed (`models.filings.StoredFile`).
"""

import zlib

PLAIN, ZLIB = "", "zlib"  # how bytes are packed
LEVEL = 6
WORTH_IT = 0.95  # of the size: what hardly gets smaller, such as a picture, is stored as it is


class PackedBytesDamaged(ValueError):
    """Stored bytes that are not what was packed."""


def pack(content: bytes) -> tuple[bytes, str]:
    """Return the bytes to store, and how they are packed."""
    packed = zlib.compress(content, LEVEL)
    return (packed, ZLIB) if len(packed) < WORTH_IT * len(content) else (content, PLAIN)


def unpack(stored: bytes | memoryview, packing: str, size: int) -> bytes:
    """Return the bytes, `size` of them. Errors: `PackedBytesDamaged`; nothing larger than `size` is unpacked."""
    if packing == PLAIN:
        return bytes(stored)
    if packing != ZLIB:
        raise PackedBytesDamaged(f"they are packed by an unknown method, {packing}")
    try:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(bytes(stored), size + 1)
    except zlib.error as error:
        raise PackedBytesDamaged(f"they cannot be unpacked ({error})") from None
    if len(content) != size or not unpacking.eof:
        raise PackedBytesDamaged(f"unpacked they are not {size} bytes")
    return content
