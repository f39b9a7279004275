"""The electronic seal of a rendered PDF: its empty field, the signature, and the check before anything is stored.

The seal is PAdES B-LTA: certificates, revocation lists, a timestamp over the signature and one over the document are
embedded, so a later verification needs nothing else. Everything is appended: the unsigned bytes stay as they are.

Before the field is added, most of the elements `Span` that WeasyPrint writes around every text are removed: a reader
hears the same without them (ISO 32000-1, 14.8.4.4.1), and they are a quarter of a file with many tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from io import BytesIO
from typing import Any

import pikepdf
from django.conf import settings
from pikepdf import Array, Dictionary, Name, String
from pyhanko.pdf_utils.font.opentype import GlyphAccumulatorFactory
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.layout import AxisAlignment, Margins, SimpleBoxLayoutRule
from pyhanko.pdf_utils.text import TextBoxStyle
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner
from pyhanko.sign.signers.pdf_signer import DSSContentSettings, TimestampDSSContentSettings
from pyhanko.stamp import TextStampStyle

from submissions.core.errors import Refusal
from submissions.documents.checkpoints import NO_CHECKPOINT, PaperCheckpoint, check_paper
from submissions.documents.seal_conditions import correct_clock
from submissions.documents.signing_keys import SealKey, load_seal
from submissions.documents.verify import FIELD, Verification, run_in_thread, verify
from submissions.documents.weasyprint_pdf import PdfPages, RenderedPdf, static_file
from submissions.models import StoredFile

TOOLTIP = "Electronic seal of the Rules Submission Portal"
SEAL_ELEMENT = "seal"  # id of the template's element that the seal covers
POINTS_PER_PIXEL = 0.75
PRINTED_AND_LOCKED = 4 | 128
# So that the timestamp over the document covers every byte of the file except its own container.
ALL_BEFORE_THE_LAST_TIMESTAMP = DSSContentSettings(
    include_vri=False, next_ts_settings=TimestampDSSContentSettings(include_vri=False, update_before_ts=True)
)
# Source Sans has 1,000 units to the em: pyHanko spaces the letters of a font with another number too widely.
FONT = "uswds/fonts/source-sans-pro/sourcesanspro-regular-webfont.ttf"


@dataclass(frozen=True, slots=True)
class SignedPdf:
    """A document without and with its seal, and the result of its verification."""

    rendered: RenderedPdf
    content: bytes
    verification: Verification
    checkpoint: PaperCheckpoint = NO_CHECKPOINT  # of the history, at its approval

    def keep(self) -> dict[str, Any]:
        """Store the bytes; the columns of the document's row that describe them."""
        return {
            "unsigned_sha256": self.rendered.sha256,
            "signed": StoredFile.keep(self.content, "application/pdf"),
            "pages": self.rendered.pages,
            "signer": self.verification.signed_by,
            "signed_at": datetime.fromisoformat(self.verification.signed_at),
            "verification": {**self.verification.as_json(), "history": asdict(self.checkpoint)},
            "demo": settings.DEMO,
        }


def sign_pdf(unsigned: bytes, what: str, person: Mapping[str, str], seal: SealKey) -> bytes:
    """Return the document with its seal; it starts with exactly the given bytes.

    `what` it is: "Rules Submission RS-2026-00001-R1". `person`: who approved it, {name, role}.
    """
    metadata = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        reason=f"{what} approved by {person['name']}, {person['role']}",
        subfilter=SigSeedSubFilter.PADES,
        use_pades_lta=True,
        embed_validation_info=True,
        validation_context=seal.context(),
        dss_settings=ALL_BEFORE_THE_LAST_TIMESTAMP,
    )
    appearance = _appearance(person, seal)
    signer = PdfSigner(metadata, seal.signer, timestamper=seal.timestamper, stamp_style=appearance)
    written = BytesIO()
    run_in_thread(signer.async_sign_pdf(IncrementalPdfFileWriter(BytesIO(unsigned)), output=written))
    return written.getvalue()


def seal_pdf(
    rendered: RenderedPdf, what: str, person: Mapping[str, str], before_verifying: Callable[[], None] = lambda: None
) -> SignedPdf:
    """Return the rendered document, sealed and verified; `what`, `person`: as for `sign_pdf`.

    Raises `TryLater` on a machine with a wrong clock, and `Refusal` if the seal does not verify.
    """
    our_seal = load_seal()
    with correct_clock():
        signed = sign_pdf(rendered.content, what, person, our_seal)
        before_verifying()
        return require_verified(rendered, signed, our_seal)


def require_verified(rendered: RenderedPdf, signed: bytes, seal: SealKey) -> SignedPdf:
    """Return the document with its verification; a `Refusal`, so that nothing is stored, if it does not verify."""
    verification = verify(signed, seal.roots, [seal.sha256])
    problems = list(verification.problems)
    if not signed.startswith(rendered.content):
        problems.append("The sealed file does not start with the bytes that were laid out.")
    checkpoint = check_paper(signed, seal.roots, [seal.sha256])
    problems += [checkpoint.problem] if checkpoint.problem else []
    if problems or not verification.good:
        raise Refusal("seal-not-verified", problems=" ".join(problems))
    return SignedPdf(rendered, signed, verification, checkpoint)


def add_field(content: bytes, pages: PdfPages) -> bytes:
    """Return the document with the empty field where the template has room for it; equal input gives equal bytes.

    The widget is a Form element of the structure tree after the last one, has a tooltip and follows the tab order: the
    result is still a tagged PDF/A.
    """
    page_number, rectangle = _seal_position(pages)
    with pikepdf.open(BytesIO(content)) as pdf:
        page = pdf.pages[page_number].obj
        widget = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Widget,
                FT=Name.Sig,
                T=String(FIELD),
                TU=String(TOOLTIP),
                F=PRINTED_AND_LOCKED,
                P=page,
                Rect=Array([round(value, 2) for value in rectangle]),
            )
        )
        page.Annots = Array([*page.get("/Annots", []), widget])
        for each in pdf.pages:
            each.obj.Tabs = Name.S
            _keep_own_pictures(pdf, each)
        drop_plain_spans(pdf)
        pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array([widget]), SigFlags=0))
        _add_to_structure(pdf, page, widget)
        written = BytesIO()
        # Without object streams, the full validation takes a second instead of a minute.
        pdf.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return written.getvalue()


def _seal_position(pages: PdfPages) -> tuple[int, tuple[float, ...]]:
    """Return the page, from 0, and the rectangle in points from that page's lower left corner."""
    for number, page in enumerate(pages.pages):
        if SEAL_ELEMENT in page.anchors:
            left, top, right, bottom = (value * POINTS_PER_PIXEL for value in page.anchors[SEAL_ELEMENT])
            height = page.height * POINTS_PER_PIXEL
            return number, (left, height - bottom, right, height - top)
    raise LookupError(f"the template has no element with the id {SEAL_ELEMENT!r} for the signature")


def _keep_own_pictures(pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
    """Name only those pictures in the page that it shows.

    The full validation follows every path to every object. With all pictures named on all pages it visits the product
    of both numbers, which takes minutes for a document of 25 pages.
    """
    shown = {str(drawn.operands[0]) for drawn in pikepdf.parse_content_stream(page, "Do")}
    own = Dictionary(page.obj.Resources)
    own.XObject = Dictionary({name: item for name, item in own.get("/XObject", Dictionary()).items() if name in shown})
    page.obj.Resources = pdf.make_indirect(own)


def _add_to_structure(pdf: pikepdf.Pdf, page: pikepdf.Object, widget: pikepdf.Object) -> None:
    root = pdf.Root.StructTreeRoot
    document = root.K[0]
    reference = Dictionary(Type=Name.OBJR, Obj=widget, Pg=page)
    form = pdf.make_indirect(
        Dictionary(Type=Name.StructElem, S=Name.Form, P=document, Pg=page, K=Array([reference]), Alt=String(TOOLTIP))
    )
    document.K.append(form)
    numbers = root.ParentTree.Nums
    key = max(int(numbers[index]) for index in range(0, len(numbers), 2)) + 1
    numbers.extend([key, form])
    widget.StructParent = key
    root.ParentTreeNextKey = key + 1


def _appearance(person: Mapping[str, str], seal: SealKey) -> TextStampStyle:
    """Return the text in the field. The QR code is on the first page."""
    name = seal.signer.signing_cert.subject.native["common_name"]
    words = f"Sealed electronically by {name}\nupon approval by {person['name']}, {person['role']}\n"
    return TextStampStyle(
        stamp_text=words.replace("%", "%%") + "%(ts)s",
        text_box_style=TextBoxStyle(
            font=GlyphAccumulatorFactory(str(static_file(FONT)), font_size=10, create_objstream_if_needed=False),
            font_size=10,
            leading=14,
        ),
        inner_content_layout=SimpleBoxLayoutRule(
            AxisAlignment.ALIGN_MIN, AxisAlignment.ALIGN_MID, Margins(12, 12, 4, 4)
        ),
        border_width=0,
        background_opacity=0,
        timestamp_format="%Y-%m-%d %H:%M:%S %Z",
    )


PLAIN = {"/K", "/P", "/Pg", "/S", "/Type"}  # the keys of an element that says nothing
ObjectId = tuple[int, int]


def drop_plain_spans(pdf: pikepdf.Pdf) -> int:
    """Remove the spans that only contain text of their parent's page; how many. The saved file leaves them out."""
    root = pdf.Root.StructTreeRoot
    parents: dict[ObjectId, pikepdf.Object] = {}
    for element in root.K:
        _visit(element, parents)
    numbers = root.ParentTree.Nums
    for index in range(1, len(numbers), 2):
        if isinstance(numbers[index], Array):  # of a page: the element of each marked content
            numbers[index] = Array([_remaining(element, parents) for element in numbers[index]])
    return len(parents)


def _visit(element: pikepdf.Object, parents: dict[ObjectId, pikepdf.Object]) -> None:
    """Visit depth first, so that a span of spans is one of texts when its own turn comes."""
    kids = _kids(element)
    for kid in kids:
        if _is_element(kid):
            _visit(kid, parents)
    if any(_is_plain(kid, element) for kid in kids):
        merged: list[pikepdf.Object] = []
        for kid in kids:
            if _is_plain(kid, element):
                parents[kid.objgen] = element
                merged += _kids(kid)
            else:
                merged.append(kid)
        element.K = Array(merged)


def _is_plain(kid: pikepdf.Object, element: pikepdf.Object) -> bool:
    return (
        _is_element(kid)
        and kid.get("/S") == Name.Span
        and set(kid.keys()) <= PLAIN
        and all(isinstance(content, int) for content in _kids(kid))
        and "/Pg" in element
        and kid.get("/Pg").objgen == element.Pg.objgen
    )


def _is_element(kid: pikepdf.Object) -> bool:
    return isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == Name.StructElem


def _kids(element: pikepdf.Object) -> list[pikepdf.Object]:
    kids = element.get("/K", Array())
    return list(kids) if isinstance(kids, Array) else [kids]


def _remaining(element: pikepdf.Object, parents: dict[ObjectId, pikepdf.Object]) -> pikepdf.Object:
    """Return the element itself, or the nearest one above it that was not removed."""
    while isinstance(element, pikepdf.Dictionary) and element.objgen in parents:
        element = parents[element.objgen]
    return element
