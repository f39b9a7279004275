"""The empty signature field, put into the rendered PDF so that the result is still a tagged PDF/A.

The widget hangs in the structure tree as a Form element after the document's last element, has a tooltip and
follows the tab order. The bytes that come out are the reproducible artefact: the signature is only ever appended.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from submissions.documents.printing import LaidOut

FIELD = "Seal"
TOOLTIP = "Electronic seal of the Rules Submission Portal"
ROOM = "seal"  # id of the element of a template that the signature will cover
POINTS_PER_PIXEL = 0.75


@dataclass(frozen=True, slots=True)
class Place:
    """Where the seal stands: the page, from 0, and the rectangle in points from the page's lower left corner."""

    page: int
    rectangle: tuple[float, float, float, float]


def room(laid_out: LaidOut) -> Place:
    """Where the template left room for the seal."""
    for number, page in enumerate(laid_out.pages):
        if ROOM in page.anchors:
            left, top, right, bottom = (value * POINTS_PER_PIXEL for value in page.anchors[ROOM])
            height = page.height * POINTS_PER_PIXEL
            return Place(number, (left, height - bottom, right, height - top))
    raise LookupError(f"the template has no element with the id {ROOM!r} for the signature")


def add_field(content: bytes, place: Place) -> bytes:
    """The same document with the empty field `Seal`; the same bytes for the same input."""
    with pikepdf.open(BytesIO(content)) as pdf:
        page = pdf.pages[place.page].obj
        widget = pdf.make_indirect(_widget(page, place))
        page.Annots = Array([*page.get("/Annots", []), widget])
        for each in pdf.pages:
            each.obj.Tabs = Name.S
            _keep_own_pictures(pdf, each)
        pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=Array([widget]), SigFlags=0))
        _hang_into_structure(pdf, page, widget)
        written = BytesIO()
        # Without object streams, the full validation takes a second instead of a minute.
        pdf.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return written.getvalue()


def _keep_own_pictures(pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
    """A page names the pictures that it shows, no other's.

    The full validation follows every way to every object: with all pictures named on all pages, their number is
    the product of both, and a document of 25 pages takes longer than anybody waits.
    """
    shown = {str(drawn.operands[0]) for drawn in pikepdf.parse_content_stream(page, "Do")}
    own = Dictionary(page.obj.Resources)
    own.XObject = Dictionary({name: one for name, one in own.get("/XObject", Dictionary()).items() if name in shown})
    page.obj.Resources = pdf.make_indirect(own)


def _widget(page: pikepdf.Object, place: Place) -> Dictionary:
    printed_and_locked = 4 | 128
    return Dictionary(
        Type=Name.Annot,
        Subtype=Name.Widget,
        FT=Name.Sig,
        T=String(FIELD),
        TU=String(TOOLTIP),
        F=printed_and_locked,
        P=page,
        Rect=Array([round(value, 2) for value in place.rectangle]),
    )


def _hang_into_structure(pdf: pikepdf.Pdf, page: pikepdf.Object, widget: pikepdf.Object) -> None:
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
