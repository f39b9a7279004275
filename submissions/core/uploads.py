"""Files from outside: the name and the size before the content is looked at, then the content.

A file must be what it claims to be, and harmless. PDF, PNG and JPEG, nothing else.
"""

import io
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from threading import Lock

import pikepdf
from django.conf import settings
from PIL import Image, ImageFile

from submissions.core.errors import Refusal
from submissions.core.isolated_process import IsolatedFunction, IsolatedProcessFailed


def check_size(name: str, size: int) -> None:
    """Refuse what is too large; a page calls this before it reads the file."""
    limit = settings.ATTACHMENT_LIMIT
    if size > limit:
        raise Refusal("attachment-too-large/bytes", name=name, megabytes=size / 1e6, limit=limit / 2**20)
    if size == 0:
        raise Refusal("attachment-empty", name=name)


def clean_file_name(name: str) -> str:
    """Return the last part of the name, without anything that could mislead a reader or a file system."""
    last = PurePath(name.replace("\\", "/")).name
    printable = "".join(sign for sign in unicodedata.normalize("NFC", last) if unicodedata.category(sign)[0] != "C")
    return re.sub(r'[<>:"|?*]', "_", printable)[-200:] or "file"


MOST_CONTENT = 16 << 20  # bytes that streams other than pictures may become, however small they are packed
MOST_PICTURES = 512 << 20  # the same of pictures: a blank scanned page is packed a thousand times smaller
STEEPEST = 100  # times: what is packed even smaller, and beyond these limits, is a bomb; drawings and text come to 20
LARGEST_STREAM = 160 << 20  # bytes that one stream may become: a picture of 40 million pixels in four colors
FLATE = ("/FlateDecode", "/Fl")
OTHER_PACKINGS = ("/LZWDecode", "/LZW", "/RunLengthDecode", "/RL", "/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx")
PIECE = 64 * 1024  # packed bytes that are unpacked at a time


@dataclass(slots=True)
class _Total:
    """The total of all streams of one sort, in bytes."""

    allowed: int
    packed: int = 0
    unpacked: int = 0

    @property
    def is_too_large(self) -> bool:
        return self.unpacked > self.allowed and self.unpacked > STEEPEST * self.packed


def is_bomb(pdf: pikepdf.Pdf) -> bool:
    """Return whether the streams become more than a reader should be asked for. Errors: any of the parser's."""
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
    """Yield the bytes after each packing is undone, up to the format of a picture: its pixels are not counted."""
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
    """Return the data that a reader gets, a damaged end or not; little more than `LARGEST_STREAM` at most."""
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


MAGIC = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
ENDINGS = {".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
LABELS = {"application/pdf": "a PDF", "image/png": "a PNG picture", "image/jpeg": "a JPEG picture"}
LARGEST_PICTURE = 40_000_000  # pixels; a bomb of a few kilobytes can claim billions
MOST_OBJECTS = 200_000
ENCRYPTED, BOMB, OTHER_FILE = "password", "unpacked", "other-file"  # what `scan_pdf` finds, beside active content
_one_at_a_time = Lock()  # a picture within the limit takes some hundred megabytes while it is painted
ACTIVE_KEYS = (
    "/JS",
    "/JavaScript",
    "/Launch",
    "/EmbeddedFiles",
    "/EF",
    "/RichMedia",
    "/XFA",
    "/AA",
    "/OnInstantiate",
    "/Ref",
)
ACTIVE_ACTIONS = (
    "/JavaScript",
    "/Launch",
    "/SubmitForm",
    "/ImportData",
    "/GoToR",
    "/GoToE",
    "/Rendition",
    "/Movie",
    "/Thread",
    "/Sound",
)
ACTIVE_ANNOTATIONS = ("/RichMedia", "/Sound", "/Movie", "/Screen", "/3D", "/FileAttachment")
MOST_AFTER_END = 32  # bytes behind the last %%EOF: line ends, no second file
# What other programs take the file for, wherever it stands in it: an entry or the end of a ZIP archive, a web page.
OTHER_FILES = re.compile(
    rb"PK\x03\x04[\x0a-\x3f]\0|PK\x05\x06\0\0\0\0|(?i:<(?:!doctype\s+html|html|script|iframe)[\s/>])"
)


def check_upload(name: str, content: bytes) -> tuple[str, bytes]:
    """Return media type and bytes to store, or refuse: `attachment-kind`, `-damaged` or `-active-content`."""
    media_type = next((kind for magic, kind in MAGIC.items() if content.startswith(magic)), None)
    ending = PurePath(name).suffix.lower()
    if ending not in ENDINGS:
        raise Refusal("attachment-kind/ending", name=name)
    if media_type is None or media_type != ENDINGS[ending]:
        actual = LABELS.get(media_type or "", "none of PDF, PNG, JPEG")
        raise Refusal("attachment-kind/content", name=name, ending=ending, actual=actual)
    if media_type == "application/pdf":
        _refuse_active_pdf(name, content)
        return media_type, content
    with _one_at_a_time:
        return media_type, _repaint(name, content, media_type)


def _repaint(name: str, content: bytes, media_type: str) -> bytes:
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # WeasyPrint turns it on for the whole process when it is imported
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > LARGEST_PICTURE:
                raise Refusal("attachment-too-large/pixels", name=name, width=picture.width, height=picture.height)
            painted = io.BytesIO()
            if media_type == "image/png":
                mode = "RGBA" if picture.has_transparency_data else "RGB"
                picture.convert(mode).save(painted, "PNG", optimize=False)
            else:
                picture.convert("RGB").save(painted, "JPEG", quality=92)
            return painted.getvalue()
    except Refusal:
        raise
    except Exception as error:  # any failure of the decoder: the file is not stored
        raise Refusal("attachment-damaged/unreadable", name=name) from error


def _refuse_active_pdf(name: str, content: bytes) -> None:
    try:
        active = _scan_in_child(content)
    except IsolatedProcessFailed:
        active = None
    if active is None:  # fail closed: what cannot be parsed is not stored
        raise Refusal("attachment-damaged/unreadable", name=name)
    if active == ENCRYPTED:
        raise Refusal("attachment-damaged/password", name=name)
    if active == BOMB:
        raise Refusal("attachment-too-large/unpacked", name=name)
    if active == OTHER_FILE:
        raise Refusal("attachment-damaged/other-file", name=name)
    if active:
        raise Refusal("attachment-active-content", name=name, active_name=active.lstrip("/"))


def scan_pdf(content: bytes) -> str | None:
    """Return the active content of a PDF, "" for none, `ENCRYPTED`, `BOMB`, `OTHER_FILE`; None if it cannot be read.

    Only for the child process.
    """
    if len(content) - content.rfind(b"%%EOF") - len(b"%%EOF") > MOST_AFTER_END or OTHER_FILES.search(content):
        return OTHER_FILE
    try:
        with pikepdf.open(io.BytesIO(content), attempt_recovery=False) as pdf:
            if len(pdf.objects) > MOST_OBJECTS or not len(pdf.pages):
                return None
            active = next(filter(None, (_active_key(item) for item in (pdf.trailer, *pdf.objects))), "")
            return active or (BOMB if is_bomb(pdf) else "")
    except pikepdf.PasswordError:
        return ENCRYPTED
    except Exception:  # any failure of the parser
        return None


_scan_in_child = IsolatedFunction(scan_pdf, cpu_seconds=10, wall_seconds=20, memory=1 << 30)


def _active_key(item: pikepdf.Object, depth: int = 0) -> str:
    """Return the key of active content in this object or its direct children, "" without any.

    References are not followed: what they name is an object of its own in the caller's walk.
    """
    if depth > 50:
        return "/too deep"
    if isinstance(item, pikepdf.Array):
        return next(filter(None, (_active_key(child, depth + 1) for child in item if not _indirect(child))), "")
    if not isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
        return ""
    keys = set(item.keys())
    if active := next((key for key in ACTIVE_KEYS if key in keys), ""):
        return active
    if str(item.get("/S", "")) in ACTIVE_ACTIONS:
        return str(item["/S"])
    if str(item.get("/Subtype", "")) in ACTIVE_ANNOTATIONS:
        return str(item["/Subtype"])
    if isinstance(item, pikepdf.Stream) and "/F" in keys:  # its content is in another file, or at an address
        return "/F"
    opening = item.get("/OpenAction")
    if isinstance(opening, pikepdf.Dictionary) and (str(opening.get("/S", "")) != "/GoTo" or "/Next" in opening):
        return "/OpenAction"
    children = (item[key] for key in keys)
    return next(filter(None, (_active_key(child, depth + 1) for child in children if not _indirect(child))), "")


def _indirect(item: object) -> bool:
    return not isinstance(item, pikepdf.Object) or item.is_indirect
