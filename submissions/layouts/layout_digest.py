"""The digest of a layout filing: what each part shows, and the drawing's file."""

from submissions.core.canonical_json import digest
from submissions.models import LayoutRevision


def layout_digest(filed: LayoutRevision) -> str:
    """SHA-256 of the receipt, the parts and the drawing, in hexadecimal."""
    drawing = filed.drawing.stored_id if filed.drawing else ""
    return digest({"receipt": filed.receipt, "shown": filed.shown, "drawing": drawing})
