"""Checks of a drawing's file before it is decoded: its kind, a picture's pixels, a PDF's pages, the content of an SVG.

Nothing may lie on the pages of a PDF that is not part of them. An SVG is checked element by element during parsing:
nothing is built, nothing is fetched. Refused are scripts, references to other places, document types (but the W3C's
own) and foreign elements, and sizes above the limits. Not here: whether a PDF could act (the scan of all uploads).
"""

import io
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from xml.etree.ElementTree import ParseError

import pypdfium2
import pypdfium2.raw as raw
import tinycss2
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser
from PIL import Image

from submissions.core.errors import Refusal

MOST_PIXELS = 40_000_000
MOST_PAGES = 10
PLAIN_ANNOTATIONS = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)  # show nothing but with an appearance of their own
ENDINGS = {".svg": "svg", ".pdf": "pdf", ".png": "picture", ".jpg": "picture", ".jpeg": "picture"}
BEGINNINGS = {b"%PDF-": (".pdf",), b"\x89PNG\r\n\x1a\n": (".png",), b"\xff\xd8\xff": (".jpg", ".jpeg")}


def kind_of(name: str, content: bytes) -> str:
    """Return the kind of file: `svg`, `pdf` or `picture`.

    Raises:
        Refusal: `layout-kind`, where the name and the content do not agree on one of them.
    """
    ending = PurePath(name).suffix.lower()
    begins = next((endings for magic, endings in BEGINNINGS.items() if content.startswith(magic)), (".svg",))
    if ending not in ENDINGS or ending not in begins:
        raise Refusal("layout-kind", name=name)
    return ENDINGS[ending]


def damaged_file(name: str = "") -> Refusal:
    return Refusal("layout-damaged/file", what=f"“{name}”" if name else "The drawing")


def check_picture_size(content: bytes, name: str = "") -> None:
    """Check the number of pixels that the file's header states, without decoding the picture.

    Raises:
        Refusal: `layout-too-large` or `layout-damaged`.
    """
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
            pixels = image.width * image.height
    except Image.DecompressionBombError as error:  # Pillow names them: “Image size (400000000 pixels) exceeds …”
        pixels = int(next(iter(re.findall(r"\d+", str(error))), MOST_PIXELS + 1))
    except Exception as error:  # decoders raise errors of every kind for damaged files
        raise damaged_file(name) from error
    if pixels > MOST_PIXELS:
        shown = f"“{name}”" if name else "The picture"
        raise Refusal("layout-too-large/pixels", picture=shown, pixels=pixels, most_pixels=MOST_PIXELS)


def check_pages(content: bytes) -> int:
    """Check the pages of a PDF and return their number; only in the isolated process.

    Raises:
        Refusal: `layout-too-large`, or `layout-damaged` for a comment, a stamp or a form field on a page.
    """
    with pypdfium2.PdfDocument(content) as document:
        if len(document) > MOST_PAGES:
            raise Refusal("layout-too-large/pages", count=len(document), most_pages=MOST_PAGES)
        for place in range(len(document)):
            _refuse_annotations(document[place], place + 1)
        return len(document)


def _refuse_annotations(page: pypdfium2.PdfPage, number: int) -> None:
    """Refuse annotations: programs differ in showing and printing them, so that the drawing would be ambiguous."""
    for index in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        is_plain = raw.FPDFAnnot_GetSubtype(annotation) in PLAIN_ANNOTATIONS and not raw.FPDFAnnot_HasKey(
            annotation, b"AP"
        )
        is_hidden = raw.FPDFAnnot_GetFlags(annotation) & raw.FPDF_ANNOT_FLAG_HIDDEN
        raw.FPDFPage_CloseAnnot(annotation)
        if not is_plain and not is_hidden:
            raise Refusal("layout-damaged/annotation", page=number)


MOST_ELEMENTS = 50_000
DEEPEST = 100
LONGEST_STYLE = 500_000
SVG = "{http://www.w3.org/2000/svg}"
ACTING = {"script", "handler", "listener", "set", "animate", "animatetransform", "animatemotion", "animatecolor"}
FOREIGN = {"foreignobject", "iframe", "object", "embed", "audio", "video", "canvas"}
CALLING_ATTRIBUTES = ("ping", "attributionsrc", "srcset")  # attributes of addresses, by HTML's rules also in an SVG
W3C_TYPE = re.compile(  # as drawing programs write it: no entities of its own, and nobody fetches it
    rb'<!DOCTYPE\s+svg\s+PUBLIC\s+"-//W3C//DTD SVG [\w. ]{1,20}//EN"\s+"https?://www\.w3\.org/[\w./-]{1,80}"\s*>'
)
PICTURES = ("data:image/png;base64,", "data:image/jpeg;base64,", "data:image/jpg;base64,")
FONTS = ("data:font/", "data:application/font", "data:application/x-font", "data:application/vnd.ms-fontobject")
SAVE_AS_PLAIN = "Save it as plain SVG, without scripts and with everything it shows in the file itself, or as PDF."


def refuse_unsafe_svg(name: str, content: bytes) -> None:
    """Check that the SVG may be read.

    Raises:
        Refusal: `layout-active-content`, `layout-external`, `layout-foreign`, `layout-entities`, `layout-too-large` or
            `layout-damaged`.
    """
    parser = DefusedXMLParser(target=_Guard(name), forbid_dtd=True)
    try:
        parser.feed(W3C_TYPE.sub(b"", content, count=1))
        parser.close()
    except DefusedXmlException as error:
        raise Refusal("layout-entities", name=name) from error
    except (ParseError, ValueError, LookupError) as error:
        raise damaged_file(name) from error


class _Guard:
    """The checks of the parser's events."""

    def __init__(self, name: str) -> None:
        self.name, self.elements, self.depth = name, 0, 0
        self.styles: list[str] | None = None  # the text of the current style sheet
        self.styled = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.elements, self.depth = self.elements + 1, self.depth + 1
        if self.elements > MOST_ELEMENTS or self.depth > DEEPEST:
            most = f"{MOST_ELEMENTS:,} are read, {DEEPEST} within each other"
            raise Refusal("layout-too-large/svg-elements", name=self.name, most=most)
        local = tag.rpartition("}")[2].lower()
        if self.elements == 1 and local != "svg":
            raise Refusal("layout-damaged/not-svg", fix=SAVE_AS_PLAIN, name=self.name, text=local[:40])
        if local in ACTING:
            raise self._no("layout-active-content", f"contains active content (<{local}>)")
        if local in FOREIGN or tag.startswith("{http://www.w3.org/1999/xhtml}"):
            raise self._no("layout-foreign", f"contains something other than SVG (<{local}>)")
        for key, value in attributes.items():
            self._attribute(key.rpartition("}")[2].lower(), value, local)
        if local == "style":
            self.styles = []

    def _attribute(self, key: str, value: str, element: str) -> None:
        if key.startswith("on"):
            raise self._no("layout-active-content", f"contains active content ({key})")
        if key in CALLING_ATTRIBUTES:
            raise self._no("layout-external", f"refers to another file ({key})")
        if key in ("href", "src", "base") and not value.strip().startswith("#"):
            pictured = element in ("image", "feimage") and value.strip().lower().startswith(PICTURES)
            if not pictured:
                raise self._no("layout-external", f"refers to another file ({value.strip()[:60]})")
        if "(" in value and ("url" in value.lower() or "image" in value.lower() or "\\" in value):
            self._style(value)

    def data(self, text: str) -> None:
        if self.styles is not None:
            self.styles.append(text)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.styles is not None and tag.rpartition("}")[2].lower() == "style":
            text, self.styles = "".join(self.styles), None
            self._style(text)

    def pi(self, target: str, data: str | None = None) -> None:
        if target.lower() == "xml-stylesheet":
            raise self._no("layout-external", "takes its style from another file")

    def close(self) -> None:
        return None

    def _style(self, text: str) -> None:
        self.styled += len(text)
        if self.styled > LONGEST_STYLE:
            raise Refusal("layout-too-large/svg-styles", name=self.name)
        for kind, value in _references(text):
            if kind == "import" or not value.strip().lower().startswith(("#", *PICTURES, *FONTS)):
                raise self._no("layout-external", f"refers to another file ({value.strip()[:60] or kind})")

    def _no(self, code: str, what: str) -> Refusal:
        return Refusal(code, f"“{self.name}” {what}, which is not allowed in a filed drawing.", fix=SAVE_AS_PLAIN)


def _references(text: str) -> Iterator[tuple[str, str]]:
    """Yield the references of a style sheet or a value, in any notation."""
    left: list[Any] = tinycss2.parse_component_value_list(text)
    while left:
        node = left.pop()
        if node.type == "at-keyword" and node.lower_value == "import":
            yield "import", ""
        elif node.type == "url":
            yield "url", node.value
        elif node.type == "function":
            if node.lower_name in ("url", "src", "image", "image-set", "-webkit-image-set"):
                yield from (("url", part.value) for part in node.arguments if part.type in ("string", "url"))
            left += node.arguments
        elif hasattr(node, "content"):
            left += node.content
