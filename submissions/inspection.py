"""Whether a file from outside is what it says, and harmless: PDF, PNG and JPEG, nothing else.

Pictures are decoded and written anew, so that only pixels remain; a PDF is parsed and refused if anything
in it could act. Not here: size limits, quota and storing (`actions.uploads`).
"""

from __future__ import annotations

import io
from pathlib import PurePath
from threading import Lock

import pikepdf
from PIL import Image, ImageFile

from submissions.errors import Refusal
from submissions.inspection_confined import look_into

MAGIC = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
ENDINGS = {
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
}
LARGEST_PICTURE = 40_000_000  # pixels; a bomb of a few kilobytes can claim billions
MOST_OBJECTS = 200_000
LOCKED = "password"
_one_at_a_time = Lock()  # a picture within the limit takes some hundred megabytes while it is painted
ACTIVE_KEYS = ("/JS", "/JavaScript", "/Launch", "/EmbeddedFiles", "/EF", "/RichMedia", "/XFA", "/AA", "/OnInstantiate")
ACTIVE_ACTIONS = ("/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Rendition", "/Movie")


def inspect(name: str, content: bytes) -> tuple[str, bytes]:
    """The media type and the bytes to store.

    Raises:
        Refusal: `attachment-kind`, `attachment-damaged` or `attachment-active-content`.
    """
    found = next((kind for magic, kind in MAGIC.items() if content.startswith(magic)), None)
    ending = PurePath(name).suffix.lower()
    claimed = ENDINGS.get(ending)
    if claimed is None or found is None or claimed != found:
        raise Refusal(
            "attachment-kind", _mismatch(name, ending, found), fix="Save it as PDF, PNG or JPEG and upload it."
        )
    return found, content if _pdf_is_passive(name, content, found) else _repaint(name, content, found)


def _mismatch(name: str, ending: str, found: str | None) -> str:
    words = {"application/pdf": "a PDF", "image/png": "a PNG picture", "image/jpeg": "a JPEG picture"}
    if ending not in ENDINGS:
        return f"“{name}” is not of an accepted kind (PDF, PNG, JPEG)."
    return f"“{name}” is named {ending} but its content is {words.get(found or '', 'none of PDF, PNG, JPEG')}."


def _repaint(name: str, content: bytes, media_type: str) -> bytes:
    with _one_at_a_time:
        return _painted(name, content, media_type)


def _painted(name: str, content: bytes, media_type: str) -> bytes:
    ImageFile.LOAD_TRUNCATED_IMAGES = False  # WeasyPrint turns it on for the whole process when it is imported
    try:
        with Image.open(io.BytesIO(content)) as picture:
            if picture.width * picture.height > LARGEST_PICTURE:
                raise Refusal(
                    "attachment-too-large",
                    f"“{name}” has {picture.width:,} × {picture.height:,} pixels; 40 million are accepted.",
                    fix="Save it at a lower resolution.",
                )
            painted = io.BytesIO()
            if media_type == "image/png":
                mode = "RGBA" if picture.has_transparency_data else "RGB"
                picture.convert(mode).save(painted, "PNG", optimize=False)
            else:
                picture.convert("RGB").save(painted, "JPEG", quality=92)
            return painted.getvalue()
    except Refusal:
        raise
    except Exception as error:  # whatever a decoder stumbles over, the file is not stored
        raise _damaged(name) from error


def _pdf_is_passive(name: str, content: bytes, media_type: str) -> bool:
    """True for a PDF in which nothing acts; False for a picture; `Refusal` otherwise."""
    if media_type != "application/pdf":
        return False
    active = look_into(content)
    if active is None:  # fail closed: what cannot be parsed is not stored
        raise _damaged(name)
    if active == LOCKED:
        raise Refusal("attachment-damaged", f"“{name}” is protected by a password.", fix="Save it without a password.")
    if active:
        raise Refusal(
            "attachment-active-content",
            f"“{name}” contains active content ({active.lstrip('/')}), which a filed document must not.",
            fix="Print it to a new PDF and upload that.",
        )
    return True


def what_acts(content: bytes) -> str | None:
    """What acts in a PDF, "" if nothing does, `LOCKED`, or None if it cannot be read; only within `look_into`."""
    try:
        with pikepdf.open(io.BytesIO(content), attempt_recovery=False) as pdf:
            if len(pdf.objects) > MOST_OBJECTS or not len(pdf.pages):
                return None
            return next(filter(None, (_acts(thing) for thing in (pdf.trailer, *pdf.objects))), "")
    except pikepdf.PasswordError:
        return LOCKED
    except Exception:  # whatever the parser stumbles over
        return None


def _acts(thing: pikepdf.Object, depth: int = 0) -> str:
    """The key of what acts in this object or its direct children, "" if nothing does.

    References are not followed: what they name is an object of its own in the caller's walk.
    """
    if depth > 50:
        return "/too deep"
    if isinstance(thing, pikepdf.Array):
        return next(filter(None, (_acts(item, depth + 1) for item in thing if not _indirect(item))), "")
    if not isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
        return ""
    keys = set(thing.keys())
    if found := next((key for key in ACTIVE_KEYS if key in keys), ""):
        return found
    if str(thing.get("/S", "")) in ACTIVE_ACTIONS:
        return str(thing["/S"])
    opening = thing.get("/OpenAction")
    if isinstance(opening, pikepdf.Dictionary) and str(opening.get("/S", "")) != "/GoTo":
        return "/OpenAction"
    children = (thing[key] for key in keys)
    return next(filter(None, (_acts(child, depth + 1) for child in children if not _indirect(child))), "")


def _indirect(item: object) -> bool:
    return not isinstance(item, pikepdf.Object) or item.is_indirect


def _damaged(name: str) -> Refusal:
    return Refusal("attachment-damaged", f"“{name}” cannot be read: it is damaged.", fix="Save it anew and upload it.")
