"""Whether a file from outside is what it claims to be, and harmless: PDF, PNG and JPEG, nothing else.

Pictures are decoded and encoded again, so that only pixels remain; a PDF is parsed in an isolated process and refused
if it has active content, unpacks to far more than it should (`pdf_unpacking`), or is another file, too. Not here: size
limits, quota and storing (`filings.attachments`).
"""

import io
import re
from pathlib import PurePath
from threading import Lock

import pikepdf
from PIL import Image, ImageFile

from submissions.core.errors import Refusal
from submissions.core.isolated_process import IsolatedFunction, IsolatedProcessFailed
from submissions.core.pdf_unpacking import is_bomb

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


def inspect(name: str, content: bytes) -> tuple[str, bytes]:
    """The media type and the bytes to store.

    Raises:
        Refusal: `attachment-kind`, `attachment-damaged` or `attachment-active-content`.
    """
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
    """The active content of a PDF, "" if there is none, `ENCRYPTED`, `BOMB`, `OTHER_FILE`; None if it cannot be read.

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
    """The key of active content in this object or its direct children, "" if there is none.

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
