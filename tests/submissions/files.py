"""Small files for the tests, made here: a passive PDF, an active one, pictures."""

import io

import pikepdf
from PIL import Image


def pdf(**root: object) -> bytes:
    """A PDF of one blank page; `root` adds entries to its catalogue."""
    document = pikepdf.new()
    document.add_blank_page()
    for key, value in root.items():
        document.Root[f"/{key}"] = value
    written = io.BytesIO()
    document.save(written, deterministic_id=True)
    return written.getvalue()


def pdf_with_javascript() -> bytes:
    action = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert('hello')")
    return pdf(OpenAction=action)


def pdf_with_embedded_file() -> bytes:
    document = pikepdf.new()
    document.add_blank_page()
    document.attachments["secret.txt"] = b"content"
    written = io.BytesIO()
    document.save(written, deterministic_id=True)
    return written.getvalue()


def picture(kind: str, size: tuple[int, int] = (20, 10)) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, "navy").save(written, kind)
    return written.getvalue()
