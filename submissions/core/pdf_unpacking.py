"""Whether a PDF is a bomb: few bytes whose streams become very many when a reader unpacks them.

Only for the child process that scans uploads (`upload_scan`), whose memory and time are limited. Not here: what a PDF
does when it is opened.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pikepdf

MOST_CONTENT = 16 << 20  # bytes that streams other than pictures may become, however small they are packed
MOST_PICTURES = 512 << 20  # the same of pictures: a blank scanned page is packed a thousand times smaller
STEEPEST = 100  # times: what is packed even smaller, and beyond these limits, is a bomb; drawings and text come to 20
LARGEST_STREAM = 160 << 20  # bytes that one stream may become: a picture of 40 million pixels in four colors
FLATE = ("/FlateDecode", "/Fl")
OTHER_PACKINGS = ("/LZWDecode", "/LZW", "/RunLengthDecode", "/RL", "/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx")
PIECE = 64 * 1024  # packed bytes that are unpacked at a time


@dataclass(slots=True)
class _Total:
    """Of all streams of one sort, in bytes."""

    allowed: int
    packed: int = 0
    unpacked: int = 0

    @property
    def is_too_large(self) -> bool:
        return self.unpacked > self.allowed and self.unpacked > STEEPEST * self.packed


def is_bomb(pdf: pikepdf.Pdf) -> bool:
    """Whether the streams become more than a reader should be asked for.

    Raises:
        Exception: any of the parser's, where a stream in an uncommon packing is damaged.
    """
    content, pictures = _Total(MOST_CONTENT), _Total(MOST_PICTURES)
    for stream in [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]:
        raw = stream.read_raw_bytes()
        size = max(_sizes(pdf, raw, _filters(stream)), default=len(raw))
        total = pictures if str(stream.get("/Subtype", "")) == "/Image" else content
        total.packed += len(raw)
        total.unpacked += size
        if size > LARGEST_STREAM or total.is_too_large:
            return True
    return False


def _filters(stream: pikepdf.Stream) -> list[str]:
    named = stream.get("/Filter")
    if named is None:
        return []
    return [str(name) for name in named] if isinstance(named, pikepdf.Array) else [str(named)]


def _sizes(pdf: pikepdf.Pdf, data: bytes, filters: Iterable[str]) -> Iterator[int]:
    """Bytes after each packing is undone, until the format of a picture comes: that one's pixels are not counted."""
    for name in filters:
        if name in FLATE:
            data = _inflated(data)
        elif name in OTHER_PACKINGS:
            stream = pikepdf.Stream(pdf, data, Filter=pikepdf.Name(name))
            data = stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
        else:
            return
        yield len(data)


def _inflated(data: bytes) -> bytes:
    """What a reader gets, a damaged end or not; little more than `LARGEST_STREAM` at most."""
    inflater, inflated = zlib.decompressobj(), bytearray()
    for start in range(0, len(data), PIECE):
        piece = data[start : start + PIECE]
        while piece and len(inflated) <= LARGEST_STREAM:
            try:
                inflated += inflater.decompress(piece, 16 * PIECE)
            except zlib.error:
                return bytes(inflated)
            piece = inflater.unconsumed_tail
    return bytes(inflated)
